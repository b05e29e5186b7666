/* Measures the processor time of the points of a work-precision table. */
#include "bench/card/workprec_time.h"

#include <string.h>

#include "analysis/row.h"
#include "analysis/vary.h"
#include "bench/perf/step_job.h"
#include "bench/runner/experiment_tools.h"

enum { MOST_STEPS = 500 };

const sb_column sb_workprec_time_columns[SB_WORKPREC_TIME_COLUMNS] = {
    {"problem", SB_COL_KEY, "", "the problem"},
    {"stepper", SB_COL_KEY, "", "the stepper"},
    {"h", SB_COL_KEY, "s", "step, or interval of output with error control"},
    SB_COLUMN_TOL,
    {"steps", SB_COL_INFO, "", "steps taken"},
    {"err_relative", SB_COL_ERROR, "", "largest position error over the largest |q|"},
    {"time_step", SB_COL_TIME, "ns", "processor time per step, median; of an engine the time with its messages"},
    {"time", SB_COL_TIME, "ms", "of all steps"},
    {"status", SB_COL_INFO, "", "of the row of workprec: ok or plateau"},
};

/* Measures the time of a run in s. With error control it has one output, at its end. */
static int time_run(sb_bench *bench, sb_arena *arena, const sb_table *points, int i, double budget, sb_pair *pair,
                    double *seconds) {
    const double h = sb_table_real(points, i, "h"), steps = sb_table_real(points, i, "steps"),
                 tol = sb_table_real(points, i, "tol");
    if (isnan(tol)) {
        SB_TRY(sb_step_time(bench->ctx, pair, h, steps < MOST_STEPS ? (long)steps : MOST_STEPS, budget, seconds));
        *seconds *= steps;
        return SB_OK;
    }
    SB_TRY(sb_config_vary(bench->ctx, arena, &pair->type->entry, pair->config, pair->type->control.tolerance, tol,
                          &pair->config));
    return sb_step_time(bench->ctx, pair, sb_table_real(points, i, "t_end"), 1, budget, seconds);
}

static int row(sb_bench *bench, const sb_table *points, int i, const sb_specs *formulations, double budget,
               sb_table *out) {
    const char *problem = sb_table_text(points, i, "problem"), *stepper = sb_table_text(points, i, "stepper");
    const double h = sb_table_real(points, i, "h"), steps = sb_table_real(points, i, "steps"),
                 error = sb_table_real(points, i, "err_relative");
    double seconds;
    sb_spec spec;
    sb_system sys;
    sb_pair pair;
    if (isnan(error)) {
        return SB_OK;
    }
    const char *inner = strrchr(problem, '('); /* under formulations a problem is named chart(dsp) */
    const char *bare = inner != NULL ? inner + 1 : problem, *spec_text;
    SB_SCRATCH(arena, bench->ctx);
    SB_PRINT(&arena, spec_text, "%.*s", (int)(inner != NULL ? strcspn(bare, ")") : strlen(bare)), bare);
    SB_TRY(sb_spec_parse(bench->ctx, &arena, SB_KIND_PROBLEM, spec_text, &spec));
    SB_TRY(sb_system_make(bench->ctx, &arena, &spec, formulations, &sys));
    SB_TRY(sb_pair_build(bench->ctx, &arena, &sys, stepper, &pair));
    const int status = time_run(bench, &arena, points, i, budget, &pair, &seconds);
    SB_TRY(status == SB_NO_MEMORY || status == SB_INTERRUPTED ? status : SB_OK);
    seconds = status == SB_OK ? seconds : (double)NAN;
    return SB_ROW(&out->sink, sb_text(problem), sb_text(stepper), sb_real(h), sb_known(sb_table_real(points, i, "tol")),
                  sb_int((long)steps), sb_real(error), sb_known(nearbyint(1e10 * seconds / steps) / 10.0),
                  sb_known(nearbyint(1e9 * seconds) / 1e6),
                  sb_text(status == SB_OK ? sb_table_text(points, i, "status") : bench->ctx->message));
}

int sb_workprec_time(sb_bench *bench, const sb_table *points, const sb_specs *formulations, double budget,
                     sb_table *out) {
    SB_TRY(sb_table_begin(out, &bench->arena, SB_WORKPREC_TIME_COLUMNS, sb_workprec_time_columns));
    for (int i = 0; i < points->nrows; i++) {
        SB_TRY(row(bench, points, i, formulations, budget, out));
    }
    return SB_OK;
}
