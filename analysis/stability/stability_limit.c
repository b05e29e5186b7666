/* Stability limit of a stepper, the largest tau = h omega for which an oscillation stays bounded. notes11 3, transv18.
 */
#include <stepbench/numerics/norm.h>

#include "analysis/stability/bisect.h"
#include "analysis/stability/recurrence.h"
#include "analysis/stability/stability_limit.h"
#include "core/run/build.h"

static const double tau_end = 64.0;

/* ---- A pendulum of omega = 1 at rest near its lowest point, where all stiffness is geometric. ---- */

enum { STEPS = 1000 };
static const double amplitude = 1e-6, growth = 50.0;

static int follow(void *arg, const sb_sample *sample) {
    double *largest = arg;
    *largest = sb_larger(*largest, fabs(sample->q[0]));
    return *largest <= growth * amplitude ? SB_OK : SB_NOT_FINITE;
}

typedef struct pendulum {
    sb_context *ctx;
    const sb_stepper *type;
    const void *config;
} pendulum;

/* Decides whether 1000 steps of tau stay bounded. At tau = 2 (1 + e) Verlet and similar methods grow by exp(2 sqrt(2
 * e)) per step: beyond 50 times the amplitude within 1000 steps if e > 2e-6. At 2 (1 - e) a bounded motion beats up to
 * 1/sqrt(8 e) times its amplitude: beyond 50 times if e < 5e-5; if its start is wrong by half a step (start=full) up to
 * twice that: beyond 50 times if e < 2e-4. This is the accuracy of the limit. */
static int pendulum_at(void *arg, double tau, bool *stable) {
    const pendulum *p = arg;
    sb_arena arena;
    sb_system sys;
    double largest = 0.0;
    sb_arena_init(&arena, p->ctx);
    int status = sb_system_build(p->ctx, &arena, "pendulum:g=1,theta0=1e-6", 0, NULL, &sys);
    if (status == SB_OK) {
        const sb_pair pair = {"pendulum", p->type->entry.name, &sys, p->type, p->config};
        status = sb_pair_run(p->ctx, &arena, &pair, tau, STEPS, follow, &largest);
        *stable = status == SB_OK;
        status = status > 0 ? SB_OK : status;
    }
    sb_arena_free(&arena);
    return status;
}

/* Searches by factors of 1.1 from 1/16, then bisects to 1e-5. */
static int pendulum_limit(pendulum *p, double *tau) {
    double lo = 0.0, hi = 1.0 / 16.0;
    bool stable;
    SB_TRY(pendulum_at(p, hi, &stable));
    while (stable && hi < tau_end) {
        lo = hi;
        hi *= 1.1;
        SB_TRY(pendulum_at(p, hi, &stable));
    }
    SB_TRY(!stable && lo > 0.0 ? sb_bisect_stable(pendulum_at, p, 1e-5, &lo, &hi) : SB_OK);
    *tau = stable ? INFINITY : lo;
    return SB_OK;
}

/* ---- The oscillator. ---- */

/* Computes the recurrence at tau, or the limit if tau is 0. */
static int oscillator(sb_context *ctx, const sb_stepper *type, const void *config, double tau, sb_recurrence *at,
                      double *limit) {
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
        status = tau > 0.0 ? sb_recurrence_measure(&probe, tau, at)
                           : sb_recurrence_limit(&probe, 1.0 / 16.0, tau_end, limit);
    }
    sb_arena_free(&arena);
    return status;
}

/* ---- Either model. ---- */

int sb_stability_limit_holds(sb_context *ctx, const sb_stepper *type, const void *config, sb_model model, double tau,
                             bool *stable) {
    if (model == SB_MODEL_PENDULUM) {
        return pendulum_at(&(pendulum){ctx, type, config}, tau, stable);
    }
    sb_recurrence at;
    SB_TRY(oscillator(ctx, type, config, tau, &at, NULL));
    *stable = at.linear && at.stable;
    return SB_OK;
}

int sb_stability_limit_find(sb_context *ctx, const sb_stepper *type, const void *config, sb_model model, double *tau) {
    return model == SB_MODEL_PENDULUM ? pendulum_limit(&(pendulum){ctx, type, config}, tau)
                                      : oscillator(ctx, type, config, 0.0, NULL, tau);
}

int sb_stability_limit_growth(sb_context *ctx, const sb_stepper *type, const void *config, double tau, double *factor) {
    sb_recurrence at;
    double largest = 0.0;
    SB_TRY(oscillator(ctx, type, config, tau, &at, NULL));
    for (int i = 0; i < 2; i++) {
        largest = sb_larger(largest, hypot(at.root[i][0], at.root[i][1]));
    }
    *factor = !at.linear ? NAN : at.stable ? 1.0 : pow(largest, 2.0 * M_PI / tau);
    return SB_OK;
}
