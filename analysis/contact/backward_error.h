/* What an inexact solution of a step's equations amounts to: a compliance of its own in every row, and the spectrum of the step. reg05 (5.5). */
#ifndef STEPBENCH_ANALYSIS_CONTACT_BACKWARD_ERROR_H
#define STEPBENCH_ANALYSIS_CONTACT_BACKWARD_ERROR_H

#include <stdbool.h>

#include <stepbench/context.h>

/* Row i of S z = g - G M^-1 f with a solution that leaves the residual w_i holds exactly with beta_i = -w_i/z_i added to its diagonal (alpha = 0), or with
 * (1 - alpha_i) g_i in place of g_i, alpha_i = -w_i/g_i (beta = 0). */
typedef struct sb_reading {
    double beta;   /* 0 where w_i is round-off; else infinite where z_i is: the row might as well not be there */
    bool negative; /* beta < 0: a spring or a drag that pushes */
    bool hopeless; /* and no alpha in [0, 1) either: no combination of compliance and damping that is not negative */
} sb_reading;

/* `level`: the row has a g that damping acts on, else only beta is meant. `noise_w`, `noise_z`: what is round-off. */
sb_reading sb_implied_compliance(double w, double z, double g, bool level, double noise_w, double noise_z);

/* A step near a state, with the derivatives of everything but the levels left out:
 *
 *   v1 = v + B y,   q1 = q + h v1,   y = E y0 - P C'(v + on_level q),   B = M^-1 C
 *
 * where P is what the solver makes of the inverse of C' B + Sigma and E what it keeps of the solution y0 of the step before. */
typedef struct sb_implied_step {
    int n, rows;
    double h;
    const double *on_level; /* psi/h, or 0 for rows without a level (rows) */
    const double *C, *B;    /* n x rows, column-major */
    const double *P, *E;    /* rows x rows, column-major; E NULL: nothing is kept */
} sb_implied_step;

/* Sets *radius to the largest modulus of a root of it; NaN when LAPACK finds none. `work` has room for (2n + rows)(2n + 2 rows + 2). */
int sb_implied_radius(sb_context *ctx, const sb_implied_step *step, double *work, double *radius);

#endif
