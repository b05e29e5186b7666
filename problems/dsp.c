/* The double spherical pendulum of wm96 5.2: two point masses, two quadratic length constraints, wm96 (5.11) with l_2^2
 * in its second row.
 */
#include <string.h>

#include "problems/shared/constant_terms.h"
#include "problems/shared/start.h"
#include "problems/shared/world.h"

enum { PRINTED, RECOVERED, GIVEN };
enum { X1, Y1, X2, Y2, VX1, VY1, VX2, VY2, NPLANE };

typedef struct config {
    sb_scalar m1, m2, l1, l2, g;
    int ic;
    sb_scalar plane[NPLANE]; /* horizontal positions and velocities */
} config;

typedef struct dsp {
    config c;
    sb_scalar q0[6], v0[6];
    sb_chart chart;
} dsp;

/* Initial states. `printed` has the three decimals of the paper (J_z = 199.8319). `recovered` is unrounded: it was
 * computed from the published results of Table 2, up to a rotation about the vertical, and reproduces them to nine
 * decimals (J_z = 199.825467). */
static const sb_scalar printed[NPLANE] = {SB_R(2.820), SB_R(0.025), SB_R(5.085), SB_R(0.105),
                                          SB_R(3.381), SB_R(2.506), SB_R(2.497), SB_R(10.495)};
static const sb_scalar recovered[NPLANE] = {SB_R(2.8201428832658), SB_R(0.0249666334148), SB_R(5.0846919790003),
                                            SB_R(0.1048884453971), SB_R(3.3814760674871), SB_R(2.5058441329880),
                                            SB_R(2.4968286615775), SB_R(10.4952136622902)};

/* ---- Terms. ---- */

static int g_value(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *g, sb_scalar *Gx) {
    const dsp *p = self;
    const sb_scalar d[3] = {q[3] - q[0], q[4] - q[1], q[5] - q[2]};
    if (g != NULL) {
        g[0] = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - p->c.l1 * p->c.l1;
        g[1] = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] - p->c.l2 * p->c.l2;
    }
    if (Gx != NULL) {
        for (int i = 0; i < 3; i++) {
            Gx[i] = 2.0 * q[i];
            Gx[3 + i] = -2.0 * d[i];
            Gx[6 + i] = 2.0 * d[i];
        }
    }
    return SB_OK;
}

/* H: column j of the first mass holds (j, j) and (j + 3, j), column j + 3 holds (j, j + 3) and (j + 3, j + 3). */
static int g_hessian(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *w, sb_scalar c,
                     sb_scalar *Hx) {
    for (int j = 0; j < 3; j++) {
        Hx[2 * j] += 2.0 * c * (w[0] + w[1]);
        Hx[2 * j + 1] -= 2.0 * c * w[1];
        Hx[6 + 2 * j] -= 2.0 * c * w[1];
        Hx[6 + 2 * j + 1] += 2.0 * c * w[1];
    }
    return SB_OK;
}

static int g_curvature(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const sb_scalar d[3] = {v[3] - v[0], v[4] - v[1], v[5] - v[2]};
    out[0] = 2.0 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    out[1] = 2.0 * (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    return SB_OK;
}

/* ---- Chart: (theta_1, phi_1, theta_2, phi_2), the polar angle of each link from the downward vertical, and its
 * azimuth. ---- */

/* The length of a link; the sine and cosine of its angles theta and phi. */
typedef struct link_angles {
    sb_scalar l, st, ct, sp, cp;
} link_angles;

static inline link_angles angles_of(const dsp *p, int link, const sb_scalar *s) {
    const sb_scalar theta = s[2 * link], phi = s[2 * link + 1];
    return (link_angles){link == 0 ? p->c.l1 : p->c.l2, sin(theta), cos(theta), sin(phi), cos(phi)};
}

/* D: columns 0 and 1 have six rows, columns 2 and 3 the rows of the second mass. c: D2 psi(u, u), not for u = NULL. */
static int chart_motion(const void *self, const sb_scalar *s, const sb_scalar *u, sb_scalar *q, sb_scalar *Dx,
                        sb_scalar *c) {
    const dsp *p = self;
    for (int link = 0; link < 2; link++) {
        const link_angles k = angles_of(p, link, s);
        const sb_scalar x[3] = {k.l * k.st * k.cp, k.l * k.st * k.sp, -k.l * k.ct};
        const sb_scalar by_theta[3] = {k.l * k.ct * k.cp, k.l * k.ct * k.sp, k.l * k.st}, by_phi[3] = {-x[1], x[0]};
        for (int i = 0; i < 3; i++) {
            if (q != NULL) {
                q[3 * link + i] = link == 0 ? x[i] : q[i] + x[i];
            }
            if (Dx != NULL && link == 0) {
                Dx[i] = Dx[3 + i] = by_theta[i];
                Dx[6 + i] = Dx[9 + i] = by_phi[i];
            } else if (Dx != NULL) {
                Dx[12 + i] = by_theta[i];
                Dx[15 + i] = by_phi[i];
            }
        }
        if (u != NULL) {
            const sb_scalar ut = u[2 * link], up = u[2 * link + 1], mixed = 2.0 * ut * up, square = ut * ut + up * up;
            const sb_scalar d[3] = {-square * x[0] - mixed * by_theta[1], mixed * by_theta[0] - square * x[1],
                                    -ut * ut * x[2]};
            for (int i = 0; i < 3; i++) {
                c[3 * link + i] = link == 0 ? d[i] : c[i] + d[i];
            }
        }
    }
    return SB_OK;
}

static int chart_point(const void *self, const sb_scalar *s, sb_scalar *q, sb_scalar *Dx) {
    return chart_motion(self, s, NULL, q, Dx, NULL);
}

/* Sets the weight W of a link's direction, and a = W_x cos phi + W_y sin phi and its derivative b. The first link
 * carries both masses. */
static inline void link_weight(int link, const link_angles *k, const sb_scalar *w, sb_scalar *a, sb_scalar *b,
                               sb_scalar *Wz) {
    const sb_scalar x = link == 0 ? w[0] + w[3] : w[3], y = link == 0 ? w[1] + w[4] : w[4];
    *Wz = link == 0 ? w[2] + w[5] : w[5];
    *a = x * k->cp + y * k->sp;
    *b = y * k->cp - x * k->sp;
}

/* H is block diagonal, with a 2 x 2 block per link: W . x = l (a sin theta - W_z cos theta). */
static int chart_hessian(const void *self, const sb_scalar *s, const sb_scalar *w, sb_scalar c, sb_scalar *Hx) {
    for (int link = 0; link < 2; link++) {
        const link_angles k = angles_of(self, link, s);
        const sb_scalar l = c * k.l;
        sb_scalar a, b, Wz;
        link_weight(link, &k, w, &a, &b, &Wz);
        Hx[4 * link] += l * (Wz * k.ct - a * k.st);
        Hx[4 * link + 1] += l * b * k.ct;
        Hx[4 * link + 2] += l * b * k.ct;
        Hx[4 * link + 3] -= l * a * k.st;
    }
    return SB_OK;
}

static int chart_third(const void *self, const sb_scalar *s, const sb_scalar *w, const sb_scalar *u, sb_scalar c,
                       sb_scalar *Hx) {
    for (int link = 0; link < 2; link++) {
        const link_angles k = angles_of(self, link, s);
        const sb_scalar l = c * k.l, ut = u[2 * link], up = u[2 * link + 1];
        sb_scalar a, b, Wz;
        link_weight(link, &k, w, &a, &b, &Wz);
        Hx[4 * link] -= l * ((Wz * k.st + a * k.ct) * ut + b * k.st * up);
        Hx[4 * link + 1] -= l * (b * k.st * ut + a * k.ct * up);
        Hx[4 * link + 2] -= l * (b * k.st * ut + a * k.ct * up);
        Hx[4 * link + 3] -= l * (a * k.ct * ut + b * k.st * up);
    }
    return SB_OK;
}

/* Fails where a link is vertical to round-off, so that its azimuth is undefined. */
static int chart_inverse(const void *self, const sb_scalar *q, sb_scalar *s) {
    for (int link = 0; link < 2; link++) {
        const sb_scalar *a = q + 3 * link;
        const sb_scalar x[3] = {link == 0 ? a[0] : a[0] - q[0], link == 0 ? a[1] : a[1] - q[1],
                                link == 0 ? a[2] : a[2] - q[2]};
        const sb_scalar rho = hypot(x[0], x[1]);
        if (!(rho > SB_EPSILON * fabs(x[2]))) {
            return SB_DOMAIN;
        }
        s[2 * link] = atan2(rho, -x[2]);
        s[2 * link + 1] = atan2(x[1], x[0]);
    }
    return SB_OK;
}

static int chart_rotation(const void *self, int i, const sb_scalar *s, sb_scalar *xi) {
    xi[0] = xi[2] = 0.0;
    xi[1] = xi[3] = 1.0;
    return SB_OK;
}

/* ---- The world. ---- */

static int describe(const void *self, sb_arena *arena, sb_world_parts *out) {
    const dsp *p = self;
    SB_TRY(world_new(arena, 2, 2, out));
    out->gravity[2] = -p->c.g;
    for (int k = 0; k < 2; k++) {
        SB_TRY(world_add_body(arena, out, "mass", k == 0 ? p->c.m1 : p->c.m2, 0.0));
        world_add_joint(out, SB_DISTANCE, k - 1, 0.0, 0.0, k, 0.0, 0.0)->length = k == 0 ? p->c.l1 : p->c.l2;
    }
    return SB_OK;
}

static int place(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar *pose, sb_scalar *twist) {
    return world_particles_place(2, 3, q, v, pose, twist);
}

static int coordinates(const void *self, const sb_scalar *pose, const sb_scalar *twist, sb_scalar *q, sb_scalar *v) {
    return world_particles_coordinates(2, 3, pose, twist, q, v);
}

/* ---- Initial state. ---- */

/* Computes z and vz of a link that hangs below its pivot from its horizontal position (x, y) and velocity (vx, vy)
 * relative to the pivot. */
static int complete_link(sb_context *ctx, int link, sb_scalar l, sb_scalar x, sb_scalar y, sb_scalar vx, sb_scalar vy,
                         sb_scalar *z, sb_scalar *vz) {
    const sb_scalar rho = hypot(x, y);
    if (!(rho < l)) {
        return sb_fail(ctx, SB_INCONSISTENT,
                       "dsp: link %d reaches %g m sideways but is l%d = %g m long, so that no z below the pivot "
                       "satisfies the constraint; "
                       "bring the masses closer (ic=given) or lengthen the link",
                       link, (double)rho, link, (double)l);
    }
    *z = -sqrt((l - rho) * (l + rho));
    *vz = -(x * vx + y * vy) / *z;
    return SB_OK;
}

static int set_initial(sb_context *ctx, dsp *p) {
    const sb_scalar *s = p->c.ic == GIVEN ? p->c.plane : p->c.ic == RECOVERED ? recovered : printed;
    sb_scalar z = 0.0, vz = 0.0, dz = 0.0, dvz = 0.0;
    SB_TRY(complete_link(ctx, 1, p->c.l1, s[X1], s[Y1], s[VX1], s[VY1], &z, &vz));
    SB_TRY(complete_link(ctx, 2, p->c.l2, s[X2] - s[X1], s[Y2] - s[Y1], s[VX2] - s[VX1], s[VY2] - s[VY1], &dz, &dvz));
    const sb_scalar q0[6] = {s[X1], s[Y1], z, s[X2], s[Y2], z + dz},
                    v0[6] = {s[VX1], s[VY1], vz, s[VX2], s[VY2], vz + dvz};
    memcpy(p->q0, q0, sizeof q0);
    memcpy(p->v0, v0, sizeof v0);
    return SB_OK;
}

static const char *const plane_names[NPLANE] = {"x1", "y1", "x2", "y2", "vx1", "vy1", "vx2", "vy2"};

/* Fails if coordinates differ from their defaults, the printed ones, although ic is not `given`. `roundoff` rounds
 * parameters to doubles. */
static int check_unused(sb_context *ctx, const config *c) {
    for (int i = 0; i < NPLANE && c->ic != GIVEN; i++) {
        if ((double)c->plane[i] != (double)printed[i]) {
            return sb_fail(ctx, SB_BAD_USAGE,
                           "dsp: %s=%g is given but ic=%s brings its own initial state; add ic=given", plane_names[i],
                           (double)c->plane[i], c->ic == PRINTED ? "printed" : "recovered");
        }
    }
    return SB_OK;
}

/* Returns the inverse of the largest of: the root of the sum of the squared frequencies of small oscillations, and the
 * initial rates of the links. */
static sb_scalar time_scale(const dsp *p) {
    const sb_scalar *v = p->v0;
    const sb_scalar small = sqrt(p->c.g * (1.0 / p->c.l1 + 1.0 / p->c.l2) * (1.0 + p->c.m2 / p->c.m1));
    const sb_scalar first = hypot(hypot(v[0], v[1]), v[2]) / p->c.l1,
                    second = hypot(hypot(v[3] - v[0], v[4] - v[1]), v[5] - v[2]) / p->c.l2;
    return time_scale_of(fmax(small, fmax(first, second)));
}

static int init_chart(sb_arena *arena, dsp *p) {
    static const int D_row[18] = {0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 3, 4, 5, 3, 4, 5};
    static const int D_col[18] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3};
    static const int H_row[8] = {0, 1, 0, 1, 2, 3, 2, 3}, H_col[8] = {0, 0, 1, 1, 2, 2, 3, 3};
    p->chart = (sb_chart){.self = p,
                          .n = 4,
                          .point = chart_point,
                          .motion = chart_motion,
                          .hessian = chart_hessian,
                          .third = chart_third,
                          .inverse = chart_inverse,
                          .symmetries = 1,
                          .generator = chart_rotation};
    SB_TRY(sb_pattern_from_pairs(arena, 6, 4, 18, D_row, D_col, &p->chart.D));
    return sb_pattern_from_pairs(arena, 4, 4, 8, H_row, H_col, &p->chart.H);
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    static const int H_row[12] = {0, 3, 1, 4, 2, 5, 0, 3, 1, 4, 2, 5}, H_col[12] = {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5};
    static const int G_row[9] = {0, 1, 2, 0, 1, 2, 3, 4, 5}, G_col[9] = {0, 0, 0, 1, 1, 1, 1, 1, 1};
    dsp *p;
    SB_NEW(arena, p, 1);
    p->c = *(const config *)parameters;
    SB_TRY(check_unused(ctx, &p->c));
    SB_TRY(set_initial(ctx, p));
    SB_TRY(init_chart(arena, p));
    out->n = 6;
    out->time_scale = time_scale(p);
    SB_TRY(sb_pattern_from_pairs(arena, 6, 6, 12, H_row, H_col, &out->H));
    const sb_scalar m1 = p->c.m1, m2 = p->c.m2;
    SB_TRY(set_masses(arena, 6, (sb_scalar[]){m1, m1, m1, m2, m2, m2}, &out->inertia));
    SB_TRY(set_gravity(arena, 6, p->c.g, (sb_scalar[]){0.0, 0.0, m1, 0.0, 0.0, m2}, &out->potential));
    out->holonomic = (sb_holonomic){
        .self = p, .m = 2, .degree = 2, .value = g_value, .hessian = g_hessian, .curvature = g_curvature};
    SB_TRY(sb_pattern_from_pairs(arena, 6, 2, 9, G_row, G_col, &out->holonomic.G));
    SB_TRY(set_rotation(arena, 2, 3, out));
    out->chart = &p->chart;
    SB_TRY(world_offer(
        arena,
        (sb_world){
            .self = p, .dimension = 3, .bodies = 2, .describe = describe, .place = place, .coordinates = coordinates},
        out));
    return set_start(arena, p->q0, p->v0, out);
}

#define PLANE(name, index, value, unit, doc)                                                                           \
    SB_PARAM(name, SB_REAL, offsetof(config, plane[index]), value, -INFINITY, INFINITY, SB_OPEN, NULL, unit, doc)

static const sb_param params[] = {
    SB_PARAM_POSITIVE(config, m1, "2", "kg", "upper mass"),
    SB_PARAM_POSITIVE(config, m2, "3.5", "kg", "lower mass"),
    SB_PARAM_POSITIVE(config, l1, "4", "m", "length of the upper link"),
    SB_PARAM_POSITIVE(config, l2, "3", "m", "length of the lower link"),
    SB_PARAM_NOT_NEGATIVE(config, g, "9.81", "m/s^2", "gravity, along -z"),
    SB_PARAM_CHOICE(
        config, ic, "printed", "printed|recovered|given",
        "initial state: wm96's, rounded to three decimals; the unrounded one, recovered from its Table 2; or x1 to vy2 "
        "below"),
    PLANE(
        "x1", X1, "2.820", "m",
        "upper mass, initial x; used with ic=given, like all below; z hangs below, z velocities from the constraints"),
    PLANE("y1", Y1, "0.025", "m", "upper mass, initial y"),
    PLANE("x2", X2, "5.085", "m", "lower mass, initial x"),
    PLANE("y2", Y2, "0.105", "m", "lower mass, initial y"),
    PLANE("vx1", VX1, "3.381", "m/s", "upper mass, initial x velocity"),
    PLANE("vy1", VY1, "2.506", "m/s", "upper mass, initial y velocity"),
    PLANE("vx2", VX2, "2.497", "m/s", "lower mass, initial x velocity"),
    PLANE("vy2", VY2, "10.495", "m/s", "lower mass, initial y velocity"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(dsp) = {
    .entry = {"dsp", "double spherical pendulum in Cartesian coordinates, two length constraints", "wm96 (5.11)",
              params, sizeof(config)},
    .init = init,
};
