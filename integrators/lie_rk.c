/* Runge-Kutta methods of Munthe-Kaas on R^a x S^3 x ... x S^3: munthekaas99. The equations of index 1 in
 * the local coordinates theta about the last point, q = q0 exp(theta), with the rates xi of the moving frame:
 *
 *   theta' = D(theta) xi,   v = B(q) xi,   xi' from M q'' = F + C' lambda(t, q, v),
 *
 *   k_i = D(theta_i) xi_i,   theta_i = h sum_{j<i} a_ij k_j,   xi_i = xi0 + h sum_{j<i} a_ij xi'_j,
 *   q_i = q0 exp(theta_i),   q1 = q0 exp(h sum_i b_i k_i),     xi1 = xi0 + h sum_i b_i xi'_i.
 *
 * This satisfies the rows that keep the lengths of quaternions. A projection along the group satisfies the others,
 * hlw06 IV.4: corrections q1 exp(delta) with M delta = C' mu and g + G delta = 0 at the corrected point, until g(t1,
 * q1) = 0; then M v1 = M v + C' mu with C v1 = (-g_t, w). */
#include <string.h>

#include <stepbench/numerics/newton.h>
#include <stepbench/numerics/quaternion.h>
#include <stepbench/numerics/saddle.h>

#include "integrators/shared/lie_system.h"
#include "integrators/shared/multipliers.h"

enum { STAGES = 4 };

typedef struct config {
    int order; /* the index in `tables` */
} config;

/* Row s of a holds b. */
typedef struct table {
    int order, s;
    sb_scalar a[STAGES + 1][STAGES];
} table;

#define SIXTH (1.0 / (sb_scalar)6.0)
#define THIRD (1.0 / (sb_scalar)3.0)

/* The midpoint rule, Kutta's method of order three and the classical one of order four: hnw93 II.1. */
static const table tables[] = {
    {2, 2, {{0.0}, {0.5}, {0.0, 1.0}}},
    {3, 3, {{0.0}, {0.5}, {-1.0, 2.0}, {SIXTH, 4.0 * SIXTH, SIXTH}}},
    {4, 4, {{0.0}, {0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}, {SIXTH, THIRD, THIRD, SIXTH}}},
};

typedef struct work {
    multipliers motion;
    lie L;
    sb_mass mass;
    sb_saddle saddle;
    lie_blocks B;
    sb_scalar *theta, *xi, *xi0, *k[STAGES], *l[STAGES]; /* length of xi; l: xi' */
    sb_scalar *q, *v, *p;                                /* n */
    sb_scalar *g, *x, *Hx, *Cx, *Rx;                     /* scratch of the projection */
    sb_scalar t1, *q1;
} work;

static int init(sb_method *me) {
    const sb_system *sys = me->sys;
    const int n = sys->n;
    work *w;
    SB_NEW(me->arena, w, 1);
    me->work = w;
    SB_TRY(sb_lie_init(me->arena, sys, &w->L));
    SB_TRY(SB_VECTORS(me->arena, w->L.k, &w->theta, &w->xi, &w->xi0));
    for (int i = 0; i < STAGES; i++) {
        SB_TRY(SB_VECTORS(me->arena, w->L.k, &w->k[i], &w->l[i]));
    }
    SB_TRY(SB_VECTORS(me->arena, n, &w->q, &w->v, &w->p));
    SB_TRY(sb_multipliers_init(me, &w->motion));
    if (w->L.holonomic == 0) {
        return SB_OK;
    }
    SB_TRY(sb_lie_blocks_new(me->arena, &w->L, &w->B));
    SB_NEW(me->arena, w->g, sys->holonomic.m);
    SB_NEW(me->arena, w->x, w->L.k + w->L.rows);
    SB_NEW(me->arena, w->Hx, sb_pattern_nnz(&sys->H));
    SB_NEW(me->arena, w->Cx, sb_pattern_nnz(&w->L.C));
    SB_NEW(me->arena, w->Rx, sb_pattern_nnz(&w->L.R));
    SB_TRY(sb_mass_init(me->ctx, me->arena, sys, &w->mass));
    return sb_saddle_init(me->ctx, me->arena, &w->L.algebra, &w->saddle);
}

/* Computes k = D(theta) xi. */
static void set_slope(const lie *L, const sb_scalar *theta, const sb_scalar *xi, sb_scalar *k) {
    memcpy(k, xi, (size_t)L->k * sizeof *k);
    for (int b = 0; b < L->sys->attitudes; b++) {
        const int to = L->to[L->sys->attitude[b].at];
        sb_scalar D[3][3];
        sb_lie_inverse_tangent(LIE_EXP, theta + to, D);
        sb_multiply_3x3(D, xi + to, k + to);
    }
}

/* Corrects q1 by exp(delta), where [M, -C'; C, 0] (delta, mu) = (0, -g, 0) in xi. */
static int project(void *arg, sb_scalar *change, sb_scalar *scale) {
    const sb_method *me = arg;
    const sb_system *sys = me->sys;
    work *w = me->work;
    const lie *L = &w->L;
    SB_TRY(sb_mass_evaluate(&w->mass, w->q1));
    SB_TRY(sb_lie_rows_value(L, w->t1, w->q1, w->g, w->Cx, &w->B, w->Rx));
    memset(w->Hx, 0, (size_t)sb_pattern_nnz(&sys->H) * sizeof(sb_scalar));
    sb_mass_add(&w->mass, 1.0, w->Hx);
    memset(w->saddle.Hx, 0, (size_t)sb_pattern_nnz(&L->algebra.H) * sizeof(sb_scalar));
    sb_lie_add(L, w->Hx, &w->B, &w->B, w->saddle.Hx);
    memset(w->x, 0, (size_t)(L->k + L->rows) * sizeof(sb_scalar));
    for (int i = 0; i < L->holonomic; i++) {
        w->x[L->k + i] = -w->g[L->row[i]];
    }
    sb_saddle_assemble(&w->saddle, 1.0, -1.0, w->Rx, 1.0, w->Rx);
    SB_TRY(sb_saddle_factor_solve(&w->saddle, w->x));
    sb_lie_move(L, LIE_EXP, w->q1, w->x, w->q1);
    *change = sb_norm_max(L->k, w->x);
    *scale = sb_norm_max(sys->n, w->q1);
    return SB_OK;
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    static const sb_newton newton = {SB_NEWTON_TOL, 50};
    const table *t = &tables[((const config *)me->config)->order];
    work *w = me->work;
    const lie *L = &w->L;
    sb_lie_rates(L, in->q, in->v, w->xi0);
    for (int i = 0; i <= t->s; i++) { /* stage s is the end of the step */
        sb_scalar c = 0.0;
        memset(w->theta, 0, (size_t)L->k * sizeof(sb_scalar));
        memcpy(w->xi, w->xi0, (size_t)L->k * sizeof(sb_scalar));
        for (int j = 0; j < i; j++) {
            c += t->a[i][j];
            for (int e = 0; e < L->k; e++) {
                w->theta[e] += h * t->a[i][j] * w->k[j][e];
                w->xi[e] += h * t->a[i][j] * w->l[j][e];
            }
        }
        sb_lie_move(L, LIE_EXP, in->q, w->theta, w->q);
        sb_lie_velocity(L, w->q, w->xi, w->v);
        if (i < t->s) {
            SB_TRY(sb_dynamics_acceleration(&w->motion.dyn, in->t + c * h, w->q, w->v, w->motion.a, out->lambda));
            sb_lie_rates(L, w->q, w->motion.a, w->l[i]);
            set_slope(L, w->theta, w->xi, w->k[i]);
        }
    }
    memcpy(out->q, w->q, (size_t)me->sys->n * sizeof(sb_scalar));
    memcpy(out->v, w->v, (size_t)me->sys->n * sizeof(sb_scalar));
    w->t1 = in->t + h;
    w->q1 = out->q;
    if (L->holonomic > 0) {
        SB_TRY(sb_newton_iterate(me->ctx, &newton, SB_NEWTON_QUADRATIC, 0.0, project, (void *)me, &out->iters));
        sb_lie_velocity(L, out->q, w->xi, out->v);
    }
    if (L->rows == 0) {
        return SB_OK;
    }
    SB_TRY(sb_dynamics_momentum(&w->motion.dyn, out->q, out->v, w->p));
    return sb_dynamics_velocity(&w->motion.dyn, w->t1, out->q, w->p, out->v, NULL);
}

static int order_of(const sb_stepper *me, const void *config_, unsigned features, sb_variable variable) {
    return tables[((const config *)config_)->order].order;
}

static const sb_param params[] = {
    SB_PARAM_CHOICE(config, order, "4", "2|3|4", "the order: the midpoint rule, Kutta's method or the classical one"),
    {.name = NULL},
};

SB_DEFINE_STEPPER(lie_rk) = {
    .entry = {"lie_rk", "Runge-Kutta methods of Munthe-Kaas on unit quaternions, projected on the other constraints",
              "munthekaas99", params, sizeof(config)},
    .order = 4,
    .supports = SB_HAS_FORCE | SB_HAS_HOLONOMIC | SB_HAS_CURVED_HOLONOMIC | SB_HAS_VARIABLE_MASS | SB_HAS_NONHOLONOMIC |
                SB_HAS_SINGULAR_MASS | SB_HAS_RHEONOMIC | SB_HAS_TIME_POTENTIAL,
    .keeps = SB_KEEPS_POSITION | SB_KEEPS_TANGENCY,
    .init = init,
    .step = step,
    .report = sb_multipliers_report,
    .order_of = order_of,
};
