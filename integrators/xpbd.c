/* XPBD: position-based dynamics with compliant constraints, macklin16 Algorithm 1. */
#include <string.h>

#include <stepbench/plugin.h>

#include "integrators/shared/multipliers.h"

/* From q~ = q + h v + h^2 M^-1 F and mu = 0, `sweeps` times for each constraint j in turn, with alpha~ = alpha/h^2,
 *
 *   dmu_j = (-g_j(q1) - alpha~ mu_j)/(G_j M^-1 G_j' + alpha~)     (18)
 *   q1 += M^-1 G_j(q1)' dmu_j,   mu_j += dmu_j                    (17)
 *
 * and v1 = (q1 - q)/h, lambda = mu/h^2. A system evaluates all rows together; this is repeated where coordinates of row
 * j have changed since. */
typedef struct config {
    sb_scalar alpha;
    long sweeps;
} config;

typedef struct work {
    multipliers motion;
    sb_mass mass;
    sb_scalar *F, *tmp, *g, *Gx;
    sb_scalar *dq; /* M^-1 G_j' in the rows of column j; else 0 (n) */
    bool *changed; /* coordinates that changed since g and Gx were evaluated (n) */
} work;

static int init(sb_method *me) {
    const sb_system *sys = me->sys;
    work *w;
    SB_NEW(me->arena, w, 1);
    me->work = w;
    SB_TRY(SB_VECTORS(me->arena, sys->n, &w->F, &w->tmp, &w->dq));
    SB_NEW(me->arena, w->changed, sys->n);
    SB_NEW(me->arena, w->g, sys->holonomic.m);
    SB_NEW(me->arena, w->Gx, sb_pattern_nnz(&sys->holonomic.G));
    SB_TRY(multipliers_init(me, &w->motion));
    return sb_mass_init(me->ctx, me->arena, sys, &w->mass);
}

static int evaluate(const sb_method *me, sb_scalar t, const sb_scalar *q1) {
    const work *w = me->work;
    memset(w->changed, 0, (size_t)me->sys->n * sizeof(bool));
    return sb_holonomic_value(me->sys, t, q1, w->g, w->Gx);
}

/* Evaluates g and G at q1 unless row j is known there. */
static int evaluate_row(const sb_method *me, int j, sb_scalar t, const sb_scalar *q1) {
    const work *w = me->work;
    const sb_pattern *G = &me->sys->holonomic.G;
    bool changed = false;
    for (int k = G->p[j]; k < G->p[j + 1]; k++) {
        changed |= w->changed[G->i[k]];
    }
    return changed ? evaluate(me, t, q1) : SB_OK;
}

/* Adds M^-1 G_j' to w->dq and returns G_j M^-1 G_j'. */
static sb_scalar apply_inverse_mass(const work *w, const sb_pattern *G, int j) {
    const sb_pattern *W = &w->mass.W;
    sb_scalar sum = 0.0;
    for (int k = G->p[j]; k < G->p[j + 1]; k++) {
        for (int r = W->p[G->i[k]]; r < W->p[G->i[k] + 1]; r++) {
            w->dq[W->i[r]] += w->mass.Wx[r] * w->Gx[k];
        }
    }
    for (int k = G->p[j]; k < G->p[j + 1]; k++) {
        sum += w->Gx[k] * w->dq[G->i[k]];
    }
    return sum;
}

/* Adds c w->dq to q1 in the rows of M^-1 G_j', and sets it to 0 there. */
static void move(const work *w, const sb_pattern *G, int j, sb_scalar c, sb_scalar *q1) {
    const sb_pattern *W = &w->mass.W;
    for (int k = G->p[j]; k < G->p[j + 1]; k++) {
        for (int r = W->p[G->i[k]]; r < W->p[G->i[k] + 1]; r++) {
            const int i = W->i[r];
            q1[i] += c * w->dq[i];
            w->dq[i] = 0.0;
            w->changed[i] = true;
        }
    }
}

/* Solves (18) and (17) for each constraint in turn, at the time t. */
static int sweep(const sb_method *me, sb_scalar t, sb_scalar h, sb_scalar *q1, sb_scalar *mu) {
    const work *w = me->work;
    const sb_holonomic *holonomic = &me->sys->holonomic;
    for (int j = 0; j < holonomic->m; j++) {
        SB_TRY(evaluate_row(me, j, t, q1));
        const sb_scalar alpha =
            (holonomic->eps != NULL ? holonomic->eps[j] : ((const config *)me->config)->alpha) / (h * h);
        const sb_scalar diagonal = apply_inverse_mass(w, &holonomic->G, j) + alpha;
        const sb_scalar change = -(w->g[j] + alpha * mu[j]) / diagonal;
        move(w, &holonomic->G, j, diagonal > 0.0 ? change : 0.0, q1);
        if (!(diagonal > 0.0)) {
            return sb_fail(me->ctx, SB_SINGULAR, "xpbd: the gradient of constraint %d vanishes; set alpha > 0", j);
        }
        mu[j] += change;
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
    SB_TRY(m > 0 ? evaluate(me, in->t + h, out->q) : SB_OK);
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
