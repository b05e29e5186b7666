/* Every stepper on every problem it takes: what the generic tests of the steppers run on. */
#ifndef STEPBENCH_TESTS_STEPPERS_PAIRS_H
#define STEPBENCH_TESTS_STEPPERS_PAIRS_H

#include <stdio.h>
#include <string.h>

#include <gsl/gsl_test.h>

#include <stepbench/numerics/norm.h>

#include "bench/runner/registry.h"
#include "core/run/build.h"

/* Beside the defaults: forces, a constraint that is not quadratic, a pendulum that turns over, unequal masses, a
 * tumbling body, an eccentric orbit. */
static const char *const problem_variants[] = {
    "oscillator:omega=2,gamma=0.3,v0=1",    "pendulum:constraint=norm,theta0=2",
    "pendulum:m=3,l=2,theta0=0.3,omega0=6", "dsp:m1=7,m2=0.5",
    "rigid_body:w1=2,w2=0.1,w3=-1",         "kepler:e=0.6"};
static const char *const stepper_variants[] = {
    "del:quadrature=left", "shake:geometric=1", "shake:geometric=diag",       "spook:eps=0,geometric=diag",
    "suzuki4(rattle)",     "suzuki4(midpoint)", "adaptive(rattle):rtol=1e-3", "adaptive_reversible(rattle):rtol=1e-3"};
static const char *const charts[] = {"chart", "chart:lagrangian=chart"};
/* The other formulations, whose equations the steppers see as forces, on few problems: springs that are and are not
 * quadratic, forces that depend on the velocity. */
static const struct {
    const char *problem, *formulation;
} formulated[] = {{"pendulum:theta0=1,omega0=2", "penalty:eps=0.3"},
                  {"pendulum:constraint=norm,theta0=2", "penalty:eps=0.3,gamma=0.2"},
                  {"pendulum:constraint=norm,theta0=2", "baumgarte:alpha=2,beta=3"},
                  {"knife_edge", "baumgarte:alpha=2,beta=3"}};

enum {
    PROBLEM_VARIANTS = sizeof problem_variants / sizeof *problem_variants,
    STEPPER_VARIANTS = sizeof stepper_variants / sizeof *stepper_variants,
    FORMULATED = sizeof formulated / sizeof *formulated
};

/* How a registered stepper is run: by its name, but for those whose defaults solve a regularized system, which the
 * tests don't know the motion of, and for generalized_alpha on either group, whose multipliers hold round-off of size
 * eps/h^2 that only rho = 0 forgets within a step. */
static inline const char *specification(const char *name) {
    static const char *const special[] = {"spook:eps=0", "variational_regularized:eps=0", "generalized_alpha:rho=0",
                                          "lie_generalized_alpha:rho=0"};
    const size_t length = strlen(name);
    for (size_t i = 0; i < sizeof special / sizeof *special; i++) {
        if (strncmp(special[i], name, length) == 0 && special[i][length] == ':') {
            return special[i];
        }
    }
    return name;
}

/* How a registered problem is started: by its name, but for those that rest by default. */
static inline const char *moving(const char *problem) {
    return strcmp(problem, "thread") == 0 ? "thread:angle=0.5" : problem;
}

typedef struct pair {
    sb_context *ctx;
    sb_arena *arena;
    const sb_system *sys;
    const sb_stepper *type;
    const char *stepper; /* its specification */
    unsigned keeps;      /* what it claims to keep as specified */
    sb_method *method;
} pair;

typedef int (*pair_test)(pair *p);

/* Runs the test on one pair if the stepper takes the system; counts it. */
static inline void run_pair(sb_context *ctx, const sb_system *sys, const char *stepper, pair_test test, int *count) {
    sb_arena arena;
    sb_spec spec;
    sb_method method = {0};
    sb_arena_init(&arena, ctx);
    int status = sb_spec_parse(ctx, &arena, SB_KIND_STEPPER, stepper, &spec);
    const sb_stepper *type = status == SB_OK ? (const sb_stepper *)spec.entry : NULL;
    if (type != NULL && sb_stepper_check(ctx, type, sys) == SB_OK) {
        pair p = {ctx, &arena, sys, type, stepper, sb_stepper_keeps(type, spec.config), &method};
        status = sb_method_build(ctx, &arena, stepper, sys, &method);
        status = status == SB_OK ? test(&p) : status;
        (*count)++;
    }
    gsl_test(status != SB_OK, "%s on %s runs: %s", stepper, sys->name, status != SB_OK ? ctx->message : "done");
    sb_arena_free(&arena);
}

/* All steppers on a problem under a formulation (NULL: none) that fits it. */
static inline void run_system(sb_context *ctx, const char *problem, const char *formulation, pair_test test,
                              int *count) {
    sb_arena arena;
    sb_system sys;
    sb_arena_init(&arena, ctx);
    const int status = sb_system_build(ctx, &arena, problem, formulation != NULL, &formulation, &sys);
    gsl_test(status != SB_OK && (formulation == NULL || status != SB_UNSUPPORTED), "%s is built: %s", problem,
             status != SB_OK ? ctx->message : "done");
    for (int i = 0; status == SB_OK && i < ctx->registry->count[SB_KIND_STEPPER]; i++) {
        run_pair(ctx, &sys, specification(ctx->registry->entries[SB_KIND_STEPPER][i]->name), test, count);
    }
    for (int i = 0; status == SB_OK && i < STEPPER_VARIANTS; i++) {
        run_pair(ctx, &sys, stepper_variants[i], test, count);
    }
    sb_arena_free(&arena);
}

/* The test on every pair; more than one pair a stepper has to be there. To be called with an initialised registry. */
static inline void run_pairs(sb_context *ctx, pair_test test) {
    const int problems = ctx->registry->count[SB_KIND_PROBLEM];
    int count = 0;
    for (int i = 0; i < problems + PROBLEM_VARIANTS; i++) {
        const char *problem =
            i < problems ? moving(ctx->registry->entries[SB_KIND_PROBLEM][i]->name) : problem_variants[i - problems];
        run_system(ctx, problem, NULL, test, &count);
        for (int k = 0; k < 2; k++) {
            run_system(ctx, problem, charts[k], test, &count);
        }
    }
    for (int k = 0; k < FORMULATED; k++) {
        run_system(ctx, formulated[k].problem, formulated[k].formulation, test, &count);
    }
    gsl_test(count <= ctx->registry->count[SB_KIND_STEPPER], "%d pairs of stepper and problem were tested", count);
}

static inline void open_registry(sb_context *ctx, sb_registry *registry) {
    sb_context_init(ctx);
    gsl_test(sb_registry_init(registry, ctx) != SB_OK || sb_register_builtins(registry) != SB_OK,
             "the built-ins register");
}

/* max |a_i - b_i|, NaN if any is. */
static inline double distance_max(int n, const double *a, const double *b) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = sb_larger(most, fabs(a[i] - b[i]));
    }
    return most;
}

#endif
