/* Backward differentiation formulas of order k on q' = v, p' = T_q - V_q + f + C' lambda, p = M(q) v, with equal steps:
 * hnw93 III.1, hw96 VII.3,
 *
 *   sum_{m = 1..k} 1/m nabla^m y_{n+1} = h y'_{n+1},   y = (q, p),
 *
 * with constraints as in shared/stages.h: at index 3, g(q_{n+1}) = 0; q, v and lambda are of order k. Solved for
 * y_{n+1}, a step is one implicit stage from a combination of the previous points.
 *
 * The points y_1, ..., y_{k-1} are steps of Radau IIA with three stages, forward in time: order 5, with an error per
 * step of h^6, and R(infinity) = 0, so that no damping makes them grow. The start computes them in advance; the state
 * at t_n holds y_n, ..., y_{n+k-1}, and a step from it computes y_{n+k} and ends at y_{n+1}. A step of another length
 * starts anew at y_n. */
#include <string.h>

#include "integrators/shared/stages.h"

enum { ORDER_MAX = 6 };

typedef struct config {
    long order;
    int index;
    sb_newton newton;
} config;

extern const sb_stepper sb_stepper_radau_iia;

/* A point is q, v and lambda. The state's aux holds those of y_{n+1}, ..., y_{n+k-1}, at distances in->h. */
typedef struct work {
    int k, size;                /* of a point */
    sb_scalar a[ORDER_MAX + 1]; /* y_{n+1} = sum_{j = 1..k} a_j y_{n+1-j} + a_0 h y'_{n+1} */
    stages stage;
    sb_method radau;
    sb_state from, to;       /* a step of Radau IIA */
    sb_scalar *ahead;        /* the points of a step of another length */
    sb_scalar *q, *p, *term; /* n */
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
    const int n = me->sys->n;
    void *radau;
    work *w;
    SB_NEW(me->arena, w, 1);
    me->work = w;
    w->k = (int)c->order;
    w->size = 2 * n + sb_system_multipliers(me->sys);
    me->naux = (w->k - 1) * w->size;
    set_coefficients(w);
    const stage_table table = stages_single(w->a[0]);
    SB_NEW(me->arena, w->ahead, me->naux);
    SB_TRY(SB_VECTORS(me->arena, n, &w->q, &w->p, &w->term));
    radau = sb_alloc(me->arena, 1, sb_stepper_radau_iia.entry.config_size);
    if (radau == NULL) {
        return SB_NO_MEMORY;
    }
    SB_TRY(sb_config_parse(me->ctx, me->arena, &sb_stepper_radau_iia.entry, "stages=3", radau));
    SB_TRY(sb_method_init(me->ctx, me->arena, &sb_stepper_radau_iia, radau, me->sys, &w->radau));
    SB_TRY(sb_state_new(&w->radau, me->arena, &w->from));
    SB_TRY(sb_state_new(&w->radau, me->arena, &w->to));
    return sb_stages_init(me, &table, (stage_form)c->index, &c->newton, &w->stage);
}

static void get_point(const work *w, const sb_scalar *point, sb_state *out) {
    const size_t n = (size_t)w->stage.sys->n, rows = (size_t)w->size - 2 * n;
    memcpy(out->q, point, n * sizeof(sb_scalar));
    memcpy(out->v, point + n, n * sizeof(sb_scalar));
    memcpy(out->lambda, point + 2 * n, rows * sizeof(sb_scalar));
}

static void set_point(const work *w, const sb_state *from, sb_scalar *point) {
    const size_t n = (size_t)w->stage.sys->n, rows = (size_t)w->size - 2 * n;
    memcpy(point, from->q, n * sizeof(sb_scalar));
    memcpy(point + n, from->v, n * sizeof(sb_scalar));
    memcpy(point + 2 * n, from->lambda, rows * sizeof(sb_scalar));
}

/* Computes k - 1 points by Radau IIA after w->from, each with the multipliers of its q and v, which have a higher order
 * than those of the stages. */
static int compute_ahead(work *w, sb_scalar h, sb_scalar *ahead) {
    for (int j = 0; j < w->k - 1; j++) {
        SB_TRY(sb_method_step(&w->radau, &w->from, h, &w->to));
        SB_TRY(sb_stepper_radau_iia.start(&w->radau, w->to.t, w->to.q, w->to.v, h, &w->to));
        set_point(w, &w->to, ahead + j * w->size);
        sb_state_copy(&w->radau, &w->to, &w->from);
    }
    return SB_OK;
}

static int start(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar h, sb_state *out) {
    work *w = me->work;
    SB_TRY(sb_method_start(&w->radau, t, q, v, h, &w->from));
    memcpy(out->lambda, w->from.lambda, (size_t)sb_system_multipliers(me->sys) * sizeof(sb_scalar));
    return compute_ahead(w, h, out->aux);
}

/* Adds a y to (w->q, w->p). */
static int add_point(work *w, sb_scalar a, const sb_scalar *q, const sb_scalar *v) {
    SB_TRY(sb_stages_momentum(&w->stage, q, v, w->term));
    for (int i = 0; i < w->stage.sys->n; i++) {
        w->q[i] += a * q[i];
        w->p[i] += a * w->term[i];
    }
    return SB_OK;
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    work *w = me->work;
    const int n = me->sys->n, k = w->k, size = w->size;
    const sb_scalar *ahead = in->aux, *q = in->q, *v = in->v, *lambda = in->lambda;
    if (k > 1 && h != in->h) {
        w->from.t = in->t;
        set_point(w, in, w->ahead);
        get_point(w, w->ahead, &w->from);
        SB_TRY(compute_ahead(w, h, w->ahead));
        ahead = w->ahead;
    }
    memset(w->q, 0, (size_t)n * sizeof(sb_scalar));
    memset(w->p, 0, (size_t)n * sizeof(sb_scalar));
    SB_TRY(add_point(w, w->a[k], q, v));
    for (int j = k - 1; j > 0; j--) {
        const sb_scalar *point = ahead + (k - 1 - j) * size;
        q = point;
        v = point + n;
        lambda = point + 2 * n;
        SB_TRY(add_point(w, w->a[j], q, v));
    }
    SB_TRY(sb_stages_solve(&w->stage, in->t + (k - 1) * h, h, w->q, w->p, v, lambda, &out->iters));
    sb_stages_copy(&w->stage, 0, out);
    if (k > 1) { /* the new point goes to the end of aux, and the first one of aux becomes the state */
        set_point(w, out, out->aux + (k - 2) * size);
        memcpy(out->aux, ahead + size, (size_t)((k - 2) * size) * sizeof(sb_scalar));
        get_point(w, ahead, out);
    }
    return SB_OK;
}

static int order_of(const sb_stepper *me, const void *config_, unsigned features, sb_variable variable) {
    return (int)((const config *)config_)->order;
}

static const sb_param params[] = {
    SB_PARAM_INT(config, order, "2", 1.0, 6.0, "order k"),
    STAGES_PARAM_INDEX(config, "3"),
    SB_NEWTON_PARAMS(config),
    {.name = NULL},
};

SB_DEFINE_STEPPER(bdf) = {
    .entry =
        {"bdf",
         "backward differentiation formulas of order k = 1 to 6, started by k - 1 steps of radau_iia forward in time",
         "hnw93 III.1; hw96 VII.3", params, sizeof(config)},
    .order = 2,
    .order_of = order_of,
    .multistep = true,
    .supports = SB_HAS_FORCE | SB_HAS_VARIABLE_MASS | SB_HAS_HOLONOMIC | SB_HAS_CURVED_HOLONOMIC | SB_HAS_NONHOLONOMIC |
                SB_HAS_SINGULAR_MASS | SB_HAS_RHEONOMIC | SB_HAS_TIME_POTENTIAL,
    .keeps = SB_KEEPS_POSITION,
    .init = init,
    .start = start,
    .step = step,
};
