/* The inertial force T_q of the velocity a step looks for, where the mass matrix depends on q: Newton's iteration after the linear solve. */
#ifndef STEPBENCH_INTEGRATORS_SHARED_INERTIAL_FORCE_H
#define STEPBENCH_INTEGRATORS_SHARED_INERTIAL_FORCE_H

#include <float.h>
#include <string.h>

#include <stepbench/numerics/kkt.h>
#include <stepbench/plugin.h>
#include <stepbench/numerics/norm.h>

/* M v1 - h T_q(q, v1) - C lambda = r - h T_q(q, v),   C' v1 + Sigma lambda = s
 *
 * for v1 and lambda, with M, C and Sigma those of a factored sb_kkt, from its solution for (r, s). */
typedef struct inertial {
    sb_saddle saddle;
    double *x, *Tq;
} inertial;

enum { INERTIAL_MAXIT = 50 }; /* as many as Newton's iterations have by default */

static inline int inertial_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, inertial *out) {
    SB_NEW(arena, out->x, sys->n + sb_system_bilateral(sys));
    SB_NEW(arena, out->Tq, sys->n);
    return sb_saddle_init(ctx, arena, sys, &out->saddle);
}

/* x becomes the correction of (v1, lambda) for its residual at v1. */
static inline int inertial_correction(inertial *w, const sb_kkt *kkt, double h, const double *q, const double *v1) {
    const sb_inertia *inertia = &kkt->sys->inertia;
    memset(w->saddle.Hx, 0, (size_t)sb_pattern_nnz(&w->saddle.H) * sizeof(double));
    sb_mass_add(&kkt->mass, 1.0, w->saddle.Hx);
    SB_TRY(inertia->hessian(inertia->self, q, v1, 0.0, -h, 0.0, w->saddle.Hx));
    sb_saddle_assemble(&w->saddle, 1.0, -1.0, kkt->Cx, 1.0, kkt->Cx);
    sb_saddle_set_diagonal(&w->saddle, kkt->Sigma);
    SB_TRY(sb_saddle_factor(&w->saddle));
    return sb_saddle_solve(&w->saddle, w->x);
}

/* T_q is quadratic in v: what a correction d leaves of the first equation is h T_q(q, d), and it ends when that is round-off of r. */
static inline int inertial_settle(sb_context *ctx, inertial *w, const sb_kkt *kkt, double h, const double *q, const double *v, const double *r, double *v1, double *lambda,
                                  long *iters) {
    const sb_inertia *inertia = &kkt->sys->inertia;
    const int n = kkt->sys->n, rows = kkt->C.cols;
    const double round_off = DBL_EPSILON * sb_norm_max(n, r);
    SB_TRY(inertia->gradient(inertia->self, q, v, w->Tq));
    SB_TRY(inertia->gradient(inertia->self, q, v1, w->x));
    for (int i = 0; i < n; i++) {
        w->x[i] = h * (w->x[i] - w->Tq[i]);
    }
    for (*iters = 1; *iters <= INERTIAL_MAXIT; ++*iters) {
        memset(w->x + n, 0, (size_t)rows * sizeof(double));
        SB_TRY(inertial_correction(w, kkt, h, q, v1));
        for (int i = 0; i < n; i++) {
            v1[i] += w->x[i];
        }
        for (int i = 0; i < rows; i++) {
            lambda[i] += w->x[n + i];
        }
        SB_TRY(inertia->gradient(inertia->self, q, w->x, w->Tq));
        for (int i = 0; i < n; i++) {
            w->x[i] = h * w->Tq[i];
        }
        const double left = sb_norm_max(n, w->x);
        if (left <= round_off) {
            return SB_OK;
        }
        if (!isfinite(left)) {
            break;
        }
    }
    return sb_fail(ctx, SB_NOT_CONVERGED, "no velocity was found that fits its own inertial force over a step of h=%g; a smaller step may do", h);
}

#endif
