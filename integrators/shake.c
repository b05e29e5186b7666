/* SHAKE: Verlet with multipliers, wm96 (4.5) with (4.20) for a constant mass; hlw06 VII.1.4. */
#include <stepbench/numerics/steps.h>

#include "integrators/shared/geometric_stiffness.h"
#include "integrators/shared/projection.h"

/* State: q_k, v = v_{k-1/2} = (q_k - q_{k-1})/h, the multiplier lambda_{k-1} of the step that led here and in aux the
 * guess of the next step (projection_extrapolate). A step is
 *
 *   v_{k+1/2} = v_{k-1/2} + h M^-1 (F(q_k) + G(q_k)' lambda_k),
 *   q_{k+1} = q_k + h v_{k+1/2},   g(t_{k+1}, q_{k+1}) = 0;
 *
 * between steps of different length the velocities are their mean apart, so that a step back undoes a step. The first
 * point q_1 is that of RATTLE, M v_{1/2} = M v_0 + h/2 (F + G' lambda), and lambda_0, also that of geometric stiffness
 * in this step, is the multiplier of the equations of motion. Reported are lambda_k and
 *
 *   v_k = v_{k-1/2} + h/2 M^-1 (F_k + G_k' mu),   G_k v_k + g_t = 0. */
typedef struct config {
    sb_newton newton;
    int geometric;
} config;

typedef struct work {
    projection projection;
    geometric geometric;
    sb_dynamics dyn;
    sb_scalar *q, *v, *a, *lambda;
} work;

/* Evaluates the mass of a step of length h at (t, q), after the multipliers lambda; NULL: without geometric stiffness.
 */
static int set_mass(const sb_method *me, sb_scalar t, sb_scalar h, const sb_scalar *q, const sb_scalar *lambda) {
    work *w = me->work;
    if (w->projection.mass.constant) {
        return SB_OK;
    }
    SB_TRY(geometric_evaluate(&w->geometric, t, h, q, lambda));
    return geometric_explain(&w->geometric, me->ctx, sb_mass_update(&w->projection.mass, q));
}

/* Computes q1, v1 and lambda of the step from (t, q0, v0), whose velocities are separated by the time `interval`, with
 * the acceleration a as guess. lambda is the previous multiplier on entry. */
SB_INLINED int advance(const sb_method *me, sb_scalar t, sb_scalar h, sb_scalar interval, const sb_scalar *q0,
                       const sb_scalar *v0, const sb_scalar *a, sb_scalar *q1, sb_scalar *v1, sb_scalar *lambda,
                       long *iters, const bool plain, const int n, const int m) {
    const config *c = me->config;
    projection *s = &((work *)me->work)->projection;
    SB_TRY(plain ? SB_OK : set_mass(me, t, h, q0, lambda));
    SB_TRY(projection_accelerate(s, t, q0, v0, interval, s->v_free, plain, n));
    return projection_position(&c->newton, s, t, h, interval, q0, v0, a, q1, v1, lambda, iters, n, m, plain || s->full);
}

/* Sets the state whose first step leads to the first point of RATTLE: half a step of acceleration from v, and
 * multipliers with g = 0 there. v_{-1/2} is the velocity from which a whole step leads there with the multiplier of the
 * equations of motion. */
static int start(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar h, sb_state *out) {
    work *w = me->work;
    const int n = me->sys->n, m = me->sys->holonomic.m;
    long iters;
    SB_TRY(sb_dynamics_acceleration(&w->dyn, t, q, v, w->a, out->lambda));
    memcpy(w->lambda, out->lambda, (size_t)m * sizeof(sb_scalar));
    SB_TRY(advance(me, t, h, 0.5 * h, q, v, w->a, w->q, w->v, w->lambda, &iters, false, n, m));
    projection_guess_from(me->naux / 2, w->a, out->aux);
    SB_TRY(projection_accelerate(&w->projection, t, q, w->v, -h, out->v, false, n));
    const sb_scalar *y = projection_vector(&w->projection, out->lambda);
    for (int i = 0; i < n && m > 0; i++) {
        out->v[i] -= h * projection_row(&w->projection, i, y, m, w->projection.full); /* B is still that of q */
    }
    return SB_OK;
}

static int start_pair(const sb_method *me, sb_scalar t, const sb_scalar *q0, const sb_scalar *q1, sb_scalar h,
                      sb_state *out) {
    for (int i = 0; i < me->sys->n; i++) {
        out->q[i] = q1[i];
        out->v[i] = (q1[i] - q0[i]) / h;
    }
    memset(out->lambda, 0, (size_t)me->sys->holonomic.m * sizeof(sb_scalar));
    memset(out->aux, 0, (size_t)me->naux * sizeof(sb_scalar));
    return SB_OK;
}

SB_INLINED int step_sized(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out, const bool plain,
                          const int n, const int m) {
    for (int i = 0; i < m; i++) {
        out->lambda[i] = in->lambda[i];
    }
    const sb_scalar interval = 0.5 * (in->h + h);
    SB_TRY(
        advance(me, in->t, h, interval, in->q, in->v, in->aux, out->q, out->v, out->lambda, &out->iters, plain, n, m));
    projection_extrapolate(m > 0 ? n : 0, interval, in->v, out->v, in->aux, out->aux);
    return SB_OK;
}

SB_DEFINE_STEPS(step_sized)

static int init(sb_method *me) {
    const config *c = me->config;
    work *w;
    SB_NEW(me->arena, w, 1);
    SB_TRY(SB_VECTORS(me->arena, me->sys->n, &w->q, &w->v, &w->a));
    SB_NEW(me->arena, w->lambda, me->sys->holonomic.m);
    me->steps = steps;
    me->work = w;
    me->naux = projection_naux(me->sys);
    me->needs_next = me->sys->holonomic.m > 0 ? SB_NEXT_FOR_LAMBDA : 0;
    SB_TRY(sb_dynamics_init(me->ctx, me->arena, me->sys, &w->dyn));
    SB_TRY(geometric_init(me->arena, me->sys, c->geometric, &w->geometric));
    me->plain = me->plain && w->geometric.kind == GEOMETRIC_NONE;
    return projection_init(me->ctx, me->arena, me->sys, geometric_mass(&w->geometric), &w->projection);
}

/* lambda_k belongs to the step from q_k. */
static int report(const sb_method *me, const sb_state *in, const sb_state *next, sb_scalar *v, sb_scalar *lambda) {
    work *w = me->work;
    if (v != NULL) {
        SB_TRY(set_mass(me, in->t, in->h, in->q, NULL));
        SB_TRY(projection_accelerate(&w->projection, in->t, in->q, in->v, 0.5 * in->h, v, false, me->sys->n));
        SB_TRY(
            projection_velocity(&w->projection, in->t, in->q, v, me->sys->n, me->sys->holonomic.m, w->projection.full));
    }
    return SB_OK;
}

/* -h D2 L_d = M v_{k-1/2}. */
static int momentum(const sb_method *me, const sb_state *in, sb_scalar *p) {
    const work *w = me->work;
    SB_TRY(set_mass(me, in->t, in->h, in->q, NULL));
    sb_mass_mult(&w->projection.mass, in->v, p);
    return SB_OK;
}

static const sb_param params[] = {
    SB_NEWTON_PARAMS(config),
    GEOMETRIC_PARAM(offsetof(config, geometric)),
    {.name = NULL},
};

static unsigned loses(const void *config_) { return geometric_loses(((const config *)config_)->geometric); }

SB_DEFINE_STEPPER(shake) = {
    .entry = {"shake", "SHAKE: Verlet with multipliers, by Newton's method on the multipliers alone", "wm96 (4.20)",
              params, sizeof(config)},
    .order = 2,
    .supports = SB_HAS_HOLONOMIC | SB_HAS_CURVED_HOLONOMIC | SB_HAS_RHEONOMIC | SB_HAS_TIME_POTENTIAL,
    .keeps = SB_KEEPS_POSITION | SB_KEEPS_TANGENCY | SB_KEEPS_MOMENTA | SB_KEEPS_REVERSIBILITY,
    .init = init,
    .start = start,
    .start_pair = start_pair,
    .step = step,
    .report = report,
    .momentum = momentum,
    .loses = loses,
};
