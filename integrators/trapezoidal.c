/* The trapezoidal rule on q' = v, p' = F = T_q - V_q + f, p = M(q) v, by Newton's method: hw96 IV.3,
 *
 *   q1 = q + h/2 (v + v1),   p1 = p + h/2 (F + F1),
 *
 * one stage of shared/stages.h from q + h/2 v and p + h/2 F. */
#include <stepbench/numerics/dynamics.h>

#include "integrators/shared/stages.h"

typedef struct config {
    sb_newton newton;
} config;

typedef struct work {
    stages stage;
    sb_scalar *q, *p, *F, *tmp;
} work;

static int init(sb_method *me) {
    const stage_table half = stages_single(0.5);
    work *w;
    SB_NEW(me->arena, w, 1);
    SB_TRY(SB_VECTORS(me->arena, me->sys->n, &w->q, &w->p, &w->F, &w->tmp));
    me->work = w;
    return sb_stages_init(me, &half, STAGES_INDEX3, &((const config *)me->config)->newton, &w->stage);
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    work *w = me->work;
    const int n = me->sys->n;
    SB_TRY(sb_stages_momentum(&w->stage, in->q, in->v, w->p));
    SB_TRY(sb_system_force(me->sys, in->t, in->q, in->v, w->F, w->tmp));
    for (int i = 0; i < n; i++) {
        w->q[i] = in->q[i] + 0.5 * h * in->v[i];
        w->p[i] += 0.5 * h * w->F[i];
    }
    SB_TRY(sb_stages_solve(&w->stage, in->t, h, w->q, w->p, in->v, in->lambda, &out->iters));
    sb_stages_copy(&w->stage, 0, out);
    return SB_OK;
}

static const sb_param params[] = {
    SB_NEWTON_PARAMS(config),
    {.name = NULL},
};

SB_DEFINE_STEPPER(trapezoidal) = {
    .entry = {"trapezoidal", "trapezoidal rule, by Newton's method", "hw96 IV.3", params, sizeof(config)},
    .order = 2,
    .supports = SB_HAS_FORCE | SB_HAS_VARIABLE_MASS | SB_HAS_TIME_POTENTIAL,
    .keeps = SB_KEEPS_REVERSIBILITY,
    .init = init,
    .step = step,
};
