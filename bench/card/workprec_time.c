/* Measures the processor time of the points of a work-precision table. */
#include "bench/card/workprec_time.h"

#include <math.h>
#include <string.h>

#include "bench/perf/step_job.h"
#include "bench/runner/verdicts.h"

/* s: about twenty rounds of half a millisecond */
static const double budget = 0.01;
enum { MOST_STEPS = 500 };

static const sb_column columns[] = {
    {"problem", SB_COL_KEY, "", "the problem"},
    {"stepper", SB_COL_KEY, "", "the stepper"},
    {"h", SB_COL_KEY, "s", "step"},
    {"steps", SB_COL_INFO, "", "steps taken"},
    {"err_relative", SB_COL_ERROR, "", "largest position error over the largest |q|"},
    {"time_step", SB_COL_TIME, "ns", "processor time per step, median"},
    {"time", SB_COL_TIME, "ms", "of all steps"},
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static int row(sb_bench *bench, const sb_table *points, int i, const sb_specs *formulations, sb_table *out) {
    const char *problem = sb_table_text(points, i, "problem"), *stepper = sb_table_text(points, i, "stepper");
    const double h = sb_table_real(points, i, "h"), steps = sb_table_real(points, i, "steps"),
                 error = sb_table_real(points, i, "err_relative");
    double seconds;
    sb_arena arena;
    sb_spec spec;
    sb_system sys;
    sb_pair pair;
    if (isnan(error)) {
        return SB_OK;
    }
    const char *inner = strrchr(problem, '('); /* under formulations a problem is named chart(dsp) */
    char *bare = sb_strdup(&bench->arena, inner != NULL ? inner + 1 : problem);
    if (bare == NULL) {
        return SB_NO_MEMORY;
    }
    bare[inner != NULL ? strcspn(bare, ")") : strlen(bare)] = '\0';
    sb_arena_init(&arena, bench->ctx);
    int status = sb_spec_parse(bench->ctx, &arena, SB_KIND_PROBLEM, bare, &spec);
    status = status == SB_OK ? sb_system_make(bench->ctx, &arena, &spec, formulations, &sys) : status;
    status = status == SB_OK ? sb_pair_build(bench->ctx, &arena, &sys, stepper, &pair) : status;
    status = status == SB_OK
                 ? sb_step_time(bench->ctx, &pair, h, steps < MOST_STEPS ? (long)steps : MOST_STEPS, budget, &seconds)
                 : status;
    sb_arena_free(&arena);
    SB_TRY(status);
    return SB_ROW(&out->sink, sb_text(problem), sb_text(stepper), sb_real(h), sb_int((long)steps), sb_real(error),
                  sb_real(nearbyint(1e10 * seconds) / 10.0), sb_real(nearbyint(1e9 * seconds * steps) / 1e6));
}

int sb_workprec_time(sb_bench *bench, const sb_table *points, const sb_specs *formulations, sb_table *out) {
    SB_TRY(sb_bench_table(bench, COLUMNS, columns, out));
    for (int i = 0; i < points->nrows; i++) {
        SB_TRY(row(bench, points, i, formulations, out));
    }
    return SB_OK;
}
