/* The classical Runge-Kutta method of order four on q' = v, v' = a(t, q, v): hnw93 II.1. */
#include <string.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/plugin.h>

typedef struct work {
    sb_dynamics dyn;
    sb_scalar *q, *v, *a; /* values at one stage */
} work;

static int init(sb_method *me) {
    work *w;
    SB_NEW(me->arena, w, 1);
    SB_TRY(SB_VECTORS(me->arena, me->sys->n, &w->q, &w->v, &w->a));
    me->work = w;
    return sb_dynamics_init(me->ctx, me->arena, me->sys, &w->dyn);
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    static const sb_scalar node[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0 / (sb_scalar)6.0, 1.0 / (sb_scalar)3.0,
                                                                        1.0 / (sb_scalar)3.0, 1.0 / (sb_scalar)6.0};
    work *w = me->work;
    const int n = me->sys->n;
    const size_t bytes = (size_t)n * sizeof(sb_scalar);
    memcpy(out->q, in->q, bytes);
    memcpy(out->v, in->v, bytes);
    memset(w->v, 0, bytes);
    memset(w->a, 0, bytes);
    for (int s = 0; s < 4; s++) {
        const sb_scalar c = h * node[s];
        for (int i = 0; i < n; i++) {
            w->q[i] = in->q[i] + c * w->v[i];
            w->v[i] = in->v[i] + c * w->a[i];
        }
        SB_TRY(sb_dynamics_acceleration(&w->dyn, in->t + c, w->q, w->v, w->a, NULL));
        for (int i = 0; i < n; i++) {
            out->q[i] += h * weight[s] * w->v[i];
            out->v[i] += h * weight[s] * w->a[i];
        }
    }
    return SB_OK;
}

SB_DEFINE_STEPPER(rk4) = {
    .entry = {"rk4", "classical Runge-Kutta method of order four", "hnw93 II.1", NULL, 0},
    .order = 4,
    .supports = SB_HAS_FORCE | SB_HAS_VARIABLE_MASS | SB_HAS_TIME_POTENTIAL,
    .init = init,
    .step = step,
};
