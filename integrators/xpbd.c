/* XPBD: position-based dynamics with compliant constraints, macklin16 Algorithm 1. */
#include <string.h>

#include <stepbench/plugin.h>

#include "integrators/shared/multipliers.h"

/* From q~ = q + h v + h^2 M^-1 F and mu = 0, `sweeps` times for each constraint j in turn, with alpha~ = alpha/h^2,
 *
 *   dmu_j = (-g_j - alpha~ mu_j)/(G_j M^-1 G_j' + alpha~)     (18)
 *   q1 += M^-1 G_j' dmu_j,   mu_j += dmu_j                    (17)
 *
 * and v1 = (q1 - q)/h, lambda = mu/h^2. g and G are evaluated once per sweep, in which changes of q1 change g to first
 * order. */
typedef struct config {
    sb_scalar alpha;
    long sweeps;
} config;

typedef struct work {
    multipliers motion;
    sb_mass mass;
    sb_scalar *F, *tmp, *g, *Gx;
    sb_scalar *dq;    /* change of q1 in this sweep (n) */
    sb_scalar *zeros; /* n; M^-1 G_j' during inverse_mass */
} work;

static int init(sb_method *me) {
    const sb_system *sys = me->sys;
    work *w;
    SB_NEW(me->arena, w, 1);
    me->work = w;
    SB_TRY(SB_VECTORS(me->arena, sys->n, &w->F, &w->tmp, &w->dq, &w->zeros));
    SB_NEW(me->arena, w->g, sys->holonomic.m);
    SB_NEW(me->arena, w->Gx, sb_pattern_nnz(&sys->holonomic.G));
    SB_TRY(multipliers_init(me, &w->motion));
    return sb_mass_init(me->ctx, me->arena, sys, &w->mass);
}

/* Adds c M^-1 G_j' to x. */
static void add_column(const work *w, const sb_pattern *G, int j, sb_scalar c, sb_scalar *x) {
    const sb_pattern *W = &w->mass.W;
    for (int k = G->p[j]; k < G->p[j + 1]; k++) {
        const int i = G->i[k];
        for (int r = W->p[i]; r < W->p[i + 1]; r++) {
            x[W->i[r]] += c * w->mass.Wx[r] * w->Gx[k];
        }
    }
}

/* Returns G_j x. */
static sb_scalar multiply_row(const work *w, const sb_pattern *G, int j, const sb_scalar *x) {
    sb_scalar sum = 0.0;
    for (int k = G->p[j]; k < G->p[j + 1]; k++) {
        sum += w->Gx[k] * x[G->i[k]];
    }
    return sum;
}

/* Returns G_j M^-1 G_j'. */
static sb_scalar inverse_mass(const work *w, const sb_pattern *G, int j) {
    const sb_pattern *W = &w->mass.W;
    add_column(w, G, j, 1.0, w->zeros);
    const sb_scalar sum = multiply_row(w, G, j, w->zeros);
    for (int k = G->p[j]; k < G->p[j + 1]; k++) {
        for (int r = W->p[G->i[k]]; r < W->p[G->i[k] + 1]; r++) {
            w->zeros[W->i[r]] = 0.0;
        }
    }
    return sum;
}

/* Solves (18) and (17) for each constraint in turn, at the time t. */
static int sweep(const sb_method *me, sb_scalar t, sb_scalar h, sb_scalar *q1, sb_scalar *mu) {
    const work *w = me->work;
    const sb_holonomic *holonomic = &me->sys->holonomic;
    const sb_pattern *G = &holonomic->G;
    SB_TRY(sb_holonomic_value(me->sys, t, q1, w->g, w->Gx));
    memset(w->dq, 0, (size_t)me->sys->n * sizeof(sb_scalar));
    for (int j = 0; j < holonomic->m; j++) {
        const sb_scalar alpha =
            (holonomic->eps != NULL ? holonomic->eps[j] : ((const config *)me->config)->alpha) / (h * h);
        const sb_scalar diagonal = inverse_mass(w, G, j) + alpha;
        if (!(diagonal > 0.0)) {
            return sb_fail(me->ctx, SB_SINGULAR, "xpbd: the gradient of constraint %d vanishes; set alpha > 0", j);
        }
        const sb_scalar change = -(w->g[j] + multiply_row(w, G, j, w->dq) + alpha * mu[j]) / diagonal;
        add_column(w, G, j, change, w->dq);
        mu[j] += change;
    }
    for (int i = 0; i < me->sys->n; i++) {
        q1[i] += w->dq[i];
    }
    return SB_OK;
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    const config *c = me->config;
    work *w = me->work;
    const int n = me->sys->n, m = me->sys->holonomic.m;
    SB_TRY(sb_system_force(me->sys, in->t, in->q, in->v, w->F, w->tmp));
    sb_mass_solve(&w->mass, w->F, w->motion.a);
    for (int i = 0; i < n; i++) {
        out->q[i] = in->q[i] + h * (in->v[i] + h * w->motion.a[i]);
    }
    memset(out->lambda, 0, (size_t)m * sizeof(sb_scalar));
    for (long k = 0; k < c->sweeps && m > 0; k++) {
        SB_TRY(sweep(me, in->t + h, h, out->q, out->lambda));
    }
    for (int i = 0; i < n; i++) {
        out->v[i] = (out->q[i] - in->q[i]) / h;
    }
    for (int j = 0; j < m; j++) {
        out->lambda[j] /= h * h;
    }
    out->iters = m > 0 ? c->sweeps : 0;
    return SB_OK;
}

static const sb_param params[] = {
    SB_PARAM_NOT_NEGATIVE(config, alpha, "0", "1/N per unit of g^2",
                          "compliance of a constraint, the inverse stiffness"),
    SB_PARAM_INT(config, sweeps, "10", 1.0, 1e6, "sweeps over the constraints per step"),
    {.name = NULL},
};

SB_DEFINE_STEPPER(xpbd) = {
    .entry = {"xpbd", "XPBD: position-based dynamics, constraints one after the other", "macklin16", params,
              sizeof(config)},
    .order = 1,
    .supports = SB_HAS_FORCE | SB_HAS_HOLONOMIC | SB_HAS_CURVED_HOLONOMIC | SB_HAS_RHEONOMIC | SB_HAS_TIME_POTENTIAL,
    .init = init,
    .start = multipliers_start,
    .step = step,
};
