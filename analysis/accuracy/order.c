/* Analysis `order`: errors in q, v, lambda and energy against a reference, pairwise slopes and a fitted one; where there are impacts, in norms
 * that have an order. wm96 4.5. */
#include <float.h>
#include <string.h>

#include "analysis/accuracy/nonsmooth.h"
#include "analysis/accuracy/order.h"
#include "analysis/row.h"
#include "core/run/run.h"

extern const sb_analysis sb_analysis_order;

/* Sets *per to the steps of length `small` per step of length `large`. Fails with SB_BAD_USAGE when it is no whole number, or when there are too many
 * steps to the end of `samples` steps of length `large`. */
static int steps_per_sample(sb_context *ctx, double large, double small, long samples, long *per) {
    const double ratio = large / small;
    long total;
    if (!(fabs(ratio - round(ratio)) <= 1e-9 * ratio)) { /* steps written as rounded decimals of fractions still pass */
        return sb_fail(ctx, SB_BAD_USAGE,
                       "order: h = %.9g is no whole multiple of h = %.9g; the errors are taken at the multiples of the largest step", large,
                       small);
    }
    SB_TRY(sb_steps(ctx, large, small, SB_STEPS_EXACT, per));
    return sb_steps(ctx, (double)samples * large, small, SB_STEPS_UP, &total);
}

/* Round-off no slope should be read from. Every step rounds q to eps |q| and v to eps |v|; where a velocity is a difference of
 * positions over h that is an error of eps |q|/h in it. N independent roundings add up to sqrt(N) of one, and one of size d in the
 * velocity moves the position by T d, T the time scale. The energy follows the velocity; a multiplier is an acceleration, and a second
 * difference of positions has the relative error eps (T/h)^2 when accelerations are of the size |q|/T^2. */
static void set_floors(const sb_reference *ref, double time_scale, sb_order_level *level) {
    const double walk = DBL_EPSILON * sqrt((double)level->steps), fine = time_scale / level->h;
    const double v = walk * (ref->size_v + ref->size_q / level->h);
    const double relative = ref->size_v > 0.0 ? v / ref->size_v : 0.0;
    level->floor[SB_ERR_Q] = ref->floor[SB_ERR_Q] + walk * ref->size_q + time_scale * v;
    level->floor[SB_ERR_V] = ref->floor[SB_ERR_V] + v;
    level->floor[SB_ERR_LAMBDA] = ref->floor[SB_ERR_LAMBDA] + ref->size_lambda * (relative + DBL_EPSILON * fine * fine);
    level->floor[SB_ERR_ENERGY] = ref->floor[SB_ERR_ENERGY] + ref->size_energy * relative;
    level->floor[SB_ERR_GRAPH] = ref->floor[SB_ERR_GRAPH] + relative;
    level->floor[SB_ERR_IMPACT] = ref->floor[SB_ERR_IMPACT] + time_scale * relative;
}

/* Smooth motions: on the samples of the reference. Others: on samples of the run's own. */
static int run_and_compare(sb_context *ctx, sb_arena *scratch, sb_method *method, const sb_reference *ref, double apart, sb_order_level *level) {
    sb_reference run, like = *ref;
    if (sb_nonsmooth(method->sys)) {
        like.dt = level->h;
        like.count = level->steps;
        SB_TRY(sb_reference_run(ctx, scratch, method, level->h, &like, &run));
        return sb_nonsmooth_errors(scratch, method->sys, &run, ref, apart, level->error);
    }
    SB_TRY(sb_reference_run(ctx, scratch, method, level->h, ref, &run));
    sb_reference_errors(&run, ref, level->error);
    if (ref->m == 0) {
        level->error[SB_ERR_LAMBDA] = NAN;
    }
    return SB_OK;
}

static int measure_level(sb_context *ctx, sb_arena *arena, const sb_pair *pair, const sb_reference *ref, double apart, sb_order_level *level) {
    sb_arena scratch;
    sb_arena_init(&scratch, ctx);
    sb_method method = {0};
    int status = sb_method_init(ctx, &scratch, pair->type, pair->config, pair->sys, &method);
    if (status == SB_OK) {
        status = run_and_compare(ctx, &scratch, &method, ref, apart, level);
    }
    if (sb_failure_is_result(status)) {
        level->why = status;
        level->failure = sb_strdup(arena, ctx->message);
        for (int k = 0; k < SB_ERR_COUNT; k++) {
            level->error[k] = NAN;
        }
        status = level->failure != NULL ? SB_OK : SB_NO_MEMORY;
    }
    sb_method_fini(&method);
    sb_arena_free(&scratch);
    return status;
}

static int fit_slopes(sb_arena *arena, sb_order *out) {
    const int n = out->n;
    double *h, *error, *floor, *work;
    SB_NEW(arena, h, n);
    SB_NEW(arena, error, n);
    SB_NEW(arena, floor, n);
    SB_NEW(arena, work, 2 * n);
    for (int k = 0; k < SB_ERR_COUNT; k++) {
        for (int i = 0; i < n; i++) {
            h[i] = out->levels[i].h;
            error[i] = out->levels[i].error[k];
            floor[i] = out->levels[i].floor[k];
            out->levels[i].slope[k] = i > 0 ? sb_slope_between(h[i - 1], error[i - 1], floor[i - 1], h[i], error[i], floor[i]) : NAN;
        }
        out->fit[k] = sb_slope_power(n, h, error, floor, work);
    }
    return SB_OK;
}

/* Sets *h to the largest step that divides dt into an even number of steps and is not larger than what is asked for. Fails with SB_BAD_USAGE when
 * that makes too many steps for `count` times dt. */
static int reference_step(sb_context *ctx, const sb_order_config *config, double dt, long count, double smallest, double *h) {
    const double asked = config->reference_h > 0.0 ? config->reference_h : smallest / 32.0;
    long half, total;
    SB_TRY(sb_steps(ctx, 0.5 * dt * (1.0 - DBL_EPSILON * 8.0), asked, SB_STEPS_UP, &half));
    *h = dt / (2.0 * (double)half);
    return sb_steps(ctx, (double)count * dt, *h, SB_STEPS_UP, &total);
}

/* Sets the levels with their steps, the number of samples (the multiples of the largest step up to the end) and the reference's step. With impacts
 * the reference has eight samples per smallest step, and a step for half of that. */
static int plan(sb_context *ctx, sb_arena *arena, const sb_order_config *config, const sb_system *sys, sb_order *out, long *samples, double *h_ref) {
    sb_reals h;
    if (config->h.n == 0 && config->ratio != round(config->ratio)) {
        return sb_fail(ctx, SB_BAD_USAGE,
                       "order: ratio=%g is not a whole number; the errors are taken at the multiples of the largest step", config->ratio);
    }
    SB_TRY(sb_pick_steps(arena, sys, &config->h, config->levels, config->ratio, &h));
    SB_TRY(sb_fit_steps(ctx, &config->h, config->t_end, &h));
    SB_TRY(sb_pick_length(ctx, sys, config->t_end, 4.0, h.x[0], samples));
    out->n = h.n;
    SB_NEW(arena, out->levels, h.n);
    for (int i = 0; i < h.n; i++) {
        long per;
        SB_TRY(steps_per_sample(ctx, h.x[0], h.x[i], *samples, &per));
        out->levels[i].h = h.x[i];
        out->levels[i].steps = per * *samples;
    }
    const sb_order_level *finest = &out->levels[h.n - 1];
    return sb_nonsmooth(sys) ? reference_step(ctx, config, finest->h / 16.0, 16 * finest->steps, finest->h, h_ref)
                             : reference_step(ctx, config, h.x[0], *samples, finest->h, h_ref);
}

/* A reference for motions with impacts has eight samples a step of the smallest. That of a stepper is wrong by as much as it is away from one
 * with twice its step: such methods are of first order. */
static int make_nonsmooth(sb_context *ctx, sb_arena *arena, const sb_order_config *config, const sb_pair *pair, const sb_order *order, double h_ref, double apart, sb_reference *ref) {
    const sb_order_level *finest = &order->levels[order->n - 1];
    const bool exact = pair->sys->exact != NULL && (strcmp(config->reference, "auto") == 0 || strcmp(config->reference, "exact") == 0);
    const double dt = finest->h / 8.0;
    sb_reference coarse;
    SB_TRY(sb_reference_make(ctx, arena, config->reference, pair, dt, 8 * finest->steps, h_ref, ref));
    for (int k = 0; k < SB_ERR_COUNT; k++) {
        ref->floor[k] = 0.0;
    }
    if (exact) {
        return SB_OK;
    }
    SB_TRY(sb_reference_make(ctx, arena, config->reference, pair, dt, ref->count, 2.0 * h_ref, &coarse));
    return sb_nonsmooth_errors(arena, pair->sys, &coarse, ref, apart, ref->floor);
}

int sb_order_check(sb_context *ctx, const void *config, const sb_pair *pair) {
    sb_arena scratch;
    sb_order order;
    long samples;
    double h_ref;
    sb_arena_init(&scratch, ctx);
    const int status = plan(ctx, &scratch, config, pair->sys, &order, &samples, &h_ref);
    sb_arena_free(&scratch);
    return status;
}

int sb_order_measure(sb_context *ctx, sb_arena *arena, const sb_order_config *config, const sb_pair *pair, sb_order *out) {
    long samples;
    double h_ref;
    *out = (sb_order){0};
    SB_TRY(plan(ctx, arena, config, pair->sys, out, &samples, &h_ref));
    const double largest = out->levels[0].h;
    const double apart = 4.0 * largest; /* two samples on either side of a kink, and a kink that is late or early by a step or two */
    sb_reference ref;
    SB_TRY(sb_nonsmooth(pair->sys) ? make_nonsmooth(ctx, arena, config, pair, out, h_ref, apart, &ref)
                                   : sb_reference_make(ctx, arena, config->reference, pair, largest, samples, h_ref, &ref));
    out->size_q = ref.size_q;
    for (int i = 0; i < out->n; i++) {
        set_floors(&ref, pair->sys->time_scale, &out->levels[i]);
        SB_TRY(measure_level(ctx, arena, pair, &ref, apart, &out->levels[i]));
    }
    return fit_slopes(arena, out);
}

/* ---- Rows. ---- */

enum { PROBLEM, STEPPER, H, STEPS, ERR, SLOPE = ERR + SB_ERR_COUNT, STATUS = SLOPE + SB_ERR_COUNT, SE, COLUMNS = SE + SB_ERR_COUNT };

static sb_cell known(double x) {
    return isnan(x) ? sb_empty() : sb_real(x);
}

static int write_level(const sb_pair *pair, const sb_order_level *level, sb_sink *out) {
    sb_cell row[COLUMNS];
    bool masked = false;
    row[PROBLEM] = sb_text(pair->problem);
    row[STEPPER] = sb_text(pair->stepper);
    row[H] = sb_real(level->h);
    row[STEPS] = sb_int(level->steps);
    for (int k = 0; k < SB_ERR_COUNT; k++) {
        row[ERR + k] = known(level->error[k]);
        row[SLOPE + k] = known(level->slope[k]);
        row[SE + k] = sb_empty();
        masked = masked || level->error[k] <= 10.0 * level->floor[k];
    }
    row[STATUS] = sb_text(level->failure != NULL ? level->failure : masked ? "plateau" : SB_STATUS_FINE);
    return out->row(out, row);
}

static int write_fit(const sb_pair *pair, const sb_order *order, sb_sink *out) {
    sb_cell row[COLUMNS];
    row[PROBLEM] = sb_text(pair->problem);
    row[STEPPER] = sb_text(pair->stepper);
    row[H] = row[STEPS] = sb_empty();
    for (int k = 0; k < SB_ERR_COUNT; k++) {
        row[ERR + k] = sb_empty();
        row[SLOPE + k] = known(order->fit[k].value);
        row[SE + k] = known(order->fit[k].se);
    }
    row[STATUS] = sb_text("fit");
    return out->row(out, row);
}

static int write_rows(sb_context *ctx, sb_arena *arena, const sb_order_config *config, const sb_pair *pair, sb_sink *out) {
    sb_order order;
    const int status = sb_order_measure(ctx, arena, config, pair, &order);
    if (sb_failure_is_result(status)) {
        return sb_row_failure(&sb_analysis_order, pair, 0.0, status, ctx->message, out);
    }
    SB_TRY(status);
    int failed = SB_OK;
    for (int i = 0; i < order.n; i++) {
        SB_TRY(write_level(pair, &order.levels[i], out));
        failed = order.levels[i].why != SB_OK ? order.levels[i].why : failed;
    }
    SB_TRY(write_fit(pair, &order, out));
    return failed;
}

static int run(sb_context *ctx, const void *config, const sb_pair *pair, sb_sink *out) {
    sb_arena arena;
    sb_arena_init(&arena, ctx);
    const int status = write_rows(ctx, &arena, config, pair, out);
    sb_arena_free(&arena);
    return status;
}

static const sb_param params[] = {SB_ORDER_PARAMS(sb_order_config, "5"), {0}};

static const sb_column columns[COLUMNS] = {
    {"problem", SB_COL_KEY, "", "the problem"},
    {"stepper", SB_COL_KEY, "", "the stepper"},
    {"h", SB_COL_KEY, "s", "step; empty in the row of the fit"},
    {"steps", SB_COL_INFO, "", "steps taken"},
    {"err_q", SB_COL_ERROR, "",
     "largest 2-norm of the position error over the multiples of the largest step; with contacts or dry friction its mean over time"},
    {"err_v", SB_COL_ERROR, "", "the same of the reported velocity"},
    {"err_lambda", SB_COL_ERROR, "",
     "the same of the reported multipliers; empty without constraints, with contacts, or where the method has none"},
    {"err_energy", SB_COL_ERROR, "J", "the same of the energy of the reported state"},
    {"err_graph", SB_COL_ERROR, "",
     "with contacts: Hausdorff distance of the graphs of (q, v) over time, jumps filled in; times in time scales, q and v in their largest norms"},
    {"err_impact", SB_COL_ERROR, "s", "with contacts: mean error of the times of impacts, of those four largest steps or more apart"},
    {"slope_q", SB_COL_SLOPE, "",
     "order against the row above; in the row of the fit by least squares; empty where round-off or the reference blur it"},
    {"slope_v", SB_COL_SLOPE, "", "the same of err_v"},
    {"slope_lambda", SB_COL_SLOPE, "", "the same of err_lambda"},
    {"slope_energy", SB_COL_SLOPE, "", "the same of err_energy"},
    {"slope_graph", SB_COL_SLOPE, "", "the same of err_graph"},
    {"slope_impact", SB_COL_SLOPE, "", "the same of err_impact"},
    {"status", SB_COL_INFO, "",
     "ok, plateau (an error within 10 times its round-off or the reference's error), fit, or why there is no result"},
    {"se_q", SB_COL_INFO, "", "standard error of the fitted slope_q"},
    {"se_v", SB_COL_INFO, "", "standard error of the fitted slope_v"},
    {"se_lambda", SB_COL_INFO, "", "standard error of the fitted slope_lambda"},
    {"se_energy", SB_COL_INFO, "", "standard error of the fitted slope_energy"},
    {"se_graph", SB_COL_INFO, "", "standard error of the fitted slope_graph"},
    {"se_impact", SB_COL_INFO, "", "standard error of the fitted slope_impact"}};

const sb_analysis sb_analysis_order = {.entry = {"order",
                                                 "order of convergence in q, v, lambda and energy, with pairwise and fitted slopes",
                                                 "wm96 4.5", params, sizeof(sb_order_config)},
                                       .ncolumns = COLUMNS,
                                       .columns = columns,
                                       .check = sb_order_check,
                                       .run = run};
