/* No allocation inside step, report or momentum, for every stepper on every problem it takes, reformulated or not. The
 * C library's allocation functions are replaced by counting ones, so that what a library called by a step allocates
 * counts as well. */
#include <errno.h>
#include <stdlib.h>

#include <gsl/gsl_test.h>

#include "bench/runner/registry.h"
#include "core/run/build.h"

static long allocations;

/* The allocator below the replaceable functions; glibc exports it for this use. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    allocations++;
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
    allocations++;
    return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    allocations++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size) {
    allocations++;
    *out = __libc_memalign(alignment, size);
    return *out != NULL ? 0 : ENOMEM;
}

/* Contacts come and go in 100 steps of a small problem. Without contacts a later step does what the first ones do:
 * 10 steps include those of the methods that start with another one. */
enum { SMALL = 20, STEPS_CONTACT = 100, STEPS = 10, STEPS_LARGE = 5 };

static int take_steps(const sb_method *method, int steps, sb_state *state, double h, double *v, double *lambda,
                      double *p) {
    for (int k = 0; k < steps; k++) {
        SB_TRY(sb_method_step(method, &state[k & 1], h, &state[(k + 1) & 1]));
        SB_TRY(sb_method_report(method, &state[(k + 1) & 1], v, lambda));
        SB_TRY(sb_method_momentum(method, &state[(k + 1) & 1], p));
    }
    return SB_OK;
}

static void pair(sb_context *ctx, const sb_system *sys, const sb_entry *stepper) {
    sb_arena arena;
    sb_method method = {0};
    sb_state state[2];
    sb_arena_init(&arena, ctx);
    const double h = 0.01 * sys->time_scale;
    const int steps = sys->n > SMALL ? STEPS_LARGE : (sys->flags & SB_HAS_CONTACT) != 0 ? STEPS_CONTACT : STEPS;
    double *v = sb_alloc(&arena, (size_t)sys->n, sizeof *v),
           *lambda = sb_alloc(&arena, (size_t)sb_system_multipliers(sys), sizeof *lambda);
    double *p = sb_alloc(&arena, (size_t)sys->n, sizeof *p);
    int status = sb_method_build(ctx, &arena, stepper->name, sys, &method);
    for (int i = 0; i < 2 && status == SB_OK; i++) {
        status = sb_state_new(&method, &arena, &state[i]);
    }
    status = status == SB_OK ? sb_method_start(&method, 0.0, NULL, NULL, h, &state[0]) : status;
    if (status == SB_OK) {
        const long before = allocations;
        status = take_steps(&method, steps, state, h, v, lambda, p);
        gsl_test(allocations != before, "%s on %s allocates nothing in %d steps (%ld)", stepper->name, sys->name, steps,
                 allocations - before);
    }
    gsl_test(status != SB_OK, "%s on %s takes %d steps: %s", stepper->name, sys->name, steps,
             status != SB_OK ? ctx->message : "done");
    sb_arena_free(&arena);
}

static int all_steppers(sb_context *ctx, const sb_registry *registry, const char *problem, const char *formulation) {
    sb_arena arena;
    sb_system sys;
    int pairs = 0;
    sb_arena_init(&arena, ctx);
    const int status = sb_system_build(ctx, &arena, problem, formulation != NULL, &formulation, &sys);
    gsl_test(formulation == NULL && status != SB_OK, "%s is built: %s", problem,
             status != SB_OK ? ctx->message : "done");
    for (int i = 0; status == SB_OK && i < registry->count[SB_KIND_STEPPER]; i++) {
        const sb_entry *stepper = registry->entries[SB_KIND_STEPPER][i];
        if (sb_stepper_check(ctx, (const sb_stepper *)stepper, &sys) == SB_OK) {
            pair(ctx, &sys, stepper);
            pairs++;
        }
    }
    sb_arena_free(&arena);
    return pairs;
}

int main(void) {
    sb_context ctx;
    sb_registry registry;
    sb_context_init(&ctx);
    gsl_test(sb_registry_init(&registry, &ctx) != SB_OK || sb_register_builtins(&registry) != SB_OK,
             "built-ins register");
    const long before = allocations;
    free(malloc(1));
    gsl_test(allocations != before + 1, "an allocation is seen");
    int pairs = 0;
    for (int i = 0; i < registry.count[SB_KIND_PROBLEM]; i++) {
        const char *problem = registry.entries[SB_KIND_PROBLEM][i]->name;
        pairs += all_steppers(&ctx, &registry, problem, NULL);
        for (int k = 0; k < registry.count[SB_KIND_FORMULATION]; k++) {
            pairs += all_steppers(&ctx, &registry, problem, registry.entries[SB_KIND_FORMULATION][k]->name);
        }
    }
    gsl_test(pairs < registry.count[SB_KIND_STEPPER], "every stepper has been on some problem");
    sb_registry_free(&registry);
    return gsl_test_summary();
}
