/* A one-step stepper that ends a step at an event, e(t, q, v) = 0, and starts again behind it: hnw93 II.6. A force that
 * jumps or has a kink there is smooth in each of the two steps, so that the order of the stepper is kept.
 *
 * Where e changes its sign in a step of length h, the step is repeated with the length theta h at whose end e vanishes.
 * No interpolation is needed: theta is the root of e after a step of the stepper, by the method of false position of
 * Illinois with bisections. The root is approached from before, where no step has met the other force. Then
 *
 *   t + delta,   q + delta v,   v + delta a
 *
 * is the first state with the other sign of e, delta some roundings of h, and the stepper is started from it. */
#include <string.h>

#include <stepbench/plugin.h>

#include "core/run/event.h"
#include "integrators/shared/compound.h"

typedef struct config {
    const char *event;
} config;

typedef struct work {
    compound_work of;
    bool given; /* there is an event */
    sb_event event;
    sb_state before, trial, behind; /* the event; a step with another theta; the start behind the event */
} work;

/* Events in one step; a law that switches to and fro without end comes here. */
enum { EVENTS = 32, ITERATIONS = 200 };

static int value(const work *w, const sb_state *at, sb_scalar *e) {
    return sb_event_value(&w->event, at->t, at->q, at->v, e);
}

/* Sets w->before to the state at the last theta whose e has the sign of e0; e1 belongs to theta = 1, NaN if that step
 * fails. A step that fails is across the event, where an implicit one may have no solution. Ends where theta or e is
 * known to some roundings. */
static int approach(const sb_method *me, const sb_state *in, sb_scalar h, sb_scalar e0, sb_scalar e1) {
    work *w = me->work;
    const sb_scalar small = 8.0 * SB_EPSILON * fabs(e0);
    sb_scalar low = 0.0, high = 1.0, weight0 = e0, weight1 = e1, e = e0;
    int last = 0; /* the end that moved last: 1 the high one, -1 the low one */
    sb_state_copy(&w->of.base, in, &w->before);
    for (int k = 0; k < ITERATIONS && high - low > 4.0 * SB_EPSILON && fabs(e) > small; k++) {
        const sb_scalar secant = low + (high - low) * weight0 / (weight0 - weight1), middle = 0.5 * (low + high),
                        theta = k % 3 < 2 && secant > low && secant < high ? secant : middle;
        sb_scalar there = NAN;
        const int status = sb_method_step(&w->of.base, in, theta * h, &w->trial);
        if (status < 0) {
            return status;
        }
        SB_TRY(status == SB_OK ? value(w, &w->trial, &there) : SB_OK);
        if (there * e0 > 0.0) {
            sb_state_copy(&w->of.base, &w->trial, &w->before);
            low = theta;
            e = weight0 = there;
            weight1 *= last == -1 ? 0.5 : 1.0;
            last = -1;
        } else {
            high = theta;
            weight1 = there;
            weight0 *= last == 1 ? 0.5 : 1.0;
            last = 1;
        }
    }
    return SB_OK;
}

/* Sets w->behind to the start behind the event. */
static int pass(const sb_method *me, sb_scalar h, sb_scalar e0) {
    work *w = me->work;
    const sb_state *from = &w->before;
    sb_state *at = &w->trial;
    SB_TRY(sb_dynamics_acceleration(&w->of.motion.dyn, from->t, from->q, from->v, w->of.motion.a, NULL));
    for (sb_scalar delta = 4.0 * SB_EPSILON * h; fabs(delta) < 1e-6 * fabs(h); delta *= 2.0) {
        sb_scalar e;
        at->t = from->t + delta;
        for (int i = 0; i < me->sys->n; i++) {
            at->q[i] = from->q[i] + delta * from->v[i];
            at->v[i] = from->v[i] + delta * w->of.motion.a[i];
        }
        SB_TRY(value(w, at, &e));
        if (e * e0 < 0.0) {
            return sb_method_start(&w->of.base, at->t, at->q, at->v, h, &w->behind);
        }
    }
    return sb_fail(me->ctx, SB_NOT_CONVERGED,
                   "%s: the motion does not pass through the event at t = %.9g: it touches it, or rests there",
                   me->type->entry.name, (double)from->t);
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    work *w = me->work;
    const sb_state *from = in;
    const sb_scalar end = in->t + h;
    sb_scalar rest = h, e0, e1;
    for (int k = 0; k < EVENTS; k++) {
        const int status = sb_method_step(&w->of.base, from, rest, out);
        if (status < 0 || !w->given) {
            return status;
        }
        SB_TRY(value(w, from, &e0));
        SB_TRY(status == SB_OK ? value(w, out, &e1) : SB_OK);
        if (status == SB_OK && !(e0 * e1 < 0.0)) {
            return SB_OK;
        }
        SB_TRY(approach(me, from, rest, e0, status == SB_OK ? e1 : NAN));
        const int passed = pass(me, rest, e0);
        if (passed != SB_OK) { /* the step has failed for another reason: its own message */
            return status == SB_OK ? passed : sb_method_step(&w->of.base, from, rest, out);
        }
        from = &w->behind;
        rest = end - from->t;
        if (!(fabs(rest) > 8.0 * SB_EPSILON * (fabs(end) + fabs(h)))) {
            sb_state_copy(&w->of.base, from, out);
            return SB_OK;
        }
    }
    return sb_fail(me->ctx, SB_NOT_CONVERGED, "%s: more than %d events in one step, the last at t = %.9g",
                   me->type->entry.name, EVENTS, (double)from->t);
}

static int init(sb_method *me) {
    const config *c = (const config *)((const char *)me->config + sb_compound_offset(compound_base(me)));
    work *w;
    SB_NEW(me->arena, w, 1);
    SB_TRY(compound_init(me, me->sys, &w->of));
    w->given = c->event[0] != '\0';
    SB_TRY(w->given ? sb_event_parse(me->ctx, me->arena, me->sys, c->event, &w->event) : SB_OK);
    SB_TRY(sb_state_new(&w->of.base, me->arena, &w->before));
    SB_TRY(sb_state_new(&w->of.base, me->arena, &w->trial));
    return sb_state_new(&w->of.base, me->arena, &w->behind);
}

static int compose(sb_context *ctx, sb_compound_stepper *out) {
    const sb_stepper *base = out->base;
    if (!compound_takes(base) || (base->supports & (unsigned)(SB_HAS_CONTACT | SB_HAS_FRICTION)) != 0) {
        return sb_fail(ctx, SB_UNSUPPORTED,
                       "%s does not take %s: it takes a one-step stepper of fixed steps without contacts, such as "
                       "verlet, rk4, gauss and rattle",
                       out->compound->entry.name, base->entry.name);
    }
    out->stepper.keeps &= (unsigned)(SB_KEEPS_POSITION | SB_KEEPS_TANGENCY);
    compound_set(&out->stepper);
    out->stepper.init = init;
    out->stepper.step = step;
    return SB_OK;
}

static const sb_param params[] = {
    SB_PARAM_TEXT(config, event, "",
                  "NAME=VALUE, as of run --event: where a force jumps or has a kink; empty: steps of the base"),
    {0}};

SB_DEFINE_COMPOUND(restart) = {
    .entry = {"restart", "a one-step stepper that ends a step at an event and starts again behind it", "hnw93 II.6",
              params, sizeof(config)},
    .compose = compose,
};
