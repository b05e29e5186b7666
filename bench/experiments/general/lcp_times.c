/* Time per step against the number of contacts: a stack at rest, by each complementarity solver. */
#include <string.h>

#include "analysis/row.h"
#include "analysis/timing.h"
#include "bench/runner/experiment_tools.h"

/* Two contacts with friction under every box, all closed: four rows of the complementarity problem per box. */
static const int boxes[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000};
enum { SIZES = sizeof boxes / sizeof boxes[0], FIRST_STEPS = 3 };
static const double h = 1.0 / 60.0;
static const double budget = 0.08; /* seconds of measurement for each number */

typedef struct variant {
    const char *name, *stepper;
    bool cold; /* the step starts from zero forces and without known active contacts */
    int most;  /* boxes */
} variant;

/* The time per step of dantzig grows with the fourth power of the number of contacts. */
static const variant variants[] = {
    {"block_pivot", "reg", false, 5000},
    {"block_pivot_cold", "reg", true, 5000},
    {"cholmod", "reg:lcp=[block_pivot:solver=cholmod]", false, 5000},
    {"pgs_50", "reg:friction=box,lcp=[pgs:sweeps=50,tol=0]", false, 5000},
    {"dantzig", "reg:lcp=dantzig", false, 50},
};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

typedef struct step_job {
    sb_method method;
    sb_orbit orbit;
    sb_state out;
} step_job;

static int take_step(void *arg) {
    step_job *job = arg;
    return sb_method_step(&job->method, &job->orbit.now, h, &job->out);
}

/* Prepares a method on the stack a few steps after the start. */
static int open_method(sb_arena *arena, const sb_system *sys, const variant *v, step_job *job) {
    SB_TRY(sb_bench_orbit(arena->ctx, arena, sys, v->stepper, h, &job->method, &job->orbit));
    SB_TRY(sb_state_new(&job->method, arena, &job->out));
    SB_TRY(sb_orbit_advance(&job->orbit, h, FIRST_STEPS));
    if (v->cold) {
        memset(job->orbit.now.lambda, 0, (size_t)sb_system_multipliers(sys) * sizeof(double));
    }
    return SB_OK;
}

/* Measures the time per step in us; NaN if this build does not contain the solver. */
static int measure(sb_bench *bench, const sb_system *sys, const variant *v, double *us) {
    step_job job = {.method = {0}};
    double seconds;
    SB_SCRATCH(scratch, bench->ctx);
    const int status = open_method(&scratch, sys, v, &job);
    *us = (double)NAN;
    if (status == SB_BAD_USAGE && strstr(bench->ctx->message, "not in this build") != NULL) {
        return SB_OK;
    }
    SB_TRY(status);
    SB_TRY(sb_time_jobs(budget, 1, &(sb_job){take_step, &job}, &seconds, NULL));
    *us = 1e6 * seconds;
    return SB_OK;
}

static int measure_size(sb_bench *bench, int count, sb_table *table) {
    sb_system sys;
    sb_cell row[1 + VARIANTS] = {sb_int(2L * count)};
    SB_SCRATCH(scratch, bench->ctx);
    SB_TRY(sb_system_build(bench->ctx, &scratch, sb_bench_format(bench, "stack:n=%d", count), 0, NULL, &sys));
    for (int i = 0; i < VARIANTS; i++) {
        double us = (double)NAN;
        SB_TRY(count <= variants[i].most ? measure(bench, &sys, &variants[i], &us) : SB_OK);
        row[1 + i] = sb_known(nearbyint(100.0 * us) / 100.0); /* the resolution of the measurement */
    }
    return sb_bench_cells(table, SB_COUNT(row), row);
}

SB_DEFINE_EXPERIMENT(lcp_times) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, "lcp_times", &table));
    for (int i = 0; i < SIZES; i++) {
        SB_TRY(measure_size(bench, boxes[i], &table));
    }
    return sb_bench_save(bench, &table, "lcp_times.csv");
}
