/* Embedded pairs of explicit Nystrom methods with error control on q'' = a(t, q) = -M^-1 V_q(t, q) with a constant
 * mass: dormand87; hnw93 II.14,
 *
 *   k_i = a(t + c_i h, q + c_i h v + h^2 sum_{j<i} a-_ij k_j),
 *   q1 = q + h v + h^2 sum_i b-_i k_i,   v1 = v + h sum_i b_i k_i,
 *   e_q = h^2 sum_i d-_i k_i,            e_v = h sum_i d_i k_i,
 *
 * where d and d- are the differences to the weights of the other method, of the order p^. A step is accepted where
 *
 *   err = max(|e_q|, T |e_v|)/L <= rtol,   and the next length is 0.9 (rtol/err)^(1/(p^ + 1)) h, between h/5 and 5 h,
 *
 * L the size of the motion and T its time scale. The first step is T/100 long. The tables are in rkn_pairs.def. */
#include <string.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/plugin.h>

#include "integrators/shared/adaptive.h"

enum { STAGES_MAX = 17 };

typedef struct config {
    int pair;
    sb_scalar rtol;
} config;

typedef struct table {
    int order, other_order, s;
    bool first_is_last; /* k_s is the acceleration at the end of the step */
    sb_scalar c[STAGES_MAX], b_bar[STAGES_MAX], b[STAGES_MAX], d_bar[STAGES_MAX], d[STAGES_MAX];
    sb_scalar a_bar[STAGES_MAX * (STAGES_MAX - 1) / 2];
} table;

static const table tables[] = {
#define SB_RKN_PAIR(name, order, other, stages, first_is_last, c, b_bar, b, d_bar, d, a_bar)                           \
    {order, other, stages, first_is_last, c, b_bar, b, d_bar, d, a_bar},
#include "integrators/rkn_pairs.def"
#undef SB_RKN_PAIR
};

typedef struct work {
    const table *table;
    sb_scalar rtol, length;
    sb_dynamics dyn;
    sb_scalar *q, *k;   /* k: one stage after another */
    sb_scalar *sums[4]; /* of the weights b-, b, d- and d */
    sb_state tried, at; /* the end of a step that is tried; between the point of the mesh and an output */
} work;

/* ---- A step. ---- */

/* Sets `width` numbers of *sum to the sums over the first `count` stages, even and odd ones by themselves: the sums of
 * a coordinate would wait for each other. */
SB_INLINED void sum_block(int count, const sb_scalar *weights, const sb_scalar *k, int n, sb_scalar *sum,
                          const int width) {
    sb_scalar even[4] = {0.0}, odd[4] = {0.0};
    for (int j = 0; j + 1 < count; j += 2, k += 2 * n) {
        for (int e = 0; e < width; e++) {
            even[e] += weights[j] * k[e];
            odd[e] += weights[j + 1] * k[n + e];
        }
    }
    for (int e = 0; e < width; e++) {
        sum[e] = count % 2 == 1 ? even[e] + odd[e] + weights[count - 1] * k[e] : even[e] + odd[e];
    }
}

/* Sets *sum to the sums of n coordinates, four, two or one at a time, which stay in registers. */
SB_INLINED void sum_stages(int count, const sb_scalar *weights, const sb_scalar *k, sb_scalar *sum, const int n) {
    int e = 0;
    for (; e + 4 <= n; e += 4) {
        sum_block(count, weights, k + e, n, sum + e, 4);
    }
    for (; e + 2 <= n; e += 2) {
        sum_block(count, weights, k + e, n, sum + e, 2);
    }
    if (e < n) {
        sum_block(count, weights, k + e, n, sum + e, 1);
    }
}

/* Computes the acceleration, which does not depend on v. */
SB_INLINED int accelerate(const sb_method *me, sb_scalar t, const sb_scalar *q, sb_scalar *a, const int n) {
    work *w = me->work;
    return sb_dynamics_acceleration_sized(&w->dyn, t, q, w->tried.v, a, NULL, false, n);
}

/* Computes try_step for n coordinates. */
SB_INLINED int try_sized(const sb_method *me, const sb_state *from, sb_scalar h, sb_scalar *err, const int n,
                         const int m) {
    work *w = me->work;
    const table *type = w->table;
    const sb_scalar *a_bar = type->a_bar, *const weights[4] = {type->b_bar, type->b, type->d_bar, type->d};
    sb_state *to = &w->tried;
    sb_scalar error_q = 0.0, error_v = 0.0;
    memcpy(w->k, from->aux, (size_t)n * sizeof *w->k);
    for (int i = 1; i < type->s; i++) {
        const sb_scalar c = type->c[i];
        sum_stages(i, a_bar, w->k, w->q, n);
        for (int e = 0; e < n; e++) {
            w->q[e] = from->q[e] + h * (c * from->v[e] + h * w->q[e]);
        }
        SB_TRY(accelerate(me, from->t + c * h, w->q, w->k + i * n, n));
        a_bar += i;
    }
    for (int k = 0; k < 4; k++) {
        sum_stages(type->s, weights[k], w->k, w->sums[k], n);
    }
    to->t = from->t + h;
    to->h = h;
    for (int e = 0; e < n; e++) {
        to->q[e] = from->q[e] + h * (from->v[e] + h * w->sums[0][e]);
        to->v[e] = from->v[e] + h * w->sums[1][e];
        error_q = sb_larger(error_q, fabs(w->sums[2][e]));
        error_v = sb_larger(error_v, fabs(w->sums[3][e]));
    }
    *err = fabs(h) * sb_larger(fabs(h) * error_q, me->sys->time_scale * error_v) / w->length;
    *err = isnan(*err) ? INFINITY : *err;
    return SB_OK;
}

/* Sets w->tried to the end of a step of length h, with the acceleration there in aux, and err. Instructions of a run
 * without and with blocks and sizes, in millions: on kepler to t = 1000 18.7 and 14.3, on henon_heiles 7.1 and 5.4. */
static int try_step(const sb_method *me, const sb_state *from, sb_scalar h, sb_scalar *err) {
    return SB_BY_SIZE(me->sys->n, 0, try_sized, me, from, h, err);
}

/* Tries steps from `from` until one is accepted, the first of the length *h, which becomes that of the next one. Where
 * a break of a term or `end` is nearer, the step ends there. w->tried is the accepted one. */
static int advance(const sb_method *me, const sb_state *from, sb_scalar end, sb_scalar *h) {
    work *w = me->work;
    const sb_scalar power = SB_R(1.0) / (w->table->other_order + 1);
    for (bool accepted = false; !accepted;) {
        const sb_scalar left = end - from->t, whole = fabs(*h) < fabs(left) ? *h : left,
                        part = sb_adaptive_shorten(me->sys, from->t, whole);
        SB_TRY(sb_adaptive_check_step(me, from->t, part));
        sb_scalar err = INFINITY;
        const int status = try_step(me, from, part, &err);
        if (status < 0) {
            return status;
        }
        accepted = status == SB_OK && err <= w->rtol;
        me->ctx->rejected += !accepted;
        const sb_scalar factor = fmax(SB_R(0.2), fmin(5.0, SB_R(0.9) * pow(w->rtol / err, power)));
        *h = accepted && fabs(part) < fabs(*h) ? copysign(fmax(fabs(*h), fabs(part) * factor), *h) : part * factor;
    }
    sb_count_step(me->ctx, w->tried.t);
    if (w->table->first_is_last) {
        memcpy(w->tried.aux, w->k + (w->table->s - 1) * me->sys->n, (size_t)me->sys->n * sizeof *w->k);
        return SB_OK;
    }
    return accelerate(me, w->tried.t, w->tried.q, w->tried.aux, me->sys->n);
}

/* ---- The mesh. ---- */

static void copy(const sb_method *me, const sb_state *from, sb_state *to) {
    const size_t size = (size_t)me->sys->n * sizeof(sb_scalar);
    to->t = from->t;
    to->h = from->h;
    memcpy(to->q, from->q, size);
    memcpy(to->v, from->v, size);
    memcpy(to->aux, from->aux, size);
}

static int next(const sb_method *me, sb_state *mesh, sb_scalar *control, sb_scalar way, sb_scalar end, bool *done) {
    const sb_scalar first = mesh->t + sb_adaptive_shorten(me->sys, mesh->t, copysign(*control, way));
    sb_scalar h = copysign(*control, way);
    if (!(way > 0.0 ? first <= end : first >= end)) {
        *done = true;
        return SB_OK;
    }
    SB_TRY(advance(me, mesh, mesh->t + 2.0 * h, &h));
    copy(me, &((const work *)me->work)->tried, mesh);
    *control = fabs(h);
    return SB_OK;
}

/* A rest of the interval that is the round-off of its end, which sb_adaptive_check_step refuses, is none. */
static int reach(const sb_method *me, const sb_state *mesh, sb_scalar control, sb_scalar end, sb_state *out) {
    work *w = me->work;
    const size_t size = (size_t)me->sys->n * sizeof(sb_scalar);
    sb_scalar h = copysign(control, end - mesh->t);
    sb_adaptive_progress progress = {0};
    copy(me, mesh, &w->at);
    while (fabs(end - w->at.t) > 2.0 * SB_EPSILON * fabs(w->at.t)) {
        SB_TRY(advance(me, &w->at, end, &h));
        copy(me, &w->tried, &w->at);
        SB_TRY(sb_adaptive_count(me, &progress, w->at.t));
    }
    memcpy(out->q, w->at.q, size);
    memcpy(out->v, w->at.v, size);
    return SB_OK;
}

/* ---- The stepper. ---- */

static int state_new(const sb_method *me, sb_state *out) {
    return SB_VECTORS(me->arena, me->sys->n, &out->q, &out->v, &out->aux);
}

static int init(sb_method *me) {
    const config *c = me->config;
    work *w;
    SB_NEW(me->arena, w, 1);
    me->work = w;
    w->table = &tables[c->pair];
    w->rtol = c->rtol;
    SB_NEW(me->arena, w->k, me->sys->n * STAGES_MAX);
    SB_TRY(SB_VECTORS(me->arena, me->sys->n, &w->q, &w->sums[0], &w->sums[1], &w->sums[2], &w->sums[3]));
    SB_TRY(state_new(me, &w->tried));
    SB_TRY(state_new(me, &w->at));
    SB_TRY(sb_system_length(me->ctx, me->sys, &w->length));
    w->length = w->length > 0.0 ? w->length : 1.0; /* a system that rests at the origin has no size */
    me->naux = sb_adaptive_naux(me->sys, me->sys->n);
    return sb_dynamics_init(me->ctx, me->arena, me->sys, &w->dyn);
}

static int start(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar h, sb_state *out) {
    const work *w = me->work;
    sb_state here = *out;
    here.aux = w->at.aux;
    SB_TRY(accelerate(me, t, q, here.aux, me->sys->n));
    sb_adaptive_start(me, me->sys->n, &here, me->sys->time_scale / 100.0, out);
    return SB_OK;
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    const sb_adaptive adaptive = {me->sys->n, next, reach};
    return sb_adaptive_step(me, &adaptive, in, h, out);
}

static int order_of(const sb_stepper *type, const void *configuration, unsigned features, sb_variable variable) {
    return tables[((const config *)configuration)->pair].order;
}

/* Some fifty roundings. */
#define RTOL "1e-8"
#if defined SB_QUAD
#define LEAST_RTOL 1e-32
#elif defined SB_SINGLE
#define LEAST_RTOL 5e-6
#undef RTOL
#define RTOL "1e-5"
#else
#define LEAST_RTOL 1e-14
#endif

static const sb_param params[] = {
    SB_PARAM_CHOICE(config, pair, "dormand1210", "dormand86|dormand1210",
                    "the pair of the orders 8 and 6 with 8 evaluations per step, or 12 and 10 with 17"),
    SB_PARAM_REAL(
        config, rtol, RTOL, LEAST_RTOL, 0.1, SB_CLOSED, "",
        "local error of a step over the size of the motion, the larger of |q| and time_scale |v| at the start"),
    {.name = NULL},
};

/* The local errors of order p^ + 1 are kept at the tolerance, and the errors are those of order p = p^ + 2: their power
 * of the tolerance is (p^ + 2)/(p^ + 1), 12/11 or 8/7. */
SB_DEFINE_STEPPER(rkn_pair) = {
    .entry = {"rkn_pair", "embedded pairs of explicit Nystrom methods with error control, orders 12(10) and 8(6)",
              "dormand87; hnw93 II.14", params, sizeof(config)},
    .order = 12,
    .order_of = order_of,
    .supports = SB_HAS_TIME_POTENTIAL,
    .control = {"rtol", 12.0 / 11.0},
    .init = init,
    .start = start,
    .step = step,
};
