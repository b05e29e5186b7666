/* The homogeneous extension of a system with a potential and holonomic constraints. skeel01. */
#include <string.h>

#include "analysis/conservation/homogeneous.h"
#include "core/run/build.h"

/* A pattern of `sys` with one more entry at the end of every column: entry k of column j moves to k + j. The arrays are
 * scratch. */
typedef struct extended {
    const sb_system *sys;
    double *Ax, *Gx; /* values on the patterns H and G of sys */
    double *Vq, *g;
} extended;

/* ---- The terms at alpha = 1. ---- */

static int mass(const void *self, const double *q, double *Mx) {
    const sb_inertia *inner = &((const extended *)self)->sys->inertia;
    Mx[sb_pattern_nnz(&inner->M)] = SB_HOMOGENEOUS_MASS;
    return inner->mass(inner->self, q, Mx);
}

/* T(q/alpha, v) has the derivative -q . T_q by alpha. */
static int kinetic_gradient(const void *self, const double *q, const double *v, double *Tq) {
    const extended *x = self;
    const sb_inertia *inner = &x->sys->inertia;
    SB_TRY(inner->gradient(inner->self, q, v, Tq));
    Tq[x->sys->n] = 0.0;
    for (int i = 0; i < x->sys->n; i++) {
        Tq[x->sys->n] -= q[i] * Tq[i];
    }
    return SB_OK;
}

static double *cleared(const extended *x) {
    return memset(x->Ax, 0, (size_t)sb_pattern_nnz(&x->sys->H) * sizeof(double));
}

/* The derivatives by q and alpha are -T_q - T_qq q, by v and alpha -T_vq q, by alpha alone 2 q . T_q + q' T_qq q. The
 * last column of the matrix contains those from T_qq and T_vq, the last row those from T_qq and T_qv. */
static int kinetic_hessian(const void *self, const double *q, const double *v, double cqq, double cqv, double cvq,
                           double *Hx) {
    const extended *x = self;
    const sb_inertia *inner = &x->sys->inertia;
    const sb_pattern *H = &x->sys->H;
    const int n = x->sys->n;
    const struct {
        double qv, vq;
        bool whole, row, column, corner;
    } part[] = {{cqv, cvq, true, false, false, false},
                {cqv, 0.0, false, true, false, false},
                {0.0, cvq, false, false, true, false},
                {0.0, 0.0, false, false, false, true}};
    double *last = Hx + sb_pattern_nnz(H) + n;
    for (int k = 0; k < 4; k++) {
        SB_TRY(inner->hessian(inner->self, q, v, cqq, part[k].qv, part[k].vq, cleared(x)));
        for (int j = 0; j < n; j++) {
            for (int l = H->p[j]; l < H->p[j + 1]; l++) {
                Hx[l + j] += part[k].whole ? x->Ax[l] : 0.0;
                Hx[H->p[j + 1] + j] -= part[k].row ? q[H->i[l]] * x->Ax[l] : 0.0;
                last[H->i[l]] -= part[k].column ? x->Ax[l] * q[j] : 0.0;
                last[n] += part[k].corner ? q[H->i[l]] * x->Ax[l] * q[j] : 0.0;
            }
        }
    }
    SB_TRY(inner->gradient(inner->self, q, v, x->Vq));
    for (int j = 0; j < n; j++) {
        Hx[H->p[j + 1] + j] -= cqq * x->Vq[j];
        last[j] -= cqq * x->Vq[j];
        last[n] += 2.0 * cqq * q[j] * x->Vq[j];
    }
    return SB_OK;
}

static int potential(const void *self, double t, const double *q, double *V) {
    const sb_potential *inner = &((const extended *)self)->sys->potential;
    return inner->value(inner->self, 0.0, q, V);
}

/* Computes V, V_q and returns in *Valpha the derivative 2 V - q . V_q. */
static int gradient(const extended *x, const double *q, double *V, double *Vq, double *Valpha) {
    const sb_potential *inner = &x->sys->potential;
    SB_TRY(inner->value(inner->self, 0.0, q, V));
    SB_TRY(inner->gradient(inner->self, 0.0, q, Vq));
    *Valpha = 2.0 * *V;
    for (int i = 0; i < x->sys->n; i++) {
        *Valpha -= q[i] * Vq[i];
    }
    return SB_OK;
}

static int potential_gradient(const void *self, double t, const double *q, double *Vq) {
    const extended *x = self;
    double V;
    return gradient(x, q, &V, Vq, &Vq[x->sys->n]);
}

/* Adds the second derivatives of alpha^d f(q/alpha) that contain f_qq, whose values are in x->Ax: f_qq, -f_qq q and
 * q' f_qq q. */
static void add_second(const extended *x, const double *q, double *Hx) {
    const sb_pattern *H = &x->sys->H;
    const int n = x->sys->n;
    double *last = Hx + sb_pattern_nnz(H) + n;
    for (int j = 0; j < n; j++) {
        double product = 0.0;
        for (int k = H->p[j]; k < H->p[j + 1]; k++) {
            Hx[k + j] += x->Ax[k];
            product += x->Ax[k] * q[H->i[k]];
        }
        Hx[H->p[j + 1] + j] -= product;
        last[j] -= product;
        last[n] += q[j] * product;
    }
}

/* The derivative by q and alpha is V_q - V_qq q, that by alpha alone 2 V - 2 q . V_q + q' V_qq q. */
static int potential_hessian(const void *self, double t, const double *q, double c, double *Hx) {
    const extended *x = self;
    const sb_potential *inner = &x->sys->potential;
    const sb_pattern *H = &x->sys->H;
    const int n = x->sys->n;
    double V, Valpha, *Ax = cleared(x), *last = Hx + sb_pattern_nnz(H) + n;
    if (inner->hessian != NULL) {
        SB_TRY(inner->hessian(inner->self, 0.0, q, c, Ax));
    }
    add_second(x, q, Hx);
    SB_TRY(gradient(x, q, &V, x->Vq, &Valpha));
    for (int j = 0; j < n; j++) {
        Hx[H->p[j + 1] + j] += c * x->Vq[j];
        last[j] += c * x->Vq[j];
    }
    last[n] += c * 2.0 * (Valpha - V);
    return SB_OK;
}

/* Computes alpha g(q/alpha) and its Jacobian at alpha = 1; the derivative by alpha is g - q . g_q. */
static int holonomic(const void *self, double t, const double *q, double *g, double *Gx) {
    const extended *x = self;
    const sb_holonomic *inner = &x->sys->holonomic;
    const sb_pattern *G = &inner->G;
    double *values = g != NULL ? g : x->g;
    SB_TRY(inner->value(inner->self, 0.0, q, values, Gx != NULL ? x->Gx : NULL));
    for (int j = 0; j < inner->m && Gx != NULL; j++) {
        double alpha = values[j];
        for (int k = G->p[j]; k < G->p[j + 1]; k++) {
            Gx[k + j] = x->Gx[k];
            alpha -= q[G->i[k]] * x->Gx[k];
        }
        Gx[G->p[j + 1] + j] = alpha;
    }
    return SB_OK;
}

static int holonomic_hessian(const void *self, double t, const double *q, const double *w, double c, double *Hx) {
    const extended *x = self;
    const sb_holonomic *inner = &x->sys->holonomic;
    SB_TRY(inner->hessian(inner->self, 0.0, q, w, c, cleared(x)));
    add_second(x, q, Hx);
    return SB_OK;
}

static int curvature(const void *self, double t, const double *q, const double *v, double *out) {
    const sb_holonomic *inner = &((const extended *)self)->sys->holonomic;
    return inner->curvature(inner->self, 0.0, q, v, out);
}

static int initial(const void *self, double *t, double *q, double *v) {
    const sb_system *sys = ((const extended *)self)->sys;
    q[sys->n] = 0.0;
    v[sys->n] = 0.0;
    return sys->initial(sys->self, t, q, v);
}

/* ---- Building. ---- */

/* Builds A with one more row, which is full if `row`, and, if last > 0, one more column of `last` entries at its
 * bottom.
 */
static int border(sb_arena *arena, const sb_pattern *A, bool row, int last, sb_pattern *out) {
    int *p, *i;
    SB_NEW(arena, p, A->cols + (last > 0) + 1);
    SB_NEW(arena, i, sb_pattern_nnz(A) + (row ? A->cols : 0) + last);
    *out = (sb_pattern){A->rows + 1, A->cols + (last > 0), p, i};
    for (int j = 0, end = 0; j < out->cols; j++) {
        for (int k = j < A->cols ? A->p[j] : 0; j < A->cols && k < A->p[j + 1]; k++) {
            i[end++] = A->i[k];
        }
        for (int k = j < A->cols ? (row ? 1 : 0) : last; k > 0; k--) {
            i[end++] = A->rows + 1 - k;
        }
        p[j + 1] = end;
    }
    return SB_OK;
}

const char *sb_homogeneous_excluded(const sb_system *sys) {
    return (sys->flags & (unsigned)(SB_HAS_FORCE | SB_HAS_NONHOLONOMIC | SB_HAS_CONTACT | SB_HAS_FRICTION)) != 0
               ? "forces, nonholonomic constraints or contacts: the problem is not Hamiltonian"
           : (sys->flags & (unsigned)(SB_HAS_RHEONOMIC | SB_HAS_TIME_POTENTIAL)) != 0
               ? "the potential or the constraints depend on time: the energy is not conserved"
           : sys->embedding != NULL
               ? "the discrete Lagrangian averages in the embedding space, which the homogeneous extension does not"
               : NULL;
}

int sb_homogeneous_new(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_system *out) {
    const int n = sys->n, m = sys->holonomic.m;
    extended *x;
    SB_NEW(arena, x, 1);
    x->sys = sys;
    SB_TRY(SB_VECTORS(arena, sb_pattern_nnz(&sys->H), &x->Ax));
    SB_TRY(SB_VECTORS(arena, sb_pattern_nnz(&sys->holonomic.G), &x->Gx));
    SB_TRY(SB_VECTORS(arena, n, &x->Vq));
    SB_TRY(SB_VECTORS(arena, m, &x->g));
    *out = (sb_system){
        .n = n + 1,
        .flags = sys->flags & (unsigned)SB_HAS_SINGULAR_MASS,
        .time_scale = sys->time_scale,
        .inertia = {.self = x, .mass = mass},
        .self = x,
        .initial = initial,
    };
    if (sys->inertia.gradient != NULL) {
        out->inertia.gradient = kinetic_gradient;
        out->inertia.hessian = kinetic_hessian;
    }
    SB_TRY(border(arena, &sys->H, true, n + 1, &out->H));
    SB_TRY(border(arena, &sys->inertia.M, false, 1, &out->inertia.M));
    if (sys->potential.value != NULL) {
        out->potential = (sb_potential){.self = x,
                                        .degree = sys->potential.degree,
                                        .value = potential,
                                        .gradient = potential_gradient,
                                        .hessian = potential_hessian};
    }
    if (m > 0) {
        out->holonomic = sys->holonomic;
        out->holonomic.self = x;
        out->holonomic.value = holonomic;
        out->holonomic.hessian = holonomic_hessian;
        out->holonomic.curvature = curvature;
        SB_TRY(border(arena, &sys->holonomic.G, true, 0, &out->holonomic.G));
    }
    return sb_system_finish(ctx, arena, sys->name, out);
}
