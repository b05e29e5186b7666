/* Checks that a state lies on the constraint manifold, is tangent to it, and penetrates no gap. */
#ifndef STEPBENCH_CORE_RUN_CONSISTENCY_H
#define STEPBENCH_CORE_RUN_CONSISTENCY_H

#include <stepbench/system.h>

/* A state typed with ten digits passes; errors above are reported. Relative to the change of g by the whole of |q|. */
#define SB_CONSISTENCY_TOL 1e-9

/* Scratch of the checks around a method; no part of a state. */
typedef struct sb_consistency {
    const sb_system *sys;
    sb_scalar *q, *v, *g, *gt, *Gx, *xi, *Nx, *Mx;
} sb_consistency;

int sb_consistency_init(sb_arena *arena, const sb_system *sys, sb_consistency *out);
/* SB_INCONSISTENT names the first row with |g_i| > tol sum_k |G_ki| max|q|, or |G_i v| > tol sum_k |G_ki| max|v|, or
 * xi_i < -tol sum_k |N_ki| max|q|. Where g depends on t, dg/dt = G_i v + (g_i)_t in place of G_i v, and |(g_i)_t|
 * is added to the right-hand side of either: times time_scale to that of g. */
int sb_consistency_check(const sb_consistency *c, sb_context *ctx, sb_scalar t, const sb_scalar *q, const sb_scalar *v);
/* p = M(q) v. */
int sb_consistency_momentum(const sb_consistency *c, const sb_scalar *q, const sb_scalar *v, sb_scalar *p);

#endif
