/* Heun's method, the explicit trapezoidal rule: hnw93 II.1. A stepper that lives outside the tree. */
#include <stepbench/numerics/dynamics.h>
#include <stepbench/stepbench.h>

typedef struct heun_work {
    sb_dynamics dyn;
    double *a0, *a1, *q, *v;
} heun_work;

static int init(sb_method *me) {
    heun_work *w;
    SB_NEW(me->arena, w, 1);
    me->work = w;
    SB_NEW(me->arena, w->a0, me->sys->n);
    SB_NEW(me->arena, w->a1, me->sys->n);
    SB_NEW(me->arena, w->q, me->sys->n);
    SB_NEW(me->arena, w->v, me->sys->n);
    return sb_dynamics_init(me->ctx, me->arena, me->sys, &w->dyn);
}

static int step(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    heun_work *w = me->work;
    SB_TRY(sb_dynamics_acceleration(&w->dyn, in->t, in->q, in->v, w->a0, NULL));
    for (int i = 0; i < me->sys->n; i++) {
        w->q[i] = in->q[i] + h * in->v[i];
        w->v[i] = in->v[i] + h * w->a0[i];
    }
    SB_TRY(sb_dynamics_acceleration(&w->dyn, in->t + h, w->q, w->v, w->a1, NULL));
    for (int i = 0; i < me->sys->n; i++) {
        out->q[i] = in->q[i] + 0.5 * h * (in->v[i] + w->v[i]);
        out->v[i] = in->v[i] + 0.5 * h * (w->a0[i] + w->a1[i]);
    }
    return SB_OK;
}

SB_DEFINE_STEPPER(heun) = {
    .entry = {"heun", "Heun's method: the explicit trapezoidal rule", "hnw93 II.1", NULL, 0},
    .order = 2,
    .supports = SB_HAS_FORCE | SB_HAS_VARIABLE_MASS,
    .init = init,
    .step = step,
};
