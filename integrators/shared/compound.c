/* Steppers that are made from a one-step stepper: start, reported multipliers and momentum. */
#include "integrators/shared/compound.h"

static const sb_stepper *base_of(const sb_method *me) { return ((const sb_compound_stepper *)me->type)->base; }

const void *sb_compound_data(const sb_method *me) { return ((const sb_compound_stepper *)me->type)->compound->data; }

const void *sb_compound_config(const sb_method *me) {
    return (const char *)me->config + sb_compound_offset(base_of(me));
}

bool sb_compound_takes(const sb_stepper *base) {
    return base->control.tolerance == NULL && !base->multistep && (base->start_pair == NULL || base->report == NULL);
}

int sb_compound_init(sb_method *me, const sb_system *sys, compound_work *work) {
    me->work = work;
    SB_TRY(sb_multipliers_init(me, &work->motion));
    SB_TRY(sb_method_init(me->ctx, me->arena, base_of(me), me->config, sys, &work->base));
    me->naux = work->base.naux;
    me->note = work->base.note;
    return SB_OK;
}

static int start(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar h, sb_state *out) {
    return sb_method_start(&((const compound_work *)me->work)->base, t, q, v, h, out);
}

static int momentum(const sb_method *me, const sb_state *in, sb_scalar *p) {
    return sb_method_momentum(&((const compound_work *)me->work)->base, in, p);
}

void sb_compound_set(sb_stepper *out, int (*init)(sb_method *me),
                     int (*step)(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out)) {
    out->init = init;
    out->start = start;
    out->start_pair = NULL;
    out->step = step;
    out->report = sb_multipliers_report; /* those of a step of the base are of its order */
    out->momentum = momentum;
}
