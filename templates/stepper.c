/* new_stepper: an explicit two-stage method of second order, hnw93 II.1. Replace its equations, and this line, by your
 * own.
 *
 *   k0 = f(t, y),   k1 = f(t + c h, y + c h k0),   y' = y + h ((1 - b) k0 + b k1),   b = 1/(2c),
 *
 * with y = (q, v) and f = (v, a): c = 1 is Heun's method, c = 1/2 the midpoint rule, c = 2/3 Ralston's. */
#include <stepbench/numerics/dynamics.h>
#include <stepbench/plugin.h>

/* What the user may set: one member a row of the table below. */
typedef struct config {
    double c;
} config;

/* Scratch, allocated once; what has to survive a step belongs into the state (out->aux, me->naux numbers). */
typedef struct work {
    sb_dynamics dyn;
    double *a0, *a1, *q, *v;
} work;

static int init(sb_method *me) {
    work *w;
    SB_NEW(me->arena, w, 1);
    me->work = w;
    SB_NEW(me->arena, w->a0, me->sys->n);
    SB_NEW(me->arena, w->a1, me->sys->n);
    SB_NEW(me->arena, w->q, me->sys->n);
    SB_NEW(me->arena, w->v, me->sys->n);
    return sb_dynamics_init(me->ctx, me->arena, me->sys, &w->dyn);
}

/* (in, h) to out: a pure map. It writes q and v of `out`, never anything of `in`; t and h are set for it. */
static int step(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    const config *p = me->config;
    work *w = me->work;
    const double ch = p->c * h, b = 1.0 / (2.0 * p->c);
    SB_TRY(sb_dynamics_acceleration(&w->dyn, in->t, in->q, in->v, w->a0, NULL));
    for (int i = 0; i < me->sys->n; i++) {
        w->q[i] = in->q[i] + ch * in->v[i];
        w->v[i] = in->v[i] + ch * w->a0[i];
    }
    SB_TRY(sb_dynamics_acceleration(&w->dyn, in->t + ch, w->q, w->v, w->a1, NULL));
    for (int i = 0; i < me->sys->n; i++) {
        out->q[i] = in->q[i] + h * ((1.0 - b) * in->v[i] + b * w->v[i]);
        out->v[i] = in->v[i] + h * ((1.0 - b) * w->a0[i] + b * w->a1[i]);
    }
    return SB_OK;
}

/* What the arena doesn't hold. */
static const sb_param params[] = {
    {"c", SB_REAL, offsetof(config, c), "2/3", 0.0, 1.0, SB_OPEN_LO, NULL, "",
     "where in the step the second stage stands"},
    {.name = NULL},
};

/* The reference is a key of docs/references.bib and an equation; `order` and `keeps` are promises that the tests hold
 * it to. */
SB_DEFINE_STEPPER(new_stepper) = {
    .entry = {"new_stepper", "an explicit two-stage method of second order", "hnw93 II.1", params, sizeof(config)},
    .order = 2,
    .supports = SB_HAS_FORCE | SB_HAS_VARIABLE_MASS,
    .init = init,
    .step = step,
};
