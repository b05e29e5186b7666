/* SPOOK: the linearized regularized variational stepper, spook07 (29), with optional Newton updates of the nonlinear (26). */
#include "integrators/shared/regularized_newton.h"

typedef struct config {
    spook_config rows;
    long newton;
} config;

static int init(sb_method *me) {
    const config *c = me->config;
    if (c->newton > 0 && me->sys->contact.m + me->sys->contact.k > 0) {
        return sb_fail(me->ctx, SB_UNSUPPORTED, "spook takes %s with newton=0 alone: the updates of spook07 (26) know no contacts and no dry friction", me->sys->name);
    }
    if (c->newton > 0) {
        return regularized_init(me);
    }
    regularized_work *w;
    SB_NEW(me->arena, w, 1);
    return velocity_level_init(me, spook_relax, &w->linear);
}

static int step(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    const config *c = me->config;
    SB_TRY(velocity_level_step(me, in, h, out));
    if (c->newton == 0) {
        return SB_OK;
    }
    regularized_newton *newton = &((regularized_work *)me->work)->newton;
    double size;
    SB_TRY(regularized_newton_begin(newton, me, in, h, out));
    for (out->iters = 0; out->iters < c->newton; out->iters++) {
        SB_TRY(regularized_newton_correct(newton, &size));
    }
    regularized_newton_end(newton);
    return SB_OK;
}

static const sb_param params[] = {
    SPOOK_PARAMS(config),
    {"newton", SB_INT, offsetof(config, newton), "0", 0.0, 100.0, SB_CLOSED, NULL, "", "Newton updates of spook07 (26) after the linear solve"},
    VELOCITY_LEVEL_PARAMS(config, rows.common),
    SB_CONTACT_PARAMS(config, rows.common.contact),
    {.name = NULL},
};

SB_DEFINE_STEPPER(spook) = {
    .entry = {"spook", "SPOOK: regularized and stabilized variational stepper, one linear system a step", "spook07 (29)", params, sizeof(config)},
    .order = 2,
    .lower = VELOCITY_LEVEL_ORDERS,
    .supports = VELOCITY_LEVEL_SUPPORTS | VELOCITY_LEVEL_CONTACTS,
    .keeps = SB_KEEPS_MOMENTA,
    .init = init,
    .start = velocity_level_start,
    .step = step,
    .report = velocity_level_report,
    .momentum = velocity_level_momentum,
};
