/* The symmetric heavy top as a rigid body in space on a ball joint at the origin: goldstein02 (5.7), with the
 * coordinates of reg05 2. */
#include "problems/shared/joints.h"
#include "problems/shared/start.h"

typedef struct config {
    sb_scalar m, d, J1, J3, g;
    sb_scalar theta0, thetadot0, phidot0, psidot0;
} config;

typedef struct top {
    config c;
    joints *joints;
} top;

static const sb_output output_list[] = {
    {"tilt", "rad", "angle of the axis from the vertical", false},
    {"Lz", "kg m^2/s", "vertical angular momentum about the joint", true},
};

static int outputs(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const top *p = self;
    sb_scalar axis[3], L[3];
    sb_quaternion_rotate(q + BODY_E, q + BODY_E, (sb_scalar[3]){0.0, 0.0, 1.0}, axis);
    body_angular_momentum(&p->joints->body[0].rigid, q, v, L);
    out[0] = atan2(hypot(axis[0], axis[1]), axis[2]);
    out[1] = L[2] + p->c.m * (q[0] * v[1] - q[1] * v[0]);
    return SB_OK;
}

/* A rotation about the axis of the top, e * (0, 0, 0, 1/2), leaves every term unchanged. A rotation about z leaves the
 * set g = 0 unchanged but rotates g. It is no symmetry of a step that violates g = 0, so that Lz is an output. */
static const char *const momentum_names[] = {"L3"};

static int generator(const void *self, int i, const sb_scalar *q, sb_scalar *xi) {
    memset(xi, 0, BODY_E * sizeof *xi);
    sb_quaternion_product(q + BODY_E, (sb_scalar[4]){0.0, 0.0, 0.0, 0.5}, xi + BODY_E);
    return SB_OK;
}

/* Sets the start, with Euler's angles z-x-z at (0, theta0, 0): the axis is (0, -sin theta, cos theta). */
static int set_top_start(sb_arena *arena, const config *c, sb_system *out) {
    sb_scalar q[BODY_COORDINATES] = {0.0}, v[BODY_COORDINATES];
    const sb_scalar s = sin(c->theta0), k = cos(c->theta0), axis[3] = {0.0, -s, k};
    const sb_scalar w[3] = {c->thetadot0, -s * c->psidot0, c->phidot0 + k * c->psidot0};
    for (int i = 0; i < 3; i++) {
        q[i] = c->d * axis[i];
    }
    q[BODY_E] = cos(0.5 * c->theta0);
    q[BODY_E + 1] = sin(0.5 * c->theta0);
    v[0] = w[1] * q[2] - w[2] * q[1];
    v[1] = w[2] * q[0] - w[0] * q[2];
    v[2] = w[0] * q[1] - w[1] * q[0];
    body_set_turning(q, w, v);
    return set_start(arena, q, v, out);
}

/* Returns the inverse of the larger of: the sum of the rates at the start, and the frequency of the top without spin.
 */
static sb_scalar time_scale(const config *c) {
    const sb_scalar rates = fabs(c->psidot0) + fabs(c->phidot0) + fabs(c->thetadot0),
                    swing = sqrt(c->m * c->g * c->d / (c->J1 + c->m * c->d * c->d));
    return time_scale_of(fmax(rates, swing));
}

static const char *const names[] = {"top"};

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    top *p;
    SB_NEW(arena, p, 1);
    p->c = *(const config *)parameters;
    const config *c = &p->c;
    SB_TRY(sb_joints_new(arena, 1, 4, 0, 0, 0, &p->joints));
    sb_joints_add_body(p->joints, (joints_body){.rigid = {c->m, {c->J1, c->J1, c->J1, c->J3}}});
    const joint_vector ball[2] = {{.body = JOINTS_GROUND, .point = true},
                                  {.body = 0, .point = true, .a = {0.0, 0.0, -c->d}}};
    sb_joints_declare(p->joints, SB_SPHERICAL, ball, NULL);
    sb_joints_add_meeting(p->joints, ball[0], ball[1], 3);
    sb_joints_add_quaternions(p->joints);
    p->joints->gravity[2] = -c->g;
    SB_TRY(sb_joints_finish(arena, p->joints, out));
    SB_TRY(sb_joints_offer(arena, p->joints, names, out));
    out->time_scale = time_scale(c);
    out->symmetry = (sb_symmetry){p, 1, momentum_names, generator};
    out->outputs = (sb_outputs){p, 2, output_list, outputs};
    return set_top_start(arena, c, out);
}

/* The fast top of bruels10: m=15, J1=0.234375, J3=0.46875, theta0=pi/2, phidot0=-4.61538, psidot0=150. */
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
