/* Analysis `drift`: deviation and secular slope of the energy and the other invariants over long runs. wm96 5. */
#include <stepbench/numerics/norm.h>

#include "analysis/conservation/drift.h"
#include "analysis/conservation/quantities.h"
#include "analysis/row.h"

const char *const sb_drift_verdict_name[] = {"none", "roundoff", "drift"};

/* What is accumulated along a run. */
typedef struct series {
    sb_quantities qs;
    sb_extent extent;
    double *value, *terms; /* of the sample, and the size of its terms */
    double *size;          /* largest size of the terms so far */
    sb_drift *drifts;
    sb_trend *trends;
} series;

static int observe(void *arg, const sb_sample *s) {
    series *w = arg;
    SB_TRY(sb_quantities_value(&w->qs, s->t, s->q, s->v, w->value, w->terms));
    sb_extent_add(&w->extent, w->qs.sys->n, s->q, s->v);
    for (int i = 0; i < w->qs.count; i++) {
        if (s->step == 0) {
            w->drifts[i].initial = w->value[i];
        }
        w->size[i] = sb_larger(w->size[i], w->terms[i]);
        sb_trend_add(&w->trends[i], s->t, w->value[i] - w->drifts[i].initial);
    }
    return SB_OK;
}

static int prepare(sb_context *ctx, sb_arena *arena, const sb_system *sys, long steps, int batches, series *w) {
    SB_TRY(sb_quantities_init(ctx, arena, sys, &w->qs));
    const int count = w->qs.count;
    SB_NEW(arena, w->value, count);
    SB_NEW(arena, w->terms, count);
    SB_NEW(arena, w->size, count);
    SB_NEW(arena, w->drifts, count);
    SB_NEW(arena, w->trends, count);
    for (int i = 0; i < count; i++) {
        w->drifts[i].quantity = w->qs.names[i];
        SB_TRY(sb_trend_init(arena, batches, steps + 1, &w->trends[i]));
    }
    return SB_OK;
}

/* Sets the results of every quantity. A quantity drifts if its slope exceeds three standard errors (32 overlapping
 * batches leave about 13 degrees of freedom: chance exceeds them once in a hundred times) or if its range changes,
 * unless round-off explains the change over the run. */
static void evaluate(series *w, double h, long steps) {
    for (int i = 0; i < w->qs.count; i++) {
        sb_drift *d = &w->drifts[i];
        sb_trend *trend = &w->trends[i];
        d->max = trend->max;
        d->rms = sb_trend_rms(trend);
        d->slope = sb_trend_slope(trend);
        d->rounding = sb_accumulated_rounding(&w->extent, w->size[i], h, steps);
        const bool leaves = sb_trend_leaves(trend), slopes = !(fabs(d->slope.value) <= 3.0 * d->slope.se);
        const double change = leaves ? d->max : fabs(d->slope.value) * (h * (double)steps);
        d->verdict = !leaves && !slopes ? SB_DRIFT_NONE : change <= d->rounding ? SB_DRIFT_ROUNDOFF : SB_DRIFT_YES;
    }
}

static int check_enough(sb_context *ctx, double h, long steps, int batches) {
    const long least = 4L * (batches + 3) - 1;
    return steps >= least ? SB_OK
                          : sb_fail(ctx, SB_BAD_USAGE,
                                    "drift: %ld steps of %.9g s are too few for %d batches; at least %ld steps will do",
                                    steps, h, batches, least);
}

int sb_drift_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, int batches,
                     sb_drift **drifts, int *count) {
    series w = {0};
    SB_TRY(check_enough(ctx, h, steps, batches));
    int status = prepare(ctx, arena, pair->sys, steps, batches, &w);
    status = status == SB_OK ? sb_pair_run(ctx, arena, pair, h, steps, observe, &w) : status;
    if (status == SB_OK) {
        evaluate(&w, h, steps);
        *drifts = w.drifts;
        *count = w.qs.count;
    }
    return status;
}

/* ---- Rows. ---- */

typedef struct drift_config {
    sb_step_options step;
    long batches;
} drift_config;

static int run(sb_task *task) {
    const drift_config *config = task->config;
    sb_drift *d;
    int count;
    SB_TRY(
        sb_drift_measure(task->ctx, task->arena, task->pair, task->h, task->steps, (int)config->batches, &d, &count));
    for (; count > 0; count--, d++) {
        SB_TRY(sb_row(task, SB_CELLS(sb_int(task->steps), sb_text(d->quantity), sb_real(d->initial), sb_real(d->max),
                                     sb_real(d->rms), sb_real(d->slope.value), sb_real(d->slope.se),
                                     sb_real(d->rounding), sb_text(sb_drift_verdict_name[d->verdict]))));
    }
    return SB_OK;
}

static int check(const sb_task *task) {
    const drift_config *config = task->config;
    return check_enough(task->ctx, task->h, task->steps, (int)config->batches);
}

static const sb_param params[] = {
    SB_OPTION_H("a tenth of the problem's time scale, shortened to divide t-end"),
    SB_OPTION_T_END("1000"),
    {"batches", SB_INT, offsetof(drift_config, batches), "32", 8.0, 10000.0, SB_CLOSED, NULL, "",
     "number of overlapping batches; the slope and its standard error are computed from their weighted means"},
    {0}};

static const sb_column columns[] = {
    SB_KEY_COLUMNS,
    {"steps", SB_COL_INFO, "", "number of steps; every step is a sample"},
    {"quantity", SB_COL_KEY, "", "energy, momentum or invariant output, of the reported position and velocity"},
    {"initial", SB_COL_EXACT, "", "initial value"},
    {"max_dev", SB_COL_ERROR, "", "largest deviation from the initial value"},
    {"rms", SB_COL_ERROR, "", "root mean square deviation"},
    {"slope", SB_COL_INFO, "1/s", "secular change per second: least squares through the weighted means of the batches"},
    {"slope_se", SB_COL_INFO, "1/s",
     "standard error of the slope, with the correlation of neighbouring batches taken into account"},
    {"rounding", SB_COL_INFO, "", "estimate of the accumulated round-off at the end of the run"},
    {"verdict", SB_COL_INFO, "",
     "drift: the slope exceeds 3 standard errors, or the samples of the first and the last quarter of the run together "
     "span more than 3 times the "
     "range of either; roundoff: the same, but the change is within round-off; none: neither"},
    SB_COLUMN_STATUS};

SB_DEFINE_ANALYSIS(drift) = {
    .entry = {"drift", "deviation and secular drift of the energy and the other invariants over long runs", "wm96 5",
              params, sizeof(drift_config)},
    .levels = 1,
    .time_scales = 1000.0,
    .ncolumns = sizeof columns / sizeof *columns,
    .columns = columns,
    .check = check,
    .run = run};
