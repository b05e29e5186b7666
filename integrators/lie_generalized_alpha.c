/* The generalized-alpha method on R^a x S^3 x ... x S^3, with holonomic constraints at index 3: bruels10, arnold15.
 * integrators/shared/alpha_method.h on the group, with the coefficients of the radius rho. */
#include "integrators/shared/alpha_method.h"

typedef struct config {
    sb_scalar rho;
    int start;
    sb_newton newton;
} config;

static int init(sb_method *me) {
    const config *c = me->config;
    return sb_alpha_method_init(me, alpha_of_radius(c->rho), &c->newton, c->start, true);
}

static const sb_param params[] = {
    ALPHA_PARAM_RHO(config),
    ALPHA_PARAM_START(config, "shifted"),
    SB_NEWTON_PARAMS(config),
    {.name = NULL},
};

SB_DEFINE_STEPPER(lie_generalized_alpha) = {
    .entry = {"lie_generalized_alpha", "generalized-alpha method on unit quaternions, with constraints at index 3",
              "bruels10; arnold15", params, sizeof(config)},
    .order = 2,
    .supports = ALPHA_SUPPORTS,
    .keeps = SB_KEEPS_POSITION,
    .init = init,
    .start = sb_alpha_method_start,
    .step = sb_alpha_method_step,
};
