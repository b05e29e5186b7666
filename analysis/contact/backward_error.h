/* Backward error of an inexact solution of the equations of a step: the compliance it implies in every row, and the
 * spectral radius of the step. reg05 (5.5). */
#pragma once

#include <stepbench/context.h>

/* A solution z that leaves the residual w_i in row i of S z = g - G M^-1 f solves the row exactly after beta_i =
 * -w_i/z_i is added to its diagonal (alpha = 0), or after g_i is replaced by (1 - alpha_i) g_i, alpha_i = -w_i/g_i
 * (beta = 0). */
typedef struct sb_implied {
    double beta;       /* 0 if w_i is round-off; infinite if only z_i is round-off: the row has no effect */
    bool negative;     /* beta < 0: a spring or a drag of the wrong sign */
    bool inconsistent; /* beta < 0 and alpha not in [0, 1): no combination of a compliance and a damping that are both
                      non-negative */
} sb_implied;

/* Returns the compliance implied by the residual w of a row with the solution z. `level`: the row has a g on which
 * damping acts; otherwise only beta is possible. noise_w, noise_z: round-off of w and z. */
sb_implied sb_implied_compliance(double w, double z, double g, bool level, double noise_w, double noise_z);

/* A step linearized about a state; only the derivatives of the levels g are taken:
 *
 *   v1 = v + B y,   q1 = q + h v1,   y = E y0 - P C'(v + on_level q),   B = M^-1 C
 *
 * where P is the solver's approximation of the inverse of C' B + Sigma, and E its dependence on the start, the solution
 * y0 of the previous step. */
typedef struct sb_implied_step {
    int n, rows;
    double h;
    const double *on_level; /* psi/h, or 0 for a row without a level (rows) */
    const double *C, *B;    /* n x rows, column-major */
    const double *P, *E;    /* rows x rows, column-major; E NULL: zero */
} sb_implied_step;

/* Computes the spectral radius of the step; NaN if LAPACK does not find the eigenvalues. */
int sb_implied_radius(sb_context *ctx, const sb_implied_step *step, double *radius);
