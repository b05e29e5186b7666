/* Stability limit of a stepper, the largest tau = h omega for which an oscillation stays bounded. notes11 3, transv18.
 */
#include "analysis/stability/stability_limit.h"
#include "analysis/stability/amplification.h"
#include "analysis/stability/bisect.h"
#include "core/run/build.h"

/* Systems with omega = 1; the pendulum hangs at rest, and all of its stiffness is geometric. */
static const char *const problem[] = {"oscillator:omega=1", "pendulum:g=1,theta0=0"};

typedef struct model {
    sb_context *ctx;
    const sb_stepper *type;
    const void *config;
    sb_model model;
} model;

/* Computes the largest modulus of a root at tau, and whether the oscillation is bounded; a step that fails is not. */
static int examine(const model *m, double tau, double *radius, bool *stable) {
    SB_SCRATCH(arena, m->ctx);
    sb_system sys;
    sb_amplification a = {.radius = NAN, .bounded = SB_UNCLEAR};
    int status = sb_system_build(m->ctx, &arena, problem[m->model], 0, NULL, &sys);
    if (status == SB_OK) {
        const sb_pair pair = {sys.name, m->type->entry.name, &sys, m->type, m->config};
        status = sb_amplification_measure(m->ctx, &arena, &pair, tau, &a);
    }
    *radius = a.radius;
    *stable = status == SB_OK && a.bounded == SB_BOUNDED;
    return status > 0 ? SB_OK : status;
}

static int stable_at(void *arg, double tau, bool *stable) {
    double radius;
    return examine(arg, tau, &radius, stable);
}

int sb_stability_limit_holds(sb_context *ctx, const sb_stepper *type, const void *config, sb_model which, double tau,
                             bool *stable) {
    return stable_at(&(model){ctx, type, config, which}, tau, stable);
}

int sb_stability_limit_find(sb_context *ctx, const sb_stepper *type, const void *config, sb_model which, double *tau) {
    model m = {ctx, type, config, which};
    double lo = 0.0, hi = 1.0 / 16.0, error;
    SB_TRY(sb_raise_to_unstable(stable_at, &m, 1.1, 64.0, &lo, &hi));
    SB_TRY(lo > 0.0 && hi > 0.0 ? sb_bisect_stable(stable_at, &m, 1e-7, &lo, &hi) : SB_OK);
    *tau = !(hi > 0.0) ? INFINITY : lo > 0.0 ? sb_bracketed(lo, hi, &error) : 0.0;
    return SB_OK;
}

int sb_stability_limit_growth(sb_context *ctx, const sb_stepper *type, const void *config, double tau, double *factor) {
    const model m = {ctx, type, config, SB_MODEL_OSCILLATOR};
    double radius;
    bool stable;
    SB_TRY(examine(&m, tau, &radius, &stable));
    *factor = stable ? 1.0 : pow(radius, 2.0 * M_PI / tau);
    return SB_OK;
}
