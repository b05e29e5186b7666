/* The discrete rigid body of wm96 (5.8) reduced to three unknowns: the discrete Moser-Veselov scheme on unit
 * quaternions. */
#include <string.h>

#include <stepbench/numerics/newton.h>
#include <stepbench/numerics/quaternion.h>
#include <stepbench/plugin.h>

/* With f = conj(q_k) q_{k+1}, (5.8) is L_d = (2/h^2) f_v . I f_v. Variations q_k (0, eta/2) of q_k, and the same of
 * q_{k+1}, give the momenta in the body frame of either end,
 *
 *   m_k     = (2/h) [f_s I f_v + f_v x I f_v]     (-h D2 L_d)
 *   m_{k+1} = (2/h) [f_s I f_v - f_v x I f_v]     ( h D1 L_d)
 *
 * so that the DEL equations are: m_k is the same from both sides. L_d is of degree two in either argument; therefore
 * with G = 2 q lambda_k = -L_d(q_{k+1}, q_k) - L_d(q_k, q_{k-1}); the two are equal (moserveselov91). State: q, v = q
 * (0, I^-1 m / 2), lambda, and m in aux. */

typedef struct config {
    sb_newton newton;
} config;

static int init(sb_method *me) {
    me->naux = 3;
    return SB_OK;
}

/* One Newton step for f_s I f_v + f_v x I f_v = b. */
typedef struct relative {
    const sb_scalar *inertia;
    sb_scalar b[3], f[3];
} relative;

static inline int correct(void *arg, sb_scalar *change, sb_scalar *scale) {
    relative *r = arg;
    const sb_scalar *I = r->inertia, *f = r->f;
    const sb_scalar fs = sqrt(1.0 - (f[0] * f[0] + f[1] * f[1] + f[2] * f[2])), inverse = 1.0 / fs;
    const sb_scalar If[3] = {I[0] * f[0], I[1] * f[1], I[2] * f[2]};
    const sb_scalar g[3] = {f[0] * inverse, f[1] * inverse, f[2] * inverse};
    sb_scalar e[3];
    sb_cross(f, If, e);
    for (int i = 0; i < 3; i++) {
        e[i] = r->b[i] - fs * If[i] - e[i];
    }
    /* columns of the derivative f_s I - I f_v f_v'/f_s + [f_v] I - [I f_v] */
    const sb_scalar c0[3] = {fs * I[0] - If[0] * g[0], f[2] * I[0] - If[2] - If[1] * g[0],
                             If[1] - f[1] * I[0] - If[2] * g[0]};
    const sb_scalar c1[3] = {If[2] - f[2] * I[1] - If[0] * g[1], fs * I[1] - If[1] * g[1],
                             f[0] * I[1] - If[0] - If[2] * g[1]};
    const sb_scalar c2[3] = {f[1] * I[2] - If[1] - If[0] * g[2], If[0] - f[0] * I[2] - If[1] * g[2],
                             fs * I[2] - If[2] * g[2]};
    sb_scalar c12[3], c20[3], c01[3];
    sb_cross(c1, c2, c12);
    sb_cross(c2, c0, c20);
    sb_cross(c0, c1, c01);
    const sb_scalar inverse_determinant = 1.0 / (c0[0] * c12[0] + c0[1] * c12[1] + c0[2] * c12[2]);
    sb_scalar moved = 0.0, most = 0.0;
    const sb_scalar d[3] = {inverse_determinant * (e[0] * c12[0] + e[1] * c12[1] + e[2] * c12[2]),
                            inverse_determinant * (e[0] * c20[0] + e[1] * c20[1] + e[2] * c20[2]),
                            inverse_determinant * (e[0] * c01[0] + e[1] * c01[1] + e[2] * c01[2])};
    for (int i = 0; i < 3; i++) {
        r->f[i] += d[i];
        moved = fabs(d[i]) <= moved ? moved : fabs(d[i]);
        most = fabs(r->f[i]) <= most ? most : fabs(r->f[i]);
    }
    *change = moved;
    *scale = most;
    return SB_OK;
}

/* Computes f, I f_v and f_v x I f_v of the step h that starts with body momentum m. The guess is the rotation of the
 * continuous motion to second order. */
static inline int solve(const sb_method *me, const sb_scalar *m, sb_scalar h, sb_scalar *f, sb_scalar *If,
                        sb_scalar *turn, long *iters) {
    const config *c = me->config;
    const sb_scalar *I = me->sys->rigid->inertia;
    const sb_scalar half = 0.5 * h;
    const sb_scalar w[3] = {m[0] / I[0], m[1] / I[1], m[2] / I[2]};
    relative r = {.inertia = I};
    sb_scalar torque[3];
    sb_cross(m, w, torque);
    for (int i = 0; i < 3; i++) {
        r.b[i] = half * m[i];
        r.f[i] = half * (w[i] + half * torque[i] / I[i]);
    }
    SB_TRY(sb_newton_iterate(me->ctx, &c->newton, SB_NEWTON_QUADRATIC, 0.0, correct, &r, iters));
    f[0] = sqrt(1.0 - (r.f[0] * r.f[0] + r.f[1] * r.f[1] + r.f[2] * r.f[2]));
    for (int i = 0; i < 3; i++) {
        f[1 + i] = r.f[i];
        If[i] = I[i] * r.f[i];
    }
    sb_cross(r.f, If, turn);
    return SB_OK;
}

static inline sb_scalar multiplier(const sb_scalar *f, const sb_scalar *If, sb_scalar h) {
    return -4.0 / (h * h) * (f[1] * If[0] + f[2] * If[1] + f[3] * If[2]);
}

/* Computes v = q (0, I^-1 m / 2). */
static inline void velocity(const sb_scalar *inertia, const sb_scalar *q, const sb_scalar *m, sb_scalar *v) {
    const sb_scalar half_rate[4] = {0.0, 0.5 * m[0] / inertia[0], 0.5 * m[1] / inertia[1], 0.5 * m[2] / inertia[2]};
    sb_quaternion_product(q, half_rate, v);
}

/* Computes the discrete Legendre transform to second order: m = I omega, with (0, omega) = 2 conj(q) v. */
static int start(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar h, sb_state *out) {
    const sb_scalar *I = me->sys->rigid->inertia;
    sb_scalar half_rate[4], f[4], If[3], turn[3];
    sb_quaternion_ratio(q, v, half_rate);
    for (int i = 0; i < 3; i++) {
        out->aux[i] = 2.0 * I[i] * half_rate[1 + i];
    }
    SB_TRY(solve(me, out->aux, h, f, If, turn, &out->iters));
    out->lambda[0] = multiplier(f, If, h);
    return SB_OK;
}

static int start_pair(const sb_method *me, sb_scalar t, const sb_scalar *q0, const sb_scalar *q1, sb_scalar h,
                      sb_state *out) {
    const sb_scalar *I = me->sys->rigid->inertia;
    sb_scalar f[4], turn[3];
    sb_quaternion_ratio(q0, q1, f);
    if (!(f[0] > 0.0)) {
        return sb_fail(me->ctx, SB_DOMAIN,
                       "the two points are half a turn or more apart: q0 . q1 = %.3g; use a smaller step",
                       (double)f[0]);
    }
    const sb_scalar If[3] = {I[0] * f[1], I[1] * f[2], I[2] * f[3]};
    sb_cross(f + 1, If, turn);
    for (int i = 0; i < 3; i++) {
        out->aux[i] = 2.0 / h * (f[0] * If[i] - turn[i]);
    }
    memcpy(out->q, q1, 4 * sizeof(sb_scalar));
    velocity(I, q1, out->aux, out->v);
    out->lambda[0] = multiplier(f, If, h);
    return SB_OK;
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    sb_scalar f[4], If[3], turn[3];
    SB_TRY(solve(me, in->aux, h, f, If, turn, &out->iters));
    sb_quaternion_compose(in->q, f, out->q);
    /* m_{k+1} is computed by the difference of the two equations. This carries the residual of Newton's method to the
     * next step; otherwise round-off accumulates in |m|. */
    const sb_scalar c = 4.0 / h;
    for (int i = 0; i < 3; i++) {
        out->aux[i] = in->aux[i] - c * turn[i];
    }
    velocity(me->sys->rigid->inertia, out->q, out->aux, out->v);
    out->lambda[0] = multiplier(f, If, h);
    return SB_OK;
}

static const sb_param params[] = {
    SB_NEWTON_PARAMS(config),
    {.name = NULL},
};

SB_DEFINE_STEPPER(dvp) = {
    .entry = {"dvp", "discrete variational rigid body in quaternions, reduced to three unknowns", "wm96 (5.8)", params,
              sizeof(config)},
    .order = 2,
    .supports = SB_HAS_HOLONOMIC | SB_HAS_VARIABLE_MASS | SB_HAS_SINGULAR_MASS,
    .needs = SB_OFFERS_RIGID,
    .keeps = SB_KEEPS_POSITION | SB_KEEPS_TANGENCY | SB_KEEPS_MOMENTA | SB_KEEPS_REVERSIBILITY,
    .init = init,
    .start = start,
    .start_pair = start_pair,
    .step = step,
};
