/* Bricard's linkage with right angles, problem A04 of gonzalez06: five uniform bars of length l and the ground form a
 * closed loop of six hinges; neighbouring hinges are perpendicular. It has 35 coordinates and 35 rows, one of which
 * follows from the others, so that one degree of freedom remains. rows=minimal leaves out the redundant row, which
 * belongs to the last hinge. The bars lie along x, -y, z, -x and y, and the ground's bar along -z. */
#include "problems/shared/joints.h"
#include "problems/shared/start.h"

enum { BARS = 5, HINGES = 6, ROWS = 5 * HINGES + BARS };
enum { MINIMAL, ALL };

typedef struct config {
    sb_scalar m, l, thickness, g, rate;
    int rows;
} config;

typedef struct linkage {
    config c;
    joints *joints;
} linkage;

static const sb_scalar way[HINGES][3] = {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, 1, 0}, {0, 0, -1}};

/* Returns the point of bar b (BARS: the ground) at `end` half lengths from its middle. At the start all body frames are
 * parallel to the frame of space, whose origin is the end of the ground's bar. */
static joint_vector point_of(const config *c, int b, sb_scalar end) {
    joint_vector out = {.body = b < BARS ? b : JOINTS_GROUND, .point = true};
    for (int k = 0; k < 3; k++) {
        const sb_scalar middle = b < BARS ? 0.0 : -0.5 * way[BARS][k];
        out.a[k] = c->l * (middle + 0.5 * end * way[b][k]);
    }
    return out;
}

static joint_vector direction_of(int b, const sb_scalar x[3]) {
    return (joint_vector){.body = b < BARS ? b : JOINTS_GROUND, .a = {x[0], x[1], x[2]}};
}

/* Adds a hinge, whose axis is perpendicular to both bars. The two directions perpendicular to it are those of the
 * bars. */
static void add_hinge(linkage *p, int first, int second, bool all) {
    const sb_scalar *x = way[first], *y = way[second];
    const sb_scalar axis[3] = {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
    const joint_vector points[2] = {point_of(&p->c, first, 1.0), point_of(&p->c, second, -1.0)},
                       axes[2] = {direction_of(first, axis), direction_of(second, axis)};
    sb_joints_declare(p->joints, SB_REVOLUTE, points, axes);
    sb_joints_add_meeting(p->joints, points[0], points[1], 3);
    sb_joints_add(p->joints, sb_joints_perpendicular(direction_of(first, x), axes[1]));
    if (all) {
        sb_joints_add(p->joints, sb_joints_perpendicular(direction_of(first, y), axes[1]));
    }
}

static const sb_output output_list[] = {
    {"cos1", "", "cosine of the angle at the first hinge, between the ground's bar and the first", false},
    {"cos2", "", "cosine of the angle at the second hinge", false},
    {"loop", "", "cos1 + cos2 + cos1 cos2, which the linkage keeps at 0", true},
};

static int outputs(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const linkage *p = self;
    sb_scalar x[2][3];
    for (int b = 0; b < 2; b++) {
        const joint_vector along = direction_of(b, way[b]);
        sb_joint_vector_at(p->joints, &along, q, x[b], NULL);
    }
    out[0] = -x[0][2];
    out[1] = x[0][0] * x[1][0] + x[0][1] * x[1][1] + x[0][2] * x[1][2];
    out[2] = out[0] + out[1] + out[0] * out[1];
    return SB_OK;
}

/* At the right angles of the start the rates of neighbouring hinges are opposite, since cos1' + cos2' = 0. The rate of
 * bar k is the sum of the rates of the hinges before it. */
static int set_linkage_start(sb_arena *arena, const linkage *p, sb_system *out) {
    sb_scalar q[BODY_COORDINATES * BARS] = {0.0}, v[BODY_COORDINATES * BARS] = {0.0};
    sb_scalar end[3] = {0.0}, end_rate[3] = {0.0}, w[3] = {0.0};
    for (int b = 0; b < BARS; b++) {
        const sb_scalar *x = way[(b + HINGES - 1) % HINGES], *y = way[b];
        sb_scalar *at = q + BODY_COORDINATES * b, *rate = v + BODY_COORDINATES * b;
        for (int k = 0; k < 3; k++) {
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            w[k] += (b % 2 == 0 ? p->c.rate : -p->c.rate) * (x[i] * y[j] - x[j] * y[i]);
        }
        for (int k = 0; k < 3; k++) {
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            const sb_scalar turn = 0.5 * p->c.l * (w[i] * y[j] - w[j] * y[i]);
            at[k] = end[k] + 0.5 * p->c.l * y[k];
            rate[k] = end_rate[k] + turn;
            end[k] += p->c.l * y[k];
            end_rate[k] += 2.0 * turn;
        }
        at[BODY_E] = 1.0;
        body_set_turning(at, w, rate);
    }
    return set_start(arena, q, v, out);
}

static const char *const names[BARS] = {"b1", "b2", "b3", "b4", "b5"};

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    linkage *p;
    SB_NEW(arena, p, 1);
    p->c = *(const config *)parameters;
    const config *c = &p->c;
    const sb_scalar across = c->m * (c->l * c->l + c->thickness * c->thickness) / 12.0,
                    lengthwise = c->m * c->thickness * c->thickness / 6.0;
    SB_TRY(sb_joints_new(arena, BARS, ROWS, 0, 0, 0, &p->joints));
    for (int b = 0; b < BARS; b++) {
        joints_body bar = {.rigid = {.m = c->m, .J = {across}}};
        for (int k = 0; k < 3; k++) {
            bar.rigid.J[k + 1] = way[b][k] != 0.0 ? lengthwise : across;
        }
        sb_joints_add_body(p->joints, bar);
    }
    for (int hinge = 0; hinge < HINGES; hinge++) {
        add_hinge(p, (hinge + HINGES - 1) % HINGES, hinge, hinge < HINGES - 1 || c->rows == ALL);
    }
    sb_joints_add_quaternions(p->joints);
    p->joints->gravity[1] = -c->g;
    SB_TRY(sb_joints_finish(arena, p->joints, out));
    SB_TRY(sb_joints_offer(arena, p->joints, names, out));
    /* The larger of the frequency of a swinging bar and the rate. */
    out->time_scale = time_scale_of(fmax(sqrt(c->g / c->l), fabs(c->rate)));
    out->outputs = (sb_outputs){p, 3, output_list, outputs};
    return set_linkage_start(arena, p, out);
}

static const sb_param params[] = {
    SB_PARAM_POSITIVE(config, m, "1", "kg", "mass of a bar"),
    SB_PARAM_POSITIVE(config, l, "1", "m", "length of a bar"),
    SB_PARAM_POSITIVE(config, thickness, "0.1", "m", "edge of a bar's square section"),
    SB_PARAM_NOT_NEGATIVE(config, g, "9.81", "m/s^2", "gravity, along -y"),
    SB_PARAM_ANY(config, rate, "0", "rad/s", "initial rate of the first hinge"),
    SB_PARAM_CHOICE(config, rows, "minimal", "minimal|all",
                    "independent rows; or all rows of six hinges, of which one is redundant"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(bricard) = {
    .entry = {"bricard", "Bricard's linkage: five bars and six hinges in space, with one redundant row if asked for",
              "gonzalez06 (A04)", params, sizeof(config)},
    .init = init,
};
