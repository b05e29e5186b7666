/* Verlet's method in its one-step form, with velocities at the nodes: notes11 (16), hlw06 I.1.4,
 *
 *   v_{1/2} = v0 + h/2 a(t, q0),   q1 = q0 + h v_{1/2},   v1 = v_{1/2} + h/2 a(t + h, q1)
 *
 * with a = -M^-1 V_q. */
#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/steps.h>
#include <stepbench/plugin.h>

static int start(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar h, sb_state *out) {
    return sb_dynamics_acceleration(me->work, t, q, v, out->aux, NULL);
}

SB_INLINED int step_sized(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out, const bool plain,
                          const int n, const int m) {
    for (int i = 0; i < n; i++) {
        out->v[i] = in->v[i] + 0.5 * h * in->aux[i];
        out->q[i] = in->q[i] + h * out->v[i];
    }
    SB_TRY(sb_dynamics_acceleration_sized(me->work, in->t + h, out->q, out->v, out->aux, NULL, plain, n));
    sb_axpy(n, 0.5 * h, out->aux, out->v);
    return SB_OK;
}

SB_DEFINE_STEPS(step_sized)

/* State: aux is the acceleration at q, so that a step evaluates one force. */
static int init(sb_method *me) {
    sb_dynamics *dyn;
    SB_NEW(me->arena, dyn, 1);
    me->steps = steps;
    me->work = dyn;
    me->naux = me->sys->n;
    return sb_dynamics_init(me->ctx, me->arena, me->sys, dyn);
}

SB_DEFINE_STEPPER(verlet) = {
    .entry = {"verlet", "Verlet, or leapfrog: half a kick, drift, half a kick", "notes11 (16)", NULL, 0},
    .order = 2,
    .supports = SB_HAS_TIME_POTENTIAL,
    .keeps = SB_KEEPS_MOMENTA | SB_KEEPS_REVERSIBILITY,
    .init = init,
    .start = start,
    .step = step,
};
