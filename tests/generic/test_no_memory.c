/* Out of memory at every allocation of building every problem, under every formulation, and of building and running
 * every stepper on one problem of each class: SB_NO_MEMORY each time, nothing lost (the sanitizers and valgrind watch),
 * and a run with enough memory afterwards as if nothing had happened. Under the sanitizers at the first allocation and
 * at every fifth, other ones per subject. */
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

/* A problem under a formulation (NULL: none), and a stepper on it (NULL: the problem is built). */
typedef struct subject {
    const char *problem, *formulation, *stepper;
    const sb_system *sys;
} subject;

static int build_system(sb_context *ctx, sb_arena *arena, const subject *s, sb_system *out) {
    return sb_system_build(ctx, arena, s->problem, s->formulation != NULL, &s->formulation, out);
}

static int build_and_run(sb_context *ctx, sb_arena *arena, const subject *s, double *sum) {
    sb_system counted;
    sb_counts counts = {0};
    sb_method method;
    *sum = 0.0;
    if (s->stepper == NULL) {
        return build_system(ctx, arena, s, &counted);
    }
    SB_TRY(sb_system_counting(ctx, arena, s->sys, &counts, &counted));
    SB_TRY(sb_method_build(ctx, arena, s->stepper, &counted, &method));
    return run_steps(&method, sum);
}

static void starve(sb_context *ctx, const subject *s) {
    enum { MOST = 5000 };
#ifdef SB_SANITIZE
    enum { STRIDE = 5 };
#else
    enum { STRIDE = 1 };
#endif
    static int subjects;
    const int second = 1 + subjects++ % STRIDE;
    char name[200];
    long budget = -1;
    double expected, sum = 0.0;
    int status;
    sb_arena arena;
    snprintf(name, sizeof name, "%s on %s (%s)", s->stepper != NULL ? s->stepper : "no stepper", s->problem,
             s->formulation != NULL ? s->formulation : "no formulation");
    sb_arena_init(&arena, ctx);
    const int unlimited = build_and_run(ctx, &arena, s, &expected);
    sb_arena_free(&arena);
    if (unlimited == SB_UNSUPPORTED) {
        return;
    }
    gsl_test(unlimited != SB_OK, "%s runs: %s", name, ctx->message);
    do {
        sb_arena_init(&arena, ctx);
        budget += budget < 0 ? 1 : budget == 0 ? second : STRIDE;
        ctx->alloc_budget = budget;
        ctx->message[0] = '\0';
        status = build_and_run(ctx, &arena, s, &sum);
        ctx->alloc_budget = -1;
        sb_arena_free(&arena);
        if (status != SB_OK && (status != SB_NO_MEMORY || strstr(ctx->message, "memory") == NULL)) {
            gsl_test(1, "%s, allocation %ld fails: status %d, \"%s\"", name, budget + 1, status, ctx->message);
        }
    } while (status == SB_NO_MEMORY && budget < MOST);
    gsl_test(status != unlimited || sum != expected, "%s fails cleanly up to allocation %ld and then runs", name,
             budget);
    gsl_test(budget < 2, "%s was starved at all", name);
}

/* Returns whether a system of these features has been met under the formulation; what steppers allocate depends on
 * them. */
static bool is_known(const char *formulation, unsigned flags) {
    static struct {
        const char *formulation;
        unsigned flags;
    } met[100];
    static int count;
    for (int i = 0; i < count; i++) {
        if (met[i].formulation == formulation && met[i].flags == flags) {
            return true;
        }
    }
    if (count < (int)(sizeof met / sizeof *met)) {
        met[count].formulation = formulation;
        met[count++].flags = flags;
    }
    return false;
}

static void all_steppers(sb_context *ctx, subject s) {
    sb_arena arena;
    sb_system sys;
    sb_arena_init(&arena, ctx);
    starve(ctx, &s);
    s.sys = &sys;
    const int status = build_system(ctx, &arena, &s, &sys);
    const bool known = status == SB_OK && is_known(s.formulation, sys.flags);
    for (int j = 0; status == SB_OK && !known && j < ctx->registry->count[SB_KIND_STEPPER]; j++) {
        s.stepper = ctx->registry->entries[SB_KIND_STEPPER][j]->name;
        starve(ctx, &s);
    }
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
    for (int i = 0; i < registry.count[SB_KIND_PROBLEM]; i++) {
        for (int k = -1; k < registry.count[SB_KIND_FORMULATION]; k++) {
            all_steppers(&ctx, (subject){.problem = registry.entries[SB_KIND_PROBLEM][i]->name,
                                         .formulation = k < 0 ? NULL : registry.entries[SB_KIND_FORMULATION][k]->name});
        }
    }
    sb_registry_free(&registry);
    return gsl_test_summary();
}
