/* Radau IIA collocation with s stages on q' = v, p' = T_q - V_q + f + C' lambda, p = M(q) v: hw96 IV.5, VII.4.
 *
 *   Q_i = q + h sum_j a_ij U_j,   P_i = p + h sum_j a_ij (F_j + C_j' Lambda_j),
 *   P_i = M(Q_i) V_i,             U_i = V_i + G_i' mu_i,
 *
 * with a_ij the integral of the j-th Lagrange polynomial of the nodes c from 0 to c_i,
 *
 *   s = 2: c = 1/3, 1;   s = 3: c = (4 - sqrt 6)/10, (4 + sqrt 6)/10, 1.
 *
 * c_s = 1: the last stage is the new state. Constraints hold at every stage, in the form `index` (shared/stages.h):
 *
 *   index   equations           order of q   v        lambda
 *   3       g = 0               2 s - 1      s        s - 1     hw96 VII.4, hairer89
 *   2       G v = 0             2 s - 1      2 s - 1  s         g drifts
 *   2s      g = 0 and G v = 0   2 s - 1      2 s - 1  s         gear85
 *
 * Nonholonomic constraints have index 2. Stiff forces are damped: R(infinity) = 0. */
#include <string.h>

#include "integrators/shared/multipliers.h"
#include "integrators/shared/stages.h"

typedef struct config {
    long stages;
    int index;
    sb_newton newton;
} config;

typedef struct work {
    multipliers motion;
    stages stages;
    sb_scalar *p;
} work;

static void set_table(int s, stage_table *table) {
    const sb_scalar root = sqrt(6.0),
                    node[2][3] = {{1.0 / (sb_scalar)3.0, 1.0}, {(4.0 - root) / 10.0, (4.0 + root) / 10.0, 1.0}};
    *table = (stage_table){.s = s};
    for (int i = 0; i < s; i++) {
        table->c[i] = node[s - 2][i];
        sb_stages_collocation(s, node[s - 2], table->c[i], table->a[i]);
    }
    memcpy(table->a_hat, table->a, sizeof table->a);
}

static int init(sb_method *me) {
    const config *c = me->config;
    stage_table table;
    work *w;
    SB_NEW(me->arena, w, 1);
    SB_NEW(me->arena, w->p, me->sys->n);
    me->work = w;
    set_table((int)c->stages, &table);
    SB_TRY(sb_multipliers_init(me, &w->motion));
    return sb_stages_init(me, &table, (stage_form)c->index, &c->newton, &w->stages);
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    work *w = me->work;
    SB_TRY(sb_dynamics_momentum(&w->motion.dyn, in->q, in->v, w->p));
    SB_TRY(sb_stages_solve(&w->stages, in->t, h, in->q, w->p, in->v, in->lambda, &out->iters));
    sb_stages_copy(&w->stages, w->stages.table.s - 1, out);
    return SB_OK;
}

static int order_of(const sb_stepper *me, const void *config_, unsigned features, sb_variable variable) {
    const config *c = config_;
    const int s = (int)c->stages;
    if (variable == SB_MULTIPLIER) {
        return c->index == STAGES_INDEX3 ? s - 1 : s;
    }
    return variable == SB_VELOCITY && c->index == STAGES_INDEX3 && (features & (unsigned)SB_HAS_HOLONOMIC) != 0
               ? s
               : 2 * s - 1;
}

static const sb_param params[] = {
    SB_PARAM_INT(config, stages, "2", 2.0, 3.0, "stages s; the order is 2 s - 1"),
    STAGES_PARAM_INDEX(config, "2s"),
    SB_NEWTON_PARAMS(config),
    {.name = NULL},
};

SB_DEFINE_STEPPER(radau_iia) = {
    .entry = {"radau_iia", "Radau IIA collocation: stiffly accurate, with constraints of index 3, 2 or stabilised 2",
              "hw96 IV.5, VII.4", params, sizeof(config)},
    .order = 3,
    .order_of = order_of,
    .supports = SB_HAS_FORCE | SB_HAS_VARIABLE_MASS | SB_HAS_HOLONOMIC | SB_HAS_CURVED_HOLONOMIC | SB_HAS_NONHOLONOMIC |
                SB_HAS_SINGULAR_MASS | SB_HAS_RHEONOMIC | SB_HAS_TIME_POTENTIAL,
    .keeps = SB_KEEPS_POSITION | SB_KEEPS_TANGENCY,
    .init = init,
    .start = sb_multipliers_start,
    .step = step,
};
