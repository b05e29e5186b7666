/* The largest violation of the holonomic constraints along a run, over the size of the motion. */
#pragma once

#include "analysis/analysis.h"

/* Lengths are those of the metric of the diagonal D of the mass matrix, in which coordinates of different units add up,
 * and a row is violated by the shortest displacement that satisfies it to first order, |g_j|/sqrt(G_j' D^-1 G_j): they
 * are the same in all units of length, mass and time and for all factors of a row. */
typedef struct sb_violation {
    const sb_system *sys;                            /* with the constraints */
    double *start, *g, *Gx, *Mx, *Hx, *D, *F, *work; /* start: the first position */
    bool begun;
    double size;     /* largest component of q - start, T v and T^2 D^-1 F in this metric, T the time scale */
    double distance; /* the largest violation in this metric; 0: none */
    int row;         /* of it, with |g| at the time t */
    double residual, t;
} sb_violation;

int sb_violation_init(sb_arena *arena, const sb_system *sys, sb_violation *out);
/* Adds a state of the run. Rows with a compliance of their own, which belongs to the problem, do not count. */
int sb_violation_add(sb_violation *w, double t, const double *q, const double *v);
/* Sets *note to a sentence that names the violation, the size of the motion and what reduces it; to "" if the violation
 * is at most a thousandth of the size, which a figure does not show, or (h/T)^2 of it: constraints that are linear
 * within a step h leave h^2 v^2/(8 R), which is less where their radius of curvature R exceeds an eighth of the size.
 */
int sb_violation_note(sb_arena *arena, const sb_violation *w, const sb_pair *pair, double h, const char **note);
