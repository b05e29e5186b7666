/* The largest eigenvalues of an operator that is symmetric in the inner product of a mass matrix, by ARPACK: lehoucq98.
 */
#ifndef STEPBENCH_ANALYSIS_MODES_LANCZOS_H
#define STEPBENCH_ANALYSIS_MODES_LANCZOS_H

#include <stepbench/context.h>

/* An operator A with x' M A y = y' M A x for all x, y in its range, on which x' M x > 0. */
typedef struct sb_lanczos {
    const char *what; /* name of the system, for messages */
    int n;            /* length of a vector */
    int range;        /* dimension of the range of A, or a lower bound */
    void *self;
    int (*apply)(void *self, const double *x, double *y); /* y = A x */
    int (*mass)(void *self, const double *x, double *y);  /* y = M x */
} sb_lanczos;

/* Computes the `count` largest eigenvalues on the range of A, values[0] >= values[1] ... The relative error of each is
 * at most 1e-10, and the square of that over the distance to its neighbours if they are separated. vectors (n x count,
 * may be NULL) have x' M x = 1. The iteration starts from a fixed vector, so that results are reproducible. Fails with
 * SB_UNSUPPORTED if the range is too small, with SB_NOT_CONVERGED if the largest eigenvalues are too close together.
 * ARPACK keeps its state in static memory: only one thread of a process may call it at a time. */
int sb_lanczos_solve(sb_context *ctx, const sb_lanczos *spec, int count, double *values, double *vectors);

#endif
