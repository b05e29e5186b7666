/* The symmetric heavy top as a rigid body in space on a ball joint at the origin: goldstein02 (5.7), with the
 * coordinates of reg05 2. */
#include <math.h>

#include "problems/shared/bodies.h"

typedef struct config {
    double m, d, J1, J3, g;
    double theta0, thetadot0, phidot0, psidot0;
} config;

typedef struct top {
    config c;
    body body;
} top;

static int mass(const void *self, const double *q, double *Mx) {
    const top *p = self;
    body_mass(&p->body, q, Mx);
    return SB_OK;
}

static int kinetic_gradient(const void *self, const double *q, const double *v, double *Tq) {
    const top *p = self;
    body_kinetic_gradient(&p->body, q, v, Tq);
    return SB_OK;
}

static int kinetic_hessian(const void *self, const double *q, const double *v, double cqq, double cqv, double cvq,
                           double *Hx) {
    const top *p = self;
    body_kinetic_hessian(&p->body, q, v, cqq, cqv, cvq, Hx);
    return SB_OK;
}

static int potential(const void *self, const double *q, double *V) {
    const top *p = self;
    *V = p->c.m * p->c.g * q[2];
    return SB_OK;
}

static int potential_gradient(const void *self, const double *q, double *Vq) {
    const top *p = self;
    memset(Vq, 0, BODY_COORDINATES * sizeof *Vq);
    Vq[2] = p->c.m * p->c.g;
    return SB_OK;
}

/* The centre sits at d on the body's third axis: x = e * (0, 0, d) * conj(e); and e is a unit quaternion. Column c < 3
 * of G holds x_c and e. */
static int holonomic_value(const void *self, const double *q, double *g, double *Gx) {
    const top *p = self;
    const double d[3] = {0.0, 0.0, p->c.d}, *e = q + BODY_E;
    double at[3], unit[4];
    if (g != NULL) {
        quaternion_turn(e, e, d, at);
        for (int c = 0; c < 3; c++) {
            g[c] = q[c] - at[c];
        }
        g[3] = 0.5 * (e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] - 1.0);
    }
    for (int j = 0; j < 4 && Gx != NULL; j++) {
        quaternion_unit(j, unit);
        quaternion_turn(e, unit, d, at);
        for (int c = 0; c < 3; c++) {
            Gx[5 * c] = 1.0;
            Gx[5 * c + 1 + j] = -2.0 * at[c];
        }
        Gx[15 + j] = e[j];
    }
    return SB_OK;
}

static int holonomic_hessian(const void *self, const double *q, const double *w, double c, double *Hx) {
    const top *p = self;
    double at[3], first[4], second[4];
    for (int j = 0; j < 4; j++) {
        quaternion_unit(j, first);
        for (int i = 0; i < 4; i++) {
            quaternion_unit(i, second);
            quaternion_turn(first, second, (double[3]){0.0, 0.0, p->c.d}, at);
            Hx[3 + i + 4 * j] += c * ((i == j ? w[3] : 0.0) - 2.0 * (w[0] * at[0] + w[1] * at[1] + w[2] * at[2]));
        }
    }
    return SB_OK;
}

static int holonomic_curvature(const void *self, const double *q, const double *v, double *out) {
    const top *p = self;
    const double *e = v + BODY_E;
    quaternion_turn(e, e, (double[3]){0.0, 0.0, p->c.d}, out);
    for (int c = 0; c < 3; c++) {
        out[c] *= -2.0;
    }
    out[3] = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3];
    return SB_OK;
}

static const sb_output output_list[] = {
    {"tilt", "rad", "angle of the axis from the vertical", false},
    {"Lz", "kg m^2/s", "vertical angular momentum about the joint", true},
};

static int outputs(const void *self, double t, const double *q, const double *v, double *out) {
    const top *p = self;
    double axis[3], L[3];
    quaternion_turn(q + BODY_E, q + BODY_E, (double[3]){0.0, 0.0, 1.0}, axis);
    body_angular_momentum(&p->body, q, v, L);
    out[0] = atan2(hypot(axis[0], axis[1]), axis[2]);
    out[1] = L[2] + p->c.m * (q[0] * v[1] - q[1] * v[0]);
    return SB_OK;
}

/* Turning about the top's own axis, e * (0, 0, 0, 1/2), leaves every term alone. Turning about z leaves g = 0 alone,
 * but turns g, and is no symmetry of a step that violates it: Lz is an output. */
static const char *const momentum_names[] = {"L3"};

static int generator(const void *self, int i, const double *q, double *xi) {
    memset(xi, 0, BODY_E * sizeof *xi);
    quaternion_product(q + BODY_E, (double[4]){0.0, 0.0, 0.0, 0.5}, xi + BODY_E);
    return SB_OK;
}

/* Euler's angles z-x-z at (0, theta0, 0): the axis is (0, -sin theta, cos theta). */
static int initial(const void *self, double *t, double *q, double *v) {
    const config *c = &((const top *)self)->c;
    const double s = sin(c->theta0), k = cos(c->theta0), axis[3] = {0.0, -s, k};
    const double w[3] = {c->thetadot0, -s * c->psidot0, c->phidot0 + k * c->psidot0};
    *t = 0.0;
    for (int i = 0; i < 3; i++) {
        q[i] = c->d * axis[i];
    }
    q[BODY_E] = cos(0.5 * c->theta0);
    q[BODY_E + 1] = sin(0.5 * c->theta0);
    q[BODY_E + 2] = q[BODY_E + 3] = 0.0;
    v[0] = w[1] * q[2] - w[2] * q[1];
    v[1] = w[2] * q[0] - w[0] * q[2];
    v[2] = w[0] * q[1] - w[1] * q[0];
    body_set_turning(q, w, v);
    return SB_OK;
}

/* The rates at the start, and that of the pendulum the top would be without spin. */
static double time_scale(const config *c) {
    const double rates = fabs(c->psidot0) + fabs(c->phidot0) + fabs(c->thetadot0),
                 swing = sqrt(c->m * c->g * c->d / (c->J1 + c->m * c->d * c->d));
    const double fastest = fmax(rates, swing);
    return fastest > 0.0 ? 1.0 / fastest : 1.0;
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    static const int G_row[19] = {0, 3, 4, 5, 6, 1, 3, 4, 5, 6, 2, 3, 4, 5, 6, 3, 4, 5, 6};
    static const int G_col[19] = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3};
    top *p;
    SB_NEW(arena, p, 1);
    p->c = *(const config *)parameters;
    p->body = (body){p->c.m, {p->c.J1, p->c.J1, p->c.J1, p->c.J3}};
    out->n = BODY_COORDINATES;
    out->time_scale = time_scale(&p->c);
    SB_TRY(bodies_pattern(arena, 1, &out->H));
    out->inertia =
        (sb_inertia){.self = p, .M = out->H, .mass = mass, .gradient = kinetic_gradient, .hessian = kinetic_hessian};
    out->potential = (sb_potential){.self = p, .degree = 1, .value = potential, .gradient = potential_gradient};
    out->holonomic = (sb_holonomic){.self = p,
                                    .m = 4,
                                    .degree = 2,
                                    .value = holonomic_value,
                                    .hessian = holonomic_hessian,
                                    .curvature = holonomic_curvature};
    SB_TRY(sb_pattern_from_pairs(arena, BODY_COORDINATES, 4, 19, G_row, G_col, &out->holonomic.G));
    out->symmetry = (sb_symmetry){p, 1, momentum_names, generator};
    out->outputs = (sb_outputs){p, 2, output_list, outputs};
    out->self = p;
    out->initial = initial;
    return SB_OK;
}

static const sb_param params[] = {
    SB_PARAM_POSITIVE(config, m, "1", "kg", "mass"),
    SB_PARAM_POSITIVE(config, d, "1", "m", "distance of the centre of mass from the joint, on the top's axis"),
    SB_PARAM_POSITIVE(config, J1, "0.25", "kg m^2", "moment of inertia across the axis, about the centre of mass"),
    SB_PARAM_POSITIVE(config, J3, "0.5", "kg m^2", "moment of inertia about the axis"),
    SB_PARAM_NOT_NEGATIVE(config, g, "9.81", "m/s^2", "gravity, along -z"),
    SB_PARAM_REAL(config, theta0, "0.5", 0.0, M_PI, SB_CLOSED, "rad",
                  "initial angle of the axis from the upward vertical"),
    SB_PARAM_ANY(config, thetadot0, "0", "rad/s", "its initial rate"),
    SB_PARAM_ANY(config, phidot0, "0", "rad/s", "initial rate of precession"),
    SB_PARAM_ANY(config, psidot0, "20", "rad/s", "initial rate of spin"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(heavy_top) = {
    .entry = {"heavy_top", "symmetric heavy top: a spatial rigid body on a ball joint, in a unit quaternion",
              "goldstein02 (5.7)", params, sizeof(config)},
    .init = init,
};
