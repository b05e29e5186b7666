/* The regularized variational stepper before its linearization, solved to convergence: spook07 (17), (26), and (24) for
 * nonholonomic rows. */
#include "integrators/shared/regularized_newton.h"
#include "integrators/spook.h"

/*   M (v1 - v0) - G(q0)' z - A(q0)' z_a = h F
 *   (Upsilon/h) [g(q1) + 2 g(q0) + g(q0 - h v0)] + (1 - Upsilon) G(q1) v1 + Sigma z = 0
 *   A(q1) v1 + (gamma/h) z_a = w(t1),   q1 = q0 + h v1,   lambda = z/h
 *
 * with the coefficients of spook.c; solved in regularized_newton.c. */
typedef struct config {
    spook_config rows;
    sb_newton newton;
} config;

static int init(sb_method *me) { return sb_regularized_init(me, spook_rows, true, false); }

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    const config *c = me->config;
    return sb_regularized_step(me, &c->newton, 0, in, h, out);
}

static const sb_param params[] = {
    SPOOK_PARAMS(config, "1e-8"),
    SB_NEWTON_PARAMS(config),
    SB_VELOCITY_STEP_PARAMS(config, rows.common),
    {.name = NULL},
};

SB_DEFINE_STEPPER(variational_regularized) = {
    .entry = {"variational_regularized", "regularized variational stepper, solved to convergence", "spook07 (26)",
              params, sizeof(config)},
    .order = 2,
    .lower = SB_VELOCITY_STEP_ORDERS,
    .supports = SB_HAS_REDUNDANT | SB_VELOCITY_STEP_SUPPORTS,
    .keeps = SB_KEEPS_MOMENTA,
    .compliance = "eps",
    .init = init,
    .start = sb_velocity_step_start,
    .step = step,
    .report = sb_velocity_step_report,
    .momentum = sb_velocity_step_momentum,
    .loses = sb_velocity_step_loses,
};
