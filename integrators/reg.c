/* The regularized time stepper of reg05 (4.2), (4.4) for equality constraints: compliance c and damping b, linearized
 * at the start of a step. */
#include "integrators/shared/velocity_step.h"

/*   [ M  -G' ] [ v1 ]   [ M v + h F ]      Psi = 1/(1 + c b/h)
 *   [ G   C~ ] [ z  ] = [ -B~ g     ]      C~ = (c/h^2) Psi,   B~ = (1/h) Psi
 *
 *   A v1 + (gamma/h) z_a = w,   q1 = q + h v1,   lambda = z/h
 *
 * reg05 4.1, corrected. The product c b is the relaxation time, tau in a problem's own rows. */
typedef struct config {
    sb_velocity_config common;
    sb_scalar c, b, gamma;
} config;

static sb_row_coefficients rows(const void *parameters, sb_scalar h, const sb_scalar *eps, const sb_scalar *tau,
                                const sb_scalar *gamma) {
    const config *p = parameters;
    const sb_scalar c = eps != NULL ? *eps : p->c;
    const sb_scalar Psi = 1.0 / (1.0 + (tau != NULL ? *tau : c * p->b / h));
    return (sb_row_coefficients){
        .sigma = c * Psi / (h * h),
        .kappa = Psi / h,
        .upsilon = 0.0,
        .gamma = (gamma != NULL ? *gamma : p->gamma) / h,
    };
}

static int init(sb_method *me) { return sb_velocity_step_new(me, rows); }

static const sb_param params[] = {
    SB_PARAM_NOT_NEGATIVE(config, c, "0", "unit of g^2/(N m)",
                          "compliance of a holonomic constraint, the inverse stiffness"),
    SB_PARAM_NOT_NEGATIVE(config, b, "0", "N m s per unit of g^2", "drag along a holonomic constraint"),
    SB_PARAM_NOT_NEGATIVE(config, gamma, "0", "m/(N s)", "inverse drag of a nonholonomic constraint"),
    SB_VELOCITY_STEP_PARAMS(config, common),
    SB_CONTACT_PARAMS(config, common.contact),
    {.name = NULL},
};

SB_DEFINE_STEPPER(reg) = {
    .entry = {"reg", "regularized time stepper: compliant constraints at the end of the step, linearized",
              "reg05 (4.4)", params, sizeof(config)},
    .order = 2,
    .lower = SB_VELOCITY_STEP_ORDERS,
    .supports = SB_HAS_REDUNDANT | SB_VELOCITY_STEP_SUPPORTS | SB_VELOCITY_STEP_CONTACTS,
    .keeps = SB_KEEPS_MOMENTA,
    .compliance = "c",
    .init = init,
    .start = sb_velocity_step_start,
    .step = sb_velocity_step_step,
    .report = sb_velocity_step_report,
    .momentum = sb_velocity_step_momentum,
    .loses = sb_velocity_step_loses,
};
