/* A linear system made of matrices: constant M, potential q'Kq/2, g = Gq, A v = w(t); for checks on random matrices. */
#ifndef STEPBENCH_BENCH_EXPERIMENTS_SPOOK07_LINEAR_SYSTEM_H
#define STEPBENCH_BENCH_EXPERIMENTS_SPOOK07_LINEAR_SYSTEM_H

#include <stepbench/numerics/linear.h>

#include "bench/runner/experiment.h"

/* All matrices are column-major. Starts from q = v = 0 at t = 0. */
typedef struct sb_matrices {
    int n, m, r;             /* coordinates, holonomic and nonholonomic rows */
    const double *M, *K;     /* n x n, symmetric, M positive definite; K may be NULL for none */
    const double *G, *A;     /* n x m and n x r: a column is the gradient of a row */
    const double *w;         /* r: the driving is w_i cos t */
    const double *eps, *tau; /* m, a row's own; NULL: the stepper's */
} sb_matrices;

/* `data` must outlive the system. */
int sb_linear_system(sb_context *ctx, sb_arena *arena, const sb_matrices *data, sb_system *out);

#endif
