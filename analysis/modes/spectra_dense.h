/* Geometric stiffness on the tangent space of the constraints: what transversal oscillations are made of. transv18, with its errata. */
#ifndef STEPBENCH_ANALYSIS_MODES_SPECTRA_DENSE_H
#define STEPBENCH_ANALYSIS_MODES_SPECTRA_DENSE_H

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
    int rank; /* of G at the last state */
    int d;    /* n - rank: coordinates of the tangent space */
    double *lambda; /* m; of dependent constraints the shortest vector of multipliers */
    double *M, *K;  /* n x n */
    double *Lt;     /* n x d: the transpose of L, an orthonormal basis of the tangent space */
    double *G, *Q, *tau, *Gx, *Mx, *Hx, *zero, *a, *b, *S; /* scratch */
    int *pivots;
} sb_stiffness;

/* Room for a system with holonomic constraints only (sb_spectra_check), and no more than 2000 coordinates; else SB_UNSUPPORTED with a sentence. */
int sb_stiffness_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_stiffness *out);
void sb_stiffness_fini(sb_stiffness *s);

/* Sets rank, d, lambda, M, K and L at (t, q, v). L comes from a QR factorization of G with column pivoting: rows that are combinations of the
 * others to round-off are left out of the rank. */
int sb_stiffness_evaluate(sb_stiffness *s, double t, const double *q, const double *v);

/* The three spectra at the evaluated state, or the projected one alone; arrays from the arena. */
int sb_stiffness_spectra(sb_stiffness *s, sb_arena *arena, bool only_projected, sb_spectra *out);
/* The largest omega^2 of the projected pencil alone, and its mode (n, x' M x = 1; NULL: not wanted). */
int sb_stiffness_top(sb_stiffness *s, double *omega2, double *mode);

/* |K - L'(L K L') L| over |K|, Frobenius norms: 0 where transv18's K = L' K_theta L holds. NaN for K = 0. */
int sb_stiffness_mismatch(sb_stiffness *s, double *relative);

#endif
