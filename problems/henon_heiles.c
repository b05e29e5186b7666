/* The system of Henon and Heiles, unit mass: V = (x^2 + y^2)/2 + x^2 y - y^3/3, henon64. Motions of energy below 1/6
 * stay in the triangle of the potential; above about 1/9 some of them are chaotic. */
#include <math.h>

#include <stepbench/plugin.h>

#include "problems/shared/constant_terms.h"
#include "problems/shared/start.h"

typedef struct config {
    sb_scalar x0, y0, vx0, vy0;
} config;

static int potential(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *V) {
    const sb_scalar x2 = q[0] * q[0], y2 = q[1] * q[1];
    *V = 0.5 * (x2 + y2) + (x2 - y2 / 3.0) * q[1];
    return SB_OK;
}

static int potential_gradient(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vq) {
    Vq[0] = q[0] + 2.0 * q[0] * q[1];
    Vq[1] = q[1] + (q[0] - q[1]) * (q[0] + q[1]);
    return SB_OK;
}

static int potential_hessian(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar c, sb_scalar *Hx) {
    Hx[0] += c * (1.0 + 2.0 * q[1]);
    Hx[1] += c * 2.0 * q[0];
    Hx[2] += c * 2.0 * q[0];
    Hx[3] += c * (1.0 - 2.0 * q[1]);
    return SB_OK;
}

/* K = 1: what is left is cubic. */
static int springs(const void *self, sb_scalar c, sb_scalar *Hx) {
    Hx[0] += c;
    Hx[3] += c;
    return SB_OK;
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    const config *c = parameters;
    out->n = 2;
    out->time_scale = 1.0; /* the inverse of both frequencies at the origin */
    SB_TRY(sb_pattern_full(arena, 2, 2, &out->H));
    SB_TRY(set_masses(arena, 2, (sb_scalar[2]){1.0, 1.0}, &out->inertia));
    out->potential = (sb_potential){.self = NULL,
                                    .degree = -1,
                                    .value = potential,
                                    .gradient = potential_gradient,
                                    .hessian = potential_hessian,
                                    .springs = springs};
    return set_start(arena, (sb_scalar[2]){c->x0, c->y0}, (sb_scalar[2]){c->vx0, c->vy0}, out);
}

static const sb_param params[] = {
    SB_PARAM_ANY(config, x0, "0", "", "initial x"),
    SB_PARAM_ANY(config, y0, "0.1", "", "initial y"),
    SB_PARAM_ANY(config, vx0, "0.5", "", "initial velocity in x"),
    SB_PARAM_ANY(config, vy0, "0", "", "initial velocity in y"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(henon_heiles) = {
    .entry = {"henon_heiles", "motion in the cubic potential of Henon and Heiles, chaotic at larger energies",
              "henon64", params, sizeof(config)},
    .init = init,
};
