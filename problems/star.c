/* Rods whose tails are joined to the head of one rod, which has as many joints as there are arms: spook07 4. */
#include "problems/shared/rods.h"

typedef struct config {
    long arms;
    sb_scalar m, l, g, theta0;
} config;

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    const config *c = parameters;
    const int n = (int)c->arms + 1;
    rods *p;
    SB_TRY(sb_rods_new(arena, n, n, n, &p));
    p->l = c->l;
    p->g = c->g;
    p->tip = n - 1;
    for (int r = 0; r < n; r++) { /* the hub, then its arms evenly around its head */
        const sb_scalar theta = c->theta0 + (r == 0 ? 0.0 : 2.0 * acos(-1.0) * (r - 1) / (sb_scalar)c->arms);
        p->m[r] = c->m;
        p->angle[r] = r;
        p->joint[r] = (rods_joint){r == 0 ? -1 : 0, 1, r, -1};
        p->q0[RODS_COORDINATES * r + RODS_UX] = sin(theta);
        p->q0[RODS_COORDINATES * r + RODS_UY] = -cos(theta);
    }
    return sb_rods_finish(arena, p, out);
}

static const sb_param params[] = {
    SB_PARAM_INT(config, arms, "3", 1.0, 1e6, "rods on the head of the hub"),
    SB_PARAM_POSITIVE(config, m, "10", "kg", "mass of a rod"),
    SB_PARAM_POSITIVE(config, l, "1", "m", "length of a rod"),
    SB_PARAM_NOT_NEGATIVE(config, g, "9.81", "m/s^2", "gravity, along -y"),
    SB_PARAM_ANY(config, theta0, "1.5707963267948966", "rad",
                 "initial angle of the hub and its first arm from the downward vertical towards +x; the other arms "
                 "evenly around"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(star) = {
    .entry = {"star", "rods hinged to the head of one, itself hinged to the origin; tip: head of the last rod",
              "spook07 (4)", params, sizeof(config)},
    .init = init,
};
