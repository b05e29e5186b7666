/* Steps of SPOOK on linear systems g = G' q, one constrained direction at a time: spook07 5. */
#pragma once

#include <gsl/gsl_rng.h>

#include "analysis/modes/quadratic.h"
#include "bench/runner/experiment.h"

enum { SB_LINEAR_MOST = 6 };

/* A linear system with G of the given rank, and its constrained directions M^-1 G s, M-orthonormal, the columns of d.
 */
typedef struct sb_linear_case {
    sb_quadratic data;
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

/* The stepper of the registry on a case. */
typedef struct sb_linear_stepper {
    const sb_linear_case *c;
    double h;
    sb_system sys;
    sb_method method;
    sb_state in, out;
} sb_linear_stepper;

/* Builds spook with eps and tau/h = theta for every row, the start of the paper, and the step h. Fails like
 * sb_method_build. */
int sb_linear_stepper_open(sb_bench *bench, sb_arena *arena, const sb_linear_case *c, double eps, double theta,
                           double h, sb_linear_stepper *out);
/* Takes a step from (a x, (b/h) x), x of n, to w->out. */
int sb_linear_stepper_step(sb_linear_stepper *w, const double *x, double a, double b);
/* Subtracts the component of y (n) along constrained direction i, and returns it. */
double sb_linear_take_out(const sb_linear_case *c, int i, double *y);
/* Computes the stepper on constrained direction i as a 2 x 2 matrix in (q, h v), column-major. Raises *leak to the
 * largest component of the images outside of that direction. */
int sb_linear_block(sb_linear_stepper *w, int i, double B[4], double *leak);
/* Computes trace and determinant of the stepper's block for one constraint with M = G = h = 1. */
int sb_linear_one(sb_bench *bench, double eps, double theta, double *trace, double *determinant);
/* Returns the larger modulus of the roots of a recurrence with this trace and determinant. */
double sb_linear_root(double trace, double determinant);
