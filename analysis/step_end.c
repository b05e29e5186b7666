/* Checks that a step ends near its start: a step of another length, and coordinates that jump. */
#include "analysis/step_end.h"

#include <string.h>

#include <stepbench/numerics/norm.h>

#include "analysis/row.h"

typedef struct sums {
    int n;
    double h, *q, *v; /* of the last state */
    double size;      /* largest |q| */
    double moved, missed;
} sums;

/* Adds the miss of one of q + h v0, q + h v1 and q + h (v0 + v1)/2, the one that is nearest to q1. */
static int add_step(void *arg, const sb_sample *s) {
    sums *w = arg;
    double best = INFINITY, moved = 0.0;
    for (int k = 0; k < 3 && s->step > 0; k++) {
        double missed2 = 0.0, moved2 = 0.0;
        for (int i = 0; i < w->n; i++) {
            const double dq = 0.5 * w->h * (k * s->v[i] + (2 - k) * w->v[i]), miss = s->q[i] - w->q[i] - dq;
            missed2 += miss * miss;
            moved2 += dq * dq;
        }
        moved = missed2 < best ? moved2 : moved;
        best = fmin(best, missed2);
    }
    w->missed += s->step > 0 ? best : 0.0;
    w->moved += moved;
    w->size = sb_larger(w->size, sb_norm_max(w->n, s->q));
    memcpy(w->q, s->q, (size_t)w->n * sizeof(double));
    memcpy(w->v, s->v, (size_t)w->n * sizeof(double));
    return SB_OK;
}

static int set_start(const sb_system *sys, sb_step_start start, double *t, double *q, double *v) {
    SB_TRY(sys->initial(sys->self, t, q, v));
    for (int i = 0; i < sys->n; i++) {
        q[i] = start == SB_STEP_ANTIPODAL ? -q[i] : start == SB_STEP_TURNED ? q[i] + 2.0 * M_PI : q[i];
        v[i] = start == SB_STEP_ANTIPODAL ? -v[i] : v[i];
    }
    return SB_OK;
}

/* Sets *driven to whether constraints prescribe velocities at (t, q), which those of the other sign are not. */
static int find_driven(sb_arena *arena, const sb_system *sys, double t, const double *q, bool *driven) {
    double *w;
    *driven = (sys->flags & (unsigned)SB_HAS_RHEONOMIC) != 0;
    SB_NEW(arena, w, sys->nonholonomic.m);
    if (sys->nonholonomic.m > 0) {
        SB_TRY(sys->nonholonomic.value(sys->nonholonomic.self, t, q, NULL, w));
        *driven = *driven || sb_norm_max(sys->nonholonomic.m, w) > 0.0;
    }
    return SB_OK;
}

/* A displacement of a thousand roundings of q determines the miss to 0.01. */
static bool moves(const sums *w, double steps) { return sqrt(w->moved / steps) > 1e3 * SB_EPSILON * w->size; }

/* Raises *miss to that of a step of half the length after eight steps of h, for which the history of a multistep method
 * has points at wrong distances. */
static int add_shorter(sb_arena *arena, const sb_method *method, double t, const double *q, const double *v, double h,
                       double *miss) {
    enum { BEFORE = 8 };
    sb_state at[2];
    SB_TRY(sb_state_new(method, arena, &at[0]));
    SB_TRY(sb_state_new(method, arena, &at[1]));
    int status = sb_method_start(method, t, q, v, h, &at[0]);
    for (int k = 0; k <= BEFORE && status == SB_OK; k++) {
        status = sb_method_step(method, &at[k % 2], k < BEFORE ? h : 0.5 * h, &at[(k + 1) % 2]);
    }
    if (status != SB_OK) {
        return sb_failure_is_result(status) ? SB_OK : status;
    }
    sums w = {.n = method->sys->n, .h = 0.5 * h, .q = at[0].q, .v = at[0].v};
    SB_TRY(add_step(&w, &(sb_sample){.step = 1, .q = at[1].q, .v = at[1].v}));
    *miss = moves(&w, 1.0) ? sb_larger(*miss, sqrt(w.missed / w.moved)) : *miss;
    return SB_OK;
}

int sb_step_miss(sb_context *ctx, const sb_pair *pair, sb_step_start start, double h, long steps, double *miss) {
    const sb_system *sys = pair->sys;
    sums w = {.n = sys->n, .h = h};
    double t, *q, *v;
    sb_method method;
    *miss = NAN;
    SB_SCRATCH(arena, ctx);
    SB_TRY(SB_VECTORS(&arena, sys->n, &q, &v, &w.q, &w.v));
    SB_TRY(sb_method_init(ctx, &arena, pair->type, pair->config, sys, &method));
    SB_TRY(set_start(sys, start, &t, q, v));
    bool driven = false;
    SB_TRY(start == SB_STEP_ANTIPODAL ? find_driven(&arena, sys, t, q, &driven) : SB_OK);
    if (driven) {
        return SB_OK;
    }
    sb_run run = {.h = h, .steps = steps, .every = 1, .q0 = q, .v0 = v, .t0 = t};
    const int status = sb_run_method(&method, &run, add_step, &w);
    if (status != SB_OK) {
        return sb_failure_is_result(status) ? SB_OK : status;
    }
    *miss = moves(&w, (double)steps) ? sqrt(w.missed / w.moved) : (double)NAN;
    return pair->type->multistep && !isnan(*miss) ? add_shorter(&arena, &method, t, q, v, h, miss) : SB_OK;
}
