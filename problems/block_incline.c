/* A box on an incline with dry friction under its two lower corners: the angle of repose. */
#include "problems/shared/boxes.h"

enum { BOUND_NORMAL, BOUND_WEIGHT };

typedef struct config {
    sb_scalar angle, mu, w, h, m, g, v0;
    int bound;
} config;

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    const config *c = parameters;
    boxes *p;
    sb_scalar *m;
    SB_NEW(arena, p, 1);
    SB_NEW(arena, m, 1);
    *m = c->m;
    *p = (boxes){.n = 1,
                 .w = c->w,
                 .h = c->h,
                 .g = c->g,
                 .angle = c->angle,
                 .mu = c->mu,
                 .v0 = c->v0,
                 .fixed = c->bound == BOUND_WEIGHT,
                 .m = m};
    return sb_boxes_finish(arena, p, out);
}

/* The box is at rest where tan(angle) <= mu, otherwise it slides with x'' = g (sin - mu cos). It tips over its downhill
 * corner where friction over normal force, the smaller of mu and tan(angle), exceeds w/h; no exact solution is offered
 * then. */
static const sb_param params[] = {
    SB_PARAM_REAL(config, angle, "0.5", 0.0, M_PI_2, SB_OPEN_HI, "rad", "of the slope; at rest up to atan(mu)"),
    SB_PARAM_NOT_NEGATIVE(
        config, mu, "0.4", "",
        "coefficient of friction; the box tips, without exact solution, where friction over normal force would exceed "
        "w/h"),
    SB_PARAM_POSITIVE(config, w, "0.2", "m", "width of the box, along the slope"),
    SB_PARAM_POSITIVE(config, h, "0.1", "m", "height of the box"),
    SB_PARAM_POSITIVE(config, m, "1", "kg", "mass, of even density"),
    SB_PARAM_POSITIVE(config, g, "9.81", "m/s^2", "gravity"),
    SB_PARAM_NOT_NEGATIVE(config, v0, "0", "m/s", "initial speed down the slope"),
    SB_PARAM_CHOICE(config, bound, "normal", "normal|weight",
                    "of a corner's friction: mu times its normal force; or, as reg05 2.8 begins, mu times an estimate, "
                    "m g/2: then it "
                    "holds up to "
                    "asin(mu)"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(block_incline) = {
    .entry = {"block_incline",
              "a box on an incline with dry friction under its lower corners: held, sliding or tipping", "reg05 2.8",
              params, sizeof(config)},
    .init = init,
};
