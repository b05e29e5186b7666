/* RATTLE: velocity Verlet with one set of multipliers for the position constraint and one for the velocity constraint:
 * hlw06 VII.1.4,
 *
 *   M v_{1/2} = M v0 + h/2 (-V_q(t, q0) + G(q0)' lambda),   q1 = q0 + h v_{1/2},   g(t + h, q1) = 0,
 *   M v1 = M v_{1/2} + h/2 (-V_q(t + h, q1) + G(q1)' mu),   G(q1) v1 + g_t = 0.
 *
 * The state's multiplier is the multiplier of the position constraint in the last step. The two multipliers of a node
 * are of first order there; reported is that of the equations of motion. aux is the guess of the next step
 * (projection_extrapolate). */
#include <stepbench/numerics/steps.h>

#include "integrators/shared/multipliers.h"
#include "integrators/shared/projection.h"

typedef struct work {
    multipliers motion;
    projection projection;
} work;

static int start(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar h, sb_state *out) {
    work *w = me->work;
    if (me->naux > 0) {
        SB_TRY(sb_dynamics_acceleration(&w->motion.dyn, t, q, v, w->motion.a, out->lambda));
        projection_guess_from(me->naux / 2, w->motion.a, out->aux);
    }
    return SB_OK;
}

SB_INLINED int step_sized(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out, const bool plain,
                          const int n, const int m) {
    const projection_config *c = me->config;
    projection *s = &((work *)me->work)->projection;
    const bool full = plain || s->full;
    for (int i = 0; i < m; i++) {
        out->lambda[i] = in->lambda[i];
    }
    SB_TRY(projection_accelerate(s, in->t, in->q, in->v, 0.5 * h, s->v_free, plain, n));
    SB_TRY(projection_position(&c->newton, s, in->t, h, 0.5 * h, in->q, in->v, in->aux, out->q, out->v, out->lambda,
                               &out->iters, n, m, full));
    projection_extrapolate(m > 0 ? n : 0, 0.5 * h, in->v, out->v, in->aux, out->aux);
    SB_TRY(projection_accelerate(s, in->t + h, out->q, out->v, 0.5 * h, out->v, plain, n));
    return projection_velocity(s, in->t + h, out->q, out->v, n, m, full);
}

SB_DEFINE_STEPS(step_sized)

static int init(sb_method *me) {
    work *w;
    SB_NEW(me->arena, w, 1);
    me->steps = steps;
    me->work = w;
    me->naux = projection_naux(me->sys);
    SB_TRY(sb_multipliers_init(me, &w->motion));
    return projection_init(me->ctx, me->arena, me->sys, NULL, &w->projection);
}

SB_DEFINE_STEPPER(rattle) = {
    .entry = {"rattle", "RATTLE: velocity Verlet on the constraint's tangent bundle", "andersen83", projection_params,
              sizeof(projection_config)},
    .order = 2,
    .supports = SB_HAS_HOLONOMIC | SB_HAS_CURVED_HOLONOMIC | SB_HAS_RHEONOMIC | SB_HAS_TIME_POTENTIAL,
    .keeps = SB_KEEPS_POSITION | SB_KEEPS_TANGENCY | SB_KEEPS_MOMENTA | SB_KEEPS_REVERSIBILITY,
    .init = init,
    .start = start,
    .step = step,
    .report = sb_multipliers_report,
};
