/* A system from matrices: quadratic energies, linear forces, and rows that are linear or quadratic. */
#pragma once

#include <stepbench/system.h>

/* T = v' M v/2, V = q' K q/2 + b' q, f = -C v - N q, g = G' q + c + e q' W q/2 with e = (1, 0, ..., 0), A' v = w cos t.
 * All matrices are column-major. The motion starts at rest. NULL stands for zeros, but for M. */
typedef struct sb_quadratic {
    int n, m, r;             /* coordinates, holonomic and nonholonomic rows */
    const double *M, *K, *W; /* n x n, symmetric, M positive definite */
    const double *C, *N;     /* n x n */
    const double *b;         /* n */
    const double *G, *A;     /* n x m and n x r: a column is the gradient of a row */
    const double *c, *w;     /* m and r */
    const double *eps, *tau; /* m: the regularization of each row; NULL: that of the stepper */
    const double *q;         /* n: the start */
} sb_quadratic;

/* Builds the system; `data` must outlive it. */
int sb_quadratic_system(sb_context *ctx, sb_arena *arena, const char *name, const sb_quadratic *data, double time_scale,
                        sb_system *out);
