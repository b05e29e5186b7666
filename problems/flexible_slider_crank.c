/* The slider crank of ivptest08 (problem crank): a rigid crank at angle phi1, driven at constant speed, a connecting
 * rod at phi2 that bends in two sine modes, q1 and q2, and stretches in two longitudinal shapes, q3 and q4, and a
 * slider at x. With a = phi1 - phi2, and rho in B and the c's,
 *
 *   T = (J1 + m2 L1^2) phi1'^2/2 + (J2 + q'M q + 2 c12.q) phi2'^2/2 + m3 x'^2/2 + q'.M q'/2
 *     + phi1' phi2' L1 (m2 L2 cos(a)/2 + sin(a) c2.q + cos(a) c1.q) + phi1' L1 (cos(a) c2 - sin(a) c1).q'
 *     + phi2' (c21.q' + q.B q'),   V = q'K q/2,
 *   g = (L1 sin phi1 + (L2 + q4) sin phi2, x - L1 cos phi1 - (L2 + q4) cos phi2),   phi1' = omega. */
#include <string.h>

#include "problems/shared/constant_terms.h"
#include "problems/shared/start.h"

enum { PHI1, PHI2, X, Q, MODES = 4, Q4 = Q + 3, COORDINATES = Q + MODES };

/* SI units. pi has the value of the test set, with which its solution was computed. */
static const sb_scalar J1 = SB_R(0.002727), J2 = SB_R(0.0045339259), m2 = SB_R(0.151104), m3 = SB_R(0.075552),
                       L1 = SB_R(0.15), L2 = SB_R(0.3), rho = SB_R(7870.0), edge = SB_R(0.008), pi = SB_R(3.1415927);

typedef struct config {
    sb_scalar omega, E;
} config;

typedef struct crank {
    config c;
    sb_scalar M[MODES][MODES], K[MODES][MODES], B[MODES][MODES], c1[MODES], c2[MODES], c12[MODES], c21[MODES];
} crank;

static sb_scalar dot(const sb_scalar *a, const sb_scalar *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/* The sine and cosine of a; along = cos(a) c2 - sin(a) c1; across = sin(a) c2 + cos(a) c1, minus its derivative. */
typedef struct angle {
    sb_scalar s, c, along[MODES], across[MODES];
} angle;

static angle angle_at(const crank *p, const sb_scalar *q) {
    angle out = {.s = sin(q[PHI1] - q[PHI2]), .c = cos(q[PHI1] - q[PHI2])};
    for (int i = 0; i < MODES; i++) {
        out.along[i] = out.c * p->c2[i] - out.s * p->c1[i];
        out.across[i] = out.s * p->c2[i] + out.c * p->c1[i];
    }
    return out;
}

/* ---- T. Matrices are full: entry (i, j) is at i + COORDINATES j. ---- */

static void add(sb_scalar *Hx, int i, int j, sb_scalar x) { Hx[i + COORDINATES * j] += x; }

static void add_both(sb_scalar *Hx, int i, int j, sb_scalar x) {
    add(Hx, i, j, x);
    add(Hx, j, i, x);
}

static int mass(const void *self, const sb_scalar *q, sb_scalar *Mx) {
    const crank *p = self;
    const angle a = angle_at(p, q);
    memset(Mx, 0, COORDINATES * COORDINATES * sizeof *Mx);
    add(Mx, PHI1, PHI1, J1 + m2 * L1 * L1);
    add(Mx, PHI2, PHI2, J2 + 2.0 * dot(p->c12, q + Q));
    add(Mx, X, X, m3);
    add_both(Mx, PHI1, PHI2, L1 * (0.5 * m2 * L2 * a.c + dot(a.across, q + Q)));
    for (int i = 0; i < MODES; i++) {
        add(Mx, PHI2, PHI2, q[Q + i] * dot(p->M[i], q + Q));
        add_both(Mx, PHI1, Q + i, L1 * a.along[i]);
        add_both(Mx, PHI2, Q + i, p->c21[i] - dot(p->B[i], q + Q)); /* B' = -B */
        for (int j = 0; j < MODES; j++) {
            add(Mx, Q + i, Q + j, p->M[i][j]);
        }
    }
    return SB_OK;
}

static int kinetic_gradient(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar *Tq) {
    const crank *p = self;
    const angle a = angle_at(p, q);
    const sb_scalar v1 = v[PHI1], v2 = v[PHI2];
    Tq[PHI1] = L1 * v1 * (v2 * (dot(a.along, q + Q) - 0.5 * m2 * L2 * a.s) - dot(a.across, v + Q));
    Tq[PHI2] = -Tq[PHI1];
    Tq[X] = 0.0;
    for (int i = 0; i < MODES; i++) {
        Tq[Q + i] = v2 * (L1 * v1 * a.across[i] + v2 * (dot(p->M[i], q + Q) + p->c12[i]) + dot(p->B[i], v + Q));
    }
    return SB_OK;
}

/* Adds the derivative x of T_q[i] in v_j, times cqv at (i, j) and times cvq at (j, i). */
static void add_mixed(sb_scalar *Hx, int i, int j, sb_scalar cqv, sb_scalar cvq, sb_scalar x) {
    add(Hx, i, j, cqv * x);
    add(Hx, j, i, cvq * x);
}

static int kinetic_hessian(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar cqq, sb_scalar cqv,
                           sb_scalar cvq, sb_scalar *Hx) {
    const crank *p = self;
    const angle a = angle_at(p, q);
    const sb_scalar v1 = v[PHI1], v2 = v[PHI2], pull = dot(a.along, q + Q) - 0.5 * m2 * L2 * a.s,
                    turned = -L1 * v1 * (v2 * (dot(a.across, q + Q) + 0.5 * m2 * L2 * a.c) + dot(a.along, v + Q));
    for (int k = 0; k < 2; k++) { /* a = phi1 - phi2 */
        const sb_scalar sign = k == 0 ? 1.0 : -1.0;
        add(Hx, PHI1 + k, PHI1, sign * cqq * turned);
        add(Hx, PHI1 + k, PHI2, -sign * cqq * turned);
        add_mixed(Hx, PHI1 + k, PHI1, cqv, cvq, sign * L1 * (v2 * pull - dot(a.across, v + Q)));
        add_mixed(Hx, PHI1 + k, PHI2, cqv, cvq, sign * L1 * v1 * pull);
        for (int i = 0; i < MODES; i++) {
            add_both(Hx, PHI1 + k, Q + i, sign * cqq * L1 * v1 * v2 * a.along[i]);
            add_mixed(Hx, PHI1 + k, Q + i, cqv, cvq, -sign * L1 * v1 * a.across[i]);
        }
    }
    for (int i = 0; i < MODES; i++) {
        add_mixed(Hx, Q + i, PHI1, cqv, cvq, L1 * v2 * a.across[i]);
        add_mixed(Hx, Q + i, PHI2, cqv, cvq,
                  L1 * v1 * a.across[i] + 2.0 * v2 * (dot(p->M[i], q + Q) + p->c12[i]) + dot(p->B[i], v + Q));
        for (int j = 0; j < MODES; j++) {
            add(Hx, Q + i, Q + j, cqq * v2 * v2 * p->M[i][j]);
            add_mixed(Hx, Q + i, Q + j, cqv, cvq, v2 * p->B[i][j]);
        }
    }
    return SB_OK;
}

/* ---- V. ---- */

static int potential(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *V) {
    const crank *p = self;
    *V = 0.0;
    for (int i = 0; i < MODES; i++) {
        *V += 0.5 * q[Q + i] * dot(p->K[i], q + Q);
    }
    return SB_OK;
}

static int potential_gradient(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vq) {
    const crank *p = self;
    memset(Vq, 0, COORDINATES * sizeof *Vq);
    for (int i = 0; i < MODES; i++) {
        Vq[Q + i] = dot(p->K[i], q + Q);
    }
    return SB_OK;
}

static int potential_hessian(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar c, sb_scalar *Hx) {
    const crank *p = self;
    for (int k = 0; k < MODES * MODES; k++) {
        add(Hx, Q + k % MODES, Q + k / MODES, c * p->K[k % MODES][k / MODES]);
    }
    return SB_OK;
}

/* ---- The loop over the slide. ---- */

static int constraints(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *g, sb_scalar *Gx) {
    const sb_scalar s1 = sin(q[PHI1]), c1 = cos(q[PHI1]), s2 = sin(q[PHI2]), c2 = cos(q[PHI2]), l = L2 + q[Q4];
    if (g != NULL) {
        g[0] = L1 * s1 + l * s2;
        g[1] = q[X] - L1 * c1 - l * c2;
    }
    if (Gx != NULL) {
        memcpy(Gx, (sb_scalar[]){L1 * c1, l * c2, s2, L1 * s1, l * s2, 1.0, -c2}, 7 * sizeof *Gx);
    }
    return SB_OK;
}

static int constraint_hessian(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *w, sb_scalar c,
                              sb_scalar *Hx) {
    const sb_scalar s2 = sin(q[PHI2]), c2 = cos(q[PHI2]), l = L2 + q[Q4];
    add(Hx, PHI1, PHI1, c * L1 * (w[1] * cos(q[PHI1]) - w[0] * sin(q[PHI1])));
    add(Hx, PHI2, PHI2, c * l * (w[1] * c2 - w[0] * s2));
    add_both(Hx, PHI2, Q4, c * (w[0] * c2 + w[1] * s2));
    return SB_OK;
}

static int curvature(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const sb_scalar s2 = sin(q[PHI2]), c2 = cos(q[PHI2]), crank2 = L1 * v[PHI1] * v[PHI1],
                    rod2 = (L2 + q[Q4]) * v[PHI2] * v[PHI2], stretch = 2.0 * v[PHI2] * v[Q4];
    out[0] = -crank2 * sin(q[PHI1]) - rod2 * s2 + stretch * c2;
    out[1] = crank2 * cos(q[PHI1]) + rod2 * c2 + stretch * s2;
    return SB_OK;
}

static void set_rod(crank *p) {
    const sb_scalar volume = edge * edge * L2, m = rho * volume, k = p->c.E * edge * edge / L2,
                    bend = k * pi * pi * pi * pi * edge * edge / (L2 * L2), cube = pi * pi * pi;
    const sb_scalar b[3] = {16.0 / cube, 8.0 / cube - 1.0 / pi, 0.5 / pi};
    p->M[0][0] = p->M[1][1] = 0.5 * m;
    p->M[2][2] = 8.0 * m;
    p->M[2][3] = p->M[3][2] = m;
    p->M[3][3] = 2.0 * m;
    p->K[0][0] = bend / 24.0;
    p->K[1][1] = 2.0 * bend / 3.0;
    p->K[2][2] = 16.0 * k / 3.0;
    p->K[2][3] = p->K[3][2] = -8.0 * k / 3.0;
    p->K[3][3] = 7.0 * k / 3.0;
    p->B[2][0] = m * b[0];
    p->B[0][2] = -p->B[2][0];
    p->B[0][3] = m * b[1];
    p->B[3][0] = -p->B[0][3];
    p->B[1][3] = m * b[2];
    p->B[3][1] = -p->B[1][3];
    p->c1[2] = 2.0 * m / 3.0;
    p->c1[3] = m / 6.0;
    p->c2[0] = 2.0 * m / pi;
    p->c12[2] = L2 * m / 3.0;
    p->c12[3] = L2 * m / 6.0;
    p->c21[0] = L2 * m / pi;
    p->c21[1] = -0.5 * L2 * m / pi;
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    static const int row[] = {PHI1, PHI2, Q4, PHI1, PHI2, X, Q4}, col[] = {0, 0, 0, 1, 1, 1, 1};
    crank *p;
    SB_NEW(arena, p, 1);
    p->c = *(const config *)parameters;
    set_rod(p);
    out->n = COORDINATES;
    /* The square of the second longitudinal frequency is the larger root of 15 mu^2 - 52 mu + 12 = 0 times
     * 2 E/(3 rho L2^2). */
    const sb_scalar fastest = sqrt((26.0 + sqrt(SB_R(496.0))) / 15.0 * 2.0 * p->c.E / (3.0 * rho)) / L2;
    out->time_scale = 1.0 / fmax(fastest, fabs(p->c.omega));
    SB_TRY(sb_pattern_full(arena, COORDINATES, COORDINATES, &out->H));
    out->inertia =
        (sb_inertia){.self = p, .M = out->H, .mass = mass, .gradient = kinetic_gradient, .hessian = kinetic_hessian};
    out->potential = (sb_potential){
        .self = p, .degree = 2, .value = potential, .gradient = potential_gradient, .hessian = potential_hessian};
    out->holonomic = (sb_holonomic){
        .self = p, .m = 2, .degree = -1, .value = constraints, .hessian = constraint_hessian, .curvature = curvature};
    SB_TRY(sb_pattern_from_pairs(arena, COORDINATES, 2, sizeof row / sizeof *row, row, col, &out->holonomic.G));
    SB_TRY(set_constant_rate(arena, PHI1, p->c.omega, out));
    /* The start of the test set for 150 rad/s, close to the smooth motion. The test set prints x and two rates with
     * nine digits; here they follow from the constraints. Velocities are proportional to omega. */
    const sb_scalar omega = p->c.omega, share = omega / 150.0, q4 = SB_R(0.169327969e-4),
                    rate4 = -SB_R(0.268938672e-5) * share;
    return set_start(arena, (sb_scalar[]){0.0, 0.0, L1 + L2 + q4, 0.0, 0.0, SB_R(0.103339863e-4), q4},
                     (sb_scalar[]){omega, -L1 * omega / (L2 + q4), rate4, SB_R(0.444896105) * share,
                                   SB_R(0.463434311e-2) * share, -SB_R(0.178591076e-5) * share, rate4},
                     out);
}

static const sb_param params[] = {
    SB_PARAM_ANY(config, omega, "150", "rad/s", "driven speed of the crank"),
    SB_PARAM_POSITIVE(config, E, "2e8", "Pa", "Young's modulus of the rod; 2e11 in ivptest08"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(flexible_slider_crank) = {
    .entry = {"flexible_slider_crank", "slider crank with a flexible connecting rod: four modes", "ivptest08", params,
              sizeof(config)},
    .init = init,
};
