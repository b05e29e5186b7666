/* Symplectic Euler: the velocity from the old position, the position from the new velocity: hlw06 I.1.2. */
#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/steps.h>
#include <stepbench/plugin.h>

SB_INLINED int step_sized(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out, const bool plain,
                          const int n, const int m) {
    sb_scalar *a = out->v;
    SB_TRY(sb_dynamics_acceleration_sized(me->work, in->t, in->q, in->v, a, NULL, plain, n));
    for (int i = 0; i < n; i++) {
        out->v[i] = in->v[i] + h * a[i];
        out->q[i] = in->q[i] + h * out->v[i];
    }
    return SB_OK;
}

SB_DEFINE_STEPS(step_sized)

static int init(sb_method *me) {
    sb_dynamics *dyn;
    SB_NEW(me->arena, dyn, 1);
    me->steps = steps;
    me->work = dyn;
    return sb_dynamics_init(me->ctx, me->arena, me->sys, dyn);
}

SB_DEFINE_STEPPER(euler_symplectic) = {
    .entry = {"euler_symplectic", "symplectic Euler: kick, then drift with the new velocity", "hlw06 I.1.2", NULL, 0},
    .order = 1,
    .supports = SB_HAS_FORCE | SB_HAS_TIME_POTENTIAL,
    .keeps = SB_KEEPS_MOMENTA,
    .init = init,
    .step = step,
};
