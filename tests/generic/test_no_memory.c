/* Out of memory at every allocation of building and running every supported pair of problem and stepper: SB_NO_MEMORY
 * each time, nothing lost (the sanitizers and valgrind watch), and a run with enough memory afterwards as if nothing
 * had happened. */
#include <stdio.h>
#include <string.h>

#include <gsl/gsl_test.h>

#include "bench/runner/registry.h"
#include "core/run/build.h"
#include "core/run/counting.h"
#include "core/run/run.h"

static int ignore(void *arg, const sb_sample *sample) {
    double *sum = arg;
    *sum += sample->q[0];
    return SB_OK;
}

static int run_steps(sb_method *method, double *sum) {
    sb_run run = {.h = 1e-3, .steps = 2, .every = 1, .multipliers = true};
    return sb_run_method(method, &run, ignore, sum);
}

static int build_and_run(sb_context *ctx, sb_arena *arena, const char *problem, const char *formulation,
                         const char *stepper, double *sum) {
    sb_system sys, counted;
    sb_counts counts = {0};
    sb_method method;
    *sum = 0.0;
    SB_TRY(sb_system_build(ctx, arena, problem, formulation != NULL, &formulation, &sys));
    SB_TRY(sb_system_counting(ctx, arena, &sys, &counts, &counted));
    SB_TRY(sb_method_build(ctx, arena, stepper, &counted, &method));
    return run_steps(&method, sum);
}

static void pair(sb_context *ctx, const char *problem, const char *formulation, const char *stepper) {
    enum { MOST = 5000 };
    const char *with = formulation != NULL ? formulation : "no formulation";
    long budget = -1;
    double expected, sum = 0.0;
    int status;
    sb_arena arena;
    sb_arena_init(&arena, ctx);
    ctx->alloc_budget = -1;
    const int unlimited = build_and_run(ctx, &arena, problem, formulation, stepper, &expected);
    sb_arena_free(&arena);
    if (unlimited == SB_UNSUPPORTED) {
        return;
    }
    gsl_test(unlimited != SB_OK, "%s on %s (%s) runs: %s", stepper, problem, with, ctx->message);
    do {
        sb_arena_init(&arena, ctx);
        ctx->alloc_budget = ++budget;
        ctx->message[0] = '\0';
        status = build_and_run(ctx, &arena, problem, formulation, stepper, &sum);
        ctx->alloc_budget = -1;
        sb_arena_free(&arena);
        if (status != SB_OK && (status != SB_NO_MEMORY || strstr(ctx->message, "memory") == NULL)) {
            gsl_test(1, "%s on %s (%s), allocation %ld fails: status %d, \"%s\"", stepper, problem, with, budget + 1,
                     status, ctx->message);
        }
    } while (status == SB_NO_MEMORY && budget < MOST);
    gsl_test(status != unlimited || sum != expected,
             "%s on %s (%s) fails cleanly at each of %ld allocations and then runs", stepper, problem, with, budget);
    gsl_test(budget < 5, "%s on %s (%s) was starved at all", stepper, problem, with);
}

int main(void) {
    sb_context ctx;
    sb_registry registry;
    sb_context_init(&ctx);
    if (sb_registry_init(&registry, &ctx) != SB_OK || sb_register_builtins(&registry) != SB_OK) {
        gsl_test(1, "the registry is filled: %s", ctx.message);
        return gsl_test_summary();
    }
    for (int i = 0; i < registry.count[SB_KIND_PROBLEM]; i++) {
        for (int j = 0; j < registry.count[SB_KIND_STEPPER]; j++) {
            for (int k = -1; k < registry.count[SB_KIND_FORMULATION]; k++) {
                pair(&ctx, registry.entries[SB_KIND_PROBLEM][i]->name,
                     k < 0 ? NULL : registry.entries[SB_KIND_FORMULATION][k]->name,
                     registry.entries[SB_KIND_STEPPER][j]->name);
            }
        }
    }
    sb_registry_free(&registry);
    return gsl_test_summary();
}
