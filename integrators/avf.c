/* The average vector field method on q' = H_p, p' = -H_q + f, by Gauss quadrature with s nodes: quispel08, hlw06 V.5,
 *
 *   y1 = y + h sum_j b_j y'(Y_j),   Y_i = (Q_i, P_i) = y + c_i (y1 - y),
 *
 * a Runge-Kutta method with a_ij = c_i b_j. It conserves the energy if the quadrature is exact, that is if the energy
 * is a polynomial of degree 2 s in (q, p). Otherwise it conserves the energy up to the error of the quadrature,
 * O(h^(2 s)). One node is the implicit midpoint rule. */
#include <string.h>

#include <stepbench/numerics/dynamics.h>

#include "integrators/shared/stages.h"

typedef struct config {
    long nodes;
    sb_newton newton;
} config;

typedef struct work {
    stages stages;
    sb_scalar b[STAGES_MAX];
    sb_dynamics dyn;
    sb_scalar *p;
} work;

static int init(sb_method *me) {
    const config *c = me->config;
    const int s = (int)c->nodes;
    const sb_scalar two = 0.5 / sqrt((sb_scalar)3.0), three = 0.5 * sqrt((sb_scalar)3.0 / 5.0),
                    node[3][3] = {{0.5}, {0.5 - two, 0.5 + two}, {0.5 - three, 0.5, 0.5 + three}};
    stage_table table = {.s = s};
    work *w;
    SB_NEW(me->arena, w, 1);
    SB_NEW(me->arena, w->p, me->sys->n);
    me->work = w;
    sb_stages_collocation(s, node[s - 1], 1.0, w->b);
    for (int i = 0; i < s; i++) {
        table.c[i] = node[s - 1][i];
        for (int j = 0; j < s; j++) {
            table.a[i][j] = table.a_hat[i][j] = table.c[i] * w->b[j];
        }
    }
    SB_TRY(sb_dynamics_init(me->ctx, me->arena, me->sys, &w->dyn));
    return sb_stages_init(me, &table, STAGES_INDEX3, &c->newton, &w->stages);
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    work *w = me->work;
    const int n = me->sys->n;
    SB_TRY(sb_dynamics_momentum(&w->dyn, in->q, in->v, w->p));
    SB_TRY(sb_stages_solve(&w->stages, in->t, h, in->q, w->p, in->v, in->lambda, &out->iters));
    SB_TRY(sb_stages_forces(&w->stages));
    memcpy(out->q, in->q, (size_t)n * sizeof(sb_scalar));
    for (int j = 0; j < w->stages.table.s; j++) {
        for (int k = 0; k < n; k++) {
            out->q[k] += h * w->b[j] * w->stages.V[j][k];
            w->p[k] += h * w->b[j] * w->stages.F[j][k];
        }
    }
    return sb_dynamics_velocity(&w->dyn, in->t + h, out->q, w->p, out->v, NULL);
}

static const sb_param params[] = {
    SB_PARAM_INT(config, nodes, "2", 1.0, 3.0, "nodes s of the quadrature; exact for energies of degree 2 s"),
    SB_NEWTON_PARAMS(config),
    {.name = NULL},
};

SB_DEFINE_STEPPER(avf) = {
    .entry = {"avf", "average vector field: keeps polynomial energies, by Newton's method", "quispel08", params,
              sizeof(config)},
    .order = 2,
    .supports = SB_HAS_FORCE | SB_HAS_VARIABLE_MASS | SB_HAS_TIME_POTENTIAL,
    .keeps = SB_KEEPS_REVERSIBILITY,
    .init = init,
    .step = step,
};
