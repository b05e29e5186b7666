/* A particle on the line y = 0 under gravity: the example of constraint realization, notes11 (44)-(45). */
#include "problems/shared/constant_terms.h"
#include "problems/shared/start.h"

typedef struct config {
    sb_scalar m, g, x0, vx0;
} config;

static int g_value(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *g, sb_scalar *Gx) {
    if (g != NULL) {
        g[0] = q[1];
    }
    if (Gx != NULL) {
        Gx[0] = 1.0;
    }
    return SB_OK;
}

static int g_hessian(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *w, sb_scalar c,
                     sb_scalar *Hx) {
    return SB_OK;
}

static int g_curvature(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    out[0] = 0.0;
    return SB_OK;
}

static const char *const momenta[] = {"px"};

static int translation(const void *self, int i, const sb_scalar *q, sb_scalar *xi) {
    xi[0] = 1.0;
    xi[1] = 0.0;
    return SB_OK;
}

static int exact(const void *self, sb_scalar t, sb_scalar *q, sb_scalar *v, sb_scalar *lambda) {
    const config *c = self;
    if (q != NULL) {
        q[0] = c->x0 + c->vx0 * t;
        q[1] = 0.0;
    }
    if (v != NULL) {
        v[0] = c->vx0;
        v[1] = 0.0;
    }
    if (lambda != NULL) {
        lambda[0] = c->m * c->g;
    }
    return SB_OK;
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    const config *c = parameters;
    out->n = 2;
    out->time_scale = 1.0; /* uniform motion has no time scale */
    SB_TRY(sb_pattern_diagonal(arena, 2, &out->H));
    SB_TRY(set_masses(arena, 2, (sb_scalar[2]){c->m, c->m}, &out->inertia));
    SB_TRY(set_gravity(arena, 2, c->g, (sb_scalar[2]){0.0, c->m}, &out->potential));
    out->holonomic = (sb_holonomic){
        .self = c, .m = 1, .degree = 1, .value = g_value, .hessian = g_hessian, .curvature = g_curvature};
    SB_TRY(sb_pattern_from_pairs(arena, 2, 1, 1, (const int[1]){1}, (const int[1]){0}, &out->holonomic.G));
    out->symmetry = (sb_symmetry){c, 1, momenta, translation};
    return set_exact(arena, c, exact, out);
}

static const sb_param params[] = {
    SB_PARAM_POSITIVE(config, m, "1", "kg", "mass"),
    SB_PARAM_NOT_NEGATIVE(config, g, "1", "m/s^2", "gravity, along -y"),
    SB_PARAM_ANY(config, x0, "0", "m", "initial position on the line"),
    SB_PARAM_ANY(config, vx0, "1", "m/s", "initial velocity along it"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(plane) = {
    .entry = {"plane", "particle on the line y = 0 under gravity", "notes11 (44)", params, sizeof(config)},
    .init = init,
};
