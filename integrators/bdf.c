/* Backward differentiation formulas of order k on q' = v, p' = T_q - V_q + f + C' lambda, p = M(q) v, with equal steps:
 * hnw93 III.1, hw96 VII.3,
 *
 *   sum_{m = 1..k} 1/m nabla^m y_{n+1} = h y'_{n+1},   y = (q, p),
 *
 * with constraints as in shared/stages.h: at index 3, g(q_{n+1}) = 0; q, v and lambda are of order k. Solved for
 * y_{n+1}, a step is one implicit stage from a combination of the previous points. The first previous points are
 * computed by Radau IIA with three stages: its order is 5, and its error per step does not reduce an order of 6. */
#include <string.h>

#include <stepbench/numerics/dynamics.h>

#include "integrators/shared/stages.h"

enum { ORDER_MAX = 6 };

typedef struct config {
    long order;
    int index;
    sb_newton newton;
} config;

extern const sb_stepper sb_stepper_radau_iia;

/* State: aux holds q_{n-1}, p_{n-1}, q_{n-2}, ... of equal steps in->h. */
typedef struct work {
    int k;
    sb_scalar a[ORDER_MAX + 1]; /* y_{n+1} = sum_{j = 1..k} a_j y_{n+1-j} + a_0 h y'_{n+1} */
    stages stage;
    sb_method radau;
    sb_state point[2]; /* the last two of the previous points */
    sb_scalar *past, *q, *p;
} work;

/* The coefficient of y_{n+1-j} in the sum is sum_m 1/m (-1)^j binomial(m, j). */
static void set_coefficients(work *w) {
    sb_scalar alpha[ORDER_MAX + 1] = {0.0};
    for (int m = 1; m <= w->k; m++) {
        sb_scalar term = 1.0 / (sb_scalar)m;
        for (int j = 0; j <= m; j++) {
            alpha[j] += term;
            term *= -(sb_scalar)(m - j) / (j + 1);
        }
    }
    w->a[0] = 1.0 / alpha[0];
    for (int j = 1; j <= w->k; j++) {
        w->a[j] = -alpha[j] / alpha[0];
    }
}

static int init(sb_method *me) {
    const config *c = me->config;
    void *radau;
    work *w;
    SB_NEW(me->arena, w, 1);
    me->work = w;
    w->k = (int)c->order;
    me->naux = 2 * me->sys->n * (w->k - 1);
    set_coefficients(w);
    const stage_table table = stages_single(w->a[0]);
    SB_NEW(me->arena, w->past, me->naux);
    SB_TRY(SB_VECTORS(me->arena, me->sys->n, &w->q, &w->p));
    radau = sb_alloc(me->arena, 1, sb_stepper_radau_iia.entry.config_size);
    if (radau == NULL) {
        return SB_NO_MEMORY;
    }
    SB_TRY(sb_config_parse(me->ctx, me->arena, &sb_stepper_radau_iia.entry, "stages=3", radau));
    SB_TRY(sb_method_init(me->ctx, me->arena, &sb_stepper_radau_iia, radau, me->sys, &w->radau));
    SB_TRY(sb_state_new(&w->radau, me->arena, &w->point[0]));
    SB_TRY(sb_state_new(&w->radau, me->arena, &w->point[1]));
    return stages_init(me, &table, (stage_form)c->index, &c->newton, &w->stage);
}

/* Sets the previous points by steps of Radau IIA backward in time. */
static int start(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar h, sb_state *out) {
    work *w = me->work;
    const int n = me->sys->n;
    SB_TRY(sb_method_start(&w->radau, t, q, v, -h, &w->point[0]));
    memcpy(out->lambda, w->point[0].lambda, (size_t)w->stage.rows * sizeof(sb_scalar));
    for (int j = 0; j < w->k - 1; j++) {
        sb_state *point = &w->point[(j + 1) % 2];
        SB_TRY(sb_method_step(&w->radau, &w->point[j % 2], -h, point));
        memcpy(out->aux + 2 * j * n, point->q, (size_t)n * sizeof(sb_scalar));
        SB_TRY(stages_momentum(&w->stage, point->q, point->v, out->aux + (2 * j + 1) * n));
    }
    return SB_OK;
}

/* Sets w->past to the previous points at distances h: those of aux, or where h differs from the last step the values of
 * the polynomial through the k known points. */
static void set_past(work *w, int n, const sb_state *in, sb_scalar h) {
    const int k = w->k;
    if (h == in->h) {
        memcpy(w->past, in->aux, 2 * (size_t)(k - 1) * (size_t)n * sizeof(sb_scalar));
        return;
    }
    for (int j = 1; j < k; j++) {
        const sb_scalar x = j * h / in->h;
        sb_scalar *to = w->past + 2 * (j - 1) * n;
        memset(to, 0, 2 * (size_t)n * sizeof(sb_scalar));
        for (int i = 0; i < k; i++) {
            sb_scalar l = 1.0;
            for (int m = 0; m < k; m++) {
                l *= m == i ? 1.0 : (x - m) / (i - m);
            }
            for (int e = 0; e < 2 * n; e++) {
                const sb_scalar now = e < n ? in->q[e] : w->p[e - n];
                to[e] += l * (i == 0 ? now : in->aux[2 * (i - 1) * n + e]);
            }
        }
    }
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    work *w = me->work;
    const int n = me->sys->n, kept = 2 * (w->k - 2) * n;
    SB_TRY(stages_momentum(&w->stage, in->q, in->v, w->p));
    set_past(w, n, in, h);
    if (w->k > 1) {
        memcpy(out->aux, in->q, (size_t)n * sizeof(sb_scalar));
        memcpy(out->aux + n, w->p, (size_t)n * sizeof(sb_scalar));
        memcpy(out->aux + 2 * n, w->past, (size_t)kept * sizeof(sb_scalar));
    }
    for (int i = 0; i < n; i++) {
        w->q[i] = w->a[1] * in->q[i];
        w->p[i] *= w->a[1];
        for (int j = 2; j <= w->k; j++) {
            w->q[i] += w->a[j] * w->past[2 * (j - 2) * n + i];
            w->p[i] += w->a[j] * w->past[(2 * j - 3) * n + i];
        }
    }
    SB_TRY(stages_solve(&w->stage, in->t, h, w->q, w->p, in->v, in->lambda, &out->iters));
    stages_copy(&w->stage, 0, out);
    return SB_OK;
}

static int order_of(const void *config_, unsigned features, sb_variable variable) {
    return (int)((const config *)config_)->order;
}

static const sb_param params[] = {
    SB_PARAM_INT(config, order, "2", 1.0, 6.0, "order k"),
    STAGES_PARAM_INDEX(config, "3"),
    SB_NEWTON_PARAMS(config),
    {.name = NULL},
};

SB_DEFINE_STEPPER(bdf) = {
    .entry = {"bdf",
              "backward differentiation formulas of order 1 to 6, with constraints of index 3, 2 or stabilised 2",
              "hnw93 III.1; hw96 VII.3", params, sizeof(config)},
    .order = 2,
    .order_of = order_of,
    .supports = SB_HAS_FORCE | SB_HAS_VARIABLE_MASS | SB_HAS_HOLONOMIC | SB_HAS_CURVED_HOLONOMIC | SB_HAS_NONHOLONOMIC |
                SB_HAS_SINGULAR_MASS | SB_HAS_RHEONOMIC | SB_HAS_TIME_POTENTIAL,
    .keeps = SB_KEEPS_POSITION,
    .init = init,
    .start = start,
    .step = step,
};
