/* Explicit Euler on q' = v, v' = a(t, q, v): notes11 (22), (23). */
#include <stepbench/numerics/dynamics.h>
#include <stepbench/plugin.h>

static int init(sb_method *me) {
    sb_dynamics *dyn;
    SB_NEW(me->arena, dyn, 1);
    me->work = dyn;
    return sb_dynamics_init(me->ctx, me->arena, me->sys, dyn);
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    sb_scalar *a = out->v;
    SB_TRY(sb_dynamics_acceleration(me->work, in->t, in->q, in->v, a, NULL));
    for (int i = 0; i < me->sys->n; i++) {
        out->q[i] = in->q[i] + h * in->v[i];
        out->v[i] = in->v[i] + h * a[i];
    }
    return SB_OK;
}

SB_DEFINE_STEPPER(euler_explicit) = {
    .entry = {"euler_explicit", "explicit Euler: everything at the start of the step", "notes11 (23)", NULL, 0},
    .order = 1,
    .supports = SB_HAS_FORCE | SB_HAS_VARIABLE_MASS | SB_HAS_TIME_POTENTIAL,
    .init = init,
    .step = step,
};
