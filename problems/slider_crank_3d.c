/* The slider crank as rigid bodies in space, reg05 2.1-2.4 and 6.2: crank on a hinge along z, rod, and a slider that
 * moves along x at the height z = offset without turning. With minimal joints the mechanism is spatial and the
 * constraints are independent; with three parallel hinges it is planar and three constraints are redundant. */
#include "problems/shared/joints.h"
#include "problems/shared/start.h"

enum { CRANK, ROD, SLIDER, BODIES };
enum { COORDINATES = BODY_COORDINATES * BODIES };
enum { MINIMAL, HINGES };
enum { ROWS = 9 + 6 + 5 + BODIES };

typedef struct config {
    sb_scalar r, L, offset, m1, m2, m3, omega0, phi0;
    int joints;
} config;

typedef struct crank {
    config c;
    joints *joints;
} crank;

static const sb_output output_list[] = {
    {"load", "m", "position of the slider along the slide", false},
    {"crank", "rad", "angle of the crank, in (-pi, pi]", false},
};

static int outputs(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    sb_scalar axis[3];
    sb_quaternion_rotate(q + BODY_E, q + BODY_E, (sb_scalar[3]){1.0, 0.0, 0.0}, axis);
    out[0] = q[BODY_COORDINATES * SLIDER];
    out[1] = atan2(axis[1], axis[0]);
    return SB_OK;
}

/* ---- The initial pose. ---- */

/* Sets the axes y and z of the frame of a rod along x, with z perpendicular to x and to the y axis of space. */
static void rod_frame(const sb_scalar x[3], sb_scalar y[3], sb_scalar z[3]) {
    const sb_scalar length = hypot(x[0], x[2]);
    z[0] = -x[2] / length;
    z[1] = 0.0;
    z[2] = x[0] / length;
    sb_cross(z, x, y);
}

static void quaternion_of_frame(const sb_scalar x[3], const sb_scalar y[3], const sb_scalar z[3], sb_scalar e[4]) {
    e[0] = 0.5 * sqrt(1.0 + x[0] + y[1] + z[2]);
    e[1] = 0.25 * (y[2] - z[1]) / e[0];
    e[2] = 0.25 * (z[0] - x[2]) / e[0];
    e[3] = 0.25 * (x[1] - y[0]) / e[0];
}

/* Sets the start. The rod points from the end of the crank to the slide towards +x. Its angular velocity is x times x',
 * plus a rate about x that keeps z perpendicular to the y axis. */
static int set_crank_start(sb_arena *arena, const config *c, sb_system *out) {
    const sb_scalar k = cos(c->phi0), s = sin(c->phi0), h = c->offset,
                    reach = sqrt((c->L - h) * (c->L + h) - c->r * c->r * s * s);
    const sb_scalar end[3] = {c->r * k, c->r * s, 0.0},
                    end_rate[3] = {-c->r * s * c->omega0, c->r * k * c->omega0, 0.0};
    const sb_scalar x[3] = {reach / c->L, -c->r * s / c->L, h / c->L},
                    slide_rate = end_rate[0] + end[1] * -end_rate[1] / reach;
    const sb_scalar x_rate[3] = {(slide_rate - end_rate[0]) / c->L, -end_rate[1] / c->L, 0.0};
    sb_scalar y[3], z[3], w[3], turned[3], q[COORDINATES] = {0.0}, v[COORDINATES] = {0.0};
    rod_frame(x, y, z);
    sb_cross(x, x_rate, w);
    sb_cross(w, z, turned);
    const sb_scalar roll = turned[1] / y[1];
    for (int i = 0; i < 3; i++) {
        w[i] += roll * x[i];
        q[i] = 0.5 * end[i];
        v[i] = 0.5 * end_rate[i];
        q[BODY_COORDINATES + i] = end[i] + 0.5 * c->L * x[i];
        v[BODY_COORDINATES + i] = end_rate[i] + 0.5 * c->L * x_rate[i];
    }
    q[BODY_E] = cos(0.5 * c->phi0);
    q[BODY_E + 3] = sin(0.5 * c->phi0);
    body_set_turning(q, (sb_scalar[3]){0.0, 0.0, c->omega0}, v);
    quaternion_of_frame(x, y, z, q + BODY_COORDINATES + BODY_E);
    body_set_turning(q + BODY_COORDINATES, w, v + BODY_COORDINATES);
    q[BODY_COORDINATES * SLIDER] = end[0] + reach;
    q[BODY_COORDINATES * SLIDER + 2] = h;
    q[BODY_COORDINATES * SLIDER + BODY_E] = 1.0;
    v[BODY_COORDINATES * SLIDER] = slide_rate;
    return set_start(arena, q, v, out);
}

/* ---- Building. ---- */

static void add_joints(const config *c, joints *p) {
    enum { X, Y, Z, ALIGNED = 3, ALIGNED_HINGES = 6 };
    static const struct {
        int body[2], axis[2];
    } aligned[ALIGNED_HINGES] = {{{JOINTS_GROUND, CRANK}, {Z, X}}, {{JOINTS_GROUND, CRANK}, {Z, Y}},
                                 {{ROD, SLIDER}, {Z, Y}},          {{CRANK, ROD}, {X, Z}},
                                 {{CRANK, ROD}, {Y, Z}},           {{ROD, SLIDER}, {Z, X}}};
    const sb_scalar a = 0.5 * c->r, b = 0.5 * c->L;
    const joint_vector pivot = {.body = JOINTS_GROUND, .point = true},
                       meeting[] = {pivot,
                                    {.body = CRANK, .point = true, .a = {-a}},
                                    {.body = CRANK, .point = true, .a = {a}},
                                    {.body = ROD, .point = true, .a = {-b}},
                                    {.body = ROD, .point = true, .a = {b}},
                                    {.body = SLIDER, .point = true}};
    const bool hinges = c->joints == HINGES;
    const joint_vector unit[] = {{.a = {1.0}}, {.a = {0.0, 1.0}}, {.a = {0.0, 0.0, 1.0}}},
                       parallel[2] = {unit[Z], unit[Z]}, slide[2] = {unit[X], unit[X]},
                       guide[2] = {{.body = JOINTS_GROUND, .point = true, .a = {0.0, 0.0, c->offset}}, meeting[5]};
    sb_joints_declare(p, SB_REVOLUTE, meeting, parallel);
    sb_joints_declare(p, hinges ? SB_REVOLUTE : SB_SPHERICAL, meeting + 2, hinges ? parallel : NULL);
    sb_joints_declare(p, hinges ? SB_REVOLUTE : SB_UNIVERSAL, meeting + 4,
                      hinges ? parallel : (joint_vector[2]){unit[Z], unit[Y]});
    sb_joints_declare(p, SB_PRISMATIC, guide, slide);
    for (int k = 0; k < 6; k += 2) {
        sb_joints_add_meeting(p, meeting[k], meeting[k + 1], 3);
    }
    for (int k = 0; k < (hinges ? ALIGNED_HINGES : ALIGNED); k++) {
        joint_vector u[2];
        for (int s = 0; s < 2; s++) {
            u[s] = (joint_vector){.body = aligned[k].body[s]};
            u[s].a[aligned[k].axis[s]] = 1.0;
        }
        sb_joints_add(p, sb_joints_perpendicular(u[0], u[1]));
    }
    sb_joints_add(p, sb_joints_coordinate(SLIDER, Y, 0.0));
    sb_joints_add(p, sb_joints_coordinate(SLIDER, Z, c->offset));
    for (int k = 1; k < 4; k++) {
        sb_joints_add(p, sb_joints_coordinate(SLIDER, BODY_E + k, 0.0));
    }
    sb_joints_add_quaternions(p);
    p->driver[p->ndrivers++] = (joint_driver){.body = CRANK, .axis = {0.0, 0.0, 1.0}, .rate = c->omega0};
}

/* Returns a thin rod of mass m and length l along its x axis. J0 may be any positive number. */
static body thin_rod(sb_scalar m, sb_scalar l) {
    const sb_scalar J = m * l * l / 12.0;
    return (body){m, {J, SB_R(0.01) * J, J, J}};
}

static const char *const names[BODIES] = {"crank", "rod", "slider"};

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    crank *p;
    SB_NEW(arena, p, 1);
    p->c = *(const config *)parameters;
    const config *c = &p->c;
    if (!(hypot(c->r * sin(c->phi0), c->offset) < c->L)) {
        return sb_fail(ctx, SB_BAD_USAGE,
                       "slider_crank_3d: a rod of L=%g does not reach the slide at offset=%g from a crank of r=%g at "
                       "phi0=%g; take a longer one",
                       (double)c->L, (double)c->offset, (double)c->r, (double)c->phi0);
    }
    if (c->joints == HINGES && c->offset != 0.0) {
        return sb_fail(ctx, SB_BAD_USAGE,
                       "slider_crank_3d: with joints=hinges the mechanism is planar and offset=%g must be 0; "
                       "joints=minimal takes any",
                       (double)c->offset);
    }
    const sb_scalar J = c->m3 / 6.0;
    SB_TRY(sb_joints_new(arena, BODIES, ROWS, 0, 1, 0, &p->joints));
    sb_joints_add_body(p->joints, (joints_body){.rigid = thin_rod(c->m1, c->r)});
    sb_joints_add_body(p->joints, (joints_body){.rigid = thin_rod(c->m2, c->L)});
    sb_joints_add_body(p->joints, (joints_body){.rigid = {c->m3, {J, J, J, J}}});
    add_joints(c, p->joints);
    SB_TRY(sb_joints_finish(arena, p->joints, out));
    SB_TRY(sb_joints_offer(arena, p->joints, names, out));
    out->time_scale = c->omega0 != 0.0 ? 1.0 / fabs(c->omega0) : 1.0;
    out->outputs = (sb_outputs){p, 2, output_list, outputs};
    return set_crank_start(arena, c, out);
}

static const sb_param params[] = {
    SB_PARAM_POSITIVE(config, r, "1", "m", "length of the crank"),
    SB_PARAM_POSITIVE(config, L, "2", "m", "length of the rod"),
    SB_PARAM_ANY(config, offset, "0", "m", "height of the slide over the plane of the crank"),
    SB_PARAM_POSITIVE(config, m1, "1", "kg", "mass of the crank, a thin rod"),
    SB_PARAM_POSITIVE(config, m2, "1", "kg", "mass of the rod, a thin rod"),
    SB_PARAM_POSITIVE(config, m3, "1", "kg", "mass of the slider"),
    SB_PARAM_ANY(config, omega0, "6.283185307179586", "rad/s", "driven speed of the crank"),
    SB_PARAM_ANY(config, phi0, "0", "rad", "initial angle of the crank from the slide"),
    SB_PARAM_CHOICE(
        config, joints, "minimal", "minimal|hinges",
        "hinge, ball joint, universal joint; or three parallel hinges, of which three constraints are redundant"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(slider_crank_3d) = {
    .entry = {"slider_crank_3d", "slider crank of spatial rigid bodies in unit quaternions, with a driven crank",
              "reg05 (6.2)", params, sizeof(config)},
    .init = init,
};
