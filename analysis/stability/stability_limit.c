/* How fast an oscillation a stepper bears, found by stepping models that have one frequency. notes11 3, transv18. */
#include <stepbench/numerics/norm.h>

#include "analysis/stability/stability_limit.h"
#include "analysis/stability/recurrence.h"
#include "core/run/build.h"
#include "core/run/run.h"

static const double tau_end = 64.0;

/* ---- A pendulum of omega = 1 at rest near its lowest point, where all stiffness is geometric, as it is transversal to constraints. ---- */

enum { STEPS = 1000 };
static const double amplitude = 1e-6, swell = 50.0;

static int follow(void *arg, const sb_sample *sample) {
    double *largest = arg;
    *largest = sb_larger(*largest, fabs(sample->q[0]));
    return *largest <= swell * amplitude ? SB_OK : SB_NOT_FINITE;
}

/* At tau = 2 (1 + e) Verlet's kin grow by exp(2 sqrt(2 e)) a step: past 50 times the start within 1000 steps when e > 2e-6. Below, at 2 (1 - e), a
 * bounded motion beats up to 1/sqrt(8 e) times its start: past 50 times when e < 5e-5; one whose start is half a step off (start=full) up to twice
 * that, past 50 times when e < 2e-4. That is how well the limit is told. */
static int swing(sb_context *ctx, const sb_stepper *type, const void *config, double tau, bool *stable) {
    sb_arena arena;
    sb_system sys;
    sb_method method = {0};
    double largest = 0.0;
    sb_run run = {.h = tau, .steps = STEPS, .every = 1};
    sb_arena_init(&arena, ctx);
    int status = sb_system_build(ctx, &arena, "pendulum:g=1,theta0=1e-6", 0, NULL, &sys);
    status = status == SB_OK ? sb_method_init(ctx, &arena, type, config, &sys, &method) : status;
    if (status == SB_OK) {
        status = sb_run_method(&method, &run, follow, &largest);
        *stable = status == SB_OK;
        status = status > 0 ? SB_OK : status;
    }
    sb_method_fini(&method);
    sb_arena_free(&arena);
    return status;
}

/* By factors of 1.1 from 1/16 and bisection to 1e-5. */
static int swing_limit(sb_context *ctx, const sb_stepper *type, const void *config, double *tau) {
    double lo = 0.0, hi = 1.0 / 16.0;
    bool stable;
    SB_TRY(swing(ctx, type, config, hi, &stable));
    while (stable && hi < tau_end) {
        lo = hi;
        hi *= 1.1;
        SB_TRY(swing(ctx, type, config, hi, &stable));
    }
    *tau = stable ? INFINITY : lo;
    while (!stable && lo > 0.0 && hi - lo > 1e-5 * hi) {
        const double middle = 0.5 * (lo + hi);
        bool there;
        SB_TRY(swing(ctx, type, config, middle, &there));
        *(there ? &lo : &hi) = middle;
        *tau = lo;
    }
    return SB_OK;
}

/* ---- The oscillator. ---- */

typedef struct question {
    double tau;   /* to be judged, or 0 for the limit */
    double limit;
    sb_recurrence answer;
} question;

static int ask(sb_context *ctx, const sb_stepper *type, const void *config, question *q) {
    sb_arena arena;
    sb_system sys;
    sb_recurrence_probe probe = {0};
    sb_arena_init(&arena, ctx);
    int status = sb_system_build(ctx, &arena, "oscillator:omega=1", 0, NULL, &sys);
    if (status == SB_OK) {
        const sb_pair pair = {"oscillator", type->entry.name, &sys, type, config};
        status = sb_recurrence_open(ctx, &arena, &pair, &probe);
    }
    if (status == SB_OK) {
        status = q->tau > 0.0 ? sb_recurrence_measure(&probe, q->tau, &q->answer) : sb_recurrence_limit(&probe, 1.0 / 16.0, tau_end, &q->limit);
    }
    sb_recurrence_close(&probe);
    sb_arena_free(&arena);
    return status;
}

/* ---- Either. ---- */

int sb_stability_limit_holds(sb_context *ctx, const sb_stepper *type, const void *config, sb_model model, double tau, bool *stable) {
    if (model == SB_MODEL_PENDULUM) {
        return swing(ctx, type, config, tau, stable);
    }
    question q = {.tau = tau};
    SB_TRY(ask(ctx, type, config, &q));
    *stable = q.answer.linear && q.answer.stable;
    return SB_OK;
}

int sb_stability_limit_find(sb_context *ctx, const sb_stepper *type, const void *config, sb_model model, double *tau) {
    if (model == SB_MODEL_PENDULUM) {
        return swing_limit(ctx, type, config, tau);
    }
    question q = {0};
    SB_TRY(ask(ctx, type, config, &q));
    *tau = q.limit;
    return SB_OK;
}

int sb_stability_limit_growth(sb_context *ctx, const sb_stepper *type, const void *config, double tau, double *factor) {
    question q = {.tau = tau};
    double largest = 0.0;
    SB_TRY(ask(ctx, type, config, &q));
    for (int i = 0; i < 2; i++) {
        largest = sb_larger(largest, hypot(q.answer.root[i][0], q.answer.root[i][1]));
    }
    *factor = !q.answer.linear ? NAN : q.answer.stable ? 1.0 : pow(largest, 2.0 * M_PI / tau);
    return SB_OK;
}
