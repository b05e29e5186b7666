/* Analysis `new_analysis`: the energy's largest deviation from its start, hlw06 I. Replace what it measures, and this line, by your own. */
#include <stepbench/numerics/norm.h>

#include "analysis/conservation/quantities.h"
#include "analysis/row.h"
#include "core/run/run.h"

extern const sb_analysis sb_analysis_new_analysis;

/* Its options: one member a row of the table below. */
typedef struct config {
    sb_reals h;
    double t_end;
} config;

/* What is kept along a run; the energy is the first of the quantities. */
typedef struct watch {
    sb_quantities qs;
    double *value, *size;
    double initial, deviation;
} watch;

static int observe(void *arg, const sb_sample *s) {
    watch *w = arg;
    SB_TRY(sb_quantities_value(&w->qs, s->t, s->q, s->v, w->value, w->size));
    if (s->step == 0) {
        w->initial = w->value[0];
    }
    w->deviation = sb_larger(w->deviation, fabs(w->value[0] - w->initial));
    return SB_OK;
}

/* One run of `steps` steps of length h. */
static int measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, watch *w) {
    sb_method method = {0};
    SB_TRY(sb_quantities_init(ctx, arena, pair->sys, &w->qs));
    SB_NEW(arena, w->value, w->qs.count);
    SB_NEW(arena, w->size, w->qs.count);
    int status = sb_method_init(ctx, arena, pair->type, pair->config, pair->sys, &method);
    if (status == SB_OK) {
        sb_run run = {.h = h, .steps = steps, .every = 1};
        status = sb_run_method(&method, &run, observe, w);
    }
    sb_method_fini(&method);
    sb_quantities_fini(&w->qs);
    return status;
}

/* The row of one step h. A numerical failure is a row that says why, and the status of the whole; anything else ends the analysis. */
static int write_step(sb_context *ctx, sb_arena *arena, const void *options, const sb_pair *pair, double h, sb_sink *out) {
    const config *c = options;
    watch w = {.deviation = 0.0};
    long steps;
    SB_TRY(sb_pick_length(ctx, pair->sys, c->t_end, 100.0, h, &steps));
    const int status = measure(ctx, arena, pair, h, steps, &w);
    if (sb_failure_is_result(status)) {
        return sb_row_failure(&sb_analysis_new_analysis, pair, h, status, ctx->message, out);
    }
    SB_TRY(status);
    const sb_cell row[] = {sb_text(pair->problem), sb_text(pair->stepper), sb_real(h),           sb_int(steps),
                           sb_real(w.initial),     sb_real(w.deviation),   sb_text(SB_STATUS_FINE)};
    return out->row(out, row);
}

static int check(sb_context *ctx, const void *options, const sb_pair *pair) {
    const config *c = options;
    return sb_check_lengths(ctx, pair->sys, &c->h, c->t_end, 100.0);
}

static int run(sb_context *ctx, const void *options, const sb_pair *pair, sb_sink *out) {
    const config *c = options;
    return sb_each_step(ctx, options, pair, &c->h, 1, c->t_end, write_step, out);
}

static const sb_param params[] = {
    {"h", SB_REALS, offsetof(config, h), "", 0.0, INFINITY, SB_OPEN, NULL, "s", "steps; empty: a tenth of the problem's time scale"},
    {"t_end", SB_REAL, offsetof(config, t_end), "0", 0.0, INFINITY, SB_OPEN_HI, NULL, "s",
     "end of the runs, a multiple of every h; 0: about 100 time scales"},
    {.name = NULL},
};

static const sb_column columns[] = {
    {"problem", SB_COL_KEY, "", "the problem"},
    {"stepper", SB_COL_KEY, "", "the stepper"},
    {"h", SB_COL_KEY, "s", "step"},
    {"steps", SB_COL_INFO, "", "steps taken"},
    {"initial", SB_COL_EXACT, "J", "energy at the start"},
    {"deviation", SB_COL_ERROR, "J", "largest deviation from it"},
    {"status", SB_COL_INFO, "", "ok, or why there is no result"},
};

const sb_analysis sb_analysis_new_analysis = {
    .entry = {"new_analysis", "largest deviation of the energy from its start", "hlw06 I", params, sizeof(config)},
    .ncolumns = sizeof columns / sizeof columns[0],
    .columns = columns,
    .check = check,
    .run = run,
};
