/* RATTLE: velocity Verlet with one set of multipliers for the position constraint and one for the velocity constraint:
 * hlw06 VII.1.4. */
#include <stepbench/numerics/dynamics.h>

#include "integrators/shared/projection.h"

typedef struct work {
    projection projection;
    sb_dynamics dyn;
    sb_scalar *a;
} work;

static int init(sb_method *me) {
    work *w;
    SB_NEW(me->arena, w, 1);
    SB_NEW(me->arena, w->a, me->sys->n);
    me->work = w;
    SB_TRY(sb_dynamics_init(me->ctx, me->arena, me->sys, &w->dyn));
    return projection_init(me->ctx, me->arena, me->sys, &w->projection);
}

/* The state's multiplier is that of the position constraint in the last step and the guess for the next one; here it is
 * that of the equations of motion. */
static int start(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar h, sb_state *out) {
    work *w = me->work;
    return sb_dynamics_acceleration(&w->dyn, t, q, v, w->a, out->lambda);
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    const projection_config *c = me->config;
    projection *s = &((work *)me->work)->projection;
    for (int i = 0; i < me->sys->holonomic.m; i++) {
        out->lambda[i] = in->lambda[i];
    }
    SB_TRY(projection_accelerate(s, in->t, in->q, in->v, 0.5 * h, s->v_free));
    SB_TRY(projection_position(me->ctx, &c->newton, s, in->t, h, 0.5 * h, in->q, in->v, out->q, out->v, out->lambda,
                               &out->iters));
    SB_TRY(projection_accelerate(s, in->t + h, out->q, out->v, 0.5 * h, out->v));
    return projection_velocity(s, in->t + h, out->q, out->v);
}

/* The two multipliers of a node are its two halves' and each is of first order there; reported is that of the equations
 * of motion at (q, v), which is of second order with them. */
static int report(const sb_method *me, const sb_state *in, const sb_state *next, sb_scalar *v, sb_scalar *lambda) {
    work *w = me->work;
    return lambda != NULL && me->sys->holonomic.m > 0
               ? sb_dynamics_acceleration(&w->dyn, in->t, in->q, in->v, w->a, lambda)
               : SB_OK;
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
    .report = report,
};
