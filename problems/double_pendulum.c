/* The planar double pendulum of two point masses in the angles from the downward vertical, landau76 5:
 *
 *   T = (m1 + m2) l1^2 w1^2/2 + m2 l2^2 w2^2/2 + m2 l1 l2 w1 w2 cos(theta1 - theta2),
 *   V = -(m1 + m2) g l1 cos theta1 - m2 g l2 cos theta2. */
#include "problems/shared/cosines.h"
#include "problems/shared/start.h"

typedef struct config {
    sb_scalar m1, m2, l1, l2, g, theta1, theta2, omega1, omega2;
} config;

typedef struct pendulum {
    config c;
    cosines terms;
    cosine kinetic[3], potential[2];
} pendulum;

static const sb_output output_list[] = {
    {"x", "m", "x of the outer mass", false},
    {"y", "m", "height of the outer mass over the pivot", false},
};

static int outputs(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const config *c = &((const pendulum *)self)->c;
    out[0] = c->l1 * sin(q[0]) + c->l2 * sin(q[1]);
    out[1] = -c->l1 * cos(q[0]) - c->l2 * cos(q[1]);
    return SB_OK;
}

/* Returns the inverse of the larger frequency of small oscillations, whose square is the larger root of
 * m1 l1 l2 x^2 - (m1 + m2) g (l1 + l2) x + (m1 + m2) g^2; or of the faster initial rate. */
static sb_scalar time_scale(const config *c) {
    const sb_scalar a = c->m1 * c->l1 * c->l2, b = 0.5 * (c->m1 + c->m2) * (c->l1 + c->l2), d = c->m1 + c->m2;
    const sb_scalar swing = sqrt(c->g * (b + sqrt(fmax(b * b - a * d, 0.0))) / a);
    return time_scale_of(fmax(swing, fmax(fabs(c->omega1), fabs(c->omega2))));
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    pendulum *p;
    SB_NEW(arena, p, 1);
    p->c = *(const config *)parameters;
    const config *c = &p->c;
    const sb_scalar both = c->m1 + c->m2;
    p->kinetic[0] = (cosine){0, 0, NO_ANGLE, NO_ANGLE, 0.0, both * c->l1 * c->l1, 0.0};
    p->kinetic[1] = (cosine){1, 1, NO_ANGLE, NO_ANGLE, 0.0, c->m2 * c->l2 * c->l2, 0.0};
    p->kinetic[2] = (cosine){1, 0, 0, 1, -1.0, c->m2 * c->l1 * c->l2, 0.0};
    p->potential[0] = (cosine){.a = 0, .b = NO_ANGLE, .c = -both * c->g * c->l1};
    p->potential[1] = (cosine){.a = 1, .b = NO_ANGLE, .c = -c->m2 * c->g * c->l2};
    p->terms =
        (cosines){.n = 2, .kinetic_count = 3, .kinetic = p->kinetic, .potential_count = 2, .potential = p->potential};
    SB_TRY(sb_cosines_finish(arena, &p->terms, out));
    out->time_scale = time_scale(c);
    out->outputs = (sb_outputs){p, 2, output_list, outputs};
    return set_start(arena, (sb_scalar[2]){c->theta1, c->theta2}, (sb_scalar[2]){c->omega1, c->omega2}, out);
}

static const sb_param params[] = {
    SB_PARAM_POSITIVE(config, m1, "1", "kg", "inner mass"),
    SB_PARAM_POSITIVE(config, m2, "1", "kg", "outer mass"),
    SB_PARAM_POSITIVE(config, l1, "1", "m", "length of the inner rod"),
    SB_PARAM_POSITIVE(config, l2, "1", "m", "length of the outer rod"),
    SB_PARAM_NOT_NEGATIVE(config, g, "9.81", "m/s^2", "gravity, downward"),
    SB_PARAM_ANY(config, theta1, "2", "rad", "initial angle of the inner rod from the downward vertical"),
    SB_PARAM_ANY(config, theta2, "2.5", "rad", "initial angle of the outer rod from the downward vertical"),
    SB_PARAM_ANY(config, omega1, "0", "rad/s", "initial rate of the inner rod"),
    SB_PARAM_ANY(config, omega2, "0", "rad/s", "initial rate of the outer rod"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(double_pendulum) = {
    .entry = {"double_pendulum", "planar double pendulum of point masses in two angles, without constraints",
              "landau76 (5)", params, sizeof(config)},
    .init = init,
};
