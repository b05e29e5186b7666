/* The regularized time stepper of reg05 (4.2), (4.4) for equality constraints: compliance c and damping b, linearized at the start of a step. */
#include "integrators/shared/velocity_level.h"

typedef struct config {
    velocity_level_config common;
    double c, b, gamma;
} config;

/* reg05 4.1, corrected: C~ = c h^-2 (1 + c b/h)^-1 and B~ = h^-1 (1 + c b/h)^-1; c b is the relaxation time, tau in a problem's own rows. */
static relaxation relax(const void *parameters, double h, const double *eps, const double *tau, const double *gamma) {
    const config *p = parameters;
    const double c = eps != NULL ? *eps : p->c;
    const double psi = 1.0 / (1.0 + (tau != NULL ? *tau : c * p->b / h));
    return (relaxation){.sigma = c * psi / (h * h), .on_g = psi / h, .gamma = (gamma != NULL ? *gamma : p->gamma) / h};
}

static int init(sb_method *me) {
    velocity_level *w;
    SB_NEW(me->arena, w, 1);
    return velocity_level_init(me, relax, w);
}

static const sb_param params[] = {
    {"c", SB_REAL, offsetof(config, c), "0", 0.0, INFINITY, SB_OPEN_HI, NULL, "1/N per unit of g^2", "compliance of a holonomic constraint, the inverse stiffness"},
    {"b", SB_REAL, offsetof(config, b), "0", 0.0, INFINITY, SB_OPEN_HI, NULL, "N s per unit of g^2", "drag along a holonomic constraint"},
    {"gamma", SB_REAL, offsetof(config, gamma), "0", 0.0, INFINITY, SB_OPEN_HI, NULL, "1/(N s)", "inverse drag of a nonholonomic constraint"},
    VELOCITY_LEVEL_PARAMS(config, common),
    SB_CONTACT_PARAMS(config, common.contact),
    {.name = NULL},
};

SB_DEFINE_STEPPER(reg) = {
    .entry = {"reg", "regularized time stepper: compliant constraints at the end of the step, linearized", "reg05 (4.4)", params, sizeof(config)},
    .order = 2,
    .lower = VELOCITY_LEVEL_ORDERS,
    .supports = VELOCITY_LEVEL_SUPPORTS | VELOCITY_LEVEL_CONTACTS,
    .keeps = SB_KEEPS_MOMENTA,
    .init = init,
    .start = velocity_level_start,
    .step = velocity_level_step,
    .report = velocity_level_report,
    .momentum = velocity_level_momentum,
};
