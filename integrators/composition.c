/* Compositions of a symmetric one-step stepper with itself: hlw06 V.3.2,
 *
 *   Psi_h = Phi_{c_s h} o ... o Phi_{c_2 h} o Phi_{c_1 h},  c_{s+1-i} = c_i,  c_1 + ... + c_s = 1,
 *
 * where Phi_h is a step of the base, symmetric and of order two. Steps with negative coefficients go back in time. */
#include <stepbench/plugin.h>

#include "integrators/shared/compound.h"

typedef struct composition {
    int order;
    int outer;          /* k: s = 2 k + 1 steps */
    const sb_scalar *c; /* c_1 ... c_k */
} composition;

typedef struct work {
    compound_work compound;
    sb_scalar middle; /* c_0 */
    sb_state other;   /* the steps write to it and to the result alternately */
} work;

static int init(sb_method *me) {
    const composition *s = sb_compound_data(me);
    work *w;
    SB_NEW(me->arena, w, 1);
    SB_TRY(sb_compound_init(me, me->sys, &w->compound));
    w->middle = 1.0;
    for (int i = 0; i < s->outer; i++) {
        w->middle -= 2.0 * s->c[i];
    }
    return sb_state_new(&w->compound.base, me->arena, &w->other);
}

/* The number of steps is odd, so that the last one writes `out`. */
static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    const composition *s = sb_compound_data(me);
    work *w = me->work;
    const sb_state *from = in;
    long iters = 0;
    for (int i = 0; i <= 2 * s->outer; i++) {
        const sb_scalar c = i < s->outer ? s->c[i] : i > s->outer ? s->c[2 * s->outer - i] : w->middle;
        sb_state *to = i % 2 == 0 ? out : &w->other;
        SB_TRY(sb_method_step(&w->compound.base, from, c * h, to));
        iters += to->iters;
        from = to;
    }
    out->iters = iters;
    return SB_OK;
}

static int compose(sb_context *ctx, sb_compound_stepper *out) {
    const sb_stepper *base = out->base;
    const composition *s = out->compound->data;
    if ((base->keeps & (unsigned)SB_KEEPS_REVERSIBILITY) == 0 || !sb_compound_takes(base)) {
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
    sb_compound_set(&out->stepper, init, step);
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
