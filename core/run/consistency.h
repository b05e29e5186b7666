/* Checks that a state lies on the constraint manifold, is tangent to it, and penetrates no gap. */
#pragma once

#include <stepbench/system.h>

/* The tolerance accepts states that are given with ten digits. It is relative to the change of g by |q|. */
#define SB_CONSISTENCY_TOL SB_GIVEN_TOL

/* Scratch of the checks; it carries nothing from one call to the next. */
typedef struct sb_consistency {
    const sb_system *sys;
    sb_scalar roundoff; /* of a stepper in another precision; 0: SB_EPSILON */
    sb_scalar *q, *v, *g, *gt, *Gx, *xi, *Nx, *Mx;
} sb_consistency;

int sb_consistency_init(sb_arena *arena, const sb_system *sys, sb_consistency *out);
/* Checks the state (q, v) at t. Fails with SB_INCONSISTENT and the first row with |g_i| > tol sum_k |G_ki| max|q|, or
 * |G_i v| > tol sum_k |G_ki| max|v|, or xi_i < -tol sum_k |N_ki| max|q|, where tol is a hundred round-offs of the
 * stepper if these are more. If g depends on t, dg_i/dt = G_i v + (g_i)_t takes the place of G_i v, and tol |(g_i)_t|
 * is added to its bound, time_scale times that to the bound of g_i. */
int sb_consistency_check(const sb_consistency *c, sb_context *ctx, sb_scalar t, const sb_scalar *q, const sb_scalar *v);
/* Computes p = M(q) v. */
int sb_consistency_momentum(const sb_consistency *c, const sb_scalar *q, const sb_scalar *v, sb_scalar *p);
