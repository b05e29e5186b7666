/* Implicit one-step methods in (q, v) on the discrete Lagrangian's kernel: shared by euler_implicit and midpoint. */
#pragma once

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/lagrangian.h>
#include <stepbench/numerics/steps.h>
#include <stepbench/plugin.h>

typedef struct one_step_config {
    sb_newton newton;
} one_step_config;

static const sb_param one_step_params[] = {
    SB_NEWTON_PARAMS(one_step_config),
    {.name = NULL},
};

typedef struct one_step_work {
    sb_system sys;
    sb_dynamics dyn;
    sb_del del;
    sb_scalar *p, *p_minus, *p_plus;
} one_step_work;

/* Takes one step: p_minus(q1, q0) = M(q0) v0 gives q1, and M(q1) v1 = p_plus(q1, q0) gives v1. */
SB_INLINED int step_sized(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out, const bool plain,
                          const int n, const int m) {
    const one_step_config *c = me->config;
    one_step_work *work = me->work;
    if (plain) {
        sb_mass_mult_sized(&work->dyn.mass, in->v, work->p, n);
    } else {
        SB_TRY(sb_dynamics_momentum(&work->dyn, in->q, in->v, work->p));
    }
    for (int i = 0; i < n; i++) {
        out->q[i] = in->q[i] + h * in->v[i];
    }
    SB_TRY(sb_del_solve(&work->del, &c->newton, in->t, h, in->q, work->p, out->q, out->lambda, &out->iters));
    SB_TRY(sb_lagrangian_momenta(&work->del.L, in->t, h, in->q, out->q, work->p_minus, work->p_plus));
    /* q1 is rounded to eps |q|, so that p_minus differs from p by eps M |q|/h. The residual is carried to the next
     * step; otherwise round-off accumulates in the momentum. */
    for (int i = 0; i < n; i++) {
        work->p_plus[i] += work->p[i] - work->p_minus[i];
    }
    if (!plain) {
        return sb_dynamics_velocity(&work->dyn, in->t + h, out->q, work->p_plus, out->v, NULL);
    }
    sb_mass_solve_sized(&work->dyn.mass, work->p_plus, out->v, n);
    for (int i = 0; i < n; i++) {
        out->v[i] += 0.0; /* -0 becomes 0 */
    }
    return SB_OK;
}

SB_DEFINE_STEPS(step_sized)

/* Initializes me->work. The method is implicit in the system's own coordinates: the embedding in which a discrete
 * Lagrangian averages is left out. */
static inline int one_step_init(sb_method *me, sb_scalar theta, sb_scalar w) {
    one_step_work *work;
    SB_NEW(me->arena, work, 1);
    SB_TRY(SB_VECTORS(me->arena, me->sys->n, &work->p, &work->p_minus, &work->p_plus));
    work->sys = *me->sys;
    work->sys.embedding = NULL;
    me->steps = steps;
    me->work = work;
    SB_TRY(sb_dynamics_init(me->ctx, me->arena, &work->sys, &work->dyn));
    return sb_del_init(me->ctx, me->arena, &work->sys, theta, w, SB_SCALE_H2, &work->del);
}
