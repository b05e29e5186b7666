/* The variational nonholonomic stepper: spook07 (24), with the holonomic rows of (13); constraints hold at the end of the step. */
#include <stepbench/numerics/newton.h>

#include "integrators/shared/regularized_newton.h"

typedef struct config {
    velocity_level_config common;
    sb_newton newton;
    double gamma;
} config;

/* The linear step that serves as the guess: g(q0) + h G' v1 = 0. */
static relaxation relax(const void *parameters, double h, const double *eps, const double *tau, const double *gamma) {
    const config *c = parameters;
    (void)eps;
    (void)tau;
    return (relaxation){.on_g = 1.0 / h, .gamma = (gamma != NULL ? *gamma : c->gamma) / h};
}

static int init(sb_method *me) {
    regularized_work *w;
    SB_NEW(me->arena, w, 1);
    SB_TRY(regularized_newton_init(me, &w->newton));
    w->newton.pointwise = true;
    SB_TRY(velocity_level_init(me, relax, &w->linear));
    w->linear.ahead = true;
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
    {"gamma", SB_REAL, offsetof(config, gamma), "0", 0.0, INFINITY, SB_OPEN_HI, NULL, "1/(N s)", "regularization of a nonholonomic constraint, the inverse drag"},
    SB_NEWTON_PARAMS(config),
    VELOCITY_LEVEL_PARAMS(config, common),
    {.name = NULL},
};

SB_DEFINE_STEPPER(nonholonomic_variational) = {
    .entry = {"nonholonomic_variational", "variational stepper with nonholonomic constraints at the end of the step", "spook07 (24)", params, sizeof(config)},
    .order = 2,
    .lower = VELOCITY_LEVEL_ORDERS,
    .supports = VELOCITY_LEVEL_SUPPORTS,
    .keeps = SB_KEEPS_POSITION | SB_KEEPS_MOMENTA,
    .init = init,
    .start = velocity_level_start,
    .step = step,
    .report = velocity_level_report,
    .momentum = velocity_level_momentum,
};
