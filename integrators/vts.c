/* Velocity time stepping: constraints at velocity level, with Baumgarte feedback of the violation; anitescu97. */
#include "integrators/shared/velocity_step.h"

/*   [ M  -G' ] [ v1 ]   [ M v + h F    ]
 *   [ G   0  ] [ z  ] = [ -(beta/h) g  ]      A v1 = w,   q1 = q + h v1,   lambda = z/h  */
typedef struct config {
    sb_velocity_config common;
    sb_scalar beta;
} config;

static sb_row_coefficients rows(const void *parameters, sb_scalar h, const sb_scalar *eps, const sb_scalar *tau,
                                const sb_scalar *gamma) {
    const config *c = parameters;
    return (sb_row_coefficients){.kappa = c->beta / h};
}

static int init(sb_method *me) { return sb_velocity_step_new(me, rows); }

static const sb_param params[] = {
    SB_PARAM_REAL(config, beta, "0", 0.0, 1.0, SB_CLOSED, "",
                  "share of the violation that a step removes; with 0 the violation drifts"),
    SB_VELOCITY_STEP_PARAMS(config, common),
    SB_CONTACT_PARAMS(config, common.contact),
    {.name = NULL},
};

SB_DEFINE_STEPPER(vts) = {
    .entry = {"vts", "velocity time stepping with Baumgarte feedback", "anitescu97", params, sizeof(config)},
    .order = 2,
    .lower = {{(SB_VELOCITY_STEP_SUPPORTS & ~SB_HAS_TIME_POTENTIAL) | SB_VELOCITY_STEP_CONTACTS,
               1}}, /* without constraints and forces it is Verlet */
    .supports = SB_VELOCITY_STEP_SUPPORTS | SB_VELOCITY_STEP_CONTACTS,
    .keeps = SB_KEEPS_MOMENTA,
    .init = init,
    .start = sb_velocity_step_start,
    .step = sb_velocity_step_step,
    .report = sb_velocity_step_report,
    .momentum = sb_velocity_step_momentum,
    .loses = sb_velocity_step_loses,
};
