/* A one-step stepper that ends a step at an event, e(t, q, v) = 0, and starts again after it: hnw93 II.6. A force that
 * jumps or has a kink there is smooth in each of the two steps, so that the stepper keeps its order.
 *
 * Where e changes its sign in a step of length h, the step is repeated with the length theta h at whose end e vanishes.
 * theta is the root of e after a step of the stepper, by the Illinois method with bisections; no interpolation is
 * needed. The root is approached from the side of the start, where no step has used the other force. Then the stepper
 * is started from
 *
 *   t + delta,   q + delta v,   v + delta a
 *
 * where delta, a few roundings of h, is the first one with the other sign of e. */

#include <stepbench/plugin.h>

#include "core/run/event.h"
#include "integrators/shared/compound.h"

typedef struct config {
    const char *event;
} config;

typedef struct work {
    compound_work compound;
    bool given; /* there is an event */
    sb_event event;
    sb_state before, trial, after; /* the last state before the event; a trial step; the first state after the event */
} work;

/* The largest numbers of events in one step, which a force that switches back and forth without end exceeds, and of
 * trial steps per event. */
enum { EVENTS = 32, ITERATIONS = 200 };

static int value(const work *w, const sb_state *at, sb_scalar *e) {
    return sb_event_value(&w->event, at->t, at->q, at->v, e);
}

/* Sets w->before to the state at the largest theta whose e has the sign of e0, to some roundings of theta or e. e1 is
 * the value at theta = 1, NaN if that step failed. A step that fails counts as one beyond the event, where an implicit
 * stepper may have no solution. */
static int locate_event(const sb_method *me, const sb_state *in, sb_scalar h, sb_scalar e0, sb_scalar e1) {
    work *w = me->work;
    const sb_scalar small = 8.0 * SB_EPSILON * fabs(e0);
    sb_scalar low = 0.0, high = 1.0, weight0 = e0, weight1 = e1, e = e0;
    int last = 0; /* the end that moved last: 1 is `high`, -1 is `low` */
    sb_state_copy(&w->compound.base, in, &w->before);
    for (int k = 0; k < ITERATIONS && high - low > 4.0 * SB_EPSILON && fabs(e) > small; k++) {
        const sb_scalar secant = low + (high - low) * weight0 / (weight0 - weight1), middle = 0.5 * (low + high),
                        theta = k % 3 < 2 && secant > low && secant < high ? secant : middle;
        sb_scalar e_trial = NAN;
        const int status = sb_method_step(&w->compound.base, in, theta * h, &w->trial);
        if (status < 0) {
            return status;
        }
        SB_TRY(status == SB_OK ? value(w, &w->trial, &e_trial) : SB_OK);
        if (e_trial * e0 > 0.0) {
            sb_state_copy(&w->compound.base, &w->trial, &w->before);
            low = theta;
            e = weight0 = e_trial;
            weight1 *= last == -1 ? 0.5 : 1.0;
            last = -1;
        } else {
            high = theta;
            weight1 = e_trial;
            weight0 *= last == 1 ? 0.5 : 1.0;
            last = 1;
        }
    }
    return SB_OK;
}

/* Starts the stepper in w->after, after the event. */
static int cross_event(const sb_method *me, sb_scalar h, sb_scalar e0) {
    work *w = me->work;
    const sb_state *from = &w->before;
    sb_state *at = &w->trial;
    SB_TRY(sb_dynamics_acceleration(&w->compound.motion.dyn, from->t, from->q, from->v, w->compound.motion.a, NULL));
    for (sb_scalar delta = 4.0 * SB_EPSILON * h; fabs(delta) < 1e-6 * fabs(h); delta *= 2.0) {
        sb_scalar e;
        at->t = from->t + delta;
        for (int i = 0; i < me->sys->n; i++) {
            at->q[i] = from->q[i] + delta * from->v[i];
            at->v[i] = from->v[i] + delta * w->compound.motion.a[i];
        }
        SB_TRY(value(w, at, &e));
        if (e * e0 < 0.0) {
            return sb_method_start(&w->compound.base, at->t, at->q, at->v, h, &w->after);
        }
    }
    return sb_fail(me->ctx, SB_NOT_CONVERGED, "%s: the event function reaches zero at t = %.9g without changing sign",
                   me->type->entry.name, (double)from->t);
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    work *w = me->work;
    const sb_state *from = in;
    const sb_scalar end = in->t + h;
    sb_scalar rest = h, e0, e1;
    for (int k = 0; k < EVENTS; k++) {
        const int status = sb_method_step(&w->compound.base, from, rest, out);
        if (status < 0 || !w->given) {
            return status;
        }
        SB_TRY(value(w, from, &e0));
        SB_TRY(status == SB_OK ? value(w, out, &e1) : SB_OK);
        if (status == SB_OK && !(e0 * e1 < 0.0)) {
            return SB_OK;
        }
        SB_TRY(locate_event(me, from, rest, e0, status == SB_OK ? e1 : NAN));
        const int crossed = cross_event(me, rest, e0);
        if (crossed != SB_OK) { /* a step that failed for another reason is repeated for its message */
            return status == SB_OK ? crossed : sb_method_step(&w->compound.base, from, rest, out);
        }
        from = &w->after;
        rest = end - from->t;
        if (!(fabs(rest) > 8.0 * SB_EPSILON * (fabs(end) + fabs(h)))) {
            sb_state_copy(&w->compound.base, from, out);
            return SB_OK;
        }
    }
    return sb_fail(me->ctx, SB_NOT_CONVERGED, "%s: more than %d events in one step, the last at t = %.9g",
                   me->type->entry.name, EVENTS, (double)from->t);
}

static int init(sb_method *me) {
    const config *c = sb_compound_config(me);
    work *w;
    SB_NEW(me->arena, w, 1);
    SB_TRY(sb_compound_init(me, me->sys, &w->compound));
    w->given = c->event[0] != '\0';
    SB_TRY(w->given ? sb_event_parse(me->ctx, me->arena, me->sys, c->event, &w->event) : SB_OK);
    SB_TRY(sb_state_new(&w->compound.base, me->arena, &w->before));
    SB_TRY(sb_state_new(&w->compound.base, me->arena, &w->trial));
    return sb_state_new(&w->compound.base, me->arena, &w->after);
}

static int compose(sb_context *ctx, sb_compound_stepper *out) {
    const sb_stepper *base = out->base;
    if (!sb_compound_takes(base) || (base->supports & (unsigned)(SB_HAS_CONTACT | SB_HAS_FRICTION)) != 0) {
        return sb_fail(ctx, SB_UNSUPPORTED,
                       "%s does not take %s: it takes a one-step stepper of fixed steps without contacts, such as "
                       "verlet, rk4, gauss and rattle",
                       out->compound->entry.name, base->entry.name);
    }
    out->stepper.keeps &= (unsigned)(SB_KEEPS_POSITION | SB_KEEPS_TANGENCY);
    sb_compound_set(&out->stepper, init, step);
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
