/* A body with many joints: time and fill of the linear system of SPOOK, spook07 (29) and (30), against the number of
 * arms of a star. */
#include <string.h>

#include "bench/perf/linear_time.h"
#include "bench/runner/experiment_tools.h"
#include "core/run/build.h"

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
enum { CANDIDATES = sizeof candidates / sizeof candidates[0] };

/* UMFPACK on the two forms of one system. */
typedef struct forms {
    sb_linear_time saddle, schur;
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
    for (int i = 0; i < CANDIDATES; i++) {
        const sb_linear_setting what = {candidates[i].solver, candidates[i].form, h, eps, tau};
        sb_linear_time t;
        if (only != NULL ? strcmp(only, what.solver) != 0 : N > candidates[i].most) {
            continue;
        }
        SB_TRY(sb_time_linear(bench->ctx, &sys, orbit.now.q, &what, budget, &t));
        SB_TRY(sb_linear_time_row(table, name, N, sys.n / 4, &what, &t));
        if (strcmp(what.solver, "umfpack") == 0) {
            *(what.form == SB_FORM_SADDLE ? &found->saddle : &found->schur) = t;
        }
    }
    return SB_OK;
}

static int record_claims(sb_bench *bench, const forms *ladder, const forms *star) {
    const double fill[2] = {ladder->schur.fill / ladder->saddle.fill, star->schur.fill / star->saddle.fill};
    const double time[2] = {sb_linear_time_step(&ladder->schur) / sb_linear_time_step(&ladder->saddle),
                            sb_linear_time_step(&star->schur) / sb_linear_time_step(&star->saddle)};
    SB_TRY(sb_bench_measure(bench, "spook07-eq30/ladder-fill", fill[0], 0.0));
    SB_TRY(sb_bench_measure(bench, "spook07-eq30/ladder-time", time[0], 0.1 * time[0]));
    SB_TRY(sb_bench_measure(bench, "spook07-eq30/hub-fill", fill[1], 0.0));
    return sb_bench_measure(bench, "spook07-eq30/hub-time", time[1], 0.1 * time[1]);
}

static int run(sb_bench *bench) {
    sb_table table;
    forms ladder, star = {0}, at;
    SB_TRY(sb_bench_table(bench, "linear_times", &table));
    for (int i = 0; i < LENGTHS; i++) {
        SB_TRY(system_rows(bench, "star", arms[i], NULL, &table, &at));
        star = arms[i] == ARMS ? at : star;
    }
    SB_TRY(system_rows(bench, "ladder", SQUARES, "umfpack", &table, &ladder));
    SB_TRY(sb_bench_save(bench, &table, "perf_star_times.csv"));
    SB_TRY(record_claims(bench, &ladder, &star));
    return sb_bench_plot(bench, "perf_star");
}

SB_DEFINE_EXPERIMENT(perf_star) = {.entry = {"perf_star", "", "", NULL, 0}, .run = run};
