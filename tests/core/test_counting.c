/* The counting view: it changes nothing but the counts, and the counts are those the methods' definitions give. */
#include <string.h>

#include <gsl/gsl_test.h>

#include "analysis/system/terms.h"
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

/* Compares the terms of both systems at the initial state, bit by bit. */
static int compare_terms(sb_arena *arena, const sb_system *sys, const sb_system *counted) {
    sb_term_point at = {.sys = sys};
    double *value[2], *ones;
    int size = sys->n + sys->holonomic.m + sys->nonholonomic.m;
    for (int term = 0; term < SB_TERM_COUNT; term++) {
        const int length = sb_term_length((sb_term)term, sys);
        size = length > size ? length : size;
    }
    SB_TRY(SB_VECTORS(arena, size, &value[0], &value[1], &ones, &at.scratch, &at.q, &at.v, &at.s));
    for (int i = 0; i < size; i++) {
        ones[i] = 1.0;
    }
    at.w = at.wq = at.u = ones;
    SB_TRY(sys->initial(sys->self, &at.t, at.q, at.v));
    for (int term = 0; term < SB_TERM_COUNT; term++) {
        const size_t bytes = (size_t)sb_term_length((sb_term)term, sys) * sizeof(double);
        int status[2] = {SB_OK, SB_OK};
        for (int k = 0; k < 2 && bytes > 0; k++) {
            memset(value[k], 0, bytes);
            at.sys = k == 0 ? sys : counted;
            status[k] = sb_term_evaluate((sb_term)term, &at, 1.0, value[k]);
        }
        gsl_test(status[0] != status[1] || memcmp(value[0], value[1], bytes) != 0, "%s: %s is not changed", sys->name,
                 sb_term_symbol((sb_term)term));
    }
    return sys->embedding == NULL ? SB_OK : compare_terms(arena, sys->embedding->ambient, counted->embedding->ambient);
}

/* Counting changes no term of a system, nor of the one it is embedded in; `counts` is the number of evaluations. */
static void same_terms(sb_context *ctx, const char *problem, const char *formulation) {
    sb_arena arena;
    sb_system sys, counted;
    sb_counts counts = {0};
    sb_arena_init(&arena, ctx);
    gsl_test(sb_system_build(ctx, &arena, problem, formulation != NULL, &formulation, &sys) != SB_OK ||
                 sb_system_counting(ctx, &arena, &sys, &counts, &counted) != SB_OK ||
                 compare_terms(&arena, &sys, &counted) != SB_OK,
             "%s is built: %s", problem, ctx->message);
    gsl_test(counts.mass == 0, "%s: evaluations of the mass count", problem);
    gsl_test((sys.potential.gradient != NULL || sys.force.value != NULL) && counts.force == 0, "%s: of the force, too",
             problem);
    gsl_test(sys.holonomic.m + sys.nonholonomic.m > 0 && counts.constraint == 0, "%s: of constraints, too", problem);
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
    same_terms(&ctx, "oscillator:gamma=0.1", NULL);
    same_terms(&ctx, "pendulum", NULL);
    same_terms(&ctx, "pendulum", "penalty");
    same_terms(&ctx, "dsp", "baumgarte");
    same_terms(&ctx, "dsp", "chart");
    same_terms(&ctx, "chaplygin_sleigh", NULL);
    sb_registry_free(&registry);
    return gsl_test_summary();
}
