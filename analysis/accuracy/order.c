/* Analysis `order`: errors in q, v, lambda and energy against a reference, pairwise and fitted slopes; for motions with
 * impacts, in norms in which the error has an order. wm96 4.5. */
#include <string.h>

#include "analysis/accuracy/nonsmooth.h"
#include "analysis/accuracy/order_verdict.h"
#include "analysis/row.h"
#include "analysis/vary.h"
#include "core/run/solution.h"

/* Sets *per to the number of steps of length `small` per step of length `large`. Fails with SB_BAD_USAGE if it is not a
 * whole number, or if `samples` steps of length `large` take too many of length `small`. */
static int steps_per_sample(sb_context *ctx, double large, double small, long samples, long *per) {
    const double ratio = large / small;
    long total;
    if (!(fabs(ratio - round(ratio)) <= 1e-9 * ratio)) { /* steps written as rounded decimals of fractions still pass */
        return sb_fail(ctx, SB_BAD_USAGE,
                       "order: h = %.9g is not a whole multiple of h = %.9g; the errors are taken at the multiples of "
                       "the largest step",
                       large, small);
    }
    SB_TRY(sb_steps(ctx, large, small, SB_STEPS_EXACT, per));
    return sb_steps(ctx, (double)samples * large, small, SB_STEPS_UP, &total);
}

/* Sets estimates of the round-off of q and v after `steps` steps. Every step rounds q to eps |q| and v to eps |v|; a
 * velocity that is a difference of positions over h has the error eps |q|/h. The sum of N independent rounding errors
 * is sqrt(N) times one of them; an error d of the velocity moves the position by T d, T the time scale. */
static void run_rounding(double epsilon, double size_q, double size_v, double time_scale, double h, long steps,
                         double *q, double *v) {
    const double walk = epsilon * sqrt((double)steps);
    *v = walk * (size_v + size_q / h);
    *q = walk * size_q + time_scale * *v;
}

/* Sets the floors of the errors: the round-off of the run plus the error of the reference. The error of the energy
 * follows from that of the velocity. An acceleration computed as a second difference of positions, with the weights 1,
 * -2 and 1, has up to four times the error of a position over h^2; the multipliers change by `response` times that. */
static void set_floors(const sb_reference *ref, double epsilon, double time_scale, sb_order_level *level) {
    double q, v;
    run_rounding(epsilon, ref->size_q, ref->size_v, time_scale, level->h, level->steps, &q, &v);
    const double relative = ref->size_v > 0.0 ? v / ref->size_v : 0.0;
    const double position = epsilon * sqrt((double)level->steps) * ref->size_q;
    level->floor[SB_ERR_Q] = ref->floor[SB_ERR_Q] + q;
    level->floor[SB_ERR_V] = ref->floor[SB_ERR_V] + v;
    level->floor[SB_ERR_LAMBDA] = ref->floor[SB_ERR_LAMBDA] + ref->size_lambda * relative +
                                  ref->response * 4.0 * position / (level->h * level->h);
    level->floor[SB_ERR_ENERGY] = ref->floor[SB_ERR_ENERGY] + ref->size_energy * relative;
    level->floor[SB_ERR_GRAPH] = ref->floor[SB_ERR_GRAPH] + relative;
    level->floor[SB_ERR_IMPACT] = ref->floor[SB_ERR_IMPACT] + time_scale * relative;
}

int sb_order_pair(sb_context *ctx, sb_arena *arena, const sb_pair *pair, const sb_order_level *level, sb_pair *out) {
    *out = *pair;
    return level->tolerance > 0.0 ? sb_config_vary(ctx, arena, &pair->type->entry, pair->config,
                                                   pair->type->control.tolerance, level->tolerance, &out->config)
                                  : SB_OK;
}

/* Runs with the step or tolerance of a level and computes the errors: for smooth motions at the samples of the
 * reference, else at every step. */
static int run_and_compare(sb_context *ctx, sb_arena *scratch, const sb_pair *pair, const sb_reference *ref,
                           double separation, double *last, sb_order_level *level) {
    const long before = ctx->substeps;
    sb_method method;
    sb_pair varied;
    sb_reference run, like = *ref;
    SB_TRY(sb_order_pair(ctx, scratch, pair, level, &varied));
    SB_TRY(sb_method_init(ctx, scratch, pair->type, varied.config, pair->sys, &method));
    if (sb_nonsmooth(pair->sys)) {
        like.dt = level->h;
        like.count = level->steps;
        SB_TRY(sb_reference_run(ctx, scratch, &method, level->h, &like, &run));
        return sb_nonsmooth_errors(scratch, pair->sys, &run, ref, separation, level->error);
    }
    SB_TRY(sb_reference_run(ctx, scratch, &method, level->h, ref, &run));
    level->steps = level->tolerance > 0.0 ? ctx->substeps - before : level->steps;
    sb_reference_errors(&run, ref, level->error);
    sb_reference_change(&run, last, &level->change_q, &level->change_v);
    if (ref->m == 0) {
        level->error[SB_ERR_LAMBDA] = NAN;
    }
    return SB_OK;
}

static int measure_level(sb_context *ctx, sb_arena *arena, const sb_pair *pair, const sb_reference *ref,
                         double separation, double *last, sb_order_level *level) {
    SB_SCRATCH(scratch, ctx);
    level->change_q = level->change_v = NAN;
    const int status = run_and_compare(ctx, &scratch, pair, ref, separation, last, level);
    level->why = status;
    for (int k = 0; k < SB_ERR_COUNT && status != SB_OK; k++) {
        level->error[k] = NAN;
    }
    return sb_failure_keep(arena, status, &level->failure);
}

/* Raises the floors of lambda if the error of lambda decreases to a tenth and then increases at the smallest steps. The
 * increase is round-off of second differences of the positions, proportional to h^-2. set_floors may underestimate it:
 * a multistep method accumulates it, and a mechanism near a singular pose amplifies it. At a step with an increased
 * error the floor becomes that error, and at a larger step that error times the ratio of h^-2. */
static void raise_floors(sb_order *out) {
    sb_order_level *levels = out->levels;
    int least = 0;
    for (int i = 1; i < out->n; i++) {
        least = levels[i].error[SB_ERR_LAMBDA] < levels[least].error[SB_ERR_LAMBDA] ? i : least;
    }
    if (levels[0].tolerance > 0.0 || !(levels[least].error[SB_ERR_LAMBDA] <= 0.1 * levels[0].error[SB_ERR_LAMBDA])) {
        return;
    }
    for (int i = least + 1; i < out->n; i++) {
        for (int j = 0; j <= i && !isnan(levels[i].error[SB_ERR_LAMBDA]); j++) {
            const double risen = levels[i].error[SB_ERR_LAMBDA] * pow(levels[i].h / levels[j].h, 2.0);
            levels[j].floor[SB_ERR_LAMBDA] = fmax(levels[j].floor[SB_ERR_LAMBDA], risen);
        }
    }
}

static int fit_slopes(sb_arena *arena, sb_order *out) {
    const int n = out->n;
    double *size, *error, *floor, *work;
    SB_TRY(SB_VECTORS(arena, n, &size, &error, &floor));
    SB_NEW(arena, work, 2 * n);
    for (int k = 0; k < SB_ERR_COUNT; k++) {
        for (int i = 0; i < n; i++) {
            sb_order_level *level = &out->levels[i];
            size[i] = level->size;
            error[i] = level->error[k];
            floor[i] = level->floor[k];
            level->slope[k] = level->slope_floor[k] = NAN;
            if (i > 0) {
                level->slope[k] =
                    sb_slope_between(size[i - 1], error[i - 1], floor[i - 1], size[i], error[i], floor[i]);
                level->slope_floor[k] =
                    sb_slope_between_floor(size[i - 1], error[i - 1], floor[i - 1], size[i], error[i], floor[i]);
            }
        }
        out->fit[k] = sb_slope_power(n, size, error, floor, work);
        out->fit_floor[k] = sb_slope_power_floor(n, size, error, floor, work);
    }
    return SB_OK;
}

/* Sets *h to the largest step that divides dt into an even number of steps and does not exceed the step given. Fails
 * with SB_BAD_USAGE if `count` times dt then take too many steps. */
static int reference_step(sb_context *ctx, const sb_order_config *config, double dt, long count, double smallest,
                          double *h) {
    const double given = config->reference_h > 0.0 ? config->reference_h : smallest / 32.0;
    long half, total;
    SB_TRY(sb_steps(ctx, 0.5 * dt, given, SB_STEPS_UP, &half));
    *h = dt / (2.0 * (double)half);
    return sb_steps(ctx, (double)count * dt, *h, SB_STEPS_UP, &total);
}

/* Sets the tolerances of the levels, the largest first; all have the same interval of output. */
static int plan_tolerances(sb_context *ctx, sb_arena *arena, const sb_order_config *config, const sb_pair *pair,
                           double h, long samples, sb_order *out) {
    sb_pair unused;
    sb_reals tol;
    SB_TRY(sb_pick_values(arena, &config->tol, config->levels, 1e-3, 10.0, &tol));
    out->n = tol.n;
    SB_NEW(arena, out->levels, tol.n);
    for (int i = 0; i < tol.n; i++) {
        out->levels[i] = (sb_order_level){.h = h, .tolerance = tol.x[i], .size = tol.x[i], .steps = samples};
        SB_TRY(sb_order_pair(ctx, arena, pair, &out->levels[i], &unused));
    }
    return SB_OK;
}

/* The samples at which errors are computed, and the step of the reference. */
typedef struct schedule {
    double dt; /* between samples, s: a multiple of the largest step */
    long samples;
    double h_ref; /* step of a stepper as reference, s */
} schedule;

/* Sets the steps of the levels and the schedule. Samples are the multiples of the largest step up to the end that the
 * reference has. For motions with impacts the reference has eight samples per smallest step, and two steps per sample.
 */
static int plan(sb_context *ctx, sb_arena *arena, const sb_order_config *config, const sb_pair *pair, sb_order *out,
                schedule *when) {
    const sb_system *sys = pair->sys;
    double interval, duration;
    long steps, stride;
    sb_reals h;
    if (config->h.n == 0 && config->ratio != round(config->ratio)) {
        return sb_fail(
            ctx, SB_BAD_USAGE,
            "order: ratio=%g is not a whole number; the errors are taken at the multiples of the largest step",
            config->ratio);
    }
    SB_TRY(sb_reference_samples(ctx, arena, config->reference, pair, &interval, &duration));
    const double t_end = config->t_end > 0.0 ? config->t_end : duration;
    SB_TRY(sb_pick_values(arena, &config->h, config->levels, sb_default_step(sys->time_scale), config->ratio, &h));
    SB_TRY(sb_fit_steps(ctx, &config->h, interval >= h.x[0] ? interval : t_end, &h));
    SB_TRY(sb_pick_length(ctx, sys, t_end, config->scales, h.x[0], &steps));
    SB_TRY(sb_solution_stride(ctx, config->reference, interval, h.x[0], steps, &stride));
    when->dt = (double)stride * h.x[0];
    when->samples = steps / stride;
    when->h_ref = when->dt;
    if (pair->type->control.tolerance != NULL) {
        return plan_tolerances(ctx, arena, config, pair, when->dt, when->samples, out);
    }
    out->n = h.n;
    SB_NEW(arena, out->levels, h.n);
    for (int i = 0; i < h.n; i++) {
        long per;
        SB_TRY(steps_per_sample(ctx, h.x[0], h.x[i], steps, &per));
        out->levels[i] =
            (sb_order_level){.h = h.x[i], .tolerance = NAN, .size = h.x[i], .steps = per * stride * when->samples};
    }
    const sb_order_level *finest = &out->levels[h.n - 1];
    return sb_nonsmooth(sys)
               ? reference_step(ctx, config, finest->h / 16.0, 16 * finest->steps, finest->h, &when->h_ref)
               : reference_step(ctx, config, when->dt, when->samples, finest->h, &when->h_ref);
}

/* Computes the reference of a motion with impacts, with eight samples per smallest step. If a stepper computes it, its
 * error is estimated by the distance from a run with twice the step: these methods are of first order. */
static int make_nonsmooth(sb_context *ctx, sb_arena *arena, const sb_order_config *config, const sb_pair *pair,
                          const sb_order *order, double h_ref, double separation, sb_reference *ref) {
    const sb_order_level *finest = &order->levels[order->n - 1];
    const bool exact =
        pair->sys->exact != NULL && (strcmp(config->reference, "auto") == 0 || strcmp(config->reference, "exact") == 0);
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
    return sb_nonsmooth_errors(arena, pair->sys, &coarse, ref, separation, ref->floor);
}

/* Computes the reference of a smooth motion. If the stepper of the pair has compliant constraints and no other
 * reference was asked for, it is the compliant motion, or the effect of the compliance is added to the floors. */
static int make_smooth(sb_context *ctx, sb_arena *arena, const sb_order_config *config, const sb_pair *pair,
                       const schedule *when, sb_order *order, sb_reference *ref) {
    const double finest = order->levels[order->n - 1].h;
    const bool soft = strcmp(config->reference, "auto") == 0 && sb_reference_compliance(pair) > 0.0;
    SB_TRY(soft ? sb_reference_compliant(ctx, arena, pair, when->dt, when->samples, finest, &order->compliant, ref)
                : SB_OK);
    if (order->compliant) {
        return SB_OK;
    }
    SB_TRY(sb_reference_make(ctx, arena, config->reference, pair, when->dt, when->samples, when->h_ref, ref));
    if (soft) {
        SB_SCRATCH(scratch, ctx);
        const int status = sb_reference_compliance_effect(ctx, &scratch, pair, finest, ref, order->effect);
        return sb_failure_is_result(status) ? SB_OK : status;
    }
    return SB_OK;
}

int sb_order_check(const sb_task *task) {
    sb_order order;
    schedule when;
    return plan(task->ctx, task->arena, task->config, task->pair, &order, &when);
}

int sb_order_measure(sb_context *ctx, sb_arena *arena, const sb_order_config *config, const sb_pair *pair,
                     sb_order *out) {
    schedule when;
    *out = (sb_order){0};
    SB_TRY(plan(ctx, arena, config, pair, out, &when));
    /* An impact needs two samples on either side of it, and its time has an error of one or two steps. */
    const double separation = 4.0 * out->levels[0].h;
    sb_reference ref;
    SB_TRY(sb_nonsmooth(pair->sys) ? make_nonsmooth(ctx, arena, config, pair, out, when.h_ref, separation, &ref)
                                   : make_smooth(ctx, arena, config, pair, &when, out, &ref));
    out->samples = when.samples;
    out->size_q = ref.size_q;
    out->size_v = ref.size_v;
    out->size_lambda = ref.size_lambda;
    memcpy(out->reference, ref.floor, sizeof out->reference);
    SB_SCRATCH(kept, ctx);
    double *last;
    const size_t numbers = sb_nonsmooth(pair->sys) ? 0 : 2 * (size_t)ref.n * (size_t)ref.count;
    SB_NEW(&kept, last, numbers);
    for (size_t i = 0; i < numbers; i++) {
        last[i] = NAN;
    }
    for (int i = 0; i < out->n; i++) {
        SB_TRY(measure_level(ctx, arena, pair, &ref, separation, last, &out->levels[i]));
        set_floors(&ref, pair->type->roundoff > 0.0 ? pair->type->roundoff : DBL_EPSILON, pair->sys->time_scale,
                   &out->levels[i]);
        for (int k = 0; k < SB_ERR_COUNT; k++) {
            out->levels[i].floor[k] += out->effect[k];
        }
    }
    raise_floors(out);
    return fit_slopes(arena, out);
}

/* ---- Rows. ---- */

/* The estimated error is a difference of two runs, whose round-off is that of the finest run. */
sb_cell sb_order_reference_cell(const sb_order *order, int k) {
    const double error = order->reference[k],
                 rounding = order->levels[order->n - 1].floor[k] - order->effect[k] - error;
    return sb_filled(sb_residual(error, fmax(0.05 * error, rounding)));
}

/* The cells of a row: tolerance and steps, errors, slopes, standard errors, errors of the reference, verdict. */
enum {
    AT_ERRORS = 2,
    AT_SLOPES = AT_ERRORS + SB_ERR_COUNT,
    AT_STANDARD_ERRORS = AT_SLOPES + SB_ERR_COUNT,
    AT_REFERENCE = AT_STANDARD_ERRORS + SB_ERR_COUNT,
    AT_VERDICT = AT_REFERENCE + 2,
    OWN_COLUMNS = AT_VERDICT + 5
};

static void set_reference(const sb_order *order, sb_cell *cells) {
    cells[AT_REFERENCE] = sb_order_reference_cell(order, SB_ERR_Q);
    cells[AT_REFERENCE + 1] = sb_order_reference_cell(order, SB_ERR_V);
}

static int write_level(sb_task *task, const sb_order *order, const sb_order_level *level) {
    sb_cell cells[OWN_COLUMNS] = {sb_known(level->tolerance), sb_int(level->steps)};
    bool masked = false;
    for (int k = 0; k < SB_ERR_COUNT; k++) {
        cells[AT_ERRORS + k] = sb_filled(sb_residual(level->error[k], level->floor[k] - order->effect[k]));
        cells[AT_SLOPES + k] = sb_filled(sb_trusted(level->slope[k], level->slope_floor[k]));
        masked = masked || level->error[k] <= 10.0 * level->floor[k];
    }
    set_reference(order, cells);
    task->h = level->h;
    task->failed = level->why != SB_OK ? level->why : task->failed;
    return sb_row_status(task,
                         level->failure != NULL ? level->failure
                         : masked               ? "plateau"
                                                : SB_STATUS_OK,
                         OWN_COLUMNS, cells);
}

/* Writes the row of the fit, with a verdict if the motion is smooth: orders are claimed for smooth motions only. */
static int write_fit(sb_task *task, const sb_order *order) {
    const double claimed = sb_claimed_power(task->pair, order);
    sb_cell cells[OWN_COLUMNS] = {sb_empty()}, *verdict = cells + AT_VERDICT;
    for (int k = 0; k < SB_ERR_COUNT; k++) {
        const sb_slope *fit = &order->fit[k], *floor = &order->fit_floor[k];
        cells[AT_SLOPES + k] = sb_filled(sb_trusted(fit->value, floor->value));
        cells[AT_STANDARD_ERRORS + k] = sb_filled(sb_residual(fit->se, floor->se));
    }
    set_reference(order, cells);
    if (sb_nonsmooth(task->sys)) {
        verdict[3] = sb_text("not applicable");
        verdict[4] = sb_text("a motion without contacts and dry friction: steppers claim no order for others");
    } else {
        const sb_order_comparison found = sb_order_compare_method(order, claimed);
        verdict[0] = sb_real(claimed);
        verdict[1] = sb_filled(sb_trusted(found.measured, found.noise));
        verdict[2] = sb_filled(sb_residual(found.se, found.noise));
        verdict[3] = sb_text(sb_order_verdict_name[found.verdict]);
        verdict[4] = sb_text(found.remedy);
    }
    task->h = 0.0;
    return sb_row_status(task, "fit", OWN_COLUMNS, cells);
}

static int run(sb_task *task) {
    enum { MORE = 6 };
    sb_order order;
    SB_TRY(sb_order_decide(task->ctx, task->arena, task->config, task->pair, MORE, &order));
    for (int i = 0; i < order.n; i++) {
        SB_TRY(write_level(task, &order, &order.levels[i]));
    }
    return write_fit(task, &order);
}

/* The default duration is ten time scales: by then a motion that starts from rest has the velocities on which the order
 * of a method may depend. */
static const sb_param params[] = {SB_ORDER_PARAMS(sb_order_config, "5", "10"), {0}};

static const sb_column columns[] = {
    SB_COLUMN_PROBLEM,
    SB_COLUMN_STEPPER,
    {"h", SB_COL_KEY, "s", "step, or interval of output with error control; empty in the row of the fit"},
    SB_COLUMN_TOL,
    {"steps", SB_COL_INFO, "", "number of steps"},
    {"err_q", SB_COL_ERROR, "",
     "largest 2-norm of the position error over the multiples of the largest step at which there is a reference; with "
     "contacts or dry friction, its mean over time"},
    {"err_v", SB_COL_ERROR, "", "the same of the reported velocity"},
    {"err_lambda", SB_COL_ERROR, "",
     "the same of the reported multipliers, of redundant rows those of least norm that exert their force; empty "
     "without constraints, with contacts, or if the method has no multipliers"},
    {"err_energy", SB_COL_ERROR, "J", "the same of the energy of the reported state"},
    {"err_graph", SB_COL_ERROR, "",
     "with contacts: Hausdorff distance of the graphs of (q, v) over time, jumps filled in; times in units of the time "
     "scale, q and v in units of their largest norms"},
    {"err_impact", SB_COL_ERROR, "s",
     "with contacts: mean error of the times of the impacts that are four largest steps or more apart"},
    {"slope_q", SB_COL_SLOPE, "",
     "order of err_q from this row and the row above; in the row of the fit by least squares; empty where round-off or "
     "the error of the reference dominates"},
    {"slope_v", SB_COL_SLOPE, "", "the same of err_v"},
    {"slope_lambda", SB_COL_SLOPE, "", "the same of err_lambda"},
    {"slope_energy", SB_COL_SLOPE, "", "the same of err_energy"},
    {"slope_graph", SB_COL_SLOPE, "", "the same of err_graph"},
    {"slope_impact", SB_COL_SLOPE, "", "the same of err_impact"},
    {"status", SB_COL_INFO, "",
     "ok, plateau (an error is within 10 times the round-off or the error of the reference), fit, or why there is no "
     "result"},
    {"se_q", SB_COL_INFO, "", "standard error of the fitted slope_q"},
    {"se_v", SB_COL_INFO, "", "standard error of the fitted slope_v"},
    {"se_lambda", SB_COL_INFO, "", "standard error of the fitted slope_lambda"},
    {"se_energy", SB_COL_INFO, "", "standard error of the fitted slope_energy"},
    {"se_graph", SB_COL_INFO, "", "standard error of the fitted slope_graph"},
    {"se_impact", SB_COL_INFO, "", "standard error of the fitted slope_impact"},
    {"ref_q", SB_COL_INFO, "", "estimated error of the reference, in the norm of err_q"},
    {"ref_v", SB_COL_INFO, "", "the same, in the norm of err_v"},
    {"claimed", SB_COL_INFO, "",
     "in the row of the fit: order of q and v that the stepper claims on systems with these terms, as a power of h or "
     "tol; empty with contacts or dry friction, where no order is claimed"},
    {"measured", SB_COL_INFO, "",
     "the lower of the orders of q and v: the slope between the smallest steps above round-off, extrapolated to h = 0"},
    {"se", SB_COL_INFO, "",
     "standard error of measured: the change of the slope by the extrapolation, and the effect of round-off"},
    {"verdict", SB_COL_INFO, "",
     "as_claimed: measured plus or minus se lies within 0.2 of claimed; lower, higher: beyond; unclear: neither; not "
     "applicable: with contacts or dry friction no order is claimed"},
    {"decides", SB_COL_INFO, "", "what would decide an unclear verdict, or make one applicable"}};

SB_DEFINE_ANALYSIS(order) = {
    .entry = {"order", "order of convergence in q, v, lambda and energy, from pairwise and fitted slopes", "wm96 4.5",
              params, sizeof(sb_order_config)},
    .forward = true,
    SB_COLUMNS(columns),
    .example = "stepbench order -p pendulum -s rattle --plot order.svg",
    .plot = "order",
    .check = sb_order_check,
    .run = run};
