/* SPOOK: the linearized regularized variational stepper, spook07 (29), with optional Newton updates of the nonlinear
 * (26). */
#include "integrators/spook.h"
#include "integrators/shared/regularized_newton.h"

/* With v1 = (q1 - q)/h and the impulses z = h lambda, (29) is
 *
 *   [ M  -G' ] [ v1 ]   [ M v + h F                       ]      Upsilon = 1/(1 + 4 tau/h)
 *   [ G Sigma] [ z  ] = [ -(4/h) Upsilon g + Upsilon G v  ]      Sigma = (4/h^2) Upsilon eps
 *
 *   A v1 + (gamma/h) z_a = w   for nonholonomic constraints, which add -A' z_a to the first row
 *
 * spook_rows (spook.h) returns the coefficients. sb_velocity_step_step (shared/velocity_step.c) takes the step: it
 * assembles the right-hand sides, and sb_kkt_factor_solve_shifted (core/mechanics/kkt.c) factors and solves. */
typedef struct config {
    spook_config rows;
    long newton;
} config;

static int init(sb_method *me) {
    const config *c = me->config;
    if (c->newton == 0) {
        return sb_velocity_step_new(me, spook_rows);
    }
    if (me->sys->contact.m + me->sys->contact.k > 0) {
        return sb_fail(me->ctx, SB_UNSUPPORTED, "newton > 0 does not support contacts or dry friction; use newton=0");
    }
    return sb_regularized_init(me, spook_rows, false, false);
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    const config *c = me->config;
    return c->newton == 0 ? sb_velocity_step_step(me, in, h, out)
                          : sb_regularized_step(me, NULL, c->newton, in, h, out);
}

static const sb_param params[] = {
    SPOOK_PARAMS(config, "1e-8"),
    SB_PARAM_INT(config, newton, "0", 0.0, 100.0, "Newton updates of spook07 (26) after the linear solve"),
    SB_VELOCITY_STEP_PARAMS(config, rows.common),
    SB_CONTACT_PARAMS(config, rows.common.contact),
    {.name = NULL},
};

SB_DEFINE_STEPPER(spook) = {
    .entry = {"spook", "SPOOK: regularized and stabilized variational stepper, one linear system per step",
              "spook07 (29)", params, sizeof(config)},
    .order = 2,
    .lower = SB_VELOCITY_STEP_ORDERS,
    .supports = SB_HAS_REDUNDANT | SB_VELOCITY_STEP_SUPPORTS | SB_VELOCITY_STEP_CONTACTS,
    .keeps = SB_KEEPS_MOMENTA,
    .compliance = "eps",
    .init = init,
    .start = sb_velocity_step_start,
    .step = step,
    .report = sb_velocity_step_report,
    .momentum = sb_velocity_step_momentum,
    .loses = sb_velocity_step_loses,
};
