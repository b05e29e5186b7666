/* The variational nonholonomic stepper: spook07 (24), with the holonomic rows of (13); constraints hold at the end of
 * the step. */
#include "integrators/shared/regularized_newton.h"

/*   M (v1 - v0) - G(q0)' z - A(q0)' z_a = h F
 *   g(q1) = 0,   A(q1) v1 + (gamma/h) z_a = w(t1),   q1 = q0 + h v1,   lambda = z/h
 *
 * Solved in regularized_newton.c. */
typedef struct config {
    sb_velocity_config common;
    sb_newton newton;
    sb_scalar gamma;
} config;

/* The rows of the linear step that is the guess: g(q0) + h G v1 = 0. */
static sb_row_coefficients rows(const void *parameters, sb_scalar h, const sb_scalar *eps, const sb_scalar *tau,
                                const sb_scalar *gamma) {
    const config *c = parameters;
    return (sb_row_coefficients){.kappa = 1.0 / h, .gamma = (gamma != NULL ? *gamma : c->gamma) / h};
}

static int init(sb_method *me) { return sb_regularized_init(me, rows, true, true); }

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    const config *c = me->config;
    return sb_regularized_step(me, &c->newton, 0, in, h, out);
}

static const sb_param params[] = {
    SB_PARAM_NOT_NEGATIVE(config, gamma, "0", "m/(N s)",
                          "regularization of a nonholonomic constraint, the inverse drag"),
    SB_NEWTON_PARAMS(config),
    SB_VELOCITY_STEP_PARAMS(config, common),
    {.name = NULL},
};

SB_DEFINE_STEPPER(nonholonomic_variational) = {
    .entry = {"nonholonomic_variational", "variational stepper with nonholonomic constraints at the end of the step",
              "spook07 (24)", params, sizeof(config)},
    .order = 2,
    .lower = SB_VELOCITY_STEP_ORDERS,
    .supports = SB_VELOCITY_STEP_SUPPORTS,
    .keeps = SB_KEEPS_POSITION | SB_KEEPS_MOMENTA,
    .init = init,
    .start = sb_velocity_step_start,
    .step = step,
    .report = sb_velocity_step_report,
    .momentum = sb_velocity_step_momentum,
    .loses = sb_velocity_step_loses,
};
