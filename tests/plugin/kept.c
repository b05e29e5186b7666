/* Stoermer's method in two points, q1 = q + (q - q_before) + h^2 a(q): hlw06 I.1.4. Its history does not serve a step
 * of another length, before which it is set anew; with KEPT it is not. */
#include <stepbench/numerics/dynamics.h>
#include <stepbench/plugin.h>

typedef struct work {
    sb_dynamics dyn;
    double *a;
} work;

static int init(sb_method *me) {
    work *w;
    SB_NEW(me->arena, w, 1);
    SB_NEW(me->arena, w->a, me->sys->n);
    me->work = w;
    me->naux = me->sys->n; /* q - q_before */
    return sb_dynamics_init(me->ctx, me->arena, me->sys, &w->dyn);
}

static int start(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar h, sb_state *out) {
    work *w = me->work;
    SB_TRY(sb_dynamics_acceleration(&w->dyn, t, q, v, w->a, NULL));
    for (int i = 0; i < me->sys->n; i++) {
        out->aux[i] = h * v[i] - 0.5 * h * h * w->a[i];
    }
    return SB_OK;
}

static int step(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    work *w = me->work;
    SB_TRY(sb_dynamics_acceleration(&w->dyn, in->t, in->q, in->v, w->a, NULL));
    for (int i = 0; i < me->sys->n; i++) {
        const double last = !KEPT && h != in->h ? h * in->v[i] - 0.5 * h * h * w->a[i] : in->aux[i];
        out->aux[i] = last + h * h * w->a[i];
        out->q[i] = in->q[i] + out->aux[i];
        out->v[i] = in->v[i] + 0.5 * h * w->a[i];
    }
    SB_TRY(sb_dynamics_acceleration(&w->dyn, in->t + h, out->q, out->v, w->a, NULL));
    for (int i = 0; i < me->sys->n; i++) {
        out->v[i] += 0.5 * h * w->a[i];
    }
    return SB_OK;
}

SB_DEFINE_STEPPER(kept) = {
    .entry = {"kept", "Stoermer's method in two points", "hlw06 I.1.4", NULL, 0},
    .order = 2,
    .multistep = true,
    .init = init,
    .start = start,
    .step = step,
};
