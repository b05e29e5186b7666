/* Multipliers of the equations of motion. */
#include "integrators/shared/multipliers.h"

int sb_multipliers_init(const sb_method *me, multipliers *out) {
    SB_NEW(me->arena, out->a, me->sys->n);
    return sb_dynamics_init(me->ctx, me->arena, me->sys, &out->dyn);
}

int sb_multipliers_start(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar h,
                         sb_state *out) {
    multipliers *w = me->work;
    return sb_dynamics_acceleration(&w->dyn, t, q, v, w->a, out->lambda);
}

int sb_multipliers_report(const sb_method *me, const sb_state *in, const sb_state *next, sb_scalar *v,
                          sb_scalar *lambda) {
    multipliers *w = me->work;
    return lambda != NULL && sb_system_bilateral(me->sys) > 0
               ? sb_dynamics_acceleration(&w->dyn, in->t, in->q, in->v, w->a, lambda)
               : SB_OK;
}
