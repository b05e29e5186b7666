/* The largest eigenvalues of an operator that is symmetric in the inner product of a mass matrix, by ARPACK: lehoucq98. */
#ifndef STEPBENCH_ANALYSIS_MODES_LANCZOS_H
#define STEPBENCH_ANALYSIS_MODES_LANCZOS_H

#include <stepbench/context.h>

/* A with x' M A y = y' M A x for all x, y in its range, on which x' M x > 0. */
typedef struct sb_lanczos {
    const char *what; /* for messages: whose eigenvalues */
    int n;            /* length of a vector */
    int range;        /* dimension of the range of A, or a lower bound */
    void *self;
    int (*apply)(void *self, const double *x, double *y); /* y = A x */
    int (*mass)(void *self, const double *x, double *y);  /* y = M x */
} sb_lanczos;

/* values[0] >= values[1] ... are the `count` largest eigenvalues on the range of A, each wrong by 1e-10 of itself at most and by the square of that
 * over the distance to its neighbours where they are apart; vectors (n x count, may be NULL) have x' M x = 1. The iteration starts from one fixed
 * vector, so that results are the same from run to run. SB_UNSUPPORTED when the range is too small for so many, SB_NOT_CONVERGED when the
 * spectrum's end is too dense. ARPACK keeps its state in static memory: one thread of a process at a time. */
int sb_lanczos_solve(sb_context *ctx, const sb_lanczos *spec, int count, double *values, double *vectors);

#endif
