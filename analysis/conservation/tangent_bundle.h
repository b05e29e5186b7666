/* A smooth parametrisation of the states (q, v) around one: g(q) = 0 and G(q)' v = 0 stay satisfied. */
#ifndef STEPBENCH_ANALYSIS_CONSERVATION_TANGENT_BUNDLE_H
#define STEPBENCH_ANALYSIS_CONSERVATION_TANGENT_BUNDLE_H

#include <stepbench/system.h>

/* z = (u, w), both in R^d with d = n - m, in units of length: q = q0 + N u retracted onto the constraints along the columns of G(q0),
 * v = v0 + N w/T projected onto the tangent space at q. N is an orthonormal basis of the tangent space at q0. */
typedef struct sb_tangent_bundle {
    sb_context *ctx;
    const sb_system *sys;
    int d;
    double time_scale; /* T, s */
    double *q0, *v0;
    double *N;          /* n x d */
    double *G0, *G, *S; /* n x m, n x m, m x m, dense and column-major */
    double *Gx, *g;
    int *pivots;
} sb_tangent_bundle;

/* Around the system's initial state. SB_SINGULAR when its constraints are dependent there, SB_UNSUPPORTED for
 * nonholonomic ones. */
int sb_tangent_bundle_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_tangent_bundle *out);

/* The state at z (2 d entries). SB_NOT_CONVERGED when z is too far for the retraction. */
int sb_tangent_bundle_point(const sb_tangent_bundle *bundle, const double *z, double *q, double *v);

#endif
