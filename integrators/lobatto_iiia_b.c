/* The partitioned Runge-Kutta method of Lobatto IIIA and IIIB with s stages, with holonomic constraints: jay96, hlw06
 * VII.1.4,
 *
 *   Q_i = q + h sum_j a_ij V_j,       P_i = p + h sum_j a^_ij (F_j + G_j' Lambda_j),
 *   M(Q_i) V_i = P_i,                 g(Q_i) = 0,
 *   q1 = q + h sum_j b_j V_j = Q_s,   p1 = p + h sum_j b_j (F_j + G_j' Lambda_j),
 *   M(q1) v1 = p1,                    G(q1) v1 = 0,
 *
 * with a_ij the integral of the j-th Lagrange polynomial of the Lobatto nodes c from 0 to c_i, and b_i a^_ij + b_j a_ji
 * = b_i b_j,
 *
 *   s = 2: c = 0, 1;   s = 3: c = 0, 1/2, 1;   s = 4: c = 0, (5 - sqrt 5)/10, (5 + sqrt 5)/10, 1.
 *
 * Q_1 = q satisfies g = 0 already. The coefficients a^_is vanish; Lambda_s is the multiplier of G(q1) v1 = 0.
 * Symplectic, symmetric, of order 2 s - 2. Two stages are RATTLE where the mass is constant.
 *
 * Lobatto IIIA (a for both) and IIIB (a^ for both) are symmetric and not symplectic: faou04. They take no constraints.
 */
#include <string.h>

#include "integrators/shared/multipliers.h"
#include "integrators/shared/stages.h"

enum { PAIR, IIIA, IIIB };

typedef struct config {
    long stages;
    int tables;
    sb_newton newton;
} config;

/* The state's multiplier is the multiplier of stage s - 1, the guess for the next step. The multipliers of the stages
 * are of lower order; the reported one comes from the equations of motion. */
typedef struct work {
    multipliers motion;
    stages stages;
    sb_scalar b[STAGES_MAX];
    sb_scalar *p;
} work;

static void set_table(const config *of, stage_table *table, sb_scalar *b) {
    const int s = (int)of->stages;
    const sb_scalar inner = (5.0 - sqrt((sb_scalar)5.0)) / 10.0,
                    node[3][4] = {{0.0, 1.0}, {0.0, 0.5, 1.0}, {0.0, inner, 1.0 - inner, 1.0}}, *c = node[s - 2];
    *table = (stage_table){.s = s, .skip = 1};
    sb_stages_collocation(s, c, 1.0, b);
    for (int i = 0; i < s; i++) {
        table->c[i] = c[i];
        sb_stages_collocation(s, c, c[i], table->a[i]);
    }
    for (int i = 0; i < s; i++) {
        for (int j = 0; j < s - 1; j++) {
            table->a_hat[i][j] = b[j] - b[j] * table->a[j][i] / b[i];
        }
    }
    if (of->tables == IIIA) {
        memcpy(table->a_hat, table->a, sizeof table->a);
    } else if (of->tables == IIIB) {
        memcpy(table->a, table->a_hat, sizeof table->a);
    }
}

static int init(sb_method *me) {
    const config *c = me->config;
    stage_table table;
    work *w;
    SB_NEW(me->arena, w, 1);
    SB_NEW(me->arena, w->p, me->sys->n);
    me->work = w;
    if (c->tables != PAIR && sb_system_bilateral(me->sys) > 0) {
        return sb_fail(me->ctx, SB_UNSUPPORTED,
                       "lobatto_iiia_b takes constraints with tables=pair alone, and %s has some", me->sys->name);
    }
    set_table(c, &table, w->b);
    SB_TRY(sb_multipliers_init(me, &w->motion));
    return sb_stages_init(me, &table, STAGES_INDEX3, &c->newton, &w->stages);
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    work *w = me->work;
    const int s = w->stages.table.s, n = me->sys->n;
    SB_TRY(sb_dynamics_momentum(&w->motion.dyn, in->q, in->v, w->p));
    SB_TRY(sb_stages_solve(&w->stages, in->t, h, in->q, w->p, in->v, in->lambda, &out->iters));
    SB_TRY(sb_stages_forces(&w->stages));
    for (int j = 0; j < s; j++) {
        for (int k = 0; k < n; k++) {
            w->p[k] += h * w->b[j] * w->stages.F[j][k];
        }
    }
    memcpy(out->q, w->stages.Q[s - 1], (size_t)n * sizeof(sb_scalar));
    if (((const config *)me->config)->tables == IIIB) {
        memcpy(out->q, in->q, (size_t)n * sizeof(sb_scalar));
        for (int j = 0; j < s; j++) {
            sb_axpy(n, h * w->b[j], w->stages.V[j], out->q);
        }
    }
    memcpy(out->lambda, w->stages.lambda[s - 2], (size_t)w->stages.rows * sizeof(sb_scalar));
    return sb_dynamics_velocity(&w->motion.dyn, in->t + h, out->q, w->p, out->v, NULL);
}

static int order_of(const sb_stepper *me, const void *config_, unsigned features, sb_variable variable) {
    return 2 * (int)((const config *)config_)->stages - 2;
}

static unsigned loses(const void *config_) {
    return ((const config *)config_)->tables == PAIR ? 0U : (unsigned)SB_KEEPS_MOMENTA;
}

static const sb_param params[] = {
    SB_PARAM_INT(config, stages, "3", 2.0, 4.0, "stages s; the order is 2 s - 2"),
    SB_PARAM_CHOICE(
        config, tables, "pair", "pair|iiia|iiib",
        "coefficients: the symplectic pair, or one of the two for positions and momenta, without constraints"),
    SB_NEWTON_PARAMS(config),
    {.name = NULL},
};

SB_DEFINE_STEPPER(lobatto_iiia_b) = {
    .entry = {"lobatto_iiia_b", "Lobatto IIIA-IIIB: symplectic partitioned Runge-Kutta method with constraints",
              "jay96; hlw06 VII.1.4", params, sizeof(config)},
    .order = 4,
    .order_of = order_of,
    .supports = SB_HAS_FORCE | SB_HAS_VARIABLE_MASS | SB_HAS_HOLONOMIC | SB_HAS_CURVED_HOLONOMIC | SB_HAS_RHEONOMIC |
                SB_HAS_TIME_POTENTIAL,
    .keeps = SB_KEEPS_POSITION | SB_KEEPS_TANGENCY | SB_KEEPS_MOMENTA | SB_KEEPS_REVERSIBILITY,
    .init = init,
    .start = sb_multipliers_start,
    .step = step,
    .report = sb_multipliers_report,
    .loses = loses,
};
