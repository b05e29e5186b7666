/* Compositions of a symmetric one-step stepper with itself: hlw06 V.3.2,
 *
 *   Psi_h = Phi_{c_s h} o ... o Phi_{c_2 h} o Phi_{c_1 h},  c_{s+1-i} = c_i,  c_1 + ... + c_s = 1,
 *
 * where Phi_h is a step of the base, symmetric and of order two. Steps with negative coefficients go back in time. */
#include <string.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/plugin.h>

typedef struct composition {
    int order;
    int outer;          /* k: s = 2 k + 1 steps */
    const sb_scalar *c; /* c_1 ... c_k */
} composition;

typedef struct work {
    sb_method base;
    sb_dynamics dyn;
    sb_scalar *a;
    sb_scalar middle; /* c_0 */
    sb_state between; /* the other state of two that take turns */
} work;

static const composition *of(const sb_method *me) { return ((const sb_compound_stepper *)me->type)->compound->data; }

static int init(sb_method *me) {
    const composition *s = of(me);
    work *w;
    SB_NEW(me->arena, w, 1);
    SB_NEW(me->arena, w->a, me->sys->n);
    me->work = w;
    SB_TRY(sb_method_init(me->ctx, me->arena, ((const sb_compound_stepper *)me->type)->base, me->config, me->sys,
                          &w->base));
    me->naux = w->base.naux;
    w->middle = 1.0;
    for (int i = 0; i < s->outer; i++) {
        w->middle -= 2.0 * s->c[i];
    }
    SB_TRY(sb_dynamics_init(me->ctx, me->arena, me->sys, &w->dyn));
    return sb_state_new(&w->base, me->arena, &w->between);
}

static int start(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar h, sb_state *out) {
    return sb_method_start(&((const work *)me->work)->base, t, q, v, h, out);
}

/* The number of steps is odd: they end in `out`. */
static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    const composition *s = of(me);
    work *w = me->work;
    const sb_state *from = in;
    long iters = 0;
    for (int i = 0; i <= 2 * s->outer; i++) {
        const sb_scalar c = i < s->outer ? s->c[i] : i > s->outer ? s->c[2 * s->outer - i] : w->middle;
        sb_state *to = i % 2 == 0 ? out : &w->between;
        SB_TRY(sb_method_step(&w->base, from, c * h, to));
        iters += to->iters;
        from = to;
    }
    out->iters = iters;
    return SB_OK;
}

/* The multipliers of a step of the base are of its order; those of the equations of motion at (q, v) are of the order
 * of q and v. */
static int report(const sb_method *me, const sb_state *in, const sb_state *next, sb_scalar *v, sb_scalar *lambda) {
    work *w = me->work;
    return lambda != NULL && me->sys->holonomic.m > 0
               ? sb_dynamics_acceleration(&w->dyn, in->t, in->q, in->v, w->a, lambda)
               : SB_OK;
}

static int momentum(const sb_method *me, const sb_state *in, sb_scalar *p) {
    return sb_method_momentum(&((const work *)me->work)->base, in, p);
}

/* A two-step method has velocities that belong to its step, and cannot change it. */
static int compose(sb_context *ctx, sb_compound_stepper *out) {
    const sb_stepper *base = out->base;
    const composition *s = out->compound->data;
    if ((base->keeps & (unsigned)SB_KEEPS_REVERSIBILITY) == 0 || (base->start_pair != NULL && base->report != NULL) ||
        base->control.tolerance != NULL) {
        return sb_fail(ctx, SB_UNSUPPORTED,
                       "%s cannot be composed of %s: it takes a reversible one-step stepper, such as verlet, midpoint, "
                       "rattle, dvp and em",
                       out->compound->entry.name, base->entry.name);
    }
    out->stepper.order_of = NULL;
    out->stepper.order = base->order > s->order ? base->order : s->order;
    if ((base->keeps & (unsigned)SB_KEEPS_TANGENCY) ==
        0) { /* the velocity keeps the base's distance from the tangent */
        out->stepper.lower[0] = (sb_order_class){SB_HAS_HOLONOMIC, base->order};
    }
    out->stepper.init = init;
    out->stepper.start = start;
    out->stepper.start_pair = NULL;
    out->stepper.step = step;
    out->stepper.report = report;
    out->stepper.momentum = momentum;
    return SB_OK;
}

#define SB_COMPOUND(name)
#define SB_COMPOSITION(name, order, ref, brief, ...)                                                                   \
    static const sb_scalar name##_outer[] = {__VA_ARGS__};                                                             \
    static const composition name##_composition = {order, sizeof name##_outer / sizeof *name##_outer, name##_outer};   \
    SB_DEFINE_COMPOUND(name) = {                                                                                       \
        .entry = {#name, brief, ref, NULL, 0},                                                                         \
        .data = &name##_composition,                                                                                   \
        .compose = compose,                                                                                            \
    };
#include "integrators/compounds.def"
