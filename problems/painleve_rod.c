/* Painleve's paradox: a rod that slides on its tip with dry friction, at an angle at which friction presses the tip
 * into the ground. */
#include "problems/shared/constant_terms.h"
#include "problems/shared/start.h"
#include "problems/shared/world.h"

enum { X, Y, THETA, COORDINATES, TIPS = 2 };

typedef struct config {
    sb_scalar l, m, mu, e, theta0, omega0, v0, g;
} config;

/* q = (x, y, theta): the centre, and the angle of the rod to the ground. The lower tip is at (x + l cos theta,
 * y - l sin theta), the other one at the opposite end. Both may touch the ground. */
typedef struct rod {
    config c;
    sb_scalar mu[TIPS], restitution[TIPS];
    int of[TIPS];
} rod;

static int gap(const void *self, const sb_scalar *q, sb_scalar *xi, sb_scalar *Nx) {
    const rod *p = self;
    for (int i = 0; i < TIPS; i++) {
        const sb_scalar l = i == 0 ? p->c.l : -p->c.l;
        if (xi != NULL) {
            xi[i] = q[Y] - l * sin(q[THETA]);
        }
        if (Nx != NULL) {
            Nx[2 * i] = 1.0;
            Nx[2 * i + 1] = -l * cos(q[THETA]);
        }
    }
    return SB_OK;
}

static int slip(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Dx, sb_scalar *w) {
    const rod *p = self;
    for (int i = 0; i < TIPS; i++) {
        if (w != NULL) {
            w[i] = 0.0;
        }
        if (Dx != NULL) {
            Dx[2 * i] = 1.0;
            Dx[2 * i + 1] = (i == 0 ? -p->c.l : p->c.l) * sin(q[THETA]);
        }
    }
    return SB_OK;
}

/* While the tip slides with the normal force nu, xi'' = A nu + b. */
static const sb_output output_list[] = {
    {"slip", "m/s", "speed at which the lower tip slides, along the lean of the rod", false},
    {"A", "1/kg", "normal acceleration of the sliding tip per unit normal force, friction included", false},
    {"b", "m/s^2", "acceleration of the lower tip off the ground without contact", false},
};

static int outputs(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const rod *p = self;
    const sb_scalar c = cos(q[THETA]), s = sin(q[THETA]);
    out[0] = v[X] - p->c.l * s * v[THETA];
    out[1] = (1.0 + 3.0 * c * (c - (out[0] > 0.0 ? p->c.mu : out[0] < 0.0 ? -p->c.mu : 0.0) * s)) / p->c.m;
    out[2] = p->c.l * s * v[THETA] * v[THETA] - p->c.g;
    return SB_OK;
}

/* ---- The rod in maximal coordinates: the lower tip is on the x axis of its frame, at the angle -theta. ---- */

static int describe(const void *self, sb_arena *arena, sb_world_parts *out) {
    const rod *p = self;
    sb_world_shape *shape;
    sb_world_contact *contact;
    SB_TRY(world_new(arena, 1, 0, out));
    SB_TRY(world_new_shapes(arena, 2, 1, out, &shape, &contact));
    out->gravity[1] = -p->c.g;
    shape[0] = world_floor();
    shape[1] = (sb_world_shape){.name = "rod", .kind = SB_CAPSULE, .point = {{p->c.l}, {-p->c.l}}};
    *contact = (sb_world_contact){.shape = {0, 1}, .friction = p->c.mu, .restitution = p->c.e};
    return world_add_body(arena, out, "rod", p->c.m, p->c.m * p->c.l * p->c.l / 3.0);
}

static int place(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar *pose, sb_scalar *twist) {
    SB_TRY(world_planar_place(1, q, v, pose, twist));
    pose[THETA] = -q[THETA];
    twist[THETA] = -v[THETA];
    return SB_OK;
}

static int coordinates(const void *self, const sb_scalar *pose, const sb_scalar *twist, sb_scalar *q, sb_scalar *v) {
    return place(self, pose, twist, q, v);
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    static const int normal[2 * TIPS] = {Y, THETA, Y, THETA}, tangent[2 * TIPS] = {X, THETA, X, THETA},
                                col[2 * TIPS] = {0, 0, 1, 1};
    rod *p;
    SB_NEW(arena, p, 1);
    p->c = *(const config *)parameters;
    for (int i = 0; i < TIPS; i++) {
        p->mu[i] = p->c.mu;
        p->restitution[i] = p->c.e;
        p->of[i] = i;
    }
    const sb_scalar m = p->c.m, height = p->c.l * sin(p->c.theta0);
    out->n = COORDINATES;
    out->time_scale = sqrt(p->c.l / p->c.g);
    SB_TRY(sb_pattern_diagonal(arena, COORDINATES, &out->H));
    SB_TRY(set_masses(arena, COORDINATES, (sb_scalar[]){m, m, m * p->c.l * p->c.l / 3.0}, &out->inertia));
    SB_TRY(set_gravity(arena, COORDINATES, p->c.g, (sb_scalar[]){0.0, m, 0.0}, &out->potential));
    out->contact = (sb_contact){.self = p,
                                .m = TIPS,
                                .k = TIPS,
                                .gap = gap,
                                .slip = slip,
                                .of = p->of,
                                .mu = p->mu,
                                .restitution = p->restitution};
    SB_TRY(sb_pattern_from_pairs(arena, COORDINATES, TIPS, 2 * TIPS, normal, col, &out->contact.N));
    SB_TRY(sb_pattern_from_pairs(arena, COORDINATES, TIPS, 2 * TIPS, tangent, col, &out->contact.D));
    SB_TRY(world_offer(
        arena,
        (sb_world){
            .self = p, .dimension = 2, .bodies = 1, .describe = describe, .place = place, .coordinates = coordinates},
        out));
    out->outputs = (sb_outputs){p, sizeof output_list / sizeof *output_list, output_list, outputs};
    return set_start(
        arena, (sb_scalar[COORDINATES]){0.0, height, p->c.theta0},
        (sb_scalar[COORDINATES]){p->c.v0 + height * p->c.omega0, p->c.l * cos(p->c.theta0) * p->c.omega0, p->c.omega0},
        out);
}

/* For slip > 0, m A = 1 + 3 cos^2 theta - 3 mu sin theta cos theta and b = l sin(theta) theta'^2 - g. For A > 0 there
 * is one solution. A < 0 requires mu > 4/3 and tan theta between 3/2 mu -+ sqrt((3/2 mu)^2 - 4). Then there is none for
 * b < 0, where every contact force accelerates the tip into the ground, and there are two for b > 0: the tip lifts off,
 * or stays in contact. The defaults have none; mu <= 4/3 or theta0 = 1.4 has one; omega0 = 5 has two. */
static const sb_param params[] = {
    SB_PARAM_POSITIVE(config, l, "1", "m", "half of the rod's length"),
    SB_PARAM_POSITIVE(config, m, "1", "kg", "mass; the inertia is m l^2/3"),
    SB_PARAM_NOT_NEGATIVE(
        config, mu, "1.5", "",
        "coefficient of friction; above 4/3 there are angles between which sliding forwards has no or two solutions"),
    SB_PARAM_REAL(config, e, "0", 0.0, 1.0, SB_CLOSED, "", "restitution of both tips"),
    SB_PARAM_REAL(
        config, theta0, "1.1", 0.0, M_PI, SB_OPEN, "rad",
        "initial angle of the rod to the ground; below pi/2 it leans backwards: the tip goes ahead of the centre"),
    SB_PARAM_ANY(config, omega0, "0", "rad/s", "initial rate of that angle"),
    SB_PARAM_ANY(config, v0, "1", "m/s", "initial speed of the tip along the ground"),
    SB_PARAM_POSITIVE(config, g, "9.81", "m/s^2", "gravity"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(painleve_rod) = {
    .entry = {"painleve_rod",
              "a rod sliding on its tip with dry friction: Painleve's paradox, no or two solutions as a rigid body",
              "painleve1895; genot99", params, sizeof(config)},
    .init = init,
};
