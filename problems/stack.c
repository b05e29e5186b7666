/* A stack of boxes on ground that may be tilted, with contacts and friction. Gauss-Seidel solvers converge slowly on
 * it. */
#include "problems/shared/boxes.h"

typedef struct config {
    long n;
    sb_scalar tilt, mu, w, h, m, mass_ratio, g;
} config;

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    const config *c = parameters;
    boxes *p;
    sb_scalar *m;
    SB_NEW(arena, p, 1);
    SB_NEW(arena, m, c->n);
    for (long b = 0; b < c->n; b++) {
        m[b] = b == 0 ? c->m : c->m * pow(c->mass_ratio, (sb_scalar)b / (sb_scalar)(c->n - 1));
    }
    *p = (boxes){.n = (int)c->n, .w = c->w, .h = c->h, .g = c->g, .angle = c->tilt, .mu = c->mu, .m = m};
    return sb_boxes_finish(arena, p, out);
}

static const sb_param params[] = {
    SB_PARAM_INT(config, n, "10", 1.0, 100000.0, "number of boxes"),
    SB_PARAM_REAL(config, tilt, "0", 0.0, M_PI_2, SB_OPEN_HI, "rad",
                  "slope of the ground; the stack slides as one above atan(mu), and topples where friction over weight "
                  "would exceed "
                  "w/(n h)"),
    SB_PARAM_NOT_NEGATIVE(config, mu, "0.5", "", "coefficient of friction of all faces"),
    SB_PARAM_POSITIVE(config, w, "0.2", "m", "width of a box"),
    SB_PARAM_POSITIVE(config, h, "0.1", "m", "height of a box"),
    SB_PARAM_POSITIVE(config, m, "1", "kg", "mass of the lowest box"),
    SB_PARAM_POSITIVE(config, mass_ratio, "1", "",
                      "mass of the highest box over that of the lowest; those between make a geometric series"),
    SB_PARAM_POSITIVE(config, g, "9.81", "m/s^2", "gravity"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(stack) = {
    .entry = {"stack",
              "a stack of boxes on level or tilted ground, two corner contacts with friction between neighbours",
              "reg05 2.8", params, sizeof(config)},
    .init = init,
};
