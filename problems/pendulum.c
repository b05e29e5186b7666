/* The planar pendulum in Cartesian coordinates with one length constraint; solved by Jacobi's elliptic functions. */
#include "problems/shared/constant_terms.h"
#include "problems/shared/start.h"
#include "problems/shared/swing.h"
#include "problems/shared/world.h"

enum { NORM, SQUARE };

typedef struct config {
    sb_scalar m, l, g, theta0, omega0;
    int constraint;
} config;

/* q = (x, y), pivot at the origin, y up. */
typedef struct pendulum {
    config c;
    swing motion;
    sb_chart chart;
} pendulum;

/* ---- Terms. ---- */

static int norm_value(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *g, sb_scalar *Gx) {
    const pendulum *p = self;
    const sb_scalar r = sqrt(q[0] * q[0] + q[1] * q[1]);
    if (g != NULL) {
        g[0] = r - p->c.l;
    }
    if (Gx != NULL) {
        Gx[0] = q[0] / r;
        Gx[1] = q[1] / r;
    }
    return r > 0.0 ? SB_OK : SB_DOMAIN;
}

/* Hess |x| = (1 - n n')/|x|, in the plane t t'/|x| with t normal to n. */
static int norm_hessian(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *w, sb_scalar c,
                        sb_scalar *Hx) {
    const sb_scalar r2 = q[0] * q[0] + q[1] * q[1], a = c * w[0] / (r2 * sqrt(r2));
    Hx[0] += a * q[1] * q[1];
    Hx[1] -= a * q[0] * q[1];
    Hx[2] -= a * q[0] * q[1];
    Hx[3] += a * q[0] * q[0];
    return r2 > 0.0 ? SB_OK : SB_DOMAIN;
}

static int norm_curvature(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const sb_scalar r2 = q[0] * q[0] + q[1] * q[1], cross = q[0] * v[1] - q[1] * v[0];
    out[0] = cross * cross / (r2 * sqrt(r2));
    return r2 > 0.0 ? SB_OK : SB_DOMAIN;
}

static int square_value(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *g, sb_scalar *Gx) {
    const pendulum *p = self;
    if (g != NULL) {
        g[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - p->c.l * p->c.l);
    }
    if (Gx != NULL) {
        Gx[0] = q[0];
        Gx[1] = q[1];
    }
    return SB_OK;
}

static int square_hessian(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *w, sb_scalar c,
                          sb_scalar *Hx) {
    Hx[0] += c * w[0];
    Hx[1] += c * w[0];
    return SB_OK;
}

static int square_curvature(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    out[0] = v[0] * v[0] + v[1] * v[1];
    return SB_OK;
}

/* ---- The angle from the downward vertical. ---- */

static const sb_output output_list[] = {
    {"theta", "rad", "angle from the downward vertical towards +x, in (-pi, pi]", false}};

static int outputs(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    out[0] = atan2(q[0], -q[1]);
    return SB_OK;
}

static int chart_point(const void *self, const sb_scalar *s, sb_scalar *q, sb_scalar *Dx) {
    const pendulum *p = self;
    const sb_scalar x = p->c.l * sin(s[0]), y = -p->c.l * cos(s[0]);
    if (q != NULL) {
        q[0] = x;
        q[1] = y;
    }
    if (Dx != NULL) {
        Dx[0] = -y;
        Dx[1] = x;
    }
    return SB_OK;
}

/* psi'' = -psi. */
static int chart_motion(const void *self, const sb_scalar *s, const sb_scalar *u, sb_scalar *q, sb_scalar *Dx,
                        sb_scalar *c) {
    SB_TRY(chart_point(self, s, q, Dx));
    c[0] = -u[0] * u[0] * q[0];
    c[1] = -u[0] * u[0] * q[1];
    return SB_OK;
}

static int chart_hessian(const void *self, const sb_scalar *s, const sb_scalar *w, sb_scalar c, sb_scalar *Hx) {
    const pendulum *p = self;
    Hx[0] += c * p->c.l * (-w[0] * sin(s[0]) + w[1] * cos(s[0]));
    return SB_OK;
}

static int chart_third(const void *self, const sb_scalar *s, const sb_scalar *w, const sb_scalar *u, sb_scalar c,
                       sb_scalar *Hx) {
    const pendulum *p = self;
    Hx[0] -= c * p->c.l * u[0] * (w[0] * cos(s[0]) + w[1] * sin(s[0]));
    return SB_OK;
}

static int chart_inverse(const void *self, const sb_scalar *q, sb_scalar *s) {
    s[0] = atan2(q[0], -q[1]);
    return q[0] != 0.0 || q[1] != 0.0 ? SB_OK : SB_DOMAIN;
}

/* ---- The world. ---- */

static int describe(const void *self, sb_arena *arena, sb_world_parts *out) {
    const pendulum *p = self;
    SB_TRY(world_new(arena, 1, 1, out));
    out->gravity[1] = -p->c.g;
    out->body[out->bodies++] = (sb_world_body){.name = "bob", .mass = p->c.m};
    world_add_joint(out, SB_DISTANCE, SB_GROUND, 0.0, 0.0, 0, 0.0, 0.0)->length = p->c.l;
    return SB_OK;
}

static int place(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar *pose, sb_scalar *twist) {
    return world_particles_place(1, 2, q, v, pose, twist);
}

static int coordinates(const void *self, const sb_scalar *pose, const sb_scalar *twist, sb_scalar *q, sb_scalar *v) {
    return world_particles_coordinates(1, 2, pose, twist, q, v);
}

/* ---- The motion. ---- */

static int chart_exact(const void *self, sb_scalar t, sb_scalar *s) {
    const pendulum *p = self;
    s[0] = swing_angle(&p->motion, t);
    return SB_OK;
}

static int exact(const void *self, sb_scalar t, sb_scalar *q, sb_scalar *v, sb_scalar *lambda) {
    const pendulum *p = self;
    const sb_scalar l = p->c.l;
    const swing_state x = swing_at(&p->motion, t);
    const sb_scalar sine = 2.0 * x.s * x.c, cosine = (x.c - x.s) * (x.c + x.s), thetadot = x.rate;
    if (q != NULL) {
        q[0] = l * sine;
        q[1] = -l * cosine;
    }
    if (v != NULL) {
        v[0] = l * cosine * thetadot;
        v[1] = l * sine * thetadot;
    }
    if (lambda != NULL) {
        /* The force of the rod along the outward unit vector, which is G for the norm; for the square G is l times it.
         */
        const sb_scalar radial = -p->c.m * (l * thetadot * thetadot + p->c.g * cosine);
        lambda[0] = p->c.constraint == NORM ? radial : radial / l;
    }
    return SB_OK;
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    pendulum *p;
    SB_NEW(arena, p, 1);
    p->c = *(const config *)parameters;
    p->motion = swing_new(sqrt(p->c.g / p->c.l), p->c.theta0, p->c.omega0);
    const bool norm = p->c.constraint == NORM;
    out->n = 2;
    out->time_scale = swing_time_scale(&p->motion);
    out->period = swing_period(&p->motion);
    SB_TRY(norm ? sb_pattern_full(arena, 2, 2, &out->H) : sb_pattern_diagonal(arena, 2, &out->H));
    SB_TRY(set_masses(arena, 2, (sb_scalar[2]){p->c.m, p->c.m}, &out->inertia));
    SB_TRY(set_gravity(arena, 2, p->c.g, (sb_scalar[2]){0.0, p->c.m}, &out->potential));
    out->holonomic = (sb_holonomic){.self = p, .m = 1, .degree = norm ? -1 : 2};
    out->holonomic.value = norm ? norm_value : square_value;
    out->holonomic.hessian = norm ? norm_hessian : square_hessian;
    out->holonomic.curvature = norm ? norm_curvature : square_curvature;
    SB_TRY(sb_pattern_full(arena, 2, 1, &out->holonomic.G));
    out->outputs = (sb_outputs){p, 1, output_list, outputs};
    SB_TRY(world_offer(
        arena,
        (sb_world){
            .self = p, .dimension = 2, .bodies = 1, .describe = describe, .place = place, .coordinates = coordinates},
        out));
    p->chart = (sb_chart){.self = p,
                          .n = 1,
                          .point = chart_point,
                          .motion = chart_motion,
                          .hessian = chart_hessian,
                          .third = chart_third,
                          .inverse = chart_inverse,
                          .exact = chart_exact};
    SB_TRY(sb_pattern_full(arena, 2, 1, &p->chart.D));
    SB_TRY(sb_pattern_full(arena, 1, 1, &p->chart.H));
    out->chart = &p->chart;
    const sb_scalar x = p->c.l * sin(p->c.theta0), y = -p->c.l * cos(p->c.theta0), w = p->c.omega0;
    return set_start_and_exact(arena, (sb_scalar[2]){x, y}, (sb_scalar[2]){-y * w, x * w}, p, exact, out);
}

static const sb_param params[] = {
    SB_PARAM_POSITIVE(config, m, "1", "kg", "mass of the bob"),
    SB_PARAM_POSITIVE(config, l, "1", "m", "length"),
    SB_PARAM_NOT_NEGATIVE(config, g, "9.81", "m/s^2", "gravity, along -y"),
    SB_PARAM_ANY(config, theta0, "1", "rad", "initial angle from the downward vertical towards +x"),
    SB_PARAM_ANY(config, omega0, "0", "rad/s", "initial rate of that angle"),
    SB_PARAM_CHOICE(config, constraint, "square", "norm|square", "g = |x| - l, or g = (x.x - l^2)/2"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(pendulum) = {
    .entry = {"pendulum", "planar pendulum in Cartesian coordinates, one length constraint", "landau76 (11)", params,
              sizeof(config)},
    .init = init,
};
