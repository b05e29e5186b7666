/* Newmark's formulas with averaged accelerations, by Newton's method on q1 and lambda1. */
#include "integrators/shared/alpha_method.h"

#include <string.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/quaternion.h>
#include <stepbench/numerics/saddle.h>
#include <stepbench/numerics/steps.h>

#include "integrators/shared/lie_system.h"

typedef struct work {
    alpha_coefficients c;
    sb_newton newton;
    sb_newton_order convergence;
    sb_system sys; /* declares no quaternions where they are plain coordinates */
    lie L;
    lie_blocks B, BT; /* B(q1), and the derivative B(q1) T(s) of q1 in s */
    sb_dynamics dyn;
    sb_mass mass;
    sb_saddle saddle;
    sb_scalar length; /* sb_system_length */
    int start;
    bool velocity_shifted;              /* at the start */
    sb_state first;                     /* the step from the exact start */
    sb_scalar *xi0, *s, *xi, *dxi, *pi; /* k */
    sb_scalar *F, *tmp, *qdd, *g, *Gx;  /* of the system */
    sb_scalar *Hx, *R0x, *R1x;          /* without quaternions saddle.Hx and Gx */
    sb_scalar *x;                       /* k + rows: right-hand side and correction */
    sb_scalar t1, h;                    /* end and length of the step being solved */
    const sb_state *in;
    sb_state *out;
} work;

/* Computes the point q = q0 exp(s) and its velocity v = B(q) xi. */
SB_INLINED void set_motion(const lie *L, const sb_scalar *q0, const sb_scalar *s, const sb_scalar *xi, sb_scalar *q,
                           sb_scalar *v, const bool plain, const int k) {
    if (plain || L->sys->attitudes == 0) {
        for (int i = 0; i < k; i++) {
            q[i] = q0[i] + s[i];
            v[i] = xi[i];
        }
        return;
    }
    sb_lie_move(L, LIE_EXP, q0, s, q);
    sb_lie_velocity(L, q, xi, v);
}

/* Computes q'' = B xi' - |Omega|^2/4 e. */
static void set_second_derivative(const lie *L, const sb_scalar *q, const sb_scalar *xi, const sb_scalar *dxi,
                                  sb_scalar *qdd) {
    sb_lie_velocity(L, q, dxi, qdd);
    for (int b = 0; b < L->sys->attitudes; b++) {
        const int at = L->sys->attitude[b].at;
        const sb_scalar *Omega = xi + L->to[at];
        const sb_scalar square = Omega[0] * Omega[0] + Omega[1] * Omega[1] + Omega[2] * Omega[2];
        for (int i = 0; i < 4; i++) {
            qdd[at + i] -= 0.25 * square * q[at + i];
        }
    }
}

/* Adds c Omega x Omega' of every quaternion to x. */
static void add_commutator(const lie *L, sb_scalar c, const sb_scalar *xi, const sb_scalar *dxi, sb_scalar *x) {
    for (int b = 0; b < L->sys->attitudes; b++) {
        const int to = L->to[L->sys->attitude[b].at];
        sb_scalar product[3];
        sb_cross(xi + to, dxi + to, product);
        for (int i = 0; i < 3; i++) {
            x[to + i] += c * product[i];
        }
    }
}

/* Sets a1, s, q1 and v1 from xi1'. */
SB_INLINED void set_point(work *w, const bool plain, const int k) {
    const alpha_coefficients c = w->c;
    const lie *L = &w->L;
    const sb_scalar h = w->h, *a0 = w->in->aux, *dxi0 = a0 + k, *dxi1 = w->out->aux + k;
    sb_scalar *a1 = w->out->aux;
    for (int i = 0; i < k; i++) {
        const sb_scalar a = ((1.0 - c.alpha_f) * dxi1[i] + c.alpha_f * dxi0[i] - c.alpha_m * a0[i]) / (1.0 - c.alpha_m);
        w->s[i] = h * (w->xi0[i] + h * ((0.5 - c.beta) * a0[i] + c.beta * a));
        w->xi[i] = w->xi0[i] + h * ((1.0 - c.gamma) * a0[i] + c.gamma * a);
        a1[i] = a;
    }
    set_motion(L, w->in->q, w->s, w->xi, w->out->q, w->out->v, plain, k);
}

/* Sets F to F + G' lambda - M q'' of the rows that are not of quaternions, and x to minus the residuals of both
 * equations, that of forces times ds/dxi1'. */
SB_INLINED int set_residuals(work *w, sb_scalar scale, const bool plain, const int n, const int k, const int rows) {
    const sb_system *sys = &w->sys;
    const sb_holonomic *holonomic = &sys->holonomic;
    const lie *L = &w->L;
    if (plain) {
        SB_TRY(sb_potential_gradient(sys, w->t1, w->out->q, w->F));
        for (int i = 0; i < n; i++) {
            w->F[i] = -w->F[i];
        }
    } else {
        SB_TRY(sb_mass_evaluate(&w->mass, w->out->q));
        SB_TRY(sb_system_applied_force(sys, w->t1, w->out->q, w->out->v, w->F, w->tmp, w->Hx));
    }
    const bool on_group = !plain && sys->attitudes > 0;
    const int m = plain ? rows : holonomic->m;
    if (m > 0) {
        for (int b = 0; b < sys->attitudes && on_group; b++) {
            w->out->lambda[sys->attitude[b].row] = 0.0;
        }
        SB_TRY(sb_holonomic_value(sys, w->t1, w->out->q, w->g, w->Gx));
        sb_csc_mult_add_sized(&holonomic->G, w->Gx, 1.0, w->out->lambda, w->F, m);
    }
    const sb_scalar *qdd = w->out->aux + k, *pulled = w->F;
    if (on_group) {
        set_second_derivative(L, w->out->q, w->xi, qdd, w->qdd);
        qdd = w->qdd;
    }
    sb_mass_mult_sized(&w->mass, qdd, w->tmp, n);
    sb_axpy(n, -1.0, w->tmp, w->F);
    if (on_group) {
        sb_lie_pull(L, w->out->q, w->F, w->x);
        pulled = w->x;
    }
    for (int i = 0; i < k; i++) {
        w->x[i] = scale * pulled[i];
    }
    for (int i = 0; i < rows; i++) {
        w->x[k + i] = -w->g[plain ? i : L->row[i]];
    }
    return SB_OK;
}

/* Sets B(q1) and B(q1) T(s), and the rows of G in xi by the first, which act on the equations of motion, and by the
 * second, the derivatives of g(q1) in s. Clears Hx. */
static void set_blocks(work *w) {
    const lie *L = &w->L;
    const int nnz = sb_pattern_nnz(&L->R);
    if (L->sys->attitudes == 0) { /* B = 1 */
        return;
    }
    sb_lie_basis(L, w->out->q, &w->B);
    sb_lie_move_derivative(L, LIE_EXP, w->s, w->out->q, &w->BT);
    memset(w->Hx, 0, (size_t)sb_pattern_nnz(&w->sys.H) * sizeof(sb_scalar));
    memset(w->R0x, 0, (size_t)nnz * sizeof(sb_scalar));
    memset(w->R1x, 0, (size_t)nnz * sizeof(sb_scalar));
    sb_lie_add_rows(L, 0, L->C.cols, 1.0, w->Gx, &w->B, w->R0x);
    sb_lie_add_rows(L, 0, L->C.cols, 1.0, w->Gx, &w->BT, w->R1x);
}

/* Adds, for every quaternion, the derivatives that the products with B do not contain: the gyroscopic ones, s rate
 * ([Omega] J - [J Omega]), where J is its block of B' M B, which is all that Kx contains there; and those of B' P along
 * eta = T ds, s (p/4 + [T ds] tau/2), where P are the forces without the kinetic ones, with the torque tau = J Omega' +
 * Omega x J Omega and the component p = e.F - 2 Omega.J Omega along e. */
static void add_rotation_terms(work *w, sb_scalar s, sb_scalar rate, sb_scalar *Kx) {
    const lie *L = &w->L;
    for (int b = 0; b < L->sys->attitudes; b++) {
        const int quaternion = L->sys->attitude[b].at, to = L->to[quaternion], *at = L->at_block + 9 * b;
        const sb_scalar *Omega = w->xi + to, *dOmega = w->out->aux + L->k + to, *e = w->out->q + quaternion;
        const sb_scalar *F = w->F + quaternion;
        sb_scalar J[3][3], T[3][3], spin[3], torque[3]; /* J by columns */
        sb_lie_tangent(LIE_EXP, w->s + to, T);
        for (int k = 0; k < 9; k++) {
            J[k / 3][k % 3] = Kx[at[k]];
        }
        for (int i = 0; i < 3; i++) {
            spin[i] = J[0][i] * Omega[0] + J[1][i] * Omega[1] + J[2][i] * Omega[2];
        }
        sb_cross(Omega, spin, torque);
        for (int i = 0; i < 3; i++) {
            torque[i] += J[0][i] * dOmega[0] + J[1][i] * dOmega[1] + J[2][i] * dOmega[2];
        }
        const sb_scalar along = e[0] * F[0] + e[1] * F[1] + e[2] * F[2] + e[3] * F[3] -
                                2.0 * (Omega[0] * spin[0] + Omega[1] * spin[1] + Omega[2] * spin[2]);
        for (int j = 0; j < 3; j++) {
            const sb_scalar unit[3] = {j == 0, j == 1, j == 2}, eta[3] = {T[0][j], T[1][j], T[2][j]};
            sb_scalar first[3], second[3], eta_torque[3];
            sb_cross(Omega, J[j], first);
            sb_cross(unit, spin, second);
            sb_cross(eta, torque, eta_torque);
            for (int i = 0; i < 3; i++) {
                Kx[at[i + 3 * j]] += s * (rate * (first[i] + second[i]) + 0.25 * along * eta[i] + 0.5 * eta_torque[i]);
            }
        }
    }
}

/* Adds Hx to Newton's matrix, by B' from the left and by the derivative of q from the right, and clears Hx. */
static void add_derivatives(work *w, const lie_blocks *right) {
    if (w->Hx != w->saddle.Hx) {
        sb_lie_add(&w->L, w->Hx, &w->B, right, w->saddle.Hx);
        memset(w->Hx, 0, (size_t)sb_pattern_nnz(&w->sys.H) * sizeof(sb_scalar));
    }
}

/* Corrects xi1' and lambda1:
 *
 *   [M + s (V_qq - f_q - gamma/(beta h) f_v - sum_i lambda_i Hess g_i), -G; G', 0] [dq; s dlambda] = -[s r; g],
 *
 * where s = ds/dxi1' = beta h^2 (1 - alpha_f)/(1 - alpha_m). Each term is multiplied by B' from the left, and from the
 * right by B, or by B T where it is a derivative in q1. Of a variable mass the derivatives are left out, except those
 * of rigid bodies. */
SB_INLINED int correct(work *w, sb_scalar *change, sb_scalar *scale, const bool plain, const int n, const int k,
                       const int rows) {
    const sb_system *sys = &w->sys;
    const lie *L = &w->L;
    const sb_scalar h = w->h, s = w->c.beta * h * h * (1.0 - w->c.alpha_f) / (1.0 - w->c.alpha_m),
                    rate = w->c.gamma / (w->c.beta * h);
    sb_scalar *Kx = w->saddle.Hx;
    SB_TRY(set_residuals(w, s, plain, n, k, rows));
    if (!plain) {
        set_blocks(w);
    }
    for (int i = 0, count = sb_pattern_nnz(&L->algebra.H); i < count; i++) {
        Kx[i] = 0.0;
    }
    sb_mass_add(&w->mass, 1.0, w->Hx);
    if (!plain) {
        add_derivatives(w, &w->B);
        add_rotation_terms(w, s, rate, Kx);
    }
    if (!plain && sys->force.jacobian != NULL) {
        SB_TRY(sys->force.jacobian(sys->force.self, w->t1, w->out->q, w->out->v, 0.0, -s * rate, w->Hx));
        add_derivatives(w, &w->B);
    }
    if (sys->potential.hessian != NULL) {
        SB_TRY(sb_potential_hessian(sys, w->t1, w->out->q, s, w->Hx));
    }
    if (!plain && sys->force.jacobian != NULL) {
        SB_TRY(sys->force.jacobian(sys->force.self, w->t1, w->out->q, w->out->v, -s, 0.0, w->Hx));
    }
    if (plain ? rows > 0 : sys->holonomic.m > 0) {
        SB_TRY(sb_holonomic_hessian(sys, w->t1, w->out->q, w->out->lambda, -s, w->Hx));
    }
    if (!plain) {
        add_derivatives(w, &w->BT);
    }
    sb_saddle_assemble(&w->saddle, 1.0, -1.0, w->R0x, 1.0, w->R1x);
    SB_TRY(sb_saddle_factor_solve(&w->saddle, w->x));
    for (int i = 0; i < k; i++) {
        w->out->aux[k + i] += w->x[i] / s;
    }
    for (int i = 0; i < rows; i++) {
        w->out->lambda[plain ? i : L->row[i]] += w->x[k + i] / s;
    }
    set_point(w, plain, k);
    *change = sb_norm_max(k, w->x);
    /* the terms of q1, whose round-off is that of q1 */
    *scale = sb_norm_max(n, w->out->q) + fabs(h) * sb_norm_max(n, w->out->v);
    return SB_OK;
}

/* Sets the multipliers of the rows that keep the lengths of quaternions. Their gradients are along e, where they
 * balance the other forces. */
static int set_length_multipliers(work *w) {
    const sb_system *sys = &w->sys;
    const sb_pattern *G = &sys->holonomic.G;
    if (sys->attitudes == 0) {
        return SB_OK;
    }
    SB_TRY(set_residuals(w, 1.0, false, sys->n, w->L.k, w->L.rows));
    for (int b = 0; b < sys->attitudes; b++) {
        const int at = sys->attitude[b].at, row = sys->attitude[b].row;
        sb_scalar force = 0.0, gradient = 0.0;
        for (int i = 0; i < 4; i++) {
            force += w->out->q[at + i] * w->F[at + i];
            gradient += w->out->q[at + i] * w->Gx[G->p[row] + i];
        }
        w->out->lambda[row] = -force / gradient;
    }
    return SB_OK;
}

SB_INLINED int step_sized(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out, const bool plain,
                          const int n, const int m) {
    work *w = me->work;
    const int k = plain ? n : w->L.k, rows = plain ? m : w->L.rows;
    sb_newton_loop loop = {0};
    w->in = in;
    w->out = out;
    w->h = h;
    w->t1 = in->t + h;
    if (plain) {
        for (int i = 0; i < k; i++) {
            w->xi0[i] = in->v[i];
        }
    } else {
        sb_lie_rates(&w->L, in->q, in->v, w->xi0);
    }
    for (int i = 0; i < 2 * k; i++) {
        out->aux[i] = in->aux[i];
    }
    for (int i = 0; i < k && w->velocity_shifted; i++) {
        w->xi0[i] += in->aux[2 * k + i];
        out->aux[2 * k + i] = 0.0;
    }
    for (int i = 0; i < m; i++) {
        out->lambda[i] = in->lambda[i];
    }
    set_point(w, plain, k);
    while (sb_newton_again(me->ctx, &w->newton, plain ? SB_NEWTON_QUADRATIC : w->convergence, w->length, &loop)) {
        loop.status = correct(w, &loop.change, &loop.scale, plain, n, k, rows);
    }
    out->iters = loop.iters;
    SB_TRY(loop.status);
    return plain ? SB_OK : set_length_multipliers(w);
}

SB_DEFINE_STEPS(step_sized)

int sb_alpha_method_step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    return step(me, in, h, out);
}

int sb_alpha_method_init(sb_method *me, alpha_coefficients c, const sb_newton *newton, int start, bool on_group) {
    const sb_system *sys = me->sys;
    const int n = sys->n;
    const bool complete = sys->inertia.gradient == NULL && (sys->force.value == NULL || sys->force.jacobian != NULL);
    work *w;
    SB_NEW(me->arena, w, 1);
    me->steps = steps;
    me->work = w;
    w->c = c;
    w->newton = *newton;
    w->convergence = complete ? SB_NEWTON_QUADRATIC : SB_NEWTON_LINEAR;
    w->sys = *sys;
    w->sys.attitudes = on_group ? sys->attitudes : 0;
    me->plain = me->plain && w->sys.attitudes == 0;
    w->start = start;
    SB_TRY(sb_lie_init(me->arena, &w->sys, &w->L));
    SB_TRY(sb_lie_blocks_new(me->arena, &w->L, &w->B));
    SB_TRY(sb_lie_blocks_new(me->arena, &w->L, &w->BT));
    w->velocity_shifted = start == ALPHA_SHIFTED && w->L.rows > 0;
    me->naux = (w->velocity_shifted ? 3 : 2) * w->L.k;
    SB_TRY(SB_VECTORS(me->arena, w->L.k, &w->xi0, &w->s, &w->xi, &w->dxi, &w->pi));
    SB_TRY(SB_VECTORS(me->arena, n, &w->F, &w->tmp, &w->qdd));
    SB_NEW(me->arena, w->Gx, sb_pattern_nnz(&w->L.C));
    SB_NEW(me->arena, w->g, sys->holonomic.m);
    SB_NEW(me->arena, w->x, w->L.k + w->L.rows);
    SB_TRY(sb_system_length(me->ctx, sys, &w->length));
    SB_TRY(sb_state_new(me, me->arena, &w->first));
    SB_TRY(sb_dynamics_init(me->ctx, me->arena, sys, &w->dyn));
    SB_TRY(sb_mass_init(me->ctx, me->arena, sys, &w->mass));
    SB_TRY(sb_saddle_init(me->ctx, me->arena, &w->L.algebra, &w->saddle));
    w->Hx = w->saddle.Hx;
    w->R0x = w->R1x = w->Gx;
    if (w->sys.attitudes > 0) {
        SB_NEW(me->arena, w->Hx, sb_pattern_nnz(&sys->H));
        SB_TRY(SB_VECTORS(me->arena, sb_pattern_nnz(&w->L.R), &w->R0x, &w->R1x));
    }
    return SB_OK;
}

/* a belongs to the time t + delta, delta = (alpha_m - alpha_f) h, and s is exact but for
 *
 *   h^3 (C xi'' + xi x xi'/12),  C = 1/6 - beta - delta/(2 h),
 *
 * where the product is that of rates of quaternions. g(t1, q1) = 0 therefore keeps v at h^2 (C xi'' + xi x xi'/12) from
 * the tangent space, normal to it. From there, which is u off the given velocity, lambda is of order two at once; from
 * the given velocity and a0 = xi'(0) it begins with an error of order one, which rho^k damps (arnold07, arnold15). xi''
 * is the difference of xi' at the end of a step from the exact start, which is stable where forces are stiff, and at
 * its beginning. */
int sb_alpha_method_start(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar h,
                          sb_state *out) {
    work *w = me->work;
    const lie *L = &w->L;
    const int k = L->k;
    const sb_scalar delta = (w->c.alpha_m - w->c.alpha_f) * h, C = 1.0 / (sb_scalar)6.0 - w->c.beta - 0.5 * delta / h;
    sb_scalar *a = out->aux, *dxi = out->aux + k, *d2xi = w->pi, *x = w->qdd;
    SB_TRY(sb_dynamics_acceleration(&w->dyn, t, q, v, w->qdd, out->lambda));
    sb_lie_rates(L, q, w->qdd, dxi);
    memcpy(a, dxi, (size_t)k * sizeof(sb_scalar));
    if (w->start == ALPHA_EXACT) {
        return SB_OK;
    }
    SB_TRY(sb_alpha_method_step(me, out, h, &w->first));
    SB_TRY(sb_dynamics_acceleration(&w->dyn, t + h, w->first.q, w->first.v, w->qdd, NULL));
    sb_lie_rates(L, w->first.q, w->qdd, d2xi);
    for (int i = 0; i < k; i++) {
        d2xi[i] = (d2xi[i] - dxi[i]) / h;
        a[i] += delta * d2xi[i];
    }
    if (!w->velocity_shifted) {
        return SB_OK;
    }
    for (int i = 0; i < k; i++) {
        d2xi[i] *= C;
    }
    sb_lie_rates(L, q, v, w->xi0);
    add_commutator(L, 1.0 / (sb_scalar)12.0, w->xi0, dxi, d2xi);
    sb_lie_velocity(L, q, d2xi, x);
    SB_TRY(sb_dynamics_momentum(&w->dyn, q, x, w->F));
    SB_TRY(sb_dynamics_tangent(&w->dyn, t, q, w->F, w->tmp, NULL));
    for (int i = 0; i < me->sys->n; i++) {
        x[i] = h * h * (x[i] - w->tmp[i]);
    }
    sb_lie_rates(L, q, x, out->aux + 2 * k);
    return SB_OK;
}
