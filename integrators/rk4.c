/* The classical Runge-Kutta method of order four on q' = v, v' = a(t, q, v): hnw93 II.1. */
#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/steps.h>
#include <stepbench/plugin.h>

typedef struct work {
    sb_dynamics dyn;
    sb_scalar *q, *v, *a; /* values at one stage */
} work;

SB_INLINED int step_sized(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out, const bool plain,
                          const int n, const int m) {
    static const sb_scalar node[5] = {0.0, 0.5, 0.5, 1.0, 0.0}, /* the last one is that of no stage */
        weight[4] = {1.0 / (sb_scalar)6.0, 1.0 / (sb_scalar)3.0, 1.0 / (sb_scalar)3.0, 1.0 / (sb_scalar)6.0};
    work *w = me->work;
    for (int i = 0; i < n; i++) {
        out->q[i] = w->q[i] = in->q[i];
        out->v[i] = w->v[i] = in->v[i];
    }
    for (int s = 0; s < 4; s++) {
        const sb_scalar b = h * weight[s], c = h * node[s + 1];
        SB_TRY(sb_dynamics_acceleration_sized(&w->dyn, in->t + h * node[s], w->q, w->v, w->a, NULL, plain, n));
        for (int i = 0; i < n; i++) {
            const sb_scalar v = w->v[i], a = w->a[i];
            out->q[i] += b * v;
            out->v[i] += b * a;
            w->q[i] = in->q[i] + c * v;
            w->v[i] = in->v[i] + c * a;
        }
    }
    return SB_OK;
}

SB_DEFINE_STEPS(step_sized)

static int init(sb_method *me) {
    work *w;
    SB_NEW(me->arena, w, 1);
    SB_TRY(SB_VECTORS(me->arena, me->sys->n, &w->q, &w->v, &w->a));
    me->steps = steps;
    me->work = w;
    return sb_dynamics_init(me->ctx, me->arena, me->sys, &w->dyn);
}

SB_DEFINE_STEPPER(rk4) = {
    .entry = {"rk4", "classical Runge-Kutta method of order four", "hnw93 II.1", NULL, 0},
    .order = 4,
    .supports = SB_HAS_FORCE | SB_HAS_VARIABLE_MASS | SB_HAS_TIME_POTENTIAL,
    .init = init,
    .step = step,
};
