/* Andrews' squeezing mechanism: seven bodies in a plane, driven by a constant torque, against a spring; hw96 VII.7,
 * with the data of ivptest08. The angles are q = (beta, Theta, gamma, Phi, delta, Omega, epsilon), the names of
 * lengths, masses and inertias are as in hw96. */
#include "problems/shared/cosines.h"
#include "problems/shared/start.h"

enum { BETA, THETA, GAMMA, PHI, DELTA, OMEGA, EPSILON, ANGLES };
enum { LOOPS = 6, KINETIC = 16, CLOSURE = 28 };

typedef struct config {
    sb_scalar mom, c0;
} config;

typedef struct squeezer {
    config c;
    cosines terms;
    cosine kinetic[KINETIC], closure[CLOSURE];
} squeezer;

/* Data in SI units; moments of inertia are about the centres of mass. */
static const sb_scalar m1 = SB_R(0.04325), m2 = SB_R(0.00365), m3 = SB_R(0.02373), m4 = SB_R(0.00706),
                       m5 = SB_R(0.07050), m6 = SB_R(0.00706), m7 = SB_R(0.05498);
static const sb_scalar I1 = SB_R(2.194e-6), I2 = SB_R(4.410e-7), I3 = SB_R(5.255e-6), I4 = SB_R(5.667e-7),
                       I5 = SB_R(1.169e-5), I6 = SB_R(5.667e-7), I7 = SB_R(1.912e-5);
static const sb_scalar xa = -SB_R(0.06934), ya = -SB_R(0.00227), xb = -SB_R(0.03635), yb = SB_R(0.03273),
                       xc = SB_R(0.014), yc = SB_R(0.072);
static const sb_scalar d = SB_R(0.028), da = SB_R(0.0115), e = SB_R(0.02), ea = SB_R(0.01421), rr = SB_R(0.007),
                       ra = SB_R(0.00092), l0 = SB_R(0.07785), ss = SB_R(0.035), sa = SB_R(0.01874), sb = SB_R(0.01043),
                       sc = SB_R(0.018), sd = SB_R(0.02), ta = SB_R(0.02308), tb = SB_R(0.00916), u = SB_R(0.04),
                       ua = SB_R(0.01228), ub = SB_R(0.00449), zf = SB_R(0.02), zt = SB_R(0.04), fa = SB_R(0.01421);

/* ---- The spring between C and the point D of body 3, and the torque: V = c0 (L - l0)^2/2 - mom beta. ---- */

/* Returns the length L of the spring; sets its first two derivatives in gamma. */
static sb_scalar spring(sb_scalar gamma, sb_scalar *L1, sb_scalar *L2) {
    const sb_scalar c = cos(gamma), s = sin(gamma), x = xb - xc + sd * c + sc * s, y = yb - yc + sd * s - sc * c;
    const sb_scalar x1 = sc * c - sd * s, y1 = sc * s + sd * c, L = hypot(x, y), along = (x * x1 + y * y1) / L;
    *L1 = along;
    /* The second derivatives of x and y are minus the vector from B to D. */
    *L2 = (x1 * x1 + y1 * y1 - x * (sd * c + sc * s) - y * (sd * s - sc * c) - along * along) / L;
    return L;
}

static int potential(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *V) {
    const config *p = &((const squeezer *)self)->c;
    sb_scalar L1, L2;
    const sb_scalar stretch = spring(q[GAMMA], &L1, &L2) - l0;
    *V = 0.5 * p->c0 * stretch * stretch - p->mom * q[BETA];
    return SB_OK;
}

static int potential_gradient(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vq) {
    const config *p = &((const squeezer *)self)->c;
    sb_scalar L1, L2;
    const sb_scalar stretch = spring(q[GAMMA], &L1, &L2) - l0;
    memset(Vq, 0, ANGLES * sizeof *Vq);
    Vq[BETA] = -p->mom;
    Vq[GAMMA] = p->c0 * stretch * L1;
    return SB_OK;
}

static int potential_hessian(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar c, sb_scalar *Hx) {
    const squeezer *p = self;
    sb_scalar L1, L2;
    const sb_scalar stretch = spring(q[GAMMA], &L1, &L2) - l0;
    Hx[sb_pattern_find(&p->terms.H, GAMMA, GAMMA)] += c * p->c.c0 * (L1 * L1 + stretch * L2);
    return SB_OK;
}

static const sb_output output_list[] = {{"spring", "m", "length of the spring", false}};

static int outputs(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    sb_scalar L1, L2;
    out[0] = spring(q[GAMMA], &L1, &L2);
    return SB_OK;
}

/* ---- The mass matrix and the three loops, hw96 VII.7. ---- */

/* An entry of the mass matrix: c + x cos(q_a) or c + x sin(q_a). */
static cosine constant(int i, int j, sb_scalar c) { return (cosine){i, j, NO_ANGLE, NO_ANGLE, 0.0, c, 0.0}; }

static cosine by_cosine(int i, int j, int a, sb_scalar x) { return (cosine){i, j, a, NO_ANGLE, 0.0, x, 0.0}; }

static cosine by_sine(int i, int j, int a, sb_scalar x) { return (cosine){i, j, a, NO_ANGLE, 0.0, 0.0, x}; }

static void set_kinetic(cosine *k) {
    const sb_scalar e4 = e - ea, f6 = zf - fa;
    const cosine all[KINETIC] = {
        constant(BETA, BETA, m1 * ra * ra + m2 * (rr * rr + da * da) + I1 + I2),
        constant(THETA, BETA, m2 * da * da + I2),
        constant(THETA, THETA, m2 * da * da + I2),
        constant(GAMMA, GAMMA, m3 * (sa * sa + sb * sb) + I3),
        constant(PHI, PHI, m4 * e4 * e4 + I4),
        constant(DELTA, PHI, m4 * e4 * e4 + I4),
        constant(DELTA, DELTA, m4 * (zt * zt + e4 * e4) + m5 * (ta * ta + tb * tb) + I4 + I5),
        constant(OMEGA, OMEGA, m6 * f6 * f6 + I6),
        constant(EPSILON, OMEGA, m6 * f6 * f6 + I6),
        constant(EPSILON, EPSILON, m6 * (f6 * f6 + u * u) + m7 * (ua * ua + ub * ub) + I6 + I7),
        by_cosine(BETA, BETA, THETA, -2.0 * m2 * da * rr),
        by_cosine(THETA, BETA, THETA, -m2 * da * rr),
        by_sine(DELTA, PHI, PHI, m4 * zt * e4),
        by_sine(DELTA, DELTA, PHI, 2.0 * m4 * zt * e4),
        by_sine(EPSILON, OMEGA, OMEGA, -m6 * u * f6),
        by_sine(EPSILON, EPSILON, OMEGA, -2.0 * m6 * u * f6),
    };
    memcpy(k, all, sizeof all);
}

/* Adds a bar of the components (along, across) at the angle x = q_a + q_b to the rows of a loop: along e(x) plus across
 * e(x + pi/2), e = (cos, sin). */
static void add_bar(squeezer *p, int loop, int a, int b, sb_scalar along, sb_scalar across) {
    p->closure[p->terms.row_count++] = (cosine){2 * loop, 0, a, b, 1.0, along, -across};
    p->closure[p->terms.row_count++] = (cosine){2 * loop + 1, 0, a, b, 1.0, across, along};
}

/* Adds the loops. Each leads from the origin along the crank and the bar of length d to a point of a bar that is hinged
 * at A or B. */
static void set_closure(squeezer *p) {
    for (int loop = 0; loop < LOOPS / 2; loop++) {
        add_bar(p, loop, BETA, NO_ANGLE, rr, 0.0);
    }
    for (int loop = 0; loop < LOOPS / 2; loop++) {
        add_bar(p, loop, BETA, THETA, -d, 0.0);
    }
    for (int loop = 0; loop < LOOPS / 2; loop++) {
        add_bar(p, loop, NO_ANGLE, NO_ANGLE, loop == 0 ? -xb : -xa, loop == 0 ? -yb : -ya);
    }
    add_bar(p, 0, GAMMA, NO_ANGLE, 0.0, ss);
    add_bar(p, 1, PHI, DELTA, 0.0, e);
    add_bar(p, 1, DELTA, NO_ANGLE, -zt, 0.0);
    add_bar(p, 2, OMEGA, EPSILON, -zf, 0.0);
    add_bar(p, 2, EPSILON, NO_ANGLE, 0.0, u);
}

/* Sets the angles of the start, with Theta = 0. The triangle of the origin, B and the point of the first loop gives
 * beta; the triangles of A, the point and the bars between them give the other angles. */
static void set_angles(sb_scalar q[ANGLES]) {
    const sb_scalar k = d - rr, B = hypot(xb, yb);
    const sb_scalar beta = atan2(yb, xb) - acos((ss * ss - k * k - B * B) / (2.0 * k * B));
    const sb_scalar px = -k * cos(beta), py = -k * sin(beta), x = px - xa, y = py - ya, W2 = x * x + y * y;
    const sb_scalar phi = asin((W2 - e * e - zt * zt) / (2.0 * e * zt)),
                    omega = asin((zf * zf + u * u - W2) / (2.0 * zf * u)), direction = atan2(y, x);
    q[BETA] = beta;
    q[THETA] = 0.0;
    q[GAMMA] = atan2(px - xb, yb - py);
    q[PHI] = phi;
    q[DELTA] = direction - atan2(-e * cos(phi), zt + e * sin(phi));
    q[OMEGA] = omega;
    q[EPSILON] = direction - atan2(zf * sin(omega) - u, zf * cos(omega));
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    squeezer *p;
    sb_scalar q[ANGLES];
    SB_NEW(arena, p, 1);
    p->c = *(const config *)parameters;
    p->terms = (cosines){.n = ANGLES, .m = LOOPS, .kinetic_count = KINETIC, .kinetic = p->kinetic, .row = p->closure};
    set_kinetic(p->kinetic);
    set_closure(p);
    SB_TRY(sb_cosines_finish(arena, &p->terms, out));
    /* The crank reaches 1140 rad/s within the published 0.03 s; all rates are proportional to the square root of the
     * forces. */
    out->time_scale = 1.0 / (1140.0 * sqrt(fmax(p->c.mom / 0.033, p->c.c0 / 4530.0)));
    out->potential = (sb_potential){
        .self = p, .degree = -1, .value = potential, .gradient = potential_gradient, .hessian = potential_hessian};
    out->outputs = (sb_outputs){p, 1, output_list, outputs};
    set_angles(q);
    return set_start(arena, q, NULL, out);
}

static const sb_param params[] = {
    SB_PARAM_POSITIVE(config, mom, "0.033", "N m", "torque on the crank"),
    SB_PARAM_NOT_NEGATIVE(config, c0, "4530", "N/m", "stiffness of the spring"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(andrews) = {
    .entry = {"andrews", "Andrews' squeezing mechanism: seven angles, three closed loops, a torque against a spring",
              "hw96 (VII.7)", params, sizeof(config)},
    .init = init,
};
