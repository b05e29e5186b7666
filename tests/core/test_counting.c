/* The counting view: it changes nothing but the counts, and the counts are those the methods' definitions give. */
#include <string.h>

#include <gsl/gsl_test.h>

#include "bench/runner/registry.h"
#include "core/run/build.h"
#include "core/run/counting.h"
#include "core/run/run.h"

typedef struct last {
    int n;
    double q[32], v[32];
} last;

static int keep(void *arg, const sb_sample *sample) {
    last *l = arg;
    memcpy(l->q, sample->q, (size_t)l->n * sizeof(double));
    memcpy(l->v, sample->v, (size_t)l->n * sizeof(double));
    return SB_OK;
}

static int run(sb_context *ctx, sb_arena *arena, const char *stepper, const sb_system *sys, long steps, last *out) {
    sb_method method;
    SB_TRY(sb_method_build(ctx, arena, stepper, sys, &method));
    sb_run r = {.h = 1e-3, .steps = steps, .every = steps};
    out->n = sys->n;
    return sb_run_method(&method, &r, keep, out);
}

/* Evaluations of the force a step, beyond those of starting and of the last report: the difference of 40 and 20 steps
 * over 20. */
static void per_step(sb_context *ctx, const char *problem, const char *stepper, double expected) {
    sb_arena arena;
    sb_system sys, counted;
    sb_counts first = {0}, second = {0};
    last plain, same;
    sb_arena_init(&arena, ctx);
    gsl_test(sb_system_build(ctx, &arena, problem, 0, NULL, &sys) != SB_OK, "%s is built: %s", problem, ctx->message);
    gsl_test(sb_system_counting(ctx, &arena, &sys, &first, &counted) != SB_OK ||
                 run(ctx, &arena, stepper, &counted, 20, &same) != SB_OK,
             "20 steps: %s", ctx->message);
    gsl_test(counted.flags != sys.flags, "%s: counting changes no feature", problem);
    gsl_test(sb_system_counting(ctx, &arena, &sys, &second, &counted) != SB_OK ||
                 run(ctx, &arena, stepper, &counted, 40, &same) != SB_OK,
             "40 steps: %s", ctx->message);
    gsl_test_abs((double)(second.force - first.force) / 20.0, expected, 0.0, "%s on %s: force evaluations a step",
                 stepper, problem);
    gsl_test(run(ctx, &arena, stepper, &sys, 40, &plain) != SB_OK, "the plain system runs: %s", ctx->message);
    gsl_test(memcmp(plain.q, same.q, (size_t)sys.n * sizeof(double)) != 0 ||
                 memcmp(plain.v, same.v, (size_t)sys.n * sizeof(double)) != 0,
             "%s on %s: counting changes no bit of the motion", stepper, problem);
    gsl_test(sys.holonomic.m > 0 && second.constraint <= first.constraint,
             "%s on %s: constraint evaluations are counted", stepper, problem);
    sb_arena_free(&arena);
}

int main(void) {
    sb_context ctx;
    sb_registry registry;
    sb_context_init(&ctx);
    if (sb_registry_init(&registry, &ctx) != SB_OK || sb_register_builtins(&registry) != SB_OK) {
        gsl_test(1, "the registry is filled: %s", ctx.message);
        return gsl_test_summary();
    }
    per_step(&ctx, "kepler", "euler_explicit", 1.0);
    per_step(&ctx, "kepler", "rk4", 4.0);
    per_step(&ctx, "oscillator:gamma=0.1", "rk4", 4.0); /* spring and drag together are one force */
    per_step(&ctx, "pendulum", "shake", 1.0);
    sb_registry_free(&registry);
    return gsl_test_summary();
}
