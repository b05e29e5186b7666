/* Hand-coded reference loops, one per method and problem, with which the time per step of a stepper is compared. */
#pragma once

#include <stepbench/context.h>
#include <stepbench/stepper.h>

enum { SB_BARE_CONSTANTS = 5, SB_BARE_STATE = 32 };

/* A reference loop. Its trajectory is that of the stepper up to round-off: the same equations, solved to the same
 * tolerance. */
typedef struct sb_bare {
    const char *stepper, *problem, *formulation;  /* formulation: NULL or a name */
    const char *constants[SB_BARE_CONSTANTS + 1]; /* the problem's parameters that make up `c` below, NULL-terminated */
    const struct bare_terms *terms;               /* bare_loops.h; NULL where `start` and `run` do without */
    /* Sets the state `s` after the first step, from q0 to `now`, whose reported velocity is v1. `s` begins with q1 and
     * is zero before. */
    void (*start)(const struct sb_bare *bare, const double *c, double h, const double *q0, const sb_state *now,
                  const double *v1, double *s);
    /* Advances the state by `steps` steps. */
    void (*run)(const double *c, double h, long steps, double *s);
} sb_bare;

extern const sb_bare sb_bare_list[];
extern const int sb_bare_count;

/* Returns the loop of a stepper on a problem with a formulation (NULL: none); NULL if there is none. */
const sb_bare *sb_bare_find(const char *stepper, const char *problem, const char *formulation);

/* Sets the constants `c` of a loop to the defaults of its problem. */
int sb_bare_constants(sb_context *ctx, sb_arena *arena, const sb_bare *bare, double c[SB_BARE_CONSTANTS]);
