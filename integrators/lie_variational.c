/* The variational integrator on R^a x S^3 x ... x S^3 with constraints in the manner of RATTLE: bourabee09, wm96
 * (4.5) and (5.8). The discrete Lagrangian is that of wm96 (4.1) with the midpoint of the group,
 *
 *   L_d(q0, q1) = h L(q_m, B(q_m) xi),   q1 = q0 tau(s),   xi = s/h,
 *   q_m = (x0 + x1)/2 of plain coordinates, (e0 + e1)/|e0 + e1| of a quaternion.
 *
 * With l(q, xi) = L(q, B(q) xi), its derivative l_eta along q exp(eta), D of shared/lie_group.h and e0 u0 = e_m of a
 * quaternion with u = vector(u0)/scalar(u0), the momenta in the moving frames of either end are
 *
 *   pi_minus = D(s) l_xi - h/2 (1 + [u]) l_eta      (-D2 L_d)
 *   pi_plus  = D(-s) l_xi + h/2 (1 - [u]) l_eta     ( D1 L_d)
 *
 * and a step is, with f in l_eta,
 *
 *   pi_minus = B0' M(q0) v0 + h C0' lambda,   g(t1, q1) = 0,   A(q_m) v_m = w(t_m),
 *   M(q1) v1 = pi_plus + C1' mu,   G(q1) v1 = -g_t,   A(q1) v1 = w(t1).
 *
 * With the map `vector` this is `dvp` of the free rigid body. The equations and their derivatives are in
 * shared/lie_lagrangian.c. */
#include <string.h>

#include <stepbench/numerics/newton.h>
#include <stepbench/numerics/saddle.h>

#include "integrators/shared/lie_lagrangian.h"
#include "integrators/shared/multipliers.h"

typedef struct config {
    sb_newton newton;
    int map;
} config;

/* State: aux is what rounding has taken from the momentum B' M v in the moving frames; otherwise the round-off of the
 * length of a quaternion would change the momentum of every step by the same share.
 *
 * The state's multipliers are those of the last step, the guess for the next one; they are of first order at either end
 * of it. Reported are those of the equations of motion. */
typedef struct work {
    multipliers motion;
    lie_lagrangian Ld;
    sb_saddle saddle;
    lie_blocks B, D;                       /* B(q0), and the derivative of q1 in s */
    sb_scalar length;                      /* sb_system_length */
    sb_scalar *s, *pi0, *pi1, *lambda, *x; /* k; k; k; rows; k + rows */
    sb_scalar *p, *level;                  /* n; the levels of all rows */
    sb_scalar *Cx, *R0x, *R1x;             /* values of C; C0 and C1 in xi */
    sb_scalar h;
    const sb_state *in;
    sb_state *out;
} work;

static int init(sb_method *me) {
    const config *c = me->config;
    const sb_system *sys = me->sys;
    work *w;
    SB_NEW(me->arena, w, 1);
    me->work = w;
    SB_TRY(sb_lie_lagrangian_init(me->ctx, me->arena, sys, (lie_map)c->map, &w->Ld));
    const lie *L = &w->Ld.L;
    me->naux = L->k;
    SB_TRY(sb_lie_blocks_new(me->arena, L, &w->B));
    SB_TRY(sb_lie_blocks_new(me->arena, L, &w->D));
    SB_TRY(SB_VECTORS(me->arena, L->k, &w->s, &w->pi0, &w->pi1));
    SB_NEW(me->arena, w->lambda, L->rows);
    SB_NEW(me->arena, w->x, L->k + L->rows);
    SB_NEW(me->arena, w->p, sys->n);
    SB_NEW(me->arena, w->level, sb_system_bilateral(sys));
    SB_NEW(me->arena, w->Cx, sb_pattern_nnz(&L->C));
    SB_TRY(SB_VECTORS(me->arena, sb_pattern_nnz(&L->R), &w->R0x, &w->R1x));
    SB_TRY(sb_system_length(me->ctx, sys, &w->length));
    SB_TRY(sb_multipliers_init(me, &w->motion));
    return sb_saddle_init(me->ctx, me->arena, &L->algebra, &w->saddle);
}

/* Sets the levels of g(q1) and h (A v - w) at the midpoint, and their derivatives in s. */
static int set_constraints(work *w, const sb_system *sys) {
    const lie *L = &w->Ld.L;
    const sb_nonholonomic *A = &sys->nonholonomic;
    const sb_scalar h = w->h, t_m = w->in->t + 0.5 * h;
    const int m = sys->holonomic.m, all = L->C.cols;
    sb_scalar *Ax = w->Cx + L->C.p[m];
    memset(w->R1x, 0, (size_t)sb_pattern_nnz(&L->R) * sizeof(sb_scalar));
    if (L->holonomic > 0) {
        SB_TRY(sb_holonomic_value(sys, w->in->t + h, w->out->q, w->level, w->Cx));
        sb_lie_move_derivative(L, w->Ld.map, w->s, w->out->q, &w->D);
        sb_lie_add_rows(L, 0, m, 1.0, w->Cx, &w->D, w->R1x);
    }
    if (A->m > 0) {
        SB_TRY(A->value(A->self, t_m, w->Ld.q, Ax, w->p)); /* p: w(t_m) */
        sb_csc_mult_t(&A->A, Ax, w->Ld.v, w->level + m);
        for (int i = 0; i < A->m; i++) {
            w->level[m + i] = h * (w->level[m + i] - w->p[i]);
        }
        sb_lie_add_rows(L, m, all, h, w->Cx, &w->Ld.Q, w->R1x);
        if (A->gradient != NULL) {
            SB_TRY(A->gradient(A->self, t_m, w->Ld.q, w->Ld.v, Ax));
            sb_lie_add_rows(L, m, all, h, w->Cx, &w->Ld.P, w->R1x);
        }
    }
    return SB_OK;
}

/* Corrects s and lambda: [h d(pi_minus)/ds, -C0; C1', 0] (ds, h^2 dlambda) = -(h r, level), where r is the residual of
 * pi_minus. */
static int correct(void *arg, sb_scalar *change, sb_scalar *scale) {
    const sb_method *me = arg;
    work *w = me->work;
    const lie *L = &w->Ld.L;
    const sb_scalar h = w->h;
    sb_lie_move(L, w->Ld.map, w->in->q, w->s, w->out->q);
    SB_TRY(sb_lie_lagrangian_momenta(&w->Ld, w->in->t, h, w->in->q, w->s, w->x, NULL));
    SB_TRY(sb_lie_lagrangian_jacobian(&w->Ld, w->in->t, h, w->s, w->saddle.Hx));
    SB_TRY(set_constraints(w, me->sys));
    for (int i = 0; i < L->k; i++) {
        w->x[i] = h * (w->pi0[i] - w->x[i]);
    }
    sb_csc_mult_add(&w->saddle.C, w->R0x, h * h, w->lambda, w->x);
    for (int i = 0; i < L->rows; i++) {
        w->x[L->k + i] = -w->level[L->row[i]];
    }
    sb_saddle_assemble(&w->saddle, h, -1.0, w->R0x, 1.0, w->R1x);
    SB_TRY(sb_saddle_factor_solve(&w->saddle, w->x));
    sb_axpy(L->k, 1.0, w->x, w->s);
    for (int i = 0; i < L->rows; i++) {
        w->lambda[i] += w->x[L->k + i] / (h * h);
    }
    *change = sb_norm_max(L->k, w->x);
    *scale = sb_norm_max(me->sys->n, w->out->q);
    return SB_OK;
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    const config *c = me->config;
    work *w = me->work;
    const lie *L = &w->Ld.L;
    w->in = in;
    w->out = out;
    w->h = h;
    SB_TRY(sb_dynamics_momentum(&w->motion.dyn, in->q, in->v, w->p));
    sb_lie_pull(L, in->q, w->p, w->pi0); /* B0' M(q0) v0 */
    sb_axpy(L->k, 1.0, in->aux, w->pi0);
    SB_TRY(sb_lie_rows_value(L, in->t, in->q, NULL, w->Cx, &w->B, w->R0x));
    sb_lie_rates(L, in->q, in->v, w->s);
    for (int i = 0; i < L->k; i++) {
        w->s[i] *= h;
    }
    memcpy(out->lambda, in->lambda, (size_t)sb_system_bilateral(me->sys) * sizeof(sb_scalar));
    for (int i = 0; i < L->rows; i++) {
        w->lambda[i] = in->lambda[L->row[i]];
    }
    SB_TRY(sb_newton_iterate(me->ctx, &c->newton, SB_NEWTON_QUADRATIC, w->length, correct, (void *)me, &out->iters));
    for (int i = 0; i < L->rows; i++) {
        out->lambda[L->row[i]] = w->lambda[i];
    }
    sb_lie_move(L, w->Ld.map, in->q, w->s, out->q);
    SB_TRY(sb_lie_lagrangian_momenta(&w->Ld, in->t, h, in->q, w->s, w->x, w->pi1));
    sb_csc_mult_add(&w->saddle.C, w->R0x, h, w->lambda, w->pi0);
    /* s is rounded, so that pi_minus differs from what it has to be. The residual is carried to the next step. */
    for (int i = 0; i < L->k; i++) {
        w->pi1[i] += w->pi0[i] - w->x[i];
    }
    sb_lie_push(L, out->q, w->pi1, w->p);
    SB_TRY(sb_dynamics_velocity(&w->motion.dyn, in->t + h, out->q, w->p, out->v, w->level));
    SB_TRY(sb_dynamics_momentum(&w->motion.dyn, out->q, out->v, w->p));
    sb_csc_mult_add(&w->motion.dyn.C, w->motion.dyn.Cx, -1.0, w->level, w->p);
    sb_lie_pull(L, out->q, w->p, w->pi0);
    for (int i = 0; i < L->k; i++) {
        out->aux[i] = w->pi1[i] - w->pi0[i];
    }
    return SB_OK;
}

static const sb_param params[] = {
    SB_PARAM_CHOICE(config, map, "exp", "exp|cayley|vector",
                    "from rates to quaternions: exponential, exact for a steady spin, Cayley transform, or the vector "
                    "part of wm96 (5.8)"),
    SB_NEWTON_PARAMS(config),
    {.name = NULL},
};

SB_DEFINE_STEPPER(lie_variational) = {
    .entry = {"lie_variational", "variational integrator on unit quaternions, with constraints as in RATTLE",
              "bourabee09; wm96 (4.5)", params, sizeof(config)},
    .order = 2,
    .supports = SB_HAS_FORCE | SB_HAS_HOLONOMIC | SB_HAS_CURVED_HOLONOMIC | SB_HAS_VARIABLE_MASS | SB_HAS_NONHOLONOMIC |
                SB_HAS_SINGULAR_MASS | SB_HAS_RHEONOMIC | SB_HAS_TIME_POTENTIAL,
    .keeps = SB_KEEPS_POSITION | SB_KEEPS_TANGENCY | SB_KEEPS_MOMENTA | SB_KEEPS_REVERSIBILITY,
    .init = init,
    .start = sb_multipliers_start,
    .step = step,
    .report = sb_multipliers_report,
};
