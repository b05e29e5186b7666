/* What the analyses' tests start from: a registry, and one analysis run into a table. */
#ifndef STEPBENCH_TESTS_ANALYSIS_FIXTURE_H
#define STEPBENCH_TESTS_ANALYSIS_FIXTURE_H

#include <float.h>
#include <math.h>
#include <string.h>

#include <gsl/gsl_test.h>

#include <stepbench/system.h>

#include "analysis/analysis.h"
#include "analysis/row.h"
#include "bench/runner/registry.h"
#include "core/run/build.h"

typedef struct fixture {
    sb_context ctx;
    sb_registry registry;
    sb_arena arena;
} fixture;

static inline void fixture_init(fixture *f) {
    sb_context_init(&f->ctx);
    int status = sb_registry_init(&f->registry, &f->ctx);
    f->ctx.registry = &f->registry;
    status = status == SB_OK ? sb_register_builtins(&f->registry) : status;
    sb_arena_init(&f->arena, &f->ctx);
    gsl_test(status != SB_OK, "the registry fills: %s", status == SB_OK ? "it does" : f->ctx.message);
}

static inline void fixture_free(fixture *f) {
    sb_arena_free(&f->arena);
    sb_registry_free(&f->registry);
}

/* The rows of an analysis on one problem (NULL: the default) and one stepper specification; the status for the caller
 * to judge. */
static inline int run_one(fixture *f, const char *analysis, const char *options, const char *problem,
                          const char *stepper, sb_table *table) {
    sb_table_init(table, &f->arena);
    return sb_analysis_run(&f->ctx, analysis, options, problem != NULL, &problem, 0, NULL, stepper != NULL, &stepper,
                           NULL, &table->sink);
}

/* The same where there are rows, be it such as say why there is no result: a pair's own failure is the status too. */
static inline void rows(fixture *f, const char *analysis, const char *options, const char *problem, const char *stepper,
                        sb_table *table) {
    const int status = run_one(f, analysis, options, problem, stepper, table);
    gsl_test((status != SB_OK && !sb_failure_is_result(status)) || table->nrows == 0, "%s of %s on %s runs: %s",
             analysis, stepper, problem != NULL ? problem : "its default problem",
             status == SB_OK ? "it does" : f->ctx.message);
}

/* A pair for the typed functions: system and stepper from their specifications. */
static inline sb_pair pair_of(fixture *f, const char *problem, const char *stepper) {
    sb_pair pair = {.problem = problem, .stepper = stepper, .sys = NULL};
    sb_system *sys = sb_alloc(&f->arena, 1, sizeof *sys);
    int status = sb_system_build(&f->ctx, &f->arena, problem, 0, NULL, sys);
    status = status == SB_OK ? sb_pair_build(&f->ctx, &f->arena, sys, stepper, &pair) : status;
    gsl_test(status != SB_OK, "%s and %s build: %s", problem, stepper, status == SB_OK ? "they do" : f->ctx.message);
    return pair;
}

/* |x - y| <= tol; NaN fails. */
static inline void near(double x, double y, double tol, const char *what) {
    gsl_test(!(fabs(x - y) <= tol), "%s: %.17g is %.17g to %.1e", what, x, y, tol);
}

#endif
