/* Newton's method for the nonlinear equations of a regularized variational step: spook07 (26), and (24) for the nonholonomic rows. */
#ifndef STEPBENCH_INTEGRATORS_SHARED_REGULARIZED_NEWTON_H
#define STEPBENCH_INTEGRATORS_SHARED_REGULARIZED_NEWTON_H

#include "integrators/shared/constraint_hessian.h"
#include "integrators/shared/velocity_level.h"

/* The configurations of spook and variational_regularized begin with it. */
typedef struct spook_config {
    velocity_level_config common;
    double eps, tau, gamma;
} spook_config;

#define SPOOK_PARAMS(type)                                                                                                                                    \
    {"eps", SB_REAL, offsetof(type, rows.eps), "1e-8", 0.0, INFINITY, SB_OPEN_HI, NULL, "1/N per unit of g^2", "regularization of a holonomic constraint, the inverse stiffness"}, \
    {"tau", SB_REAL, offsetof(type, rows.tau), "2", 0.0, INFINITY, SB_OPEN_HI, NULL, "", "relaxation time of the violation, in steps: tau/h"},               \
    {"gamma", SB_REAL, offsetof(type, rows.gamma), "0", 0.0, INFINITY, SB_OPEN_HI, NULL, "1/(N s)", "regularization of a nonholonomic constraint, the inverse drag"}

/* spook07 (27), (29). */
static inline relaxation spook_relax(const void *config, double h, const double *eps, const double *tau, const double *gamma) {
    const spook_config *c = config;
    const double psi = 1.0 / (1.0 + 4.0 * (tau != NULL ? *tau : c->tau));
    return (relaxation){.sigma = 4.0 * psi * (eps != NULL ? *eps : c->eps) / (h * h), .on_g = 4.0 * psi / h, .on_v = psi, .gamma = (gamma != NULL ? *gamma : c->gamma) / h};
}

/* In the impulses lambda and v1 = (q1 - q0)/h, each row multiplied by 4 psi/h with psi = 1/(1 + 4 theta), theta = tau/h, so that both blocks of the
 * matrix are constraint gradients:
 *
 *   M (v1 - v0) - kick - h T_q(q0, v1) - C(q0) lambda = 0, kick = h F + p0 - M v0, whose last two cancel where M is constant
 *   (psi/h) [g(q1) + 2 g(q0) + g(q0 - h v0)] + (1 - psi) G(q1)' v1 + sigma lambda = 0
 * where `pointwise`, (13)'s g(q1)/h = 0 stands in place of the second line. Nonholonomic rows:
 *
 *   A(q1)' v1 - w(t1) + (gamma/h) lambda = 0 where linear->ahead, which is (24); A(q0)' v1 - w(t0) + ... as in (29) else
 *
 * Newton's matrix is [M - h T_qv, -C0; D', Sigma] with D_i = G_i(q1) + (1 - psi_i) h Hess g_i(q1) v1, or G_i(q1) where `pointwise`, and
 * D_i = A_i(q1) + h (A_i' v1)_q where linear->ahead, A_i(q0) else. */
typedef struct regularized_newton {
    const sb_system *sys;
    const velocity_level *linear; /* the step it starts from; its rows hold where these do */
    sb_saddle saddle;
    turning turning;
    double *C0x, *C1x, *Dx, *g0, *g1, *before, *x, *q, *kick;
    bool pointwise;
    /* the step being solved */
    double t, h;
    const double *q0, *v0, *sigma; /* the last a row */
    double *q1, *v1, *impulse;
} regularized_newton;

static inline int regularized_newton_init(sb_method *me, regularized_newton *out) {
    const sb_system *sys = me->sys;
    const int n = sys->n, rows = sb_system_bilateral(sys);
    *out = (regularized_newton){.sys = sys};
    SB_TRY(sb_saddle_init(me->ctx, me->arena, sys, &out->saddle));
    SB_TRY(turning_init(me->arena, sys, &out->turning));
    const int nnz = sb_pattern_nnz(&out->saddle.C);
    SB_NEW(me->arena, out->C0x, nnz);
    SB_NEW(me->arena, out->C1x, nnz);
    SB_NEW(me->arena, out->Dx, nnz);
    SB_NEW(me->arena, out->g0, rows);
    SB_NEW(me->arena, out->g1, rows);
    SB_NEW(me->arena, out->before, rows);
    SB_NEW(me->arena, out->x, n + rows);
    SB_NEW(me->arena, out->q, n);
    SB_NEW(me->arena, out->kick, n);
    return SB_OK;
}

/* g and w, and the values of C; g or Cx may be NULL. */
static inline int constraints_at(const sb_system *sys, double t, const double *q, double *g, double *Cx) {
    const int m = sys->holonomic.m;
    if (m > 0) {
        SB_TRY(sys->holonomic.value(sys->holonomic.self, q, g, Cx));
    }
    if (sys->nonholonomic.m > 0) {
        double *Ax = Cx == NULL ? NULL : Cx + sb_pattern_nnz(&sys->holonomic.G);
        SB_TRY(sys->nonholonomic.value(sys->nonholonomic.self, t, q, Ax, g == NULL ? NULL : g + m));
    }
    return SB_OK;
}

/* Takes the step of the linear equations as its guess. Impulses take the place of forces in out->lambda until _end. */
static inline int regularized_newton_begin(regularized_newton *w, const sb_method *me, const sb_state *in, double h, sb_state *out) {
    const velocity_level *linear = me->work;
    const int n = w->sys->n, m = w->sys->holonomic.m;
    w->t = in->t;
    w->h = h;
    w->q0 = in->q;
    w->v0 = in->v;
    w->linear = linear;
    w->sigma = linear->sigma;
    w->q1 = out->q;
    w->v1 = out->v;
    w->impulse = out->lambda;
    for (int i = 0; i < w->saddle.rows; i++) {
        w->impulse[i] *= h;
    }
    if (linear->kkt.mass.constant) { /* the two cancel */
        SB_TRY(sb_system_impulse(w->sys, &linear->kkt.mass, in->t, in->q, in->v, 0.0, h, w->kick, w->q));
    } else {
        sb_mass_mult(&linear->kkt.mass, in->v, w->kick);
        for (int i = 0; i < n; i++) {
            w->kick[i] = linear->r[i] - w->kick[i];
        }
    }
    if (w->sys->inertia.gradient != NULL) { /* F holds T_q(q0, v0) */
        SB_TRY(w->sys->inertia.gradient(w->sys->inertia.self, in->q, in->v, w->q));
        for (int i = 0; i < n; i++) {
            w->kick[i] -= h * w->q[i];
        }
    }
    for (int i = 0; i < n; i++) {
        w->q[i] = in->q[i] - h * in->v[i];
    }
    if (m > 0) {
        SB_TRY(w->sys->holonomic.value(w->sys->holonomic.self, w->q, w->before, NULL));
    }
    return constraints_at(w->sys, in->t, in->q, w->g0, w->C0x);
}

static inline void regularized_newton_end(regularized_newton *w) {
    for (int i = 0; i < w->saddle.rows; i++) {
        w->impulse[i] /= w->h;
    }
}

/* Dx from C1x, at (q1, v1). */
static inline int set_rows(regularized_newton *w) {
    const sb_nonholonomic *nonholonomic = &w->sys->nonholonomic;
    const sb_pattern *C = &w->saddle.C;
    const int m = w->sys->holonomic.m;
    memset(w->Dx, 0, (size_t)sb_pattern_nnz(C) * sizeof(double));
    if (!w->pointwise) {
        SB_TRY(turning_evaluate(&w->turning, w->q1, w->v1, w->Dx));
    }
    if (w->linear->ahead && nonholonomic->gradient != NULL) {
        SB_TRY(nonholonomic->gradient(nonholonomic->self, w->t + w->h, w->q1, w->v1, w->Dx + sb_pattern_nnz(&w->sys->holonomic.G)));
    }
    for (int j = 0; j < w->saddle.rows; j++) {
        const double share = j < m ? (1.0 - relaxation_of(w->linear, j)->on_v) * w->h : w->h; /* of the row's turning along v1 */
        for (int k = C->p[j]; k < C->p[j + 1]; k++) {
            w->Dx[k] = w->C1x[k] + share * w->Dx[k];
        }
    }
    return SB_OK;
}

/* One correction of w->v1, w->q1 and w->impulse. */
static inline int regularized_newton_correct(void *arg, double *size) {
    regularized_newton *w = arg;
    const sb_system *sys = w->sys;
    const int n = sys->n, m = sys->holonomic.m, rows = w->saddle.rows;
    const double h = w->h;
    const sb_mass *mass = &w->linear->kkt.mass;
    double *x = w->x;
    SB_TRY(constraints_at(sys, w->t + h, w->q1, w->g1, w->C1x));
    if (!w->linear->ahead && rows > m) {
        const int at = sb_pattern_nnz(&sys->holonomic.G), nnz = sb_pattern_nnz(&w->saddle.C);
        memcpy(w->C1x + at, w->C0x + at, (size_t)(nnz - at) * sizeof(double));
        memcpy(w->g1 + m, w->g0 + m, (size_t)(rows - m) * sizeof(double));
    }
    for (int i = 0; i < n; i++) {
        w->q[i] = w->v1[i] - w->v0[i];
    }
    sb_mass_mult(mass, w->q, x);
    for (int i = 0; i < n; i++) {
        x[i] = w->kick[i] - x[i];
    }
    memset(w->saddle.Hx, 0, (size_t)sb_pattern_nnz(&w->saddle.H) * sizeof(double));
    sb_mass_add(mass, 1.0, w->saddle.Hx);
    if (sys->inertia.gradient != NULL) {
        SB_TRY(sys->inertia.hessian(sys->inertia.self, w->q0, w->v1, 0.0, -h, 0.0, w->saddle.Hx));
        SB_TRY(sys->inertia.gradient(sys->inertia.self, w->q0, w->v1, w->q));
        for (int i = 0; i < n; i++) {
            x[i] += h * w->q[i];
        }
    }
    sb_csc_mult_add(&w->saddle.C, w->C0x, 1.0, w->impulse, x);
    sb_csc_mult_t(&w->saddle.C, w->C1x, w->v1, x + n);
    for (int i = 0; i < rows; i++) {
        const double rate = x[n + i], psi = relaxation_of(w->linear, i)->on_v;
        x[n + i] = i < m && w->pointwise ? -w->g1[i] / h
                   : i < m ? -psi / h * (w->g1[i] + 2.0 * w->g0[i] + w->before[i]) - (1.0 - psi) * rate : w->g1[i] - rate;
        x[n + i] -= w->sigma[i] * w->impulse[i];
    }
    SB_TRY(set_rows(w));
    sb_saddle_assemble(&w->saddle, 1.0, -1.0, w->C0x, 1.0, w->Dx);
    sb_saddle_set_diagonal(&w->saddle, w->sigma);
    SB_TRY(sb_saddle_factor(&w->saddle));
    SB_TRY(sb_saddle_solve(&w->saddle, x));
    const double moved = h * sb_norm_max(n, x);
    for (int i = 0; i < n; i++) {
        w->v1[i] += x[i];
        w->q1[i] = w->q0[i] + h * w->v1[i];
    }
    for (int i = 0; i < rows; i++) {
        w->impulse[i] += x[n + i];
    }
    *size = moved == 0.0 ? 0.0 : moved / sb_norm_max(n, w->q1);
    return SB_OK;
}

/* What spook and variational_regularized keep: the linear step first, so that the shared operations find it. */
typedef struct regularized_work {
    velocity_level linear;
    regularized_newton newton;
} regularized_work;

static inline int regularized_init(sb_method *me) {
    regularized_work *w;
    SB_NEW(me->arena, w, 1);
    SB_TRY(regularized_newton_init(me, &w->newton));
    return velocity_level_init(me, spook_relax, &w->linear);
}

#endif
