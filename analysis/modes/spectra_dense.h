/* Geometric stiffness on the tangent space of the constraints, which determines the transversal oscillations. transv18,
 * with its errata. */
#pragma once

#include <stepbench/numerics/dynamics.h>

#include "analysis/modes/spectra.h"

/* Dense matrices, column-major. Small oscillations about the state obey, along the constraints,
 *
 *   (L M L') theta'' = (L K L') theta,   K = sum_i lambda_i Hess g_i - V_qq,   L L' = 1,   L G = 0,
 *
 * so that omega^2 is minus an eigenvalue: tension has lambda < 0, and restoring forces make K negative. */
typedef struct sb_stiffness {
    sb_context *ctx;
    const sb_system *sys;
    sb_dynamics dyn;
    int n, m;
    int rank;                             /* rank of G at the last state */
    int d;                                /* n - rank: coordinates of the tangent space */
    double *lambda;                       /* m; for dependent constraints the shortest vector of multipliers */
    double *a;                            /* n: acceleration of the state */
    double largest;                       /* bound of omega^2, see sb_equilibrium_bound */
    double *M, *K;                        /* n x n */
    double *Lt;                           /* n x d: the transpose of L, an orthonormal basis of the tangent space */
    double *G, *Q, *Gx, *Mx, *Hx, *b, *S; /* scratch */
} sb_stiffness;

/* Sets Lt (n x n, of which n - *rank columns are used) to an orthonormal basis of the tangent space of the constraints
 * at (t, q), by a QR factorization of G with column pivoting: rows that depend on the others to round-off do not count
 * in the rank. */
int sb_tangent_basis(sb_context *ctx, const sb_system *sys, double t, const double *q, double *Lt, int *rank);

/* Allocates from the arena, for a system that sb_spectra_check accepts. Fails with SB_UNSUPPORTED if it has more than
 * 2000 coordinates. */
int sb_stiffness_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_stiffness *out);

/* Sets rank, d, lambda, a, M, K and L at (t, q, v). Fails with SB_UNSUPPORTED if d is 0. */
int sb_stiffness_evaluate(sb_stiffness *s, double t, const double *q, const double *v);

/* Computes the three spectra at the evaluated state, or only the projected one, with arrays from the arena. */
int sb_stiffness_spectra(sb_stiffness *s, sb_arena *arena, bool only_projected, sb_spectra *out);
/* Computes the largest omega^2 of the projected pencil. */
int sb_stiffness_top(sb_stiffness *s, double *omega2);

/* Computes |K - L'(L K L') L| over |K| in Frobenius norms: 0 if K = L' K_theta L of transv18 holds. NaN for K = 0. */
int sb_stiffness_mismatch(sb_stiffness *s, double *relative);
