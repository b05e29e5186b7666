/* Smooth parametrization of the tangent bundle of the constraint manifold, g(q) = 0 and G(q)' v = 0, about a state. */
#pragma once

#include <stepbench/system.h>

/* z = (u, w), both in R^d with d = n - m, in units of length: q = q0 + N u retracted onto the constraints along the
 * columns of G(q0), v = v0 + N w/T, T the time scale, projected onto the tangent space at q. N is an orthonormal basis
 * of the tangent space at q0. */
typedef struct sb_tangent_bundle {
    sb_context *ctx;
    const sb_system *sys;
    int d;
    double *q0, *v0;
    double *N;          /* n x d */
    double *G0, *G, *S; /* n x m, n x m, m x m, dense and column-major */
    double *Gx, *g;
    int *pivots;
} sb_tangent_bundle;

/* Sets up the parametrization about the system's initial state. Fails with SB_SINGULAR if the constraints are dependent
 * there, with SB_UNSUPPORTED for nonholonomic constraints and contacts. */
int sb_tangent_bundle_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_tangent_bundle *out);

/* Computes the state at z (2 d entries). Fails with SB_NOT_CONVERGED if the retraction does not converge. */
int sb_tangent_bundle_point(const sb_tangent_bundle *bundle, const double *z, double *q, double *v);
