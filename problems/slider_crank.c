/* The planar slider crank of reg05 6.2: three bodies, three hinges and a prismatic joint; the crank is driven at
 * constant speed. With equal lengths the poses with the crank across the slide are singular: the motion can branch
 * there. The guide may have friction, and a stop may limit the slide. */
#include <string.h>

#include "problems/shared/constant_terms.h"
#include "problems/shared/pairs.h"
#include "problems/shared/start.h"
#include "problems/shared/world.h"

/* q = (x, y, phi) of crank, rod and slider. */
enum { X1, Y1, PHI1, X2, Y2, PHI2, X3, Y3, PHI3, COORDINATES };
enum { HINGES = 6, PRISMATIC = 2, HINGE_ENTRIES = 18 };
enum { DRIVE_SPEED, DRIVE_NONE };

typedef struct config {
    sb_scalar r, L, m1, m2, m3, omega0, phi0, mu, stop, e;
    long redundant;
    int drive;
} config;

/* G's columns: the ground hinge (x1, phi1), (y1, phi1); crank and rod (x1, phi1, x2, phi2), (y1, phi1, y2, phi2); rod
 * and slider (x2, phi2, x3), (y2, phi2, y3); then y3 and phi3, once and `redundant` times more. */
static int g_value(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *g, sb_scalar *Gx) {
    const config *c = self;
    const sb_scalar a = 0.5 * c->r, b = 0.5 * c->L, c1 = cos(q[PHI1]), s1 = sin(q[PHI1]), c2 = cos(q[PHI2]),
                    s2 = sin(q[PHI2]);
    if (g != NULL) {
        g[0] = q[X1] - a * c1;
        g[1] = q[Y1] - a * s1;
        g[2] = (q[X2] - b * c2) - (q[X1] + a * c1);
        g[3] = (q[Y2] - b * s2) - (q[Y1] + a * s1);
        g[4] = q[X3] - (q[X2] + b * c2);
        g[5] = q[Y3] - (q[Y2] + b * s2);
    }
    if (Gx != NULL) {
        const sb_scalar hinges[HINGE_ENTRIES] = {1.0,     a * s1, 1.0,     -a * c1, -1.0,   a * s1, 1.0,  b * s2,  -1.0,
                                                 -a * c1, 1.0,    -b * c2, -1.0,    b * s2, 1.0,    -1.0, -b * c2, 1.0};
        memcpy(Gx, hinges, (HINGE_ENTRIES) * sizeof *Gx);
    }
    for (long k = 0; k <= c->redundant; k++) {
        if (g != NULL) {
            g[HINGES + 2 * k] = q[Y3];
            g[HINGES + 2 * k + 1] = q[PHI3];
        }
        if (Gx != NULL) {
            Gx[HINGE_ENTRIES + 2 * k] = Gx[HINGE_ENTRIES + 2 * k + 1] = 1.0;
        }
    }
    return SB_OK;
}

static int g_hessian(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *w, sb_scalar c,
                     sb_scalar *Hx) {
    const config *p = self;
    Hx[PHI1] += 0.5 * c * p->r * (cos(q[PHI1]) * (w[0] + w[2]) + sin(q[PHI1]) * (w[1] + w[3]));
    Hx[PHI2] += 0.5 * c * p->L * (cos(q[PHI2]) * (w[2] + w[4]) + sin(q[PHI2]) * (w[3] + w[5]));
    return SB_OK;
}

static int g_curvature(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const config *p = self;
    const sb_scalar first = 0.5 * p->r * v[PHI1] * v[PHI1], second = 0.5 * p->L * v[PHI2] * v[PHI2];
    memset(out, 0, (size_t)(HINGES + PRISMATIC * (p->redundant + 1)) * sizeof *out);
    out[0] = first * cos(q[PHI1]);
    out[1] = first * sin(q[PHI1]);
    out[4] = second * cos(q[PHI2]);
    out[5] = second * sin(q[PHI2]);
    out[2] = out[0] + out[4];
    out[3] = out[1] + out[5];
    return SB_OK;
}

/* ---- The friction of the guide, with a row for each copy of the slider's row of y3; the stop. ---- */

static int gap(const void *self, const sb_scalar *q, sb_scalar *xi, sb_scalar *Nx) {
    const config *p = self;
    if (xi != NULL) {
        xi[0] = p->stop - q[X3];
    }
    if (Nx != NULL) {
        Nx[0] = -1.0;
    }
    return SB_OK;
}

static int slip(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Dx, sb_scalar *w) {
    const config *p = self;
    for (long k = 0; k <= p->redundant; k++) {
        if (Dx != NULL) {
            Dx[k] = 1.0;
        }
        if (w != NULL) {
            w[k] = 0.0;
        }
    }
    return SB_OK;
}

static const sb_output output_list[] = {
    {"load", "m", "position of the slider along the slide", false},
    {"crank", "rad", "angle of the crank", false},
    {"rod", "rad", "angle of the rod", false},
};

static int outputs(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    out[0] = q[X3];
    out[1] = q[PHI1];
    out[2] = q[PHI2];
    return SB_OK;
}

/* ---- The motion, given by the driver. ---- */

typedef struct pose {
    sb_scalar c1, s1, phi1, phi2, c2, phi2dot, phi2ddot;
} pose;

/* Returns the pose at t. The rod points away from the pivot of the crank. With equal lengths it is the mirror image of
 * the crank, which is the smooth branch of two. */
static pose pose_at(const config *p, sb_scalar t) {
    pose x = {.phi1 = p->phi0 + p->omega0 * t};
    x.c1 = cos(x.phi1);
    x.s1 = sin(x.phi1);
    if (p->L == p->r) {
        x.phi2 = -x.phi1;
        x.c2 = x.c1;
        x.phi2dot = -p->omega0;
        return x;
    }
    const sb_scalar k = p->r / p->L;
    x.phi2 = -asin(k * x.s1);
    x.c2 = sqrt((1.0 - k * x.s1) * (1.0 + k * x.s1));
    x.phi2dot = -k * x.c1 * p->omega0 / x.c2;
    x.phi2ddot = k * x.s1 * (p->omega0 - x.phi2dot) * (p->omega0 + x.phi2dot) / x.c2;
    return x;
}

/* Computes the multipliers from Newton's laws for the slider, the rod and the crank in turn. Equal prismatic rows share
 * their force. The friction of the guide, -sign(v3) mu |N|, is balanced by a force along the rod, which presses on the
 * guide in turn: N is the force without friction over 1 -+ mu tan phi2. */
static void multipliers(const config *p, const pose *x, sb_scalar v3, sb_scalar *lambda) {
    const sb_scalar r = p->r, L = p->L, w2 = p->omega0 * p->omega0, s2 = -r / L * x->s1;
    const sb_scalar bend = -L * (x->c2 * x->phi2dot * x->phi2dot + s2 * x->phi2ddot); /* of L cos phi2 */
    const sb_scalar ax1 = -0.5 * r * w2 * x->c1, ay1 = -0.5 * r * w2 * x->s1, ax2 = -r * w2 * x->c1 + 0.5 * bend,
                    ay2 = ay1, ax3 = -r * w2 * x->c1 + bend;
    const sb_scalar copies = (sb_scalar)(p->redundant + 1), J2 = p->m2 * L * L / 12.0;
    sb_scalar rub = 0.0;
    lambda[4] = p->m3 * ax3;
    lambda[2] = lambda[4] + p->m2 * ax2;
    /* With equal lengths the forces along the slide and cos phi2 vanish together. */
    const sb_scalar lift = L == r ? w2 * r * x->s1 * (4.0 * p->m3 + 1.5 * p->m2)
                                  : (s2 * (lambda[2] + lambda[4]) - 2.0 * J2 * x->phi2ddot / L) / x->c2;
    lambda[5] = 0.5 * (lift - p->m2 * ay2);
    if (p->mu > 0.0 && v3 != 0.0) {
        const sb_scalar way = copysign(p->mu, v3), lean = s2 / x->c2;
        lambda[5] /= 1.0 - way * lean * copysign(1.0, lambda[5]);
        rub = way * fabs(lambda[5]);
        lambda[4] += rub;
        lambda[2] += rub;
    }
    lambda[3] = lambda[5] + p->m2 * ay2;
    lambda[0] = lambda[2] + p->m1 * ax1;
    lambda[1] = lambda[3] + p->m1 * ay1;
    for (long k = 0; k <= p->redundant; k++) {
        lambda[HINGES + 2 * k] = -lambda[5] / copies;
        lambda[HINGES + 2 * k + 1] = 0.0;
    }
    sb_scalar *next = lambda + HINGES + PRISMATIC * (p->redundant + 1);
    *next++ = 0.5 * r * (x->c1 * (lambda[1] + lambda[3]) - x->s1 * (lambda[0] + lambda[2]));
    if (p->stop < INFINITY) {
        *next++ = 0.0;
    }
    for (long k = 0; k <= p->redundant && p->mu > 0.0; k++) {
        *next++ = -rub / copies;
    }
}

static int exact(const void *self, sb_scalar t, sb_scalar *q, sb_scalar *v, sb_scalar *lambda) {
    const config *p = self;
    const pose x = pose_at(p, t);
    const sb_scalar r = p->r, L = p->L, s2 = -r / L * x.s1, u1 = r * p->omega0, u2 = L * x.phi2dot;
    if (q != NULL) {
        const sb_scalar at[COORDINATES] = {0.5 * r * x.c1,
                                           0.5 * r * x.s1,
                                           x.phi1,
                                           r * x.c1 + 0.5 * L * x.c2,
                                           0.5 * r * x.s1,
                                           x.phi2,
                                           r * x.c1 + L * x.c2,
                                           0.0,
                                           0.0};
        memcpy(q, at, sizeof at);
    }
    if (v != NULL) {
        const sb_scalar rate[COORDINATES] = {-0.5 * u1 * x.s1,
                                             0.5 * u1 * x.c1,
                                             p->omega0,
                                             -u1 * x.s1 - 0.5 * u2 * s2,
                                             0.5 * u1 * x.c1,
                                             x.phi2dot,
                                             -u1 * x.s1 - u2 * s2,
                                             0.0,
                                             0.0};
        memcpy(v, rate, sizeof rate);
    }
    if (lambda != NULL) {
        multipliers(p, &x, -u1 * x.s1 - u2 * s2, lambda);
    }
    return SB_OK;
}

/* ---- The world. ---- */

enum { CRANK, ROD, SLIDER, BODIES };

static void set_inertia(const config *c, sb_scalar J[BODIES]) {
    J[CRANK] = c->m1 * c->r * c->r / 12.0;
    J[ROD] = c->m2 * c->L * c->L / 12.0;
    J[SLIDER] = c->m3 / 12.0;
}

static int describe(const void *self, sb_arena *arena, sb_world_parts *out) {
    static const char *const names[BODIES] = {"crank", "rod", "slider"};
    const config *c = self;
    const sb_scalar m[BODIES] = {c->m1, c->m2, c->m3}, a = 0.5 * c->r, b = 0.5 * c->L;
    sb_scalar J[BODIES];
    set_inertia(c, J);
    SB_TRY(world_new(arena, BODIES, BODIES + 2, out));
    for (int k = 0; k < BODIES; k++) {
        out->body[out->bodies++] = (sb_world_body){names[k], m[k], {0.0, 0.0, J[k]}};
    }
    world_add_joint(out, SB_REVOLUTE, SB_GROUND, 0.0, 0.0, CRANK, -a, 0.0);
    world_add_joint(out, SB_REVOLUTE, CRANK, a, 0.0, ROD, -b, 0.0);
    world_add_joint(out, SB_REVOLUTE, ROD, b, 0.0, SLIDER, 0.0, 0.0);
    sb_world_part *slide = world_add_joint(out, SB_PRISMATIC, SB_GROUND, 0.0, 0.0, SLIDER, 0.0, 0.0);
    slide->axis[0][0] = slide->axis[1][0] = 1.0;
    if (c->drive == DRIVE_SPEED) {
        world_add_joint(out, SB_DRIVEN_RATE, SB_GROUND, 0.0, 0.0, CRANK, 0.0, 0.0)->motion.rate = c->omega0;
    }
    return SB_OK;
}

/* Coordinates and poses are the same numbers. */
static int place(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar *poses, sb_scalar *twists) {
    memcpy(poses, q, COORDINATES * sizeof *q);
    memcpy(twists, v, COORDINATES * sizeof *v);
    return SB_OK;
}

/* ---- Building. ---- */

static int init_constraints(sb_arena *arena, const config *c, sb_system *out) {
    static const int row[HINGE_ENTRIES] = {X1,   PHI1, Y1,   PHI1, X1,   PHI1, X2, PHI2, Y1,
                                           PHI1, Y2,   PHI2, X2,   PHI2, X3,   Y2, PHI2, Y3};
    static const int col[HINGE_ENTRIES] = {0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5, 5};
    const int prismatic = PRISMATIC * ((int)c->redundant + 1);
    const char **joints;
    pairs G;
    SB_NEW(arena, joints, HINGES + prismatic);
    for (int k = 0; k < HINGES + prismatic; k++) {
        static const char *const names[] = {"revolute ground-crank", "revolute crank-rod", "revolute rod-slider",
                                            "prismatic ground-slider", "prismatic ground-slider, once more"};
        joints[k] = names[k / 2 < 4 ? k / 2 : 4];
    }
    SB_TRY(pairs_new(arena, HINGE_ENTRIES + prismatic, &G));
    for (int k = 0; k < HINGE_ENTRIES; k++) {
        pairs_add(&G, row[k], col[k]);
    }
    for (int k = 0; k < prismatic; k++) {
        pairs_add(&G, k % 2 == 0 ? Y3 : PHI3, HINGES + k);
    }
    out->holonomic = (sb_holonomic){.self = c,
                                    .m = HINGES + prismatic,
                                    .degree = -1,
                                    .value = g_value,
                                    .hessian = g_hessian,
                                    .curvature = g_curvature,
                                    .names = joints};
    SB_TRY(pairs_pattern(arena, &G, COORDINATES, HINGES + prismatic, &out->holonomic.G));
    return c->drive == DRIVE_SPEED ? set_constant_rate(arena, PHI1, c->omega0, out) : SB_OK;
}

static int init_contact(sb_arena *arena, const config *c, sb_system *out) {
    const int copies = (int)c->redundant + 1, gaps = c->stop<INFINITY, rows = c->mu> 0.0 ? copies : 0;
    sb_scalar *mu;
    int *of;
    pairs sliding;
    if (gaps + rows == 0) {
        return SB_OK;
    }
    SB_NEW(arena, mu, rows);
    SB_NEW(arena, of, rows);
    SB_TRY(pairs_new(arena, copies, &sliding));
    for (int k = 0; k < rows; k++) {
        mu[k] = c->mu;
        of[k] = HINGES + PRISMATIC * k;
    }
    out->contact = (sb_contact){
        .self = c, .m = gaps, .k = rows, .gap = gap, .slip = slip, .of = of, .mu = mu, .restitution = &c->e};
    SB_TRY(
        sb_pattern_from_pairs(arena, COORDINATES, gaps, gaps, (const int[1]){X3}, (const int[1]){0}, &out->contact.N));
    for (int k = 0; k < rows; k++) {
        pairs_add(&sliding, X3, k);
    }
    return pairs_pattern(arena, &sliding, COORDINATES, rows, &out->contact.D);
}

/* Returns whether the driver determines the motion. It does not if the rod is shorter than the crank, if the slider
 * reaches the stop, or if friction can hold the slider against any force of the rod, where mu |tan phi2| >= 1; |tan
 * phi2| is at most r/sqrt(L^2 - r^2). */
static bool moves_as_driven(const config *c) {
    return c->drive == DRIVE_SPEED && c->L >= c->r && c->stop >= c->r + c->L &&
           (c->mu == 0.0 || c->mu * c->r < sqrt(c->L * c->L - c->r * c->r));
}

/* Returns the time scale. For nearly equal lengths the rod changes its direction while the crank turns by
 * sqrt((L/r)^2 - 1). */
static sb_scalar time_scale(const config *c) {
    const sb_scalar ratio = c->L / c->r, swing = c->L > c->r ? fmin(1.0, sqrt((ratio - 1.0) * (ratio + 1.0))) : 1.0;
    return c->omega0 != 0.0 ? swing / fabs(c->omega0) : 1.0;
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    const config *c = parameters;
    if (c->L < c->r && !(fabs(c->r * sin(c->phi0)) < c->L)) {
        return sb_fail(ctx, SB_BAD_USAGE,
                       "slider_crank: a rod of L=%g does not reach the slide from a crank of r=%g at phi0=%g; take |r "
                       "sin phi0| < L",
                       (double)c->L, (double)c->r, (double)c->phi0);
    }
    out->n = COORDINATES;
    out->time_scale = time_scale(c);
    out->period = moves_as_driven(c) && c->omega0 != 0.0 ? 2.0 * SB_PI / fabs(c->omega0) : 0.0;
    SB_TRY(sb_pattern_diagonal(arena, COORDINATES, &out->H));
    sb_scalar J[BODIES];
    set_inertia(c, J);
    SB_TRY(set_masses(arena, COORDINATES,
                      (sb_scalar[]){c->m1, c->m1, J[CRANK], c->m2, c->m2, J[ROD], c->m3, c->m3, J[SLIDER]},
                      &out->inertia));
    SB_TRY(init_constraints(arena, c, out));
    SB_TRY(init_contact(arena, c, out));
    if (out->contact.m + out->contact.k == 0) { /* worlds have no contacts */
        SB_TRY(world_offer(arena,
                           (sb_world){.self = c,
                                      .dimension = 2,
                                      .bodies = BODIES,
                                      .describe = describe,
                                      .place = place,
                                      .coordinates = place},
                           out));
    }
    out->outputs = (sb_outputs){c, 3, output_list, outputs};
    SB_TRY(set_exact(arena, c, exact, out));
    out->exact = moves_as_driven(c) ? out->exact : NULL;
    return SB_OK;
}

static const sb_param params[] = {
    SB_PARAM_POSITIVE(config, r, "1", "m", "length of the crank"),
    SB_PARAM_POSITIVE(config, L, "2", "m", "length of the rod; L = r is the singular mechanism of reg05"),
    SB_PARAM_POSITIVE(config, m1, "1", "kg", "mass of the crank, whose inertia is m1 r^2/12"),
    SB_PARAM_POSITIVE(config, m2, "1", "kg", "mass of the rod, whose inertia is m2 L^2/12"),
    SB_PARAM_POSITIVE(config, m3, "1", "kg", "mass of the slider, whose inertia is m3 m^2/12"),
    SB_PARAM_ANY(config, omega0, "6.283185307179586", "rad/s", "driven speed of the crank"),
    SB_PARAM_ANY(config, phi0, "0", "rad", "initial angle of the crank from the slide"),
    SB_PARAM_INT(config, redundant, "0", 0.0, 1000.0, "further copies of the prismatic joint's two rows"),
    SB_PARAM_NOT_NEGATIVE(config, mu, "0", "",
                          "dry friction of the slider in its guide, bounded by mu times the guide's force across"),
    SB_PARAM_REAL(config, stop, "inf", -INFINITY, INFINITY, SB_OPEN_LO, "m", "where a stop ends the slide; inf: none"),
    SB_PARAM_REAL(config, e, "0", 0.0, 1.0, SB_CLOSED, "", "restitution of the stop"),
    SB_PARAM_CHOICE(config, drive, "speed", "speed|none",
                    "the crank is driven at omega0, or turns freely from that speed"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(slider_crank) = {
    .entry = {"slider_crank",
              "planar slider crank with a driven crank: eight holonomic rows and the driver's; friction in the guide "
              "and a stop if asked for",
              "reg05 (6.2)", params, sizeof(config)},
    .init = init,
};
