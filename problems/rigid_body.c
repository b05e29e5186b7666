/* The free rigid body in unit quaternions: wm96 (5.3) with the constraint q.q = 1; solved by Jacobi's elliptic
 * functions (landau76, 37). */
#include <stepbench/numerics/gauss_nodes.h>
#include <stepbench/numerics/quaternion.h>

#include "problems/shared/elliptic.h"
#include "problems/shared/start.h"
#include "problems/shared/world.h"

enum { NODES = 16 * SB_PRECISION };

typedef struct config {
    sb_scalar I[3], w[3];
} config;

typedef struct body {
    config c;
    sb_rigid rigid;
    sb_scalar T2, L; /* twice the kinetic energy; length of the angular momentum m = I w */
    bool steady;     /* w is constant */
    /* Otherwise m = amplitude (cn, sn, dn) of u = u0 + rate t on the axes at[]: dn on the axis at[2], about which m
     * circulates, sn on the middle axis, and cn on the third one. */
    int at[3];
    sb_scalar amplitude[3];
    sb_scalar rate, u0;
    sb_elliptic elliptic;
    sb_scalar winding_period, winding0; /* over 2K (K finite); up to u0 */
    sb_scalar node[NODES], weight[NODES];
} body;

/* ---- Terms: T = 2 y.I y, y the vector part of conj(q) * v, half the body rates on the unit sphere. It is bilinear and
 * skew in (q, v). ---- */

/* Sets out to the vector part of conj(a) * b. */
static void relative(const sb_scalar a[4], const sb_scalar b[4], sb_scalar out[3]) {
    out[0] = a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2];
    out[1] = a[0] * b[2] + a[1] * b[3] - a[2] * b[0] - a[3] * b[1];
    out[2] = a[0] * b[3] - a[1] * b[2] + a[2] * b[1] - a[3] * b[0];
}

/* Sets the 3 x 4 matrix E(a), with relative(a, b) = E(a) b. */
static void relative_matrix(const sb_scalar a[4], sb_scalar E[3][4]) {
    const sb_scalar rows[3][4] = {{-a[1], a[0], a[3], -a[2]}, {-a[2], -a[3], a[0], a[1]}, {-a[3], a[2], -a[1], a[0]}};
    memcpy(E, rows, sizeof rows);
}

/* Adds c 4 E(a)' I E(b) to the 4 x 4 matrix X. */
static void add_product(const body *p, sb_scalar c, const sb_scalar a[4], const sb_scalar b[4], sb_scalar *X) {
    sb_scalar Ea[3][4], Eb[3][4];
    relative_matrix(a, Ea);
    relative_matrix(b, Eb);
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 4; j++) {
            const sb_scalar w = 4.0 * c * p->c.I[k] * Eb[k][j];
            for (int i = 0; i < 4; i++) {
                X[i + 4 * j] += Ea[k][i] * w;
            }
        }
    }
}

static int mass(const void *self, const sb_scalar *q, sb_scalar *Mx) {
    for (int i = 0; i < 16; i++) {
        Mx[i] = 0.0;
    }
    add_product(self, 1.0, q, q, Mx);
    return SB_OK;
}

/* y(q, v) = -y(v, q): T_q = M(v) q = -4 v * (I y). */
static int kinetic_gradient(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar *Tq) {
    const body *p = self;
    sb_scalar y[3];
    relative(q, v, y);
    sb_quaternion_product(
        v, (sb_scalar[4]){0.0, -4.0 * p->c.I[0] * y[0], -4.0 * p->c.I[1] * y[1], -4.0 * p->c.I[2] * y[2]}, Tq);
    return SB_OK;
}

/* T_qq = M(v); T_qv = -4 E(v)' I E(q) - 4 R with R x = x * (I y), skew; T_vq is its transpose. */
static int kinetic_hessian(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar cqq, sb_scalar cqv,
                           sb_scalar cvq, sb_scalar *Hx) {
    const body *p = self;
    sb_scalar y[3], m[4] = {0.0}, e[4], column[4];
    add_product(p, cqq, v, v, Hx);
    add_product(p, -cqv, v, q, Hx);
    add_product(p, -cvq, q, v, Hx);
    relative(q, v, y);
    for (int k = 0; k < 3; k++) {
        m[1 + k] = 4.0 * (cvq - cqv) * p->c.I[k] * y[k];
    }
    for (int j = 0; j < 4; j++) {
        sb_quaternion_unit(j, e);
        sb_quaternion_product(e, m, column);
        for (int i = 0; i < 4; i++) {
            Hx[i + 4 * j] += column[i];
        }
    }
    return SB_OK;
}

static int g_value(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *g, sb_scalar *Gx) {
    if (g != NULL) {
        g[0] = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1.0;
    }
    for (int i = 0; i < 4 && Gx != NULL; i++) {
        Gx[i] = 2.0 * q[i];
    }
    return SB_OK;
}

static int g_hessian(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *w, sb_scalar c,
                     sb_scalar *Hx) {
    for (int i = 0; i < 4; i++) {
        Hx[5 * i] += 2.0 * c * w[0];
    }
    return SB_OK;
}

static int g_curvature(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    out[0] = 2.0 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
    return SB_OK;
}

static const sb_attitude whole = {.at = 0, .row = 0};

static const char *const momenta[] = {"Lx", "Ly", "Lz"};

/* Sets xi = e_i * q/2, a rotation of space about axis i. */
static int rotation(const void *self, int i, const sb_scalar *q, sb_scalar *xi) {
    sb_quaternion_product((sb_scalar[4]){0.0, 0.5 * (i == 0), 0.5 * (i == 1), 0.5 * (i == 2)}, q, xi);
    return SB_OK;
}

static const sb_output output_list[] = {
    {"w1", "rad/s", "body rate about the first principal axis", false},
    {"w2", "rad/s", "body rate about the second principal axis", false},
    {"w3", "rad/s", "body rate about the third principal axis", false},
    {"m2", "kg^2 m^4/s^2", "squared length of the body angular momentum", true},
};

static int outputs(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    const body *p = self;
    sb_scalar y[3];
    relative(q, v, y);
    out[3] = 0.0;
    for (int k = 0; k < 3; k++) {
        out[k] = 2.0 * y[k];
        out[3] += p->c.I[k] * out[k] * p->c.I[k] * out[k];
    }
    return SB_OK;
}

/* ---- The world: the centre of mass rests at the origin. ---- */

static int describe(const void *self, sb_arena *arena, sb_world_parts *out) {
    const body *p = self;
    SB_TRY(world_new(arena, 1, 0, out));
    out->body[out->bodies++] = (sb_world_body){"body", 1.0, {p->c.I[0], p->c.I[1], p->c.I[2]}};
    return SB_OK;
}

static int place(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar *pose, sb_scalar *twist) {
    const sb_scalar square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], length = sqrt(square);
    sb_scalar w[4];
    sb_quaternion_product(v, (sb_scalar[4]){q[0], -q[1], -q[2], -q[3]}, w);
    for (int k = 0; k < 3; k++) {
        pose[k] = twist[k] = 0.0;
        twist[3 + k] = 2.0 * w[1 + k] / square;
    }
    for (int k = 0; k < 4; k++) {
        pose[3 + k] = q[k] / length;
    }
    return length > 0.0 ? SB_OK : SB_DOMAIN;
}

static int coordinates(const void *self, const sb_scalar *pose, const sb_scalar *twist, sb_scalar *q, sb_scalar *v) {
    const sb_scalar *w = twist + 3;
    memcpy(q, pose + 3, 4 * sizeof *q);
    sb_quaternion_product((sb_scalar[4]){0.0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]}, q, v);
    return SB_OK;
}

/* ---- The motion. ---- */

/* Computes the integral of 1/(1 + nu dn) from 0 to `end`, with nu = the amplitude of dn over L. The
 * singularities of the integrand are at least Kc >= pi/2 from the real axis, so that the error of 16 Gauss points per
 * panel of length 2 is less than 3.4^-32 = 1e-17. */
static sb_scalar integral(const body *p, sb_scalar end) {
    const sb_scalar nu = fabs(p->amplitude[2]) / p->L;
    const int panels = (int)ceil(0.5 * fabs(end));
    sb_scalar sum = 0.0;
    for (int i = 0; i < panels; i++) {
        const sb_scalar half = 0.5 * end / panels;
        for (int k = 0; k < NODES; k++) {
            sb_scalar sn, cn, dn;
            sb_elliptic_jacobi(&p->elliptic, half * (2.0 * i + 1.0 + p->node[k]), &sn, &cn, &dn);
            sum += half * p->weight[k] / (1.0 + nu * dn);
        }
    }
    return sum;
}

/* Computes the integral from 0 to u by whole periods 2K and a remainder; on the separatrix, where K is infinite, dn =
 * sech is round-off of a double beyond 40. */
static sb_scalar integral_by_periods(const body *p, sb_scalar u) {
    if (isinf(p->elliptic.K)) {
        const sb_scalar straight = 40.0 * SB_PRECISION;
        const sb_scalar near = fmax(-straight, fmin(u, straight));
        return integral(p, near) + (u - near);
    }
    const sb_scalar period = 2.0 * p->elliptic.K, rest = remainder(u, period);
    return integral(p, rest) + nearbyint((u - rest) / period) * p->winding_period;
}

/* Sets out to the shortest rotation from n = m/L to a = sign e_axis: (1 + n.a, n x a), normalised. n.a >= 0 here. */
static void shortest_rotation(const body *p, int axis, sb_scalar sign, const sb_scalar m[3], sb_scalar out[4]) {
    sb_scalar a[3] = {0.0, 0.0, 0.0};
    a[axis] = sign;
    out[0] = p->L + sign * m[axis];
    out[1] = m[1] * a[2] - m[2] * a[1];
    out[2] = m[2] * a[0] - m[0] * a[2];
    out[3] = m[0] * a[1] - m[1] * a[0];
    const sb_scalar norm = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2] + out[3] * out[3]);
    for (int i = 0; i < 4; i++) {
        out[i] /= norm;
    }
}

static void body_momentum(const body *p, sb_scalar t, sb_scalar m[3]) {
    if (p->steady) {
        for (int k = 0; k < 3; k++) {
            m[k] = p->c.I[k] * p->c.w[k];
        }
        return;
    }
    sb_scalar f[3];
    sb_elliptic_jacobi(&p->elliptic, p->u0 + p->rate * t, &f[1], &f[0], &f[2]);
    for (int k = 0; k < 3; k++) {
        m[p->at[k]] = p->amplitude[k] * f[k];
    }
}

/* Sets the attitude q = conj(s(0)) * exp(psi a/2) * s(t), since L is constant in space. Here s is the rotation of n to
 * the axis a = sign e_at[2], and psi' = (2T/L + w.a)/(1 + n.a) follows from w.n = 2T/L. It is regular because dn keeps
 * n.a positive. */
static void attitude(const body *p, sb_scalar t, const sb_scalar m[3], sb_scalar q[4]) {
    if (p->steady) {
        const sb_scalar w = hypot(hypot(p->c.w[0], p->c.w[1]), p->c.w[2]), s = w > 0.0 ? sin(0.5 * w * t) / w : 0.0;
        q[0] = cos(0.5 * w * t);
        for (int k = 0; k < 3; k++) {
            q[1 + k] = s * p->c.w[k];
        }
        return;
    }
    const int axis = p->at[2];
    const sb_scalar sign = copysign(1.0, p->amplitude[2]), own = p->L / p->c.I[axis];
    const sb_scalar m0[3] = {p->c.I[0] * p->c.w[0], p->c.I[1] * p->c.w[1], p->c.I[2] * p->c.w[2]};
    const sb_scalar psi =
        own * t + (p->T2 / p->L - own) / p->rate * (integral_by_periods(p, p->u0 + p->rate * t) - p->winding0);
    sb_scalar s0[4], s[4], turn[4] = {cos(0.5 * psi), 0.0, 0.0, 0.0}, back[4];
    shortest_rotation(p, axis, sign, m0, s0);
    shortest_rotation(p, axis, sign, m, s);
    turn[1 + axis] = sign * sin(0.5 * psi);
    sb_quaternion_ratio(s0, turn, back);
    sb_quaternion_product(back, s, q);
}

static int exact(const void *self, sb_scalar t, sb_scalar *q, sb_scalar *v, sb_scalar *lambda) {
    const body *p = self;
    sb_scalar m[3], at[4];
    body_momentum(p, t, m);
    if (q != NULL || v != NULL) {
        attitude(p, t, m, at);
    }
    for (int i = 0; i < 4 && q != NULL; i++) {
        q[i] = at[i];
    }
    if (v != NULL) {
        sb_quaternion_product(
            at, (sb_scalar[4]){0.0, 0.5 * m[0] / p->c.I[0], 0.5 * m[1] / p->c.I[1], 0.5 * m[2] / p->c.I[2]}, v);
    }
    if (lambda != NULL) {
        /* q . (d/dt T_v - T_q) = -2 w.I w with T homogeneous of degree two in q, and q . G = 2. */
        lambda[0] = -p->T2;
    }
    return SB_OK;
}

/* Sorts the principal axes by increasing moment of inertia. */
static void sort_axes(const sb_scalar I[3], int at[3]) {
    at[0] = 0;
    at[1] = 1;
    at[2] = 2;
    for (int pass = 0; pass < 3; pass++) {
        const int k = pass % 2;
        if (I[at[k]] > I[at[k + 1]]) {
            const int swap = at[k];
            at[k] = at[k + 1];
            at[k + 1] = swap;
        }
    }
}

/* Computes the amplitudes and the modulus from the invariants T and L; o, b, d are the axes of cn, sn, dn. Differences
 * are taken between moments of inertia and never between energies, so that k^2 and its complement keep their relative
 * accuracy. */
static void prepare_motion(body *p) {
    const sb_scalar *I = p->c.I, *w = p->c.w;
    const sb_scalar m[3] = {I[0] * w[0], I[1] * w[1], I[2] * w[2]};
    p->T2 = m[0] * w[0] + m[1] * w[1] + m[2] * w[2];
    p->L = hypot(hypot(m[0], m[1]), m[2]);
    p->steady =
        (I[1] - I[2]) * w[1] * w[2] == 0.0 && (I[2] - I[0]) * w[2] * w[0] == 0.0 && (I[0] - I[1]) * w[0] * w[1] == 0.0;
    if (p->steady) {
        return;
    }
    sort_axes(I, p->at);
    const int small = p->at[0], b = p->at[1], large = p->at[2];
    const bool about_large =
        m[large] * m[large] * (I[large] - I[b]) * I[small] >= m[small] * m[small] * (I[b] - I[small]) * I[large];
    const int d = about_large ? large : small, o = about_large ? small : large;
    p->at[0] = o;
    p->at[2] = d;
    const sb_scalar span = I[d] - I[o], to_b = I[d] - I[b], from_b = I[b] - I[o];
    const sb_scalar sn_over_cn2 = I[b] * span / (I[o] * to_b); /* squared ratio of amplitudes */
    const sb_scalar o2 = m[o] * m[o] + m[b] * m[b] / sn_over_cn2,
                    d2 = m[d] * m[d] + m[b] * m[b] * I[d] * from_b / (I[b] * span);
    const sb_scalar scale = I[o] * to_b * d2;
    const sb_scalar k2 = o2 * from_b * I[d] / scale,
                    c2 = (m[d] * m[d] * I[o] * to_b - m[o] * m[o] * from_b * I[d]) / scale;
    p->elliptic = sb_elliptic_new(fmin(k2, 1.0), fmin(c2, 1.0));
    p->amplitude[0] = copysign(sqrt(o2), m[o]);
    p->amplitude[1] = sqrt(o2 * sn_over_cn2);
    p->amplitude[2] = copysign(sqrt(d2), m[d]);
    const sb_scalar handed = (b - o + 3) % 3 == 1 ? 1.0 : -1.0; /* orientation of the axes (o, b, d) */
    p->rate = handed * copysign(1.0, span) * copysign(1.0, m[o]) * copysign(1.0, m[d]) *
              sqrt(d2 * span * to_b / (I[o] * I[b])) / I[d];
    p->u0 = sb_elliptic_inverse(&p->elliptic, m[b] / sqrt(sn_over_cn2), fabs(m[o]));
    p->winding_period = isinf(p->elliptic.K) ? 0.0 : integral(p, 2.0 * p->elliptic.K);
    p->winding0 = integral_by_periods(p, p->u0);
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, sb_system *out) {
    body *p;
    SB_NEW(arena, p, 1);
    p->c = *(const config *)parameters;
    sb_gauss_nodes(NODES, p->node, p->weight);
    prepare_motion(p);
    if (!isfinite(p->T2) || !isfinite(p->L) ||
        (!p->steady && !(isfinite(p->rate) && isfinite(p->u0) && isfinite(p->winding0)))) {
        return sb_fail(ctx, SB_BAD_USAGE,
                       "rigid_body: moments of inertia or rates differ by too many orders of magnitude for the exact "
                       "motion; bring them closer");
    }
    for (int k = 0; k < 3; k++) {
        p->rigid.inertia[k] = p->c.I[k];
    }
    out->n = 4;
    out->flags = (unsigned)SB_HAS_SINGULAR_MASS; /* M(q) q = 0: the length of q has no inertia */
    /* The inverse of the largest rate that the energy allows. */
    out->time_scale = p->T2 > 0.0 ? sqrt(fmin(fmin(p->c.I[0], p->c.I[1]), p->c.I[2]) / p->T2) : 1.0;
    SB_TRY(sb_pattern_full(arena, 4, 4, &out->H));
    out->inertia =
        (sb_inertia){.self = p, .M = out->H, .mass = mass, .gradient = kinetic_gradient, .hessian = kinetic_hessian};
    out->holonomic = (sb_holonomic){
        .self = p, .m = 1, .degree = 2, .value = g_value, .hessian = g_hessian, .curvature = g_curvature};
    SB_TRY(sb_pattern_full(arena, 4, 1, &out->holonomic.G));
    out->symmetry = (sb_symmetry){p, 3, momenta, rotation};
    out->outputs = (sb_outputs){p, 4, output_list, outputs};
    out->rigid = &p->rigid;
    SB_TRY(world_offer(
        arena,
        (sb_world){
            .self = p, .dimension = 3, .bodies = 1, .describe = describe, .place = place, .coordinates = coordinates},
        out));
    out->attitudes = 1;
    out->attitude = &whole;
    const sb_scalar *w = p->c.w;
    return set_start_and_exact(arena, (sb_scalar[4]){1.0}, (sb_scalar[4]){0.0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]}, p,
                               exact, out);
}

#define INERTIA(name, k, value, doc)                                                                                   \
    SB_PARAM(name, SB_REAL, offsetof(config, I[k]), value, 0.0, INFINITY, SB_OPEN, NULL, "kg m^2", doc)
#define RATE(name, k, value, doc)                                                                                      \
    SB_PARAM(name, SB_REAL, offsetof(config, w[k]), value, -INFINITY, INFINITY, SB_OPEN, NULL, "rad/s", doc)

static const sb_param params[] = {
    INERTIA("I1", 0, "1", "first principal moment of inertia"),
    INERTIA("I2", 1, "2", "second principal moment of inertia"),
    INERTIA("I3", 2, "3", "third principal moment of inertia"),
    RATE("w1", 0, "0", "initial body rate about the first axis"),
    RATE("w2", 1, "3", "initial body rate about the second axis"),
    RATE("w3", 2, "4", "initial body rate about the third axis"),
    {.name = NULL},
};

SB_DEFINE_PROBLEM(rigid_body) = {
    .entry = {"rigid_body", "free rigid body in unit quaternions, from the identity attitude", "wm96 (5.3)", params,
              sizeof(config)},
    .init = init,
};
