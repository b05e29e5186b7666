/* A body with many joints: time and fill of the linear system of SPOOK, spook07 (29) and (30), against the number of
 * arms of a star. */
#include <string.h>

#include <gsl/gsl_sort.h>

#include "bench/perf/linear_time.h"
#include "bench/runner/experiment_tools.h"

static const double h = 1.0 / 60.0, eps = 1e-8, tau = 2.0,
                    budget = 0.2 /* s per row: at least nine rounds where a row takes milliseconds */;

/* Sizes of the ladder and of the star at which UMFPACK is compared on both forms. */
enum { SQUARES = 1000, ARMS = 300 };

static const long arms[] = {3, 10, 30, 100, ARMS, 1000, 2000, 10000};
enum { LENGTHS = sizeof arms / sizeof arms[0], LARGEST = 10000 };

/* Solvers with the largest N, at which a row takes one second. */
static const struct {
    const char *solver;
    sb_form form;
    long most;
} candidates[] = {
    {"auto", SB_FORM_SADDLE, LARGEST},    {"static_ldl", SB_FORM_SADDLE, ARMS}, {"klu", SB_FORM_SADDLE, LARGEST},
    {"umfpack", SB_FORM_SADDLE, LARGEST}, {"static_ldl", SB_FORM_SCHUR, ARMS},  {"umfpack", SB_FORM_SCHUR, ARMS},
};

/* UMFPACK on the two forms of one system, in several passes where they are compared. */
enum { PASSES = 3 };
typedef struct forms {
    sb_linear_time saddle[PASSES], schur[PASSES];
} forms;

/* Writes the rows of one system after ten steps, where bodies are not aligned. */
static int system_rows(sb_bench *bench, const char *name, long N, const char *only, sb_table *table, forms *found) {
    sb_system sys;
    sb_method method = {0};
    sb_orbit orbit;
    SB_SCRATCH(arena, bench->ctx);
    const char *problem = sb_bench_format(bench, "%s:%s=%ld", name, strcmp(name, "star") == 0 ? "arms" : "N", N);
    SB_TRY(sb_system_build(bench->ctx, &arena, problem, 0, NULL, &sys));
    SB_TRY(sb_bench_orbit(bench->ctx, &arena, &sys, "spook", h, &method, &orbit));
    SB_TRY(sb_orbit_advance(&orbit, h, 10));
    for (int i = 0; i < SB_COUNT(candidates); i++) {
        const sb_linear_setting what = {candidates[i].solver, candidates[i].form, h, eps, tau};
        sb_linear_time t;
        if (only != NULL ? strcmp(only, what.solver) != 0 : N > candidates[i].most) {
            continue;
        }
        SB_TRY(sb_time_linear(bench->ctx, &sys, orbit.now.q, &what, budget, &t));
        SB_TRY(sb_linear_time_row(table, name, N, sys.n / 4, &what, &t));
        const bool compared = strcmp(what.solver, "umfpack") == 0 && (only != NULL || N == ARMS);
        for (int pass = 0; pass < PASSES && compared; pass++) {
            SB_TRY(pass > 0 ? sb_time_linear(bench->ctx, &sys, orbit.now.q, &what, budget, &t) : SB_OK);
            (what.form == SB_FORM_SADDLE ? found->saddle : found->schur)[pass] = t;
        }
    }
    return SB_OK;
}

/* Records the median over the passes of the ratio of the times, with half of its range. */
static int record_time(sb_bench *bench, const char *id, const forms *of) {
    double ratio[PASSES];
    for (int pass = 0; pass < PASSES; pass++) {
        ratio[pass] = sb_linear_time_step(&of->schur[pass]) / sb_linear_time_step(&of->saddle[pass]);
    }
    gsl_sort(ratio, 1, PASSES);
    return sb_bench_measure(bench, id, ratio[PASSES / 2], 0.5 * (ratio[PASSES - 1] - ratio[0]));
}

static int record_claims(sb_bench *bench, const forms *ladder, const forms *star) {
    SB_TRY(sb_bench_measure(bench, "spook07-eq30/ladder-fill", ladder->schur[0].fill / ladder->saddle[0].fill, 0.0));
    SB_TRY(record_time(bench, "spook07-eq30/ladder-time", ladder));
    SB_TRY(sb_bench_measure(bench, "spook07-eq30/hub-fill", star->schur[0].fill / star->saddle[0].fill, 0.0));
    return record_time(bench, "spook07-eq30/hub-time", star);
}

SB_DEFINE_EXPERIMENT(perf_star) {
    sb_table table;
    forms ladder, star = {0}, at;
    SB_TRY(sb_bench_table(bench, "linear_times", &table));
    for (int i = 0; i < LENGTHS; i++) {
        SB_TRY(system_rows(bench, "star", arms[i], NULL, &table, &at));
        star = arms[i] == ARMS ? at : star;
    }
    SB_TRY(system_rows(bench, "ladder", SQUARES, "umfpack", &table, &ladder));
    SB_TRY(sb_bench_save(bench, &table, "perf_star_times.csv"));
    return record_claims(bench, &ladder, &star);
}
