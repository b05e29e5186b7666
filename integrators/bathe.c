/* Bathe's composite method: the trapezoidal rule over gamma h, then the backward formula on the three points: bathe05,
 * bathe12, which have a constant mass. For y = (q, p) with y' = (v, T_q - V_q + f), p = M(q) v,
 *
 *   y_g = y + gamma h/2 (y' + y_g'),
 *   h y1' = (1 - gamma)/gamma y - 1/((1 - gamma) gamma) y_g + (2 - gamma)/(1 - gamma) y1.
 *
 * With gamma = 2 - sqrt 2 both substeps have the same matrix. High frequencies are damped: R(infinity) = 0. */
#include <stepbench/numerics/dynamics.h>

#include "integrators/shared/stages.h"

typedef struct config {
    sb_scalar gamma;
    sb_newton newton;
} config;

typedef struct work {
    stages trapezoidal, backward;
    sb_scalar *q, *p0, *p, *F, *tmp;
} work;

static int init(sb_method *me) {
    const config *c = me->config;
    const sb_scalar beta = (1.0 - c->gamma) / (2.0 - c->gamma);
    const stage_table half = stages_single(0.5), last = stages_single(beta);
    work *w;
    SB_NEW(me->arena, w, 1);
    SB_TRY(SB_VECTORS(me->arena, me->sys->n, &w->q, &w->p0, &w->p, &w->F, &w->tmp));
    me->work = w;
    SB_TRY(sb_stages_init(me, &half, STAGES_INDEX3, &c->newton, &w->trapezoidal));
    return sb_stages_init(me, &last, STAGES_INDEX3, &c->newton, &w->backward);
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    work *w = me->work;
    const int n = me->sys->n;
    const sb_scalar gamma = ((const config *)me->config)->gamma, weight = 1.0 / (gamma * (2.0 - gamma));
    long iters;
    SB_TRY(sb_stages_momentum(&w->trapezoidal, in->q, in->v, w->p0));
    SB_TRY(sb_system_force(me->sys, in->t, in->q, in->v, w->F, w->tmp));
    for (int i = 0; i < n; i++) {
        w->q[i] = in->q[i] + 0.5 * gamma * h * in->v[i];
        w->p[i] = w->p0[i] + 0.5 * gamma * h * w->F[i];
    }
    SB_TRY(sb_stages_solve(&w->trapezoidal, in->t, gamma * h, w->q, w->p, in->v, in->lambda, &iters));
    SB_TRY(sb_stages_momentum(&w->trapezoidal, w->trapezoidal.Q[0], w->trapezoidal.V[0], w->p));
    for (int i = 0; i < n; i++) { /* weight y_g + (1 - weight) y */
        w->q[i] = in->q[i] + weight * (w->trapezoidal.Q[0][i] - in->q[i]);
        w->p[i] = w->p0[i] + weight * (w->p[i] - w->p0[i]);
    }
    SB_TRY(sb_stages_solve(&w->backward, in->t, h, w->q, w->p, w->trapezoidal.V[0], in->lambda, &out->iters));
    out->iters += iters;
    sb_stages_copy(&w->backward, 0, out);
    return SB_OK;
}

static const sb_param params[] = {
    SB_PARAM_REAL(config, gamma, "0.585786437626904951198311275790301921", 0.0, 1.0, SB_OPEN, "",
                  "share of the step that the trapezoidal rule takes; the default is 2 - sqrt 2"),
    SB_NEWTON_PARAMS(config),
    {.name = NULL},
};

SB_DEFINE_STEPPER(bathe) = {
    .entry = {"bathe", "Bathe's composite method for (q, M(q) v): trapezoidal rule, then a backward formula",
              "bathe05; bathe12", params, sizeof(config)},
    .order = 2,
    .supports = SB_HAS_FORCE | SB_HAS_VARIABLE_MASS | SB_HAS_TIME_POTENTIAL,
    .init = init,
    .step = step,
};
