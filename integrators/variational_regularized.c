/* The regularized variational stepper before its linearization, solved to convergence: spook07 (17), (26), and (24) for nonholonomic rows. */
#include <stepbench/numerics/newton.h>

#include "integrators/shared/regularized_newton.h"

typedef struct config {
    spook_config rows;
    sb_newton newton;
} config;

static int init(sb_method *me) {
    SB_TRY(regularized_init(me));
    ((regularized_work *)me->work)->linear.ahead = true;
    return SB_OK;
}

static int step(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    const config *c = me->config;
    regularized_newton *newton = &((regularized_work *)me->work)->newton;
    SB_TRY(velocity_level_step(me, in, h, out));
    SB_TRY(regularized_newton_begin(newton, me, in, h, out));
    SB_TRY(sb_newton_iterate(me->ctx, &c->newton, regularized_newton_correct, newton, &out->iters));
    regularized_newton_end(newton);
    return SB_OK;
}

static const sb_param params[] = {
    SPOOK_PARAMS(config),
    SB_NEWTON_PARAMS(config),
    VELOCITY_LEVEL_PARAMS(config, rows.common),
    {.name = NULL},
};

SB_DEFINE_STEPPER(variational_regularized) = {
    .entry = {"variational_regularized", "regularized variational stepper, solved to convergence", "spook07 (26)", params, sizeof(config)},
    .order = 2,
    .lower = VELOCITY_LEVEL_ORDERS,
    .supports = VELOCITY_LEVEL_SUPPORTS,
    .keeps = SB_KEEPS_MOMENTA,
    .init = init,
    .start = velocity_level_start,
    .step = step,
    .report = velocity_level_report,
    .momentum = velocity_level_momentum,
};
