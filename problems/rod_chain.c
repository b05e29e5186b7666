/* A chain of n rigid rods that hangs by one end from the origin: the rods of spook07 6 without a loop. */
#include "problems/shared/rods.h"

typedef struct config {
    long n;
    sb_scalar m, l, g, theta0;
} config;

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    const config *c = parameters;
    const int n = (int)c->n;
    rods *p;
    SB_TRY(sb_rods_new(arena, n, n, n, &p));
    p->l = c->l;
    p->g = c->g;
    p->tip = n - 1;
    for (int r = 0; r < n; r++) {
        p->m[r] = c->m;
        p->angle[r] = r;
        p->joint[r] = (rods_joint){r - 1, 1, r, -1};
        p->q0[RODS_COORDINATES * r + RODS_UX] = sin(c->theta0);
        p->q0[RODS_COORDINATES * r + RODS_UY] = -cos(c->theta0);
    }
    return sb_rods_finish(arena, p, out);
}

static const sb_param params[] = {
    SB_PARAM_INT(config, n, "3", 1.0, 1e6, "rods"),
    SB_PARAM_POSITIVE(config, m, "10", "kg", "mass of a rod"),
    SB_PARAM_POSITIVE(config, l, "1", "m", "length of a rod"),
    SB_PARAM_NOT_NEGATIVE(config, g, "9.81", "m/s^2", "gravity, along -y"),
    SB_PARAM_ANY(config, theta0, "1.5707963267948966", "rad",
                 "initial angle of all rods from the downward vertical towards +x"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(rod_chain) = {
    .entry = {"rod_chain", "chain of rigid rods without a loop; tip: head of the last rod", "spook07 (6)", params,
              sizeof(config)},
    .init = init,
};
