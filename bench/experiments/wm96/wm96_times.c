/* CPU times of the runs of wm96 5: medians of repeated runs. */
#include "bench/experiments/wm96/wm96_times.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "bench/perf/step_job.h"
#include "bench/runner/experiment_tools.h"

/* Minimum duration of a measurement, s; the clock resolves less than 1 us. */
static const double shortest = 5e-3;

/* A timed run, repeated `count` times per measurement. */
typedef struct timed_run {
    sb_step_job job;
    int count;
} timed_run;

static int prepare(sb_wm96 *set, const char *stepper, double h, timed_run *r) {
    sb_context *ctx = set->bench->ctx;
    sb_arena *arena = &set->bench->arena;
    const double *second = set->points + lround(h / SB_WM96_STANDARD_H) * set->sys.n;
    sb_pair pair;
    long steps;
    SB_TRY(sb_steps(ctx, SB_WM96_T_END, h, SB_STEPS_EXACT, &steps));
    SB_TRY(sb_pair_build(ctx, arena, &set->sys, stepper, &pair));
    SB_TRY(sb_step_job_init(ctx, arena, &pair, h, steps, &r->job));
    r->count = 1;
    if (pair.type->start_pair == NULL) {
        return SB_OK;
    }
    r->job.steps--;
    return sb_method_start_pair(&r->job.method, 0.0, set->points, second, h, &r->job.first);
}

/* Measures the mean CPU time (s) of a run. */
static int measure(timed_run *r, double *seconds) {
    const double begin = sb_processor_time();
    for (int i = 0; i < r->count; i++) {
        SB_TRY(sb_step_job_run(&r->job));
    }
    *seconds = (sb_processor_time() - begin) / r->count;
    return SB_OK;
}

int sb_wm96_times_measure(sb_wm96 *set, int nsteppers, const char *const *steppers, int nsteps, const double *h,
                          sb_wm96_times *out) {
    sb_arena *arena = &set->bench->arena;
    sb_context *ctx = set->bench->ctx;
    timed_run *runs;
    SB_NEW(arena, runs, nsteppers * nsteps);
    out->nsteppers = nsteppers;
    out->nsteps = nsteps;
    SB_NEW(arena, out->time, nsteppers * nsteps * SB_WM96_REPEATS);
    for (int k = 0; k < nsteppers * nsteps; k++) {
        double once;
        SB_TRY(prepare(set, steppers[k / nsteps], h[k % nsteps], &runs[k]));
        SB_TRY(measure(&runs[k], &once));
        runs[k].count = once < shortest ? (int)fmin(ceil(shortest / fmax(once, 1e-9)), 1e6) : 1;
    }
    for (int repeat = 0; repeat < SB_WM96_REPEATS; repeat++) {
        for (int k = 0; k < nsteppers * nsteps; k++) {
            if (sb_interrupted(ctx)) {
                return sb_fail(ctx, SB_INTERRUPTED, "interrupted in repeat %d of %d", repeat + 1, SB_WM96_REPEATS);
            }
            SB_TRY(measure(&runs[k], &out->time[k * SB_WM96_REPEATS + repeat]));
        }
    }
    return SB_OK;
}

sb_quartiles sb_wm96_quartiles(double *values) {
    gsl_sort(values, 1, SB_WM96_REPEATS);
    return (sb_quartiles){gsl_stats_quantile_from_sorted_data(values, 1, SB_WM96_REPEATS, 0.25),
                          gsl_stats_quantile_from_sorted_data(values, 1, SB_WM96_REPEATS, 0.5),
                          gsl_stats_quantile_from_sorted_data(values, 1, SB_WM96_REPEATS, 0.75)};
}

sb_quartiles sb_wm96_times_of(const sb_wm96_times *times, int stepper, int step) {
    double values[SB_WM96_REPEATS];
    for (int i = 0; i < SB_WM96_REPEATS; i++) {
        values[i] = times->time[(stepper * times->nsteps + step) * SB_WM96_REPEATS + i];
    }
    return sb_wm96_quartiles(values);
}

sb_quartiles sb_wm96_times_ratio(const sb_wm96_times *times, int stepper, int to, int step) {
    double values[SB_WM96_REPEATS];
    for (int i = 0; i < SB_WM96_REPEATS; i++) {
        values[i] = times->time[(stepper * times->nsteps + step) * SB_WM96_REPEATS + i] /
                    times->time[(to * times->nsteps + step) * SB_WM96_REPEATS + i];
    }
    return sb_wm96_quartiles(values);
}
