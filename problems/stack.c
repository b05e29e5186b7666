/* A stack of equal boxes on ground that may be tilted: held by contacts and friction, and a hard case for solvers that
 * sweep. */
#include "problems/shared/boxes.h"

typedef struct config {
    long n;
    double tilt, mu, w, h, m, mass_ratio, g;
} config;

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    const config *c = parameters;
    boxes *p;
    double *m;
    (void)ctx;
    SB_NEW(arena, p, 1);
    SB_NEW(arena, m, c->n);
    for (long b = 0; b < c->n; b++) {
        m[b] = b == 0 ? c->m : c->m * pow(c->mass_ratio, (double)b / (double)(c->n - 1));
    }
    *p = (boxes){.n = (int)c->n, .w = c->w, .h = c->h, .g = c->g, .angle = c->tilt, .mu = c->mu, .m = m};
    return boxes_finish(arena, p, out);
}

static const sb_param params[] = {
    {"n", SB_INT, offsetof(config, n), "10", 1.0, 100000.0, SB_CLOSED, NULL, "", "number of boxes"},
    {"tilt", SB_REAL, offsetof(config, tilt), "0", 0.0, M_PI_2, SB_OPEN_HI, NULL, "rad",
     "slope of the ground; the stack slides as one above atan(mu), and topples where friction over weight would exceed "
     "w/(n h)"},
    {"mu", SB_REAL, offsetof(config, mu), "0.5", 0.0, INFINITY, SB_OPEN_HI, NULL, "",
     "coefficient of friction of all faces"},
    {"w", SB_REAL, offsetof(config, w), "0.2", 0.0, INFINITY, SB_OPEN, NULL, "m", "width of a box"},
    {"h", SB_REAL, offsetof(config, h), "0.1", 0.0, INFINITY, SB_OPEN, NULL, "m", "height of a box"},
    {"m", SB_REAL, offsetof(config, m), "1", 0.0, INFINITY, SB_OPEN, NULL, "kg", "mass of the lowest box"},
    {"mass_ratio", SB_REAL, offsetof(config, mass_ratio), "1", 0.0, INFINITY, SB_OPEN, NULL, "",
     "mass of the highest box over that of the lowest; those between make a geometric series"},
    {"g", SB_REAL, offsetof(config, g), "9.81", 0.0, INFINITY, SB_OPEN, NULL, "m/s^2", "gravity"},
    {.name = NULL},
};

SB_DEFINE_PROBLEM(stack) = {
    .entry = {"stack",
              "a stack of boxes on level or tilted ground, two corner contacts with friction between neighbours",
              "reg05 2.8", params, sizeof(config)},
    .init = init,
};
