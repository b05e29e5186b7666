/* The generalized-alpha method of Chung and Hulbert, with holonomic constraints at index 3: chung93, arnold07.
 * integrators/shared/alpha_method.h with
 *
 *   alpha_m = (2 rho - 1)/(rho + 1),  alpha_f = rho/(rho + 1),
 *   gamma = 1/2 - alpha_m + alpha_f,  beta = (1 - alpha_m + alpha_f)^2/4,
 *
 * where rho is the spectral radius for steps that are long against the period. */
#include "integrators/shared/alpha_method.h"

typedef struct config {
    sb_scalar rho;
    sb_newton newton;
} config;

static int init(sb_method *me) {
    const config *c = me->config;
    const sb_scalar alpha_m = (2.0 * c->rho - 1.0) / (c->rho + 1.0), alpha_f = c->rho / (c->rho + 1.0),
                    d = alpha_f - alpha_m;
    return alpha_method_init(me, &(alpha_coefficients){alpha_m, alpha_f, 0.25 * (1.0 + d) * (1.0 + d), 0.5 + d},
                             &c->newton);
}

static const sb_param params[] = {
    SB_PARAM_REAL(config, rho, "0.8", 0.0, 1.0, SB_OPEN_HI, "",
                  "spectral radius at infinite frequency; 1 damps nothing, and multipliers would not be stable"),
    SB_NEWTON_PARAMS(config),
    {.name = NULL},
};

SB_DEFINE_STEPPER(generalized_alpha) = {
    .entry = {"generalized_alpha", "generalized-alpha method, with holonomic constraints at index 3",
              "chung93; arnold07", params, sizeof(config)},
    .order = 2,
    .supports = SB_HAS_FORCE | SB_HAS_VARIABLE_MASS | SB_HAS_HOLONOMIC | SB_HAS_CURVED_HOLONOMIC |
                SB_HAS_SINGULAR_MASS | SB_HAS_RHEONOMIC | SB_HAS_TIME_POTENTIAL,
    .keeps = SB_KEEPS_POSITION,
    .init = init,
    .start = alpha_method_start,
    .step = alpha_method_step,
};
