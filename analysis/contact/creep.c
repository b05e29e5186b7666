/* Analysis `creep`: creep speed against the regularization of dry friction, its power law and the law it should follow. reg05 3.3, (4.4).
 */
#include <float.h>
#include <math.h>

#include <stepbench/system.h>

#include "analysis/contact/creep.h"
#include "analysis/row.h"
#include "analysis/contact/steps.h"
#include "analysis/vary.h"
#include "core/run/run.h"

extern const sb_analysis sb_analysis_creep;

typedef struct watch {
    const sb_system *sys;
    long first, count;    /* steps of the second half */
    double *slip, *force; /* sums over it (contact.k) */
} watch;

static int observe(void *arg, const sb_step *s) {
    const watch *w = arg;
    const double *beta = s->lambda + sb_system_bilateral(w->sys) + w->sys->contact.m;
    for (int j = 0; j < w->sys->contact.k && s->number > w->first; j++) {
        w->slip[j] += s->slip[j] / (double)w->count;
        w->force[j] += beta[j] / (double)w->count;
    }
    return SB_OK;
}

int sb_creep_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, sb_creep *out) {
    watch w = {.sys = pair->sys, .first = steps / 2, .count = steps - steps / 2};
    SB_NEW(arena, w.slip, pair->sys->contact.k);
    SB_NEW(arena, w.force, pair->sys->contact.k);
    SB_TRY(sb_steps_observe(ctx, arena, pair, h, steps, 0.0, observe, &w));
    *out = (sb_creep){0};
    for (int j = 0; j < pair->sys->contact.k; j++) {
        if (!(fabs(w.slip[j]) <= out->speed)) {
            *out = (sb_creep){fabs(w.slip[j]), fabs(w.force[j])};
        }
    }
    return SB_OK;
}

/* ---- Rows. ---- */

enum { PROBLEM, STEPPER, H, VALUE, SPEED, FORCE, LAW, RATIO, SLOPE, STATUS, SE, COLUMNS };

static int write_row(const sb_pair *pair, double h, double value, const sb_creep *x, double slope, sb_sink *out) {
    const double law = value * x->force;
    const sb_cell row[COLUMNS] = {sb_text(pair->problem),
                                  sb_text(pair->stepper),
                                  sb_real(h),
                                  sb_real(value),
                                  sb_real(x->speed),
                                  sb_real(x->force),
                                  sb_real(law),
                                  law > 0.0 ? sb_real(x->speed / law) : sb_empty(),
                                  isnan(slope) ? sb_empty() : sb_real(slope),
                                  sb_text(SB_STATUS_FINE),
                                  sb_empty()};
    return out->row(out, row);
}

static int write_fit(const sb_pair *pair, double h, const sb_slope *fit, sb_sink *out) {
    const sb_cell row[COLUMNS] = {sb_text(pair->problem),
                                  sb_text(pair->stepper),
                                  sb_real(h),
                                  sb_empty(),
                                  sb_empty(),
                                  sb_empty(),
                                  sb_empty(),
                                  sb_empty(),
                                  isnan(fit->value) ? sb_empty() : sb_real(fit->value),
                                  sb_text("fit"),
                                  isnan(fit->se) ? sb_empty() : sb_real(fit->se)};
    return out->row(out, row);
}

static double step_of(const sb_creep_config *config, const sb_pair *pair) {
    return config->h > 0.0 ? config->h : pair->sys->time_scale / 10.0;
}

/* Speeds of what should rest are known to the round-off of the speed a step of free motion would give. */
static int write_rows(sb_context *ctx, sb_arena *arena, const sb_creep_config *config, const sb_pair *pair, sb_sink *out) {
    const int n = config->values.n;
    const double h = step_of(config, pair);
    double *value, *speed, *floor, *work;
    long steps;
    int used = 0, failed = SB_OK;
    SB_NEW(arena, value, n);
    SB_NEW(arena, speed, n);
    SB_NEW(arena, floor, n);
    SB_NEW(arena, work, 2 * n);
    SB_TRY(sb_pick_length(ctx, pair->sys, config->t_end, SB_TIME_SCALES, h, &steps));
    for (int i = 0; i < n; i++) {
        sb_pair varied;
        sb_creep x;
        SB_TRY(sb_pair_vary(ctx, arena, pair, config->vary, config->values.x[i], &varied));
        const int status = sb_creep_measure(ctx, arena, &varied, h, steps, &x);
        if (sb_failure_is_result(status)) {
            SB_TRY(sb_row_go_on(sb_row_failure(&sb_analysis_creep, pair, h, status, ctx->message, out), &failed));
            continue;
        }
        SB_TRY(status);
        value[used] = config->values.x[i];
        speed[used] = x.speed;
        floor[used] = DBL_EPSILON;
        const double slope =
            used > 0 ? sb_slope_between(value[used - 1], speed[used - 1], floor[used - 1], value[used], speed[used], floor[used]) : NAN;
        SB_TRY(write_row(pair, h, value[used], &x, slope, out));
        used++;
    }
    const sb_slope fit = sb_slope_power(used, value, speed, floor, work);
    SB_TRY(write_fit(pair, h, &fit, out));
    return failed;
}

static int check(sb_context *ctx, const void *options, const sb_pair *pair) {
    const sb_creep_config *config = options;
    long steps;
    return sb_pick_length(ctx, pair->sys, config->t_end, SB_TIME_SCALES, step_of(config, pair), &steps);
}

static int run(sb_context *ctx, const void *config, const sb_pair *pair, sb_sink *out) {
    sb_arena arena;
    sb_arena_init(&arena, ctx);
    const int status = write_rows(ctx, &arena, config, pair, out);
    sb_arena_free(&arena);
    return status;
}

static const sb_param params[] = {
    {"vary", SB_TEXT, offsetof(sb_creep_config, vary), "gamma", 0.0, 0.0, SB_CLOSED, NULL, "",
     "parameter of the stepper or the problem that is the regularization of friction, an inverse drag"},
    {"values", SB_REALS, offsetof(sb_creep_config, values), "1e-2,1e-3,1e-4,1e-5,1e-6", 0.0, INFINITY, SB_OPEN, NULL, "", "its values"},
    {"h", SB_REAL, offsetof(sb_creep_config, h), "0", 0.0, INFINITY, SB_OPEN_HI, NULL, "s", "step; 0: a tenth of the problem's time scale"},
    {"t_end", SB_REAL, offsetof(sb_creep_config, t_end), "0", 0.0, INFINITY, SB_OPEN_HI, NULL, "s",
     "end of the runs, a multiple of h; 0: about 20 time scales"},
    {0}};

static const sb_column columns[COLUMNS] = {
    {"problem", SB_COL_KEY, "", "the problem"},
    {"stepper", SB_COL_KEY, "", "the stepper"},
    {"h", SB_COL_KEY, "s", "step"},
    {"value", SB_COL_KEY, "", "regularization gamma; empty in the row of the fit"},
    {"speed", SB_COL_ERROR, "m/s", "mean slip over the second half of the run of the friction row that slides fastest"},
    {"force", SB_COL_EXACT, "N", "mean friction of that row"},
    {"law", SB_COL_EXACT, "m/s", "value times force: the slip at which the regularized row carries that force, reg05 (4.4)"},
    {"ratio", SB_COL_EXACT, "", "speed / law; 1 where the row is held by its regularization alone"},
    {"slope", SB_COL_SLOPE, "", "power of the speed in the value, against the row above; in the row of the fit by least squares"},
    {"status", SB_COL_INFO, "", "ok, fit, or why there is no result"},
    {"se", SB_COL_INFO, "", "standard error of the fitted slope"}};

const sb_analysis sb_analysis_creep = {.entry = {"creep", "creep speed of what dry friction holds against the regularization of friction",
                                                 "reg05 3.3, (4.4)", params, sizeof(sb_creep_config)},
                                       .default_problem = "block_incline:angle=0.3",
                                       .default_stepper = "reg",
                                       .needs = SB_HAS_FRICTION,
                                       .ncolumns = COLUMNS,
                                       .columns = columns,
                                       .check = check,
                                       .run = run};
