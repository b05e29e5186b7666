/* Velocity time stepping: constraints at velocity level, with Baumgarte feedback of the violation; anitescu97. */
#include "integrators/shared/velocity_level.h"

typedef struct config {
    velocity_level_config common;
    double beta;
} config;

static relaxation relax(const void *config_, double h, const double *eps, const double *tau, const double *gamma) {
    const config *c = config_;
    (void)eps;
    (void)tau;
    (void)gamma;
    return (relaxation){.on_g = c->beta / h};
}

static int init(sb_method *me) {
    velocity_level *w;
    SB_NEW(me->arena, w, 1);
    return velocity_level_init(me, relax, w);
}

static const sb_param params[] = {
    {"beta", SB_REAL, offsetof(config, beta), "0", 0.0, 1.0, SB_CLOSED, NULL, "", "share of the violation taken back in a step; with 0 it drifts"},
    VELOCITY_LEVEL_PARAMS(config, common),
    SB_CONTACT_PARAMS(config, common.contact),
    {.name = NULL},
};

SB_DEFINE_STEPPER(vts) = {
    .entry = {"vts", "velocity time stepping with Baumgarte feedback", "anitescu97", params, sizeof(config)},
    .order = 2,
    .lower = {{VELOCITY_LEVEL_SUPPORTS | VELOCITY_LEVEL_CONTACTS, 1}}, /* without constraints and forces it is Verlet */
    .supports = VELOCITY_LEVEL_SUPPORTS | VELOCITY_LEVEL_CONTACTS,
    .keeps = SB_KEEPS_MOMENTA,
    .init = init,
    .start = velocity_level_start,
    .step = velocity_level_step,
    .report = velocity_level_report,
    .momentum = velocity_level_momentum,
};
