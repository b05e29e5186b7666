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
#include <stepbench/numerics/norm.h>
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
    sb_scalar *q, *a;
    sb_scalar (*k)[STAGES_MAX]; /* n lists of the k_i of one coordinate */
    sb_state tried, at;         /* the end of a step that is tried; between the point of the mesh and an output */
} work;

/* ---- A step. ---- */

/* Returns the sum over the first `count` stages, even and odd ones by themselves: twice as fast. */
static inline sb_scalar sum_stages(int count, const sb_scalar *weights, const sb_scalar *k) {
    sb_scalar even = 0.0, odd = 0.0;
    for (int j = 0; j + 1 < count; j += 2) {
        even += weights[j] * k[j];
        odd += weights[j + 1] * k[j + 1];
    }
    return count % 2 == 1 ? even + odd + weights[count - 1] * k[count - 1] : even + odd;
}

/* Computes the acceleration, which does not depend on v. */
static int accelerate(const sb_method *me, sb_scalar t, const sb_scalar *q, sb_scalar *a) {
    work *w = me->work;
    return sb_dynamics_acceleration(&w->dyn, t, q, w->tried.v, a, NULL);
}

/* Sets w->tried to the end of a step of length h, with the acceleration there in aux, and err. */
static int try_step(const sb_method *me, const sb_state *from, sb_scalar h, sb_scalar *err) {
    work *w = me->work;
    const table *type = w->table;
    const sb_scalar *a_bar = type->a_bar;
    const int n = me->sys->n, s = type->s;
    sb_state *to = &w->tried;
    sb_scalar error_q = 0.0, error_v = 0.0;
    for (int e = 0; e < n; e++) {
        w->k[e][0] = from->aux[e];
    }
    for (int i = 1; i < s; i++) {
        const sb_scalar c = type->c[i];
        for (int e = 0; e < n; e++) {
            w->q[e] = from->q[e] + h * (c * from->v[e] + h * sum_stages(i, a_bar, w->k[e]));
        }
        SB_TRY(accelerate(me, from->t + c * h, w->q, w->a));
        for (int e = 0; e < n; e++) {
            w->k[e][i] = w->a[e];
        }
        a_bar += i;
    }
    to->t = from->t + h;
    to->h = h;
    for (int e = 0; e < n; e++) {
        to->q[e] = from->q[e] + h * (from->v[e] + h * sum_stages(s, type->b_bar, w->k[e]));
        to->v[e] = from->v[e] + h * sum_stages(s, type->b, w->k[e]);
        error_q = sb_larger(error_q, fabs(sum_stages(s, type->d_bar, w->k[e])));
        error_v = sb_larger(error_v, fabs(sum_stages(s, type->d, w->k[e])));
    }
    *err = fabs(h) * sb_larger(fabs(h) * error_q, me->sys->time_scale * error_v) / w->length;
    *err = isnan(*err) ? INFINITY : *err;
    return SB_OK;
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
        memcpy(w->tried.aux, w->a, (size_t)me->sys->n * sizeof *w->a);
        return SB_OK;
    }
    return accelerate(me, w->tried.t, w->tried.q, w->tried.aux);
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
    SB_NEW(me->arena, w->k, me->sys->n);
    SB_TRY(SB_VECTORS(me->arena, me->sys->n, &w->q, &w->a));
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
    SB_TRY(accelerate(me, t, q, here.aux));
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
