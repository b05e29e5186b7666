/* Explicit Nystrom methods on q'' = a(q) = -M^-1 V_q: hnw93 II.14, hlw06 VI.4,
 *
 *   k_i = a(q + c_i h v + h^2 sum_{j<i} a-_ij k_j),
 *   q1 = q + h v + h^2 sum_i b-_i k_i,   v1 = v + h sum_i b_i k_i.
 *
 * The tables are in rkn.def. */
#include <stepbench/numerics/dynamics.h>
#include <stepbench/plugin.h>

enum { RKN_MAX = 5 };

typedef struct config {
    int table;
} config;

typedef struct table {
    int order, symplectic, s;
    sb_scalar c[RKN_MAX], b[RKN_MAX], b_bar[RKN_MAX], a_bar[RKN_MAX * (RKN_MAX - 1) / 2];
} table;

static const table tables[] = {
#define SB_RKN(name, order, symplectic, stages, c, b, b_bar, a_bar) {order, symplectic, stages, c, b, b_bar, a_bar},
#include "integrators/rkn.def"
#undef SB_RKN
};

typedef struct work {
    sb_scalar a_bar[RKN_MAX][RKN_MAX], b_bar[RKN_MAX];
    sb_dynamics dyn;
    sb_scalar *q, *k[RKN_MAX];
} work;

static int init(sb_method *me) {
    const table *t = &tables[((const config *)me->config)->table];
    const sb_scalar *a_bar = t->a_bar;
    work *w;
    SB_NEW(me->arena, w, 1);
    SB_NEW(me->arena, w->q, me->sys->n);
    me->work = w;
    for (int i = 0; i < t->s; i++) {
        SB_NEW(me->arena, w->k[i], me->sys->n);
        w->b_bar[i] = t->symplectic ? t->b[i] * (1.0 - t->c[i]) : t->b_bar[i];
        for (int j = 0; j < i; j++) {
            w->a_bar[i][j] = t->symplectic ? t->b[j] * (t->c[i] - t->c[j]) : *a_bar++;
        }
    }
    return sb_dynamics_init(me->ctx, me->arena, me->sys, &w->dyn);
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    const table *t = &tables[((const config *)me->config)->table];
    work *w = me->work;
    const int n = me->sys->n;
    for (int e = 0; e < n; e++) {
        out->q[e] = in->q[e] + h * in->v[e];
        out->v[e] = in->v[e];
    }
    for (int i = 0; i < t->s; i++) {
        for (int e = 0; e < n; e++) {
            sb_scalar sum = 0.0;
            for (int j = 0; j < i; j++) {
                sum += w->a_bar[i][j] * w->k[j][e];
            }
            w->q[e] = in->q[e] + h * (t->c[i] * in->v[e] + h * sum);
        }
        SB_TRY(sb_dynamics_acceleration(&w->dyn, in->t + t->c[i] * h, w->q, in->v, w->k[i], NULL));
        for (int e = 0; e < n; e++) {
            out->q[e] += h * h * w->b_bar[i] * w->k[i][e];
            out->v[e] += h * t->b[i] * w->k[i][e];
        }
    }
    return SB_OK;
}

static int order_of(const sb_stepper *me, const void *config_, unsigned features, sb_variable variable) {
    return tables[((const config *)config_)->table].order;
}

static const sb_param params[] = {
    SB_PARAM_CHOICE(config, table, "nystrom4", "nystrom4|calvo_sanz_serna4",
                    "coefficients: Nystrom's classical method, or the symplectic one of calvo93 with five stages"),
    {.name = NULL},
};

SB_DEFINE_STEPPER(rkn) = {
    .entry = {"rkn", "explicit Nystrom methods of order four, symplectic and not", "hnw93 II.14; calvo93", params,
              sizeof(config)},
    .order = 4,
    .order_of = order_of,
    .supports = SB_HAS_TIME_POTENTIAL,
    .init = init,
    .step = step,
};
