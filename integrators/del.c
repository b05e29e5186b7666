/* The constrained discrete Euler-Lagrange equations in momentum form: wm96 (4.5), (4.6), with L_d of (4.1) or (4.20).
 */
#include <string.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/lagrangian.h>
#include <stepbench/numerics/steps.h>
#include <stepbench/plugin.h>

/* State: q, the last two-point velocity in v, and in aux p_plus = h D1 L_d(q_k, q_{k-1}), the momentum at q_k before
 * the impulse h G' lambda_k there. A step solves p_minus(q_{k+1}, q_k) = p_plus(q_k, q_{k-1}) + h G(q_k)' lambda_k,
 * which is (4.5). A force f(t, q, v) acts at the point (a, d) of L_d: p_plus gains theta h f and p_minus loses (1 -
 * theta) h f, with theta = 1/2 of (4.1) and 1 of (4.20). Start and reported v are by the discrete Legendre transform
 * below; reported is lambda_k, at the start the multiplier of the equations of motion. */

enum { MIDPOINT, LEFT };

typedef struct config {
    sb_newton newton;
    int quadrature, scaling;
} config;

typedef struct work {
    sb_del del;
    sb_dynamics dyn;
    sb_scalar *p, *difference, *a, *y, *lambda;
} work;

/* Computes, for (4.20), the discrete momentum at (q, v) minus M v, to second order in h and up to G' mu. The points of
 * a parabola through (q, v) are inserted into p_minus (`ahead`) or p_plus. For (4.1) the difference is itself of second
 * order and is not used. */
static int legendre_difference(const sb_method *me, bool ahead, sb_scalar t, sb_scalar h, const sb_scalar *q,
                               const sb_scalar *v, sb_scalar *difference) {
    work *w = me->work;
    const int n = me->sys->n;
    const sb_scalar s = ahead ? h : -h;
    SB_TRY(sb_dynamics_acceleration(&w->dyn, t, q, v, w->a, NULL));
    for (int i = 0; i < n; i++) {
        w->y[i] = q[i] + s * v[i] + 0.5 * s * s * w->a[i];
    }
    if (ahead) {
        SB_TRY(sb_lagrangian_momenta(&w->del.L, t, h, q, w->y, difference, NULL));
    } else {
        SB_TRY(sb_lagrangian_momenta(&w->del.L, t - h, h, w->y, q, NULL, difference));
    }
    SB_TRY(sb_dynamics_momentum(&w->dyn, q, v, w->p));
    sb_axpy(n, -1.0, w->p, difference);
    return SB_OK;
}

/* Solves for the next point y and the multiplier lambda at in->q. Sets w->del.G0x to the gradients at in->q. */
SB_INLINED int solve(const sb_method *me, const sb_state *in, sb_scalar h, sb_scalar *y, sb_scalar *lambda, long *iters,
                     const int n, const int m) {
    const config *c = me->config;
    work *w = me->work;
    for (int i = 0; i < n; i++) {
        y[i] = in->q[i] + h * in->v[i];
    }
    for (int i = 0; i < m; i++) {
        lambda[i] = in->lambda[i];
    }
    return sb_del_solve(&w->del, &c->newton, in->t, h, in->q, in->aux, y, lambda, iters);
}

/* Computes the discrete Legendre transform: p_minus(q_1, q_0) = M v + difference up to G' mu. One solve with that
 * right-hand side finds the impulse h G' lambda+ that the constraint adds in the first step. aux is M v + difference
 * plus the difference of that impulse and h G' lambda, so that the first step has the multiplier lambda of the
 * equations of motion at (q, v). */
static int start(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar h, sb_state *out) {
    const config *c = me->config;
    work *w = me->work;
    const int n = me->sys->n, m = me->sys->holonomic.m;
    SB_TRY(sb_dynamics_momentum(&w->dyn, q, v, out->aux));
    if (c->quadrature == LEFT) {
        SB_TRY(legendre_difference(me, true, t, h, q, v, w->difference));
        sb_axpy(n, 1.0, w->difference, out->aux);
    }
    if (m == 0) {
        return SB_OK;
    }
    long iters;
    SB_TRY(solve(me, out, h, w->y, w->lambda, &iters, n, m));
    SB_TRY(sb_dynamics_acceleration(&w->dyn, t, q, v, w->a, out->lambda));
    sb_axpy(m, -1.0, out->lambda, w->lambda);
    sb_csc_mult_add(&me->sys->holonomic.G, w->del.G0x, h, w->lambda, out->aux);
    return SB_OK;
}

static int start_pair(const sb_method *me, sb_scalar t, const sb_scalar *q0, const sb_scalar *q1, sb_scalar h,
                      sb_state *out) {
    work *w = me->work;
    for (int i = 0; i < me->sys->n; i++) {
        out->q[i] = q1[i];
        out->v[i] = (q1[i] - q0[i]) / h;
    }
    memset(out->lambda, 0, (size_t)me->sys->holonomic.m * sizeof(sb_scalar));
    return sb_lagrangian_momenta(&w->del.L, t, h, q0, q1, NULL, out->aux);
}

SB_INLINED int step_sized(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out, const bool plain,
                          const int n, const int m) {
    work *w = me->work;
    SB_TRY(solve(me, in, h, out->q, out->lambda, &out->iters, n, m));
    for (int i = 0; i < n; i++) {
        out->v[i] = (out->q[i] - in->q[i]) / h;
    }
    SB_TRY(sb_lagrangian_momenta(&w->del.L, in->t, h, in->q, out->q, w->p, out->aux));
    /* q is rounded to eps |q|, so that the equation has a residual of eps M |q|/h. It is carried to the next step;
     * otherwise round-off accumulates in p. */
    for (int i = 0; i < n; i++) {
        out->aux[i] += in->aux[i] - w->p[i];
    }
    if (m > 0) {
        sb_csc_mult_add_sized(&me->sys->holonomic.G, w->del.G0x, h, out->lambda, out->aux, m);
    }
    return SB_OK;
}

SB_DEFINE_STEPS(step_sized)

static int init(sb_method *me) {
    const config *c = me->config;
    const sb_scalar theta = c->quadrature == MIDPOINT ? 0.5 : 1.0;
    const int n = me->sys->n;
    work *w;
    SB_NEW(me->arena, w, 1);
    SB_TRY(SB_VECTORS(me->arena, n, &w->p, &w->difference, &w->a, &w->y));
    SB_NEW(me->arena, w->lambda, me->sys->holonomic.m);
    me->steps = steps;
    me->work = w;
    me->naux = n;
    me->needs_next = me->sys->holonomic.m > 0 ? SB_NEXT_FOR_LAMBDA : 0;
    SB_TRY(sb_dynamics_init(me->ctx, me->arena, me->sys, &w->dyn));
    return sb_del_init(me->ctx, me->arena, me->sys, theta, 1.0 - theta, (sb_del_scaling)c->scaling, &w->del);
}

/* Computes v from aux minus the difference, mapped to the tangent space. lambda_k belongs to the step from q_k. */
static int report(const sb_method *me, const sb_state *in, const sb_state *next, sb_scalar *v, sb_scalar *lambda) {
    const config *c = me->config;
    work *w = me->work;
    const int n = me->sys->n;
    if (v != NULL) {
        SB_TRY(sb_dynamics_velocity(&w->dyn, in->t, in->q, in->aux, v, NULL));
    }
    if (v != NULL && c->quadrature == LEFT) {
        SB_TRY(legendre_difference(me, false, in->t, in->h, in->q, v, w->difference));
        for (int i = 0; i < n; i++) {
            w->p[i] = in->aux[i] - w->difference[i];
        }
        SB_TRY(sb_dynamics_velocity(&w->dyn, in->t, in->q, w->p, v, NULL));
    }
    return SB_OK;
}

static int momentum(const sb_method *me, const sb_state *in, sb_scalar *p) {
    memcpy(p, in->aux, (size_t)me->sys->n * sizeof(sb_scalar));
    return SB_OK;
}

/* (4.20) takes q at one end of the step: where L or a force depends on q and v together, the order is one. */
static int order_of(const sb_stepper *me, const void *configuration, unsigned features, sb_variable variable) {
    const bool lower = (features & (SB_HAS_FORCE | SB_HAS_VARIABLE_MASS)) != 0;
    return ((const config *)configuration)->quadrature == LEFT && lower ? 1 : 2;
}

static const sb_param params[] = {
    SB_PARAM_CHOICE(config, quadrature, "midpoint", "midpoint|left",
                    "the discrete Lagrangian: wm96 (4.1), or (4.20), which is of first order for a general Lagrangian"),
    SB_PARAM_CHOICE(config, scaling, "h2", "h2|none|eq16|eq18",
                    "of Newton's matrix: DEL rows times h^2, or wm96 (4.14), (4.16), (4.18)"),
    SB_NEWTON_PARAMS(config),
    {.name = NULL},
};

SB_DEFINE_STEPPER(del) = {
    .entry = {"del", "discrete Euler-Lagrange equations with multipliers, for any Lagrangian", "wm96 (4.5)", params,
              sizeof(config)},
    .order = 2,
    .order_of = order_of,
    .supports = SB_HAS_FORCE | SB_HAS_HOLONOMIC | SB_HAS_CURVED_HOLONOMIC | SB_HAS_VARIABLE_MASS |
                SB_HAS_SINGULAR_MASS | SB_HAS_RHEONOMIC | SB_HAS_TIME_POTENTIAL,
    .keeps = SB_KEEPS_POSITION | SB_KEEPS_TANGENCY | SB_KEEPS_MOMENTA,
    .init = init,
    .start = start,
    .start_pair = start_pair,
    .step = step,
    .report = report,
    .momentum = momentum,
};
