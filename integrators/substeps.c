/* n steps of length h/n of a stepper as one step. macklin19 takes them in place of n sweeps of a solver that is not run
 * to its end: a contact of many bodies is then solved once per substep, at states that lie n times as close. */
#include <stepbench/plugin.h>

#include "integrators/shared/compound.h"

/*   Psi_h = Phi_{h/n} o ... o Phi_{h/n}   (n times)
 *
 * A substep continues the state of the one before, with all that the base keeps there, as the impulses from which a
 * solver starts. Velocities and multipliers are those that the base reports of steps of length h/n. */
typedef struct config {
    long n;
} config;

typedef struct work {
    sb_method base;
    sb_state state[2]; /* the steps write to them alternately */
} work;

static const sb_compound_stepper *compound_of(const sb_method *me) { return (const sb_compound_stepper *)me->type; }

static sb_scalar substep(const sb_method *me, sb_scalar h) {
    return h / (sb_scalar)((const config *)sb_compound_config(me))->n;
}

static int init(sb_method *me) {
    work *w;
    SB_NEW(me->arena, w, 1);
    me->work = w;
    SB_TRY(sb_method_init(me->ctx, me->arena, compound_of(me)->base, me->config, me->sys, &w->base));
    me->naux = w->base.naux;
    me->note = w->base.note;
    SB_TRY(sb_state_new(&w->base, me->arena, &w->state[0]));
    return sb_state_new(&w->base, me->arena, &w->state[1]);
}

static int start(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar h, sb_state *out) {
    return sb_method_start(&((const work *)me->work)->base, t, q, v, substep(me, h), out);
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    work *w = me->work;
    const long n = ((const config *)sb_compound_config(me))->n;
    sb_state first = *in;
    long iters = 0;
    first.h = substep(me, in->h);
    const sb_state *from = &first;
    for (long i = 0; i < n; i++) {
        sb_state *to = i == n - 1 ? out : &w->state[i % 2];
        SB_TRY(sb_method_step(&w->base, from, substep(me, h), to));
        iters += to->iters;
        from = to;
    }
    out->iters = iters;
    return SB_OK;
}

static int report(const sb_method *me, const sb_state *in, const sb_state *next, sb_scalar *v, sb_scalar *lambda) {
    sb_state at = *in;
    at.h = substep(me, in->h);
    return sb_method_report(&((const work *)me->work)->base, &at, v, lambda);
}

static int momentum(const sb_method *me, const sb_state *in, sb_scalar *p) {
    sb_state at = *in;
    at.h = substep(me, in->h);
    return sb_method_momentum(&((const work *)me->work)->base, &at, p);
}

static int compose(sb_context *ctx, sb_compound_stepper *out) {
    const sb_stepper *base = out->base;
    if (base->control.tolerance != NULL || base->continues) {
        return sb_fail(ctx, SB_UNSUPPORTED, "%s does not take %s: it takes a stepper of fixed steps",
                       out->compound->entry.name, base->entry.name);
    }
    out->stepper.init = init;
    out->stepper.start = start;
    out->stepper.start_pair = NULL;
    out->stepper.step = step;
    out->stepper.report = report;
    out->stepper.momentum = momentum;
    return SB_OK;
}

static const sb_param params[] = {SB_PARAM_INT(config, n, "10", 1.0, 1e6, "steps of the base per step"), {0}};

SB_DEFINE_COMPOUND(substeps) = {
    .entry = {"substeps", "n steps of length h/n of a stepper as one step", "macklin19", params, sizeof(config)},
    .compose = compose,
};
