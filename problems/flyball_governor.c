/* The flyball governor, after problem A05 of gonzalez06: two arms of length l with balls are hinged to a shaft
 * that turns about z. Springs with dampers, in place of links, join the middles of the arms to a slider on the shaft.
 * At the start arms and springs form rhombi, the springs are relaxed, and all bodies turn with the shaft. */
#include "problems/shared/joints.h"
#include "problems/shared/start.h"

enum { SHAFT, LEFT, RIGHT, SLIDER, BODIES };

typedef struct config {
    sb_scalar l, thickness, rod, ball, slider, k, c, g, alpha, rate;
} config;

typedef struct governor {
    config c;
    sb_scalar top, centre; /* height of the arms' hinges; distance of an arm's centre of mass from its hinge */
    joints *joints;
} governor;

/* Returns a point of an arm, whose frame has x along the arm from the hinge and y along the axis of the hinge. */
static joint_vector on_arm(const governor *p, int arm, sb_scalar distance) {
    return (joint_vector){.body = arm, .point = true, .a = {distance - p->centre}};
}

static joint_vector vector(int of, bool point, sb_scalar x, sb_scalar y, sb_scalar z) {
    return (joint_vector){.body = of, .point = point, .a = {x, y, z}};
}

static int add_joints(sb_arena *arena, governor *p) {
    joints *j = p->joints;
    const joint_vector up = vector(JOINTS_GROUND, false, 0.0, 0.0, 1.0), foot = vector(SHAFT, true, 0.0, 0.0, 0.0);
    const joint_vector bearing[2] = {vector(JOINTS_GROUND, true, 0.0, 0.0, 0.5 * p->c.l), foot},
                       rail[2] = {foot, vector(SLIDER, true, 0.0, 0.0, 0.0)},
                       along[2] = {up, vector(SHAFT, false, 0.0, 0.0, 1.0)};
    sb_joints_declare(j, SB_REVOLUTE, bearing, along);
    sb_joints_add_meeting(j, bearing[0], bearing[1], 3);
    sb_joints_add(j, sb_joints_perpendicular(up, vector(SHAFT, false, 1.0, 0.0, 0.0)));
    sb_joints_add(j, sb_joints_perpendicular(up, vector(SHAFT, false, 0.0, 1.0, 0.0)));
    for (int arm = LEFT; arm <= RIGHT; arm++) {
        const joint_vector axis = vector(SHAFT, false, 0.0, 1.0, 0.0),
                           hinge[2] = {vector(SHAFT, true, 0.0, 0.0, 0.5 * p->c.l), on_arm(p, arm, 0.0)};
        sb_joints_declare(j, SB_REVOLUTE, hinge, (joint_vector[2]){axis, vector(arm, false, 0.0, 1.0, 0.0)});
        sb_joints_add_meeting(j, hinge[0], hinge[1], 3);
        sb_joints_add(j, sb_joints_perpendicular(axis, vector(arm, false, 1.0, 0.0, 0.0)));
        sb_joints_add(j, sb_joints_perpendicular(axis, vector(arm, false, 0.0, 0.0, 1.0)));
    }
    sb_joints_declare(j, SB_PRISMATIC, rail, (joint_vector[2]){along[1], vector(SLIDER, false, 0.0, 0.0, 1.0)});
    for (int k = 0; k < 2; k++) {
        const joint_vector across = vector(SHAFT, false, k == 0, k == 1, 0.0);
        sb_joints_add(j, sb_joints_sliding(across, rail[0], rail[1]));
        sb_joints_add(j, sb_joints_perpendicular(across, vector(SLIDER, false, 0.0, 0.0, 1.0)));
    }
    sb_joints_add(j,
                  sb_joints_perpendicular(vector(SHAFT, false, 1.0, 0.0, 0.0), vector(SLIDER, false, 0.0, 1.0, 0.0)));
    sb_joints_add_quaternions(j);
    for (int arm = LEFT; arm <= RIGHT; arm++) {
        const joint_vector ends[2] = {on_arm(p, arm, 0.5 * p->c.l), vector(SLIDER, true, 0.0, 0.0, 0.0)};
        SB_TRY(sb_joints_add_spring(arena, j, ends, p->c.k, 0.5 * p->c.l, p->c.c));
    }
    return SB_OK;
}

/* Returns a bar of mass m and length l along axis x or z, with a square section. J0 may be any positive number. */
static body bar(sb_scalar m, sb_scalar l, sb_scalar edge, int axis) {
    const sb_scalar across = m * (l * l + edge * edge) / 12.0, along = m * edge * edge / 6.0;
    body out = {m, {across, across, across, across}};
    out.J[1 + axis] = along;
    return out;
}

static void add_bodies(governor *p) {
    const config *c = &p->c;
    body arm = bar(c->rod, c->l, c->thickness, 0);
    const sb_scalar rest = p->centre - 0.5 * c->l, lever = c->l - p->centre,
                    added = c->rod * rest * rest + c->ball * lever * lever;
    arm.m += c->ball;
    arm.J[2] += added;
    arm.J[3] += added;
    const sb_scalar J = c->slider * c->l * c->l / 600.0; /* a cube with the edge l/10 */
    sb_joints_add_body(p->joints, (joints_body){.rigid = bar(c->rod, c->l, c->thickness, 2)});
    sb_joints_add_body(p->joints, (joints_body){.rigid = arm});
    sb_joints_add_body(p->joints, (joints_body){.rigid = arm});
    sb_joints_add_body(p->joints, (joints_body){.rigid = {c->slider, {J, J, J, J}}});
}

static const sb_output output_list[] = {
    {"height", "m", "height of the slider over the shaft's foot", false},
    {"rate", "rad/s", "rate of the shaft", false},
    {"Lz", "kg m^2/s", "angular momentum about z", true},
};

/* The rate of the shaft about z is the third component of 2 e' conj(e). */
static int outputs(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const governor *p = self;
    sb_scalar turned[4], L[3];
    const sb_scalar *e = q + BODY_E;
    out[0] = q[BODY_COORDINATES * SLIDER + 2];
    sb_quaternion_product(v + BODY_E, (sb_scalar[4]){e[0], -e[1], -e[2], -e[3]}, turned);
    out[1] = 2.0 * turned[3];
    out[2] = 0.0;
    for (int b = 0; b < BODIES; b++) {
        const sb_scalar *x = q + BODY_COORDINATES * b, *u = v + BODY_COORDINATES * b;
        const body *rigid = &p->joints->body[b].rigid;
        body_angular_momentum(rigid, x, u, L);
        out[2] += L[2] + rigid->m * (x[0] * u[1] - x[1] * u[0]);
    }
    return SB_OK;
}

/* Sets the start. An arm is rotated about y so that its x axis is at alpha from the downward vertical; the left one
 * points to -x. */
static int set_governor_start(sb_arena *arena, const governor *p, sb_system *out) {
    const config *c = &p->c;
    sb_scalar q[BODY_COORDINATES * BODIES] = {0.0}, v[BODY_COORDINATES * BODIES] = {0.0};
    for (int b = 0; b < BODIES; b++) {
        sb_scalar *x = q + BODY_COORDINATES * b, *u = v + BODY_COORDINATES * b, turn = 0.0;
        x[2] = b == SHAFT ? 0.5 * c->l : b == SLIDER ? c->l * (1.0 - cos(c->alpha)) : c->l - p->centre * cos(c->alpha);
        if (b == LEFT || b == RIGHT) {
            const sb_scalar side = b == RIGHT ? 1.0 : -1.0;
            x[0] = side * p->centre * sin(c->alpha);
            turn = 0.5 * SB_PI - side * c->alpha;
        }
        x[BODY_E] = cos(0.5 * turn);
        x[BODY_E + 2] = sin(0.5 * turn);
        u[1] = c->rate * x[0];
        body_set_turning(x, (sb_scalar[3]){0.0, 0.0, c->rate}, u);
    }
    return set_start(arena, q, v, out);
}

static const char *const names[BODIES] = {[SHAFT] = "shaft", [LEFT] = "left", [RIGHT] = "right", [SLIDER] = "slider"};

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    governor *p;
    SB_NEW(arena, p, 1);
    p->c = *(const config *)parameters;
    const config *c = &p->c;
    p->centre = c->l * (0.5 * c->rod + c->ball) / (c->rod + c->ball);
    SB_TRY(sb_joints_new(arena, BODIES, 5 * BODIES + BODIES, 2, 0, 0, &p->joints));
    add_bodies(p);
    SB_TRY(add_joints(arena, p));
    p->joints->gravity[2] = -c->g;
    SB_TRY(sb_joints_finish(arena, p->joints, out));
    SB_TRY(sb_joints_offer(arena, p->joints, names, out));
    /* The rates of the slider between its two springs and dampers. */
    const sb_scalar fastest = fmax(sqrt(2.0 * c->k / c->slider), 2.0 * c->c / c->slider);
    out->time_scale = 1.0 / fmax(fmax(fastest, sqrt(c->g / c->l)), fmax(fabs(c->rate), 1e-3));
    out->outputs = (sb_outputs){p, 3, output_list, outputs};
    return set_governor_start(arena, p, out);
}

static const sb_param params[] = {
    SB_PARAM_POSITIVE(config, l, "1", "m", "length of an arm, and of the shaft"),
    SB_PARAM_POSITIVE(config, thickness, "0.1", "m", "edge of the sections of arms and shaft; 0.01 in gonzalez06"),
    SB_PARAM_POSITIVE(config, rod, "0.3", "kg", "mass of an arm, and of the shaft"),
    SB_PARAM_POSITIVE(config, ball, "5", "kg", "mass of a ball, at the end of an arm"),
    SB_PARAM_POSITIVE(config, slider, "3", "kg", "mass of the slider"),
    SB_PARAM_NOT_NEGATIVE(config, k, "8e3", "N/m", "stiffness of a spring; 8e5 in gonzalez06"),
    SB_PARAM_NOT_NEGATIVE(config, c, "40", "N s/m", "damping of a spring; 4e4 in gonzalez06"),
    SB_PARAM_NOT_NEGATIVE(config, g, "9.81", "m/s^2", "gravity, along -z"),
    SB_PARAM_REAL(config, alpha, "0.5235987755982988", 0.0, 1.5, SB_OPEN, "rad",
                  "initial angle of the arms from the downward vertical"),
    SB_PARAM_ANY(config, rate, "6.283185307179586", "rad/s", "initial rate of the shaft"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(flyball_governor) = {
    .entry = {"flyball_governor", "flyball governor: arms with balls on a turning shaft, springs with dampers",
              "gonzalez06 (A05)", params, sizeof(config)},
    .init = init,
};
