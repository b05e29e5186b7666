/* What tiny steps of a stepper have shown of the mechanism that it moves, and the verdict on it. */
#pragma once

#include "analysis/row.h"
#include "analysis/system/physics_terms.h"

/* A tolerance that decides nothing: wrong parameters are off by a tenth at least. That of single precision is 0.024. */
static const double SB_PHYSICS_VAGUE = 0.1;

typedef struct sb_physics_found {
    sb_task *task;
    sb_physics_terms terms;
    double epsilon, tolerance; /* round-off of the stepper; what its errors leave of a violation */
    int equations;
    double scale[SB_PHYSICS_EQUATIONS], violation[SB_PHYSICS_EQUATIONS];
    double longer, longer_error;        /* length of a step over h; its round-off */
    double spread;                      /* relative change of accelerations by halving h */
    const char *jump;                   /* the body that jumps in a tiny step, NULL: none */
    double along, square, their_square; /* sums of the products of their rates of the twists and ours */
    double joints, allowed;             /* largest row of C a; its tolerance */
    int row;                            /* of C */
    bool single;                        /* all numbers are those of single precision */
} sb_physics_found;

/* Returns what velocities are that are not those of the end of the step, NULL if they may be. Those that do not change
 * differ by round-off, ten times whose error is a hundredth of the tolerance: joints that are kept by velocities leave
 * out the centripetal accelerations, and what remains may be small beside ours. */
const char *sb_physics_late(const sb_physics_found *m);

/* Writes the rows of the check. The tolerance is narrowed where a parameter explains the violation. */
int sb_physics_write(sb_physics_found *m);
