/* Newmark's formulas with averaged accelerations, by Newton's method on q1 and lambda1. */
#include "integrators/shared/alpha_method.h"

#include <string.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/norm.h>

typedef struct work {
    alpha_coefficients c;
    sb_newton newton;
    sb_newton_order convergence;
    sb_dynamics dyn;
    sb_mass mass;
    sb_saddle saddle;
    sb_scalar length;                     /* sb_system_length */
    sb_scalar *F, *tmp, *Hx, *g, *Gx, *x; /* x (n + m): right-hand side and correction */
    sb_scalar t1, h;                      /* of the step being solved */
    const sb_state *in;
    sb_state *out;
} work;

int alpha_method_init(sb_method *me, const alpha_coefficients *c, const sb_newton *newton) {
    const sb_system *sys = me->sys;
    const size_t n = (size_t)sys->n, m = (size_t)sys->holonomic.m;
    const bool complete = sys->inertia.gradient == NULL && (sys->force.value == NULL || sys->force.jacobian != NULL);
    work *w;
    SB_NEW(me->arena, w, 1);
    me->work = w;
    me->naux = 2 * sys->n;
    w->c = *c;
    w->newton = *newton;
    w->convergence = complete ? SB_NEWTON_QUADRATIC : SB_NEWTON_LINEAR;
    SB_TRY(SB_VECTORS(me->arena, n, &w->F, &w->tmp));
    SB_NEW(me->arena, w->Hx, sb_pattern_nnz(&sys->H));
    SB_NEW(me->arena, w->Gx, m > 0 ? sb_pattern_nnz(&sys->holonomic.G) : 0);
    SB_NEW(me->arena, w->g, m);
    SB_NEW(me->arena, w->x, n + m);
    SB_TRY(sb_system_length(me->ctx, sys, &w->length));
    SB_TRY(sb_dynamics_init(me->ctx, me->arena, sys, &w->dyn));
    SB_TRY(sb_mass_init(me->ctx, me->arena, sys, &w->mass));
    return sb_saddle_init(me->ctx, me->arena, sys, &w->saddle);
}

/* a belongs to the time t + delta, delta = (alpha_m - alpha_f) h, and q1 is exact but for
 *
 *   h^3 C q''',  C = 1/6 - beta - delta/(2 h).
 *
 * g(q1) = 0 therefore keeps v at h^2 C q''' from the tangent space, normal to it. From there lambda is of order two at
 * once; from the exact velocity it begins with an error of order one, which rho^k damps (arnold07, arnold15). q''' is a
 * difference of the accelerations a step before and after. */
int alpha_method_start(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar h,
                       sb_state *out) {
    work *w = me->work;
    const int n = me->sys->n;
    const sb_scalar delta = (w->c.alpha_m - w->c.alpha_f) * h, C = 1.0 / (sb_scalar)6.0 - w->c.beta - 0.5 * delta / h;
    sb_scalar *a = out->aux, *qdd = out->aux + n;
    SB_TRY(sb_dynamics_acceleration(&w->dyn, t, q, v, qdd, out->lambda));
    for (int side = -1; side <= 1; side += 2) {
        for (int i = 0; i < n; i++) {
            out->q[i] = q[i] + side * h * (v[i] + side * 0.5 * h * qdd[i]);
            out->v[i] = v[i] + side * h * qdd[i];
        }
        SB_TRY(sb_dynamics_acceleration(&w->dyn, t + side * h, out->q, out->v, side < 0 ? w->x : a, NULL));
    }
    for (int i = 0; i < n; i++) {
        w->x[i] = (a[i] - w->x[i]) / (2.0 * h);
        a[i] = qdd[i] + delta * w->x[i];
    }
    memcpy(out->q, q, (size_t)n * sizeof(sb_scalar));
    memcpy(out->v, v, (size_t)n * sizeof(sb_scalar));
    if (me->sys->holonomic.m == 0) {
        return SB_OK;
    }
    SB_TRY(sb_dynamics_momentum(&w->dyn, q, w->x, w->F));
    SB_TRY(sb_dynamics_tangent(&w->dyn, t, q, w->F, w->tmp, NULL));
    for (int i = 0; i < n; i++) {
        out->v[i] += h * h * C * (w->x[i] - w->tmp[i]);
    }
    return SB_OK;
}

/* Sets a1, q1 and v1 from q1''. */
static void set_point(const work *w, int n) {
    const alpha_coefficients *c = &w->c;
    const sb_scalar h = w->h, *a0 = w->in->aux, *qdd0 = a0 + n, *qdd1 = w->out->aux + n;
    sb_scalar *a1 = w->out->aux;
    for (int i = 0; i < n; i++) {
        a1[i] = ((1.0 - c->alpha_f) * qdd1[i] + c->alpha_f * qdd0[i] - c->alpha_m * a0[i]) / (1.0 - c->alpha_m);
        w->out->q[i] = w->in->q[i] + h * (w->in->v[i] + h * ((0.5 - c->beta) * a0[i] + c->beta * a1[i]));
        w->out->v[i] = w->in->v[i] + h * ((1.0 - c->gamma) * a0[i] + c->gamma * a1[i]);
    }
}

/* Sets x to minus the residuals of both equations, that of forces times s = dq1/dq1''. */
static int set_residuals(work *w, const sb_system *sys, sb_scalar s) {
    const sb_holonomic *holonomic = &sys->holonomic;
    const int n = sys->n;
    sb_scalar *x = w->x;
    SB_TRY(sb_mass_evaluate(&w->mass, w->out->q));
    SB_TRY(sb_system_applied_force(sys, w->t1, w->out->q, w->out->v, w->F, w->tmp, w->Hx));
    if (holonomic->m > 0) {
        SB_TRY(sb_holonomic_value(sys, w->t1, w->out->q, w->g, w->Gx));
        sb_csc_mult_add(&holonomic->G, w->Gx, 1.0, w->out->lambda, w->F);
    }
    sb_mass_mult(&w->mass, w->out->aux + n, x);
    for (int i = 0; i < n; i++) {
        x[i] = s * (w->F[i] - x[i]);
    }
    for (int i = 0; i < holonomic->m; i++) {
        x[n + i] = -w->g[i];
    }
    return SB_OK;
}

/* Corrects q1'' and lambda1:
 *
 *   [M + s (V_qq - f_q - gamma/(beta h) f_v - sum_i lambda_i Hess g_i), -G; G', 0] [dq; s dlambda] = -[s r; g],
 *
 * where s = dq1/dq1'' = beta h^2 (1 - alpha_f)/(1 - alpha_m). The derivatives of a varying mass are left out. */
static int correct(void *arg, sb_scalar *change, sb_scalar *scale) {
    const sb_method *me = arg;
    const sb_system *sys = me->sys;
    work *w = me->work;
    const sb_scalar h = w->h, s = w->c.beta * h * h * (1.0 - w->c.alpha_f) / (1.0 - w->c.alpha_m);
    const int n = sys->n;
    sb_scalar *Hx = w->saddle.Hx;
    SB_TRY(set_residuals(w, sys, s));
    memset(Hx, 0, (size_t)sb_pattern_nnz(&sys->H) * sizeof(sb_scalar));
    sb_mass_add(&w->mass, 1.0, Hx);
    if (sb_has_potential_hessian(sys)) {
        SB_TRY(sb_potential_hessian(sys, w->t1, w->out->q, s, Hx));
    }
    if (sys->force.jacobian != NULL) {
        SB_TRY(sys->force.jacobian(sys->force.self, w->t1, w->out->q, w->out->v, -s, -s * w->c.gamma / (w->c.beta * h),
                                   Hx));
    }
    if (sys->holonomic.m > 0) {
        SB_TRY(sb_holonomic_hessian(sys, w->t1, w->out->q, w->out->lambda, -s, Hx));
    }
    sb_saddle_assemble(&w->saddle, 1.0, -1.0, w->Gx, 1.0, w->Gx);
    SB_TRY(sb_saddle_factor_solve(&w->saddle, w->x));
    for (int i = 0; i < n; i++) {
        w->out->aux[n + i] += w->x[i] / s;
    }
    for (int i = 0; i < sys->holonomic.m; i++) {
        w->out->lambda[i] += w->x[n + i] / s;
    }
    set_point(w, n);
    *change = sb_norm_max(n, w->x);
    *scale = sb_norm_max(n, w->out->q) + fabs(h) * sb_norm_max(n, w->out->v); /* the terms of q1, which round it */
    return SB_OK;
}

int alpha_method_step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    work *w = me->work;
    w->in = in;
    w->out = out;
    w->h = h;
    w->t1 = in->t + h;
    memcpy(out->aux, in->aux, 2 * (size_t)me->sys->n * sizeof(sb_scalar));
    memcpy(out->lambda, in->lambda, (size_t)me->sys->holonomic.m * sizeof(sb_scalar));
    set_point(w, me->sys->n);
    return sb_newton_iterate(me->ctx, &w->newton, w->convergence, w->length, correct, (void *)me, &out->iters);
}
