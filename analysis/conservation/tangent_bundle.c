/* Smooth parametrization of the tangent bundle of the constraint manifold, g(q) = 0 and G(q)' v = 0, about a state. */
#include <string.h>

#include <stepbench/numerics/lapack.h>
#include <stepbench/numerics/norm.h>

#include "analysis/conservation/tangent_bundle.h"

/* Computes g, and G as a dense matrix, at q. */
static int evaluate(const sb_tangent_bundle *b, const double *q, double *G) {
    const sb_holonomic *hol = &b->sys->holonomic;
    const sb_pattern *pattern = &hol->G;
    SB_TRY(hol->value(hol->self, 0.0, q, b->g, b->Gx));
    memset(G, 0, (size_t)b->sys->n * (size_t)hol->m * sizeof *G);
    for (int j = 0; j < hol->m; j++) {
        for (int k = pattern->p[j]; k < pattern->p[j + 1]; k++) {
            G[j * b->sys->n + pattern->i[k]] = b->Gx[k];
        }
    }
    return SB_OK;
}

/* Sets N to the last n - m columns of Q in G(q0) = Q R; without constraints Q is the identity. */
static int null_space(sb_arena *arena, const sb_tangent_bundle *b) {
    const int n = b->sys->n, m = b->sys->holonomic.m;
    double *Q, *tau;
    SB_NEW(arena, Q, (size_t)n * (size_t)n);
    SB_NEW(arena, tau, n);
    memcpy(Q, b->G0, (size_t)n * (size_t)m * sizeof *Q);
    lapack_int info = LAPACKE_dgeqrf(LAPACK_COL_MAJOR, n, m, Q, n, tau);
    for (int j = 0; j < m && info == 0; j++) {
        /* A pivot of R that is round-off of its column: the constraint depends on the others. */
        if (!(fabs(Q[j * n + j]) > n * DBL_EPSILON * sb_norm_max(j + 1, Q + j * n))) {
            const char *const name = sb_bilateral_name(b->sys, j);
            return sb_fail(b->ctx, SB_SINGULAR, "%s: constraint %d%s%s depends on the others at the initial state",
                           b->sys->name, j, name != NULL ? ", " : "", name != NULL ? name : "");
        }
    }
    info = info == 0 ? LAPACKE_dorgqr(LAPACK_COL_MAJOR, n, n, m, Q, n, tau) : info;
    if (info != 0) {
        return sb_lapack_fail(b->ctx, info, SB_NOT_FINITE, "%s: the constraints' Jacobian is not finite", b->sys->name);
    }
    memcpy(b->N, Q + (size_t)n * (size_t)m, (size_t)n * (size_t)b->d * sizeof *Q);
    return SB_OK;
}

int sb_tangent_bundle_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_tangent_bundle *out) {
    const size_t n = (size_t)sys->n, m = (size_t)sys->holonomic.m;
    *out = (sb_tangent_bundle){.ctx = ctx, .sys = sys, .d = (int)(n - m)};
    if (sys->contact.m + sys->contact.k > 0) {
        return sb_fail(ctx, SB_UNSUPPORTED,
                       "%s has contacts or dry friction: its flow is not differentiable and not symplectic", sys->name);
    }
    if (sys->nonholonomic.m > 0) {
        return sb_fail(
            ctx, SB_UNSUPPORTED,
            "%s has nonholonomic constraints: its velocities form no tangent bundle, and its flow is not symplectic",
            sys->name);
    }
    if (sys->holonomic.rate != NULL) {
        return sb_fail(ctx, SB_UNSUPPORTED,
                       "%s has constraints that depend on time: the tangent spaces at the two ends of a step belong to "
                       "different manifolds",
                       sys->name);
    }
    if ((sys->flags & (unsigned)SB_HAS_REDUNDANT) != 0) {
        return sb_fail(ctx, SB_UNSUPPORTED,
                       "%s has redundant constraints (%s): coordinates of its tangent spaces need independent rows; "
                       "leave the redundant ones out",
                       sys->name, sys->redundant);
    }
    if (n <= m) {
        return sb_fail(ctx, SB_UNSUPPORTED,
                       "%s: the constraints leave no degree of freedom, so there is no area to preserve", sys->name);
    }
    SB_TRY(SB_VECTORS(arena, n, &out->q0, &out->v0));
    SB_NEW(arena, out->N, n * (n - m));
    SB_TRY(SB_VECTORS(arena, n * m, &out->G0, &out->G));
    SB_NEW(arena, out->S, m * m);
    SB_NEW(arena, out->Gx, sb_pattern_nnz(&sys->holonomic.G));
    SB_NEW(arena, out->g, m);
    SB_NEW(arena, out->pivots, m);
    double t;
    SB_TRY(sys->initial(sys->self, &t, out->q0, out->v0));
    if (m > 0) {
        SB_TRY(evaluate(out, out->q0, out->G0));
    }
    return null_space(arena, out);
}

/* Replaces x by S^-1 x, S = A' B with A and B n x m. */
static int solve_gram(const sb_tangent_bundle *b, const double *A, const double *B, double *x) {
    const int n = b->sys->n, m = b->sys->holonomic.m;
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) {
                sum += A[i * n + k] * B[j * n + k];
            }
            b->S[j * m + i] = sum;
        }
    }
    const lapack_int info = LAPACKE_dgesv(LAPACK_COL_MAJOR, m, 1, b->S, m, b->pivots, x, m);
    if (info != 0) {
        return sb_lapack_fail(b->ctx, info, SB_SINGULAR, "%s: the constraints become dependent near the initial state",
                              b->sys->name);
    }
    return SB_OK;
}

/* Subtracts B x from q. */
static void subtract(int n, int m, const double *B, const double *x, double *q) {
    for (int j = 0; j < m; j++) {
        for (int k = 0; k < n; k++) {
            q[k] -= B[j * n + k] * x[j];
        }
    }
}

/* Solves g(q - G0 s) = 0 by Newton's iteration. The error after a correction below 1e-8 of q is of the order of its
 * square, round-off, so that q is a smooth function of z to the last digits. */
static int retract(const sb_tangent_bundle *b, double *q) {
    const int n = b->sys->n, m = b->sys->holonomic.m;
    for (int iteration = 0; iteration < 50; iteration++) {
        SB_TRY(evaluate(b, q, b->G));
        SB_TRY(solve_gram(b, b->G, b->G0, b->g));
        subtract(n, m, b->G0, b->g, q);
        if (sb_norm_max(m, b->g) * sb_norm_max(n * m, b->G0) <= 1e-8 * sb_norm_max(n, q)) {
            return SB_OK;
        }
    }
    return sb_fail(b->ctx, SB_NOT_CONVERGED, "%s: no point of the constraint manifold was found near the initial state",
                   b->sys->name);
}

int sb_tangent_bundle_point(const sb_tangent_bundle *b, const double *z, double *q, double *v) {
    const int n = b->sys->n, m = b->sys->holonomic.m, d = b->d;
    for (int k = 0; k < n; k++) {
        q[k] = b->q0[k];
        v[k] = b->v0[k];
        for (int j = 0; j < d; j++) {
            q[k] += b->N[j * n + k] * z[j];
            v[k] += b->N[j * n + k] * z[d + j] / b->sys->time_scale;
        }
    }
    if (m == 0) {
        return SB_OK;
    }
    SB_TRY(retract(b, q));
    SB_TRY(evaluate(b, q, b->G));
    for (int j = 0; j < m; j++) {
        b->g[j] = 0.0;
        for (int k = 0; k < n; k++) {
            b->g[j] += b->G[j * n + k] * v[k];
        }
    }
    SB_TRY(solve_gram(b, b->G, b->G, b->g));
    subtract(n, m, b->G, b->g, v);
    return SB_OK;
}
