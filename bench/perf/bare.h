/* Hand-coded reference loops, one per method and problem, with which the time per step of a stepper is compared. */
#ifndef STEPBENCH_BENCH_PERF_BARE_H
#define STEPBENCH_BENCH_PERF_BARE_H

#include <stepbench/context.h>

enum { SB_BARE_CONSTANTS = 5, SB_BARE_STATE = 14 };

/* A reference loop. Its trajectory is that of the stepper up to round-off: the same equations, solved to the same
 * tolerance. */
typedef struct sb_bare {
    const char *stepper, *problem, *formulation;  /* formulation: NULL or a name */
    const char *constants[SB_BARE_CONSTANTS + 1]; /* the problem's parameters that make up `c` below, NULL-terminated */
    int n;                                        /* coordinates */
    /* Sets the state after the step from q0 to (q1, v1), which begins with q1; `s` is zero before. */
    void (*start)(int n, const double *c, double h, const double *q0, const double *q1, const double *v1, double *s);
    /* Advances the state by `steps` steps. */
    void (*run)(const double *c, double h, long steps, double *s);
} sb_bare;

extern const sb_bare sb_bare_list[];
extern const int sb_bare_count;

/* Returns the loop of a stepper on a problem with a formulation (NULL: none); NULL if there is none. */
const sb_bare *sb_bare_find(const char *stepper, const char *problem, const char *formulation);

/* Sets the constants `c` of a loop to the defaults of its problem. */
int sb_bare_constants(sb_context *ctx, sb_arena *arena, const sb_bare *bare, double c[SB_BARE_CONSTANTS]);

#endif
