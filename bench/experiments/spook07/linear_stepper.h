/* SPOOK stepped on a linear system, one constrained direction at a time: spook07 5. */
#ifndef STEPBENCH_BENCH_EXPERIMENTS_SPOOK07_LINEAR_STEPPER_H
#define STEPBENCH_BENCH_EXPERIMENTS_SPOOK07_LINEAR_STEPPER_H

#include <gsl/gsl_rng.h>

#include <stepbench/numerics/linear.h>

#include "bench/experiments/spook07/linear_system.h"

enum { SB_LINEAR_MOST = 6 };

/* A linear system with G of the given rank, and what the checks need of it. d holds the constrained directions M^-1 G
 * s, M-orthonormal, as columns. */
typedef struct sb_linear_case {
    sb_matrices data;
    int rank;
    double M[SB_LINEAR_MOST * SB_LINEAR_MOST], G[SB_LINEAR_MOST * SB_LINEAR_MOST], eps[SB_LINEAR_MOST],
        tau[SB_LINEAR_MOST], d[SB_LINEAR_MOST * SB_LINEAR_MOST], Md[SB_LINEAR_MOST * SB_LINEAR_MOST],
        lambda[SB_LINEAR_MOST];
} sb_linear_case;

/* Draws M = L L' + 1/2 (n x n) and G = X Y (n x m) of the given rank from random L, X and Y. */
void sb_linear_draw(gsl_rng *rng, int n, int m, int rank, sb_linear_case *c);
/* Computes the constrained directions from the eigenvectors s of S = G' M^-1 G (columns of G being gradients): d = M^-1
 * G s/sqrt(lambda). SB_SINGULAR, SB_NOT_CONVERGED. */
int sb_linear_directions(sb_bench *bench, sb_linear_case *c);

/* The real stepper on a case. */
typedef struct sb_linear_stepper {
    const sb_linear_case *c;
    double h;
    sb_system sys;
    sb_method method;
    sb_state in, out;
} sb_linear_stepper;

/* spook with eps and tau/h = theta for every row, the papers' start, and step h. SB_NO_MEMORY, or what building it
 * says. */
int sb_linear_stepper_open(sb_bench *bench, sb_arena *arena, const sb_linear_case *c, double eps, double theta,
                           double h, sb_linear_stepper *out);
/* One step from (a x, (b/h) x), x of n; the result is in w->out. */
int sb_linear_stepper_step(sb_linear_stepper *w, const double *x, double a, double b);
/* Component of y (n) along constrained direction i, which is taken out of y. */
double sb_linear_take_out(const sb_linear_case *c, int i, double *y);
/* The stepper on constrained direction i as a 2 x 2 matrix in (q, h v), column-major; *leak grows to the largest part
 * of its images outside. */
int sb_linear_block(sb_linear_stepper *w, int i, double B[4], double *leak);
/* Trace and determinant of the stepper's block for one constraint with M = G = h = 1; the larger modulus of the roots
 * of a recurrence with this trace and determinant. */
int sb_linear_one(sb_bench *bench, double eps, double theta, double *trace, double *determinant);
double sb_linear_root(double trace, double determinant);

#endif
