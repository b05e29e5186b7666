/* Newmark's method: newmark59. integrators/shared/alpha_method.h with alpha_m = alpha_f = 0, so that a is q''. */
#include "integrators/shared/alpha_method.h"

typedef struct config {
    sb_scalar beta, gamma;
    sb_newton newton;
} config;

static int init(sb_method *me) {
    const config *c = me->config;
    return sb_alpha_method_init(me, (alpha_coefficients){0.0, 0.0, c->beta, c->gamma}, &c->newton, ALPHA_EXACT, false);
}

/* gamma != 1/2 leaves an error (gamma - 1/2) h in v: it damps or drives. */
static int order_of(const sb_stepper *me, const void *configuration, unsigned features, sb_variable variable) {
    return ((const config *)configuration)->gamma == 0.5 ? 2 : 1;
}

static const sb_param params[] = {
    SB_PARAM_REAL(config, beta, "1/4", 0.0, 1.0, SB_OPEN_LO, "", "weight of the new acceleration in q"),
    SB_PARAM_REAL(config, gamma, "1/2", 0.0, 1.0, SB_CLOSED, "", "weight of the new acceleration in v"),
    SB_NEWTON_PARAMS(config),
    {.name = NULL},
};

SB_DEFINE_STEPPER(newmark) = {
    .entry = {"newmark", "Newmark's method: constant average acceleration by default", "newmark59", params,
              sizeof(config)},
    .order = 2,
    .order_of = order_of,
    .supports = SB_HAS_FORCE | SB_HAS_VARIABLE_MASS | SB_HAS_TIME_POTENTIAL,
    .init = init,
    .start = sb_alpha_method_start,
    .step = sb_alpha_method_step,
};
