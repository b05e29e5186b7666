/* Analysis `drift`: deviation and secular slope of the energy and every invariant over long runs. wm96 5. */
#include <stepbench/numerics/norm.h>

#include "analysis/conservation/drift.h"
#include "analysis/conservation/quantities.h"
#include "analysis/row.h"
#include "core/run/run.h"

extern const sb_analysis sb_analysis_drift;

const char *const sb_drift_verdict_name[] = {"none", "roundoff", "drift"};

typedef struct watch {
    sb_quantities qs;
    double h;
    sb_extent extent;
    double *value, *size; /* of the sample; largest size so far */
    double *now;
    sb_drift *drifts;
    sb_trend *trends;
} watch;

static int observe(void *arg, const sb_sample *s) {
    watch *w = arg;
    const int count = w->qs.count;
    SB_TRY(sb_quantities_value(&w->qs, s->t, s->q, s->v, w->value, w->now));
    sb_extent_add(&w->extent, w->qs.sys->n, s->q, s->v);
    for (int i = 0; i < count; i++) {
        if (s->step == 0) {
            w->drifts[i].initial = w->value[i];
        }
        w->size[i] = sb_larger(w->size[i], w->now[i]);
        sb_trend_add(&w->trends[i], s->t, w->value[i] - w->drifts[i].initial);
    }
    return SB_OK;
}

static int prepare(sb_context *ctx, sb_arena *arena, const sb_system *sys, double h, long steps, int batches, watch *w) {
    *w = (watch){.h = h};
    SB_TRY(sb_quantities_init(ctx, arena, sys, &w->qs));
    const int count = w->qs.count;
    SB_NEW(arena, w->value, count);
    SB_NEW(arena, w->size, count);
    SB_NEW(arena, w->now, count);
    SB_NEW(arena, w->drifts, count);
    SB_NEW(arena, w->trends, count);
    for (int i = 0; i < count; i++) {
        w->drifts[i].quantity = w->qs.names[i];
        SB_TRY(sb_trend_init(arena, batches, steps + 1, &w->trends[i]));
    }
    return SB_OK;
}

/* Drift is a slope beyond three standard errors (32 overlapping batches leave some 13 degrees of freedom: chance exceeds them once in a
 * hundred times), or a range that does not come back to itself, unless round-off explains what it yields over the run. */
static void judge(watch *w, double t_end, long steps) {
    for (int i = 0; i < w->qs.count; i++) {
        sb_drift *d = &w->drifts[i];
        const sb_trend *trend = &w->trends[i];
        d->max = trend->max;
        d->rms = sb_trend_rms(trend);
        d->slope = sb_trend_slope(&w->trends[i]);
        d->rounding = sb_accumulated_rounding(&w->extent, w->size[i], w->h, steps);
        const bool leaves = sb_trend_leaves(trend), slopes = !(fabs(d->slope.value) <= 3.0 * d->slope.se);
        const double yield = leaves ? d->max : fabs(d->slope.value) * t_end;
        d->verdict = !leaves && !slopes ? SB_DRIFT_NONE : yield <= d->rounding ? SB_DRIFT_ROUNDOFF : SB_DRIFT_YES;
    }
}

static int check_enough(sb_context *ctx, double h, long steps, int batches) {
    const long least = 4L * (batches + 3) - 1;
    return steps >= least ? SB_OK
                          : sb_fail(ctx, SB_BAD_USAGE, "drift: %ld steps of %.9g s are too few for %d batches; at least %ld steps will do", steps, h, batches, least);
}

int sb_drift_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, int batches, sb_drift **drifts,
                     int *count) {
    SB_TRY(check_enough(ctx, h, steps, batches));
    watch w;
    sb_method method = {0};
    int status = prepare(ctx, arena, pair->sys, h, steps, batches, &w);
    if (status == SB_OK) {
        status = sb_method_init(ctx, arena, pair->type, pair->config, pair->sys, &method);
    }
    if (status == SB_OK) {
        sb_run run = {.h = h, .steps = steps, .every = 1};
        status = sb_run_method(&method, &run, observe, &w);
    }
    if (status == SB_OK) {
        judge(&w, h * (double)steps, steps);
        *drifts = w.drifts;
        *count = w.qs.count;
    }
    sb_method_fini(&method);
    sb_quantities_fini(&w.qs);
    return status;
}

/* ---- Rows. ---- */

enum { PROBLEM, STEPPER, H, STEPS, QUANTITY, INITIAL, MAX_DEV, RMS, SLOPE, SLOPE_SE, ROUNDING, VERDICT, STATUS, COLUMNS };

static int write_step(sb_context *ctx, sb_arena *arena, const void *options, const sb_pair *pair, double h, sb_sink *out) {
    const sb_drift_config *config = options;
    long steps;
    SB_TRY(sb_pick_length(ctx, pair->sys, config->t_end, 1000.0, h, &steps));
    sb_drift *drifts;
    int count;
    const int status = sb_drift_measure(ctx, arena, pair, h, steps, (int)config->batches, &drifts, &count);
    if (sb_failure_is_result(status)) {
        return sb_row_failure(&sb_analysis_drift, pair, h, status, ctx->message, out);
    }
    SB_TRY(status);
    for (int i = 0; i < count; i++) {
        const sb_drift *d = &drifts[i];
        const sb_cell row[COLUMNS] = {sb_text(pair->problem), sb_text(pair->stepper), sb_real(h),
                                      sb_int(steps),          sb_text(d->quantity),   sb_real(d->initial),
                                      sb_real(d->max),        sb_real(d->rms),        sb_real(d->slope.value),
                                      sb_real(d->slope.se),   sb_real(d->rounding),   sb_text(sb_drift_verdict_name[d->verdict]),
                                      sb_text(SB_STATUS_FINE)};
        SB_TRY(out->row(out, row));
    }
    return SB_OK;
}

static int check_in(sb_context *ctx, sb_arena *arena, const sb_drift_config *config, const sb_pair *pair) {
    sb_reals h;
    SB_TRY(sb_pick_steps(arena, pair->sys, &config->h, 1, 2.0, &h));
    SB_TRY(sb_fit_steps(ctx, &config->h, config->t_end, &h));
    for (int i = 0; i < h.n; i++) {
        long steps;
        SB_TRY(sb_pick_length(ctx, pair->sys, config->t_end, 1000.0, h.x[i], &steps));
        SB_TRY(check_enough(ctx, h.x[i], steps, (int)config->batches));
    }
    return SB_OK;
}

static int check(sb_context *ctx, const void *config, const sb_pair *pair) {
    sb_arena arena;
    sb_arena_init(&arena, ctx);
    const int status = check_in(ctx, &arena, config, pair);
    sb_arena_free(&arena);
    return status;
}

static int run(sb_context *ctx, const void *config, const sb_pair *pair, sb_sink *out) {
    const sb_drift_config *c = config;
    return sb_each_step(ctx, config, pair, &c->h, 1, c->t_end, write_step, out);
}

static const sb_param params[] = {{"h", SB_REALS, offsetof(sb_drift_config, h), "", 0.0, INFINITY, SB_OPEN, NULL, "s",
                                   "steps; empty: a tenth of the problem's time scale, shortened to divide t-end"},
                                  {"t_end", SB_REAL, offsetof(sb_drift_config, t_end), "0", 0.0, INFINITY, SB_OPEN_HI, NULL, "s",
                                   "end of the runs, a multiple of every h; 0: about 1000 time scales"},
                                  {"batches", SB_INT, offsetof(sb_drift_config, batches), "32", 8.0, 10000.0, SB_CLOSED, NULL, "",
                                   "overlapping blocks whose weighted means the slope and its standard error are made of"},
                                  {0}};

static const sb_column columns[COLUMNS] = {
    {"problem", SB_COL_KEY, "", "the problem"},
    {"stepper", SB_COL_KEY, "", "the stepper"},
    {"h", SB_COL_KEY, "s", "step"},
    {"steps", SB_COL_INFO, "", "steps taken; every step is a sample"},
    {"quantity", SB_COL_KEY, "", "energy, a momentum, or an invariant output, of the reported position and velocity"},
    {"initial", SB_COL_EXACT, "", "its value at the start"},
    {"max_dev", SB_COL_ERROR, "", "largest deviation from it"},
    {"rms", SB_COL_ERROR, "", "root of the mean square deviation"},
    {"slope", SB_COL_INFO, "1/s", "secular change per second: least squares through the weighted means of the batches"},
    {"slope_se", SB_COL_INFO, "1/s", "its standard error, the correlation of neighbouring batches accounted for"},
    {"rounding", SB_COL_INFO, "", "what round-off may have added up to by the end"},
    {"verdict", SB_COL_INFO, "",
     "drift: the slope is beyond 3 standard errors, or the range of the first quarter of the run and that of the last span more than 3 "
     "times either; roundoff: so, but by no more than round-off can do; none"},
    {"status", SB_COL_INFO, "", "ok, or why there is no result"}};

const sb_analysis sb_analysis_drift = {.entry = {"drift", "deviation and secular drift of the energy and every invariant over long runs",
                                                 "wm96 5", params, sizeof(sb_drift_config)},
                                       .ncolumns = COLUMNS,
                                       .columns = columns,
                                       .check = check,
                                       .run = run};
