/* Analysis `drift`: deviation and secular slope of the energy and the other invariants over long runs. wm96 5. */
#include "analysis/conservation/drift.h"
#include "analysis/conservation/quantities.h"
#include "analysis/conservation/trend.h"
#include "analysis/row.h"

const char *const sb_drift_verdict_name[] = {"none", "unclear", "drift", "lost"};

/* What is accumulated along a run. The series are the deviations of the quantities, then the sizes of their terms, then
 * the deviations of p_i v_i, then the irreversible change of the energy. */
typedef struct series {
    sb_quantities qs;
    sb_trends trends;
    sb_method me;          /* takes the steps back */
    sb_state back;         /* after a step and a step back */
    double h, *v;          /* step of the run; reported velocity at the sample */
    double energy, change; /* energy of the sample; irreversible change so far */
    double *value;         /* the series at the sample */
    double *first;         /* their values at the first sample; 0 for sizes */
    double *size;          /* largest size of the terms so far */
    double sensitivity;    /* largest sensitivity of the energy to roundings of the coordinates so far */
    double inertia;        /* q' M q / 2 at the start, kg m^2: T of a velocity q/s */
    sb_drift *drifts;
} series;

/* Takes a step back from the sample, and adds half of the change of the energy by that step and the one to the sample
 * to w->change; adds NaN if the step back fails, or the stepper takes none. */
static int step_back(series *w, const sb_sample *s, double energy) {
    double there, size;
    int status = w->me.type->continues ? SB_UNSUPPORTED : sb_method_step(&w->me, s->state, -w->h, &w->back);
    status = status == SB_OK ? sb_method_report(&w->me, &w->back, w->v, NULL) : status;
    status = status == SB_OK ? sb_quantities_energy(&w->qs.dyn, w->back.t, w->back.q, w->v, &there, &size) : status;
    w->change += status == SB_OK ? 0.5 * (there - w->energy) : (double)NAN;
    w->energy = energy;
    return sb_failure_is_result(status) ? SB_OK : status;
}

static int observe(void *arg, const sb_sample *s) {
    series *w = arg;
    const sb_system *sys = w->qs.sys;
    const int count = w->qs.count, all = w->trends.count;
    double sensitivity;
    SB_TRY(sb_quantities_follow(&w->qs, s->t, s->q, s->v));
    SB_TRY(sb_quantities_value(&w->qs, s->t, s->q, s->v, w->value, w->value + count));
    const double energy = w->value[0] + w->qs.work.value;
    w->energy = s->step == 0 ? energy : w->energy;
    SB_TRY(s->step > 0 && sb_quantities_excluded(&w->qs, 0) == NULL ? step_back(w, s, energy) : SB_OK);
    w->value[all - 1] = w->change;
    SB_TRY(s->step == 0 ? sb_dynamics_energy(&w->qs.dyn, s->t, s->q, s->q, &w->inertia, NULL) : SB_OK);
    SB_TRY(sb_quantities_sensitivity(&w->qs, s->t, s->q, &sensitivity));
    w->sensitivity = sb_larger(w->sensitivity, sensitivity);
    SB_TRY(sb_dynamics_momentum(&w->qs.dyn, s->q, s->v, w->qs.p));
    for (int i = 0; i < sys->n; i++) {
        w->value[2 * count + i] = w->qs.p[i] * s->v[i];
    }
    for (int i = 0; i < count; i++) {
        w->size[i] = sb_larger(w->size[i], w->value[count + i]);
    }
    for (int i = 0; i < all; i++) {
        const bool size = i >= count && i < 2 * count;
        w->first[i] = s->step == 0 && !size ? w->value[i] : w->first[i];
        w->value[i] -= w->first[i];
    }
    sb_trends_add(&w->trends, s->t, w->value);
    return SB_OK;
}

static int prepare(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, int batches,
                   series *w) {
    const sb_system *sys = pair->sys;
    w->h = h;
    SB_TRY(sb_quantities_init(ctx, arena, sys, h, &w->qs));
    SB_TRY(sb_method_init(ctx, arena, pair->type, pair->config, sys, &w->me));
    SB_TRY(sb_state_new(&w->me, arena, &w->back));
    SB_NEW(arena, w->v, sys->n);
    const int count = w->qs.count, all = 2 * count + sys->n + 1;
    SB_TRY(SB_VECTORS(arena, all, &w->value, &w->first));
    SB_NEW(arena, w->size, count);
    SB_NEW(arena, w->drifts, count);
    return sb_trends_init(arena, all, batches, steps + 1, &w->trends);
}

/* Properties of the motion, from the products p_i v_i. */
typedef struct motion {
    double slow;  /* change over the run by slow components over the standard deviation of the oscillations */
    double turns; /* total variation over range, of all coordinates together: 2 per period of an oscillation */
} motion;

/* Computes these properties. `slow` is the largest of all coordinates whose oscillations are at least a hundredth of
 * the largest; infinite if nothing oscillates. */
static motion evaluate_motion(const series *w) {
    const int first = 2 * w->qs.count, end = first + w->qs.sys->n;
    sb_trend trend;
    double fast = 0.0, slow = 0.0, total = 0.0, range = 0.0;
    for (int i = first; i < end; i++) {
        sb_trends_evaluate(&w->trends, i, &trend);
        fast = sb_larger(fast, trend.fast);
        total += trend.total;
        range += trend.range;
    }
    for (int i = first; i < end; i++) {
        sb_trends_evaluate(&w->trends, i, &trend);
        slow = sb_larger(slow, trend.fast >= 0.01 * fast ? trend.slow / trend.fast : 0.0);
    }
    return (motion){fast > 0.0 ? slow : INFINITY, range > 0.0 ? total / range : 0.0};
}

/* The irreversible change of the energy. */
typedef struct irreversible {
    sb_trend trend;
    double se;      /* standard error of its secular change */
    double visible; /* below this the method is taken as reversible */
    double biased;  /* round-off, if that of every step has the same sign */
} irreversible;

/* Returns whether the irreversible change has one direction and the energy changes by it. */
static bool goes_one_way(const sb_trend *energy, const sb_trend *back, double rounding) {
    const double net = fabs(back->last);
    return net > rounding && net >= 0.7 * back->total && fabs(energy->last - back->last) <= 0.5 * net;
}

/* Returns whether the irreversible change exceeds `times` standard errors and the energy changes by the same, to within
 * `difference`. */
static bool follows(const sb_trend *energy, const irreversible *back, double times, double difference) {
    const double change = fabs(back->trend.change);
    return change > fmax(back->biased, times * back->se) && fabs(energy->change - back->trend.change) <= difference;
}

/* Returns whether there is no irreversible change, and the energy does not change along a line. */
static bool reverses(const sb_trend *energy, const irreversible *back) {
    return back->trend.max <= back->visible && fabs(energy->change) <= 0.5 * energy->rms;
}

/* Returns the mean of series i in batch b. */
static double batch_mean(const sb_trends *trends, int i, int b) {
    return trends->y[i * trends->batches + b] / trends->weight[b];
}

/* Returns whether the mean deviation of quantity i in some batch exceeds half of its terms, unless it drifts, or a
 * fifth where one step changes it by a tenth. */
static bool reaches_terms(const series *w, int i, bool drifts) {
    bool reaches = false;
    for (int b = 0; b < w->trends.batches; b++) {
        const double deviation = fabs(batch_mean(&w->trends, i, b)), terms = batch_mean(&w->trends, w->qs.count + i, b);
        reaches = reaches || (deviation > 0.5 * terms && !drifts) ||
                  (deviation > 0.2 * terms && sb_trends_abrupt(&w->trends, i, b) > 0.1 * terms);
    }
    return reaches;
}

/* Returns whether quantity i jumps by a tenth of its terms behind the jump, and does not return. */
static bool jumps(const series *w, int i, const sb_trend *trend) {
    return trend->jump > 0.1 * batch_mean(&w->trends, w->qs.count + i, trend->jumped);
}

static double square(double x) { return x * x; }

/* Sets the verdict and `decides`, see drift.h. `back` is NULL if the irreversible change is not used. */
static void set_verdict(const sb_trend *trend, const irreversible *back, double size, double T, sb_drift *d) {
    const double se = hypot(d->slope.se, d->rounding / T), straight = fabs(d->slope.value) / d->slope.se,
                 z = fabs(d->slope.value) / se, most = (fabs(d->slope.value) + 3.0 * se) * T, allowed = 0.2 * d->rms;
    d->decides = NAN;
    if (d->max <= d->rounding && !(straight > 50.0)) {
        d->verdict = SB_DRIFT_NONE;
    } else if (d->max <= d->rounding) {
        d->verdict = SB_DRIFT_UNCLEAR;
        d->decides = T * square(d->rounding / d->max);
    } else if (z > 5.0 || (trend->leaves && d->max > 0.1 * size) ||
               (back != NULL && (goes_one_way(trend, &back->trend, d->rounding) ||
                                 follows(trend, back, 5.0, 0.5 * fabs(back->trend.change))))) {
        d->verdict = SB_DRIFT_YES;
    } else if (z <= 3.0 && back != NULL && follows(trend, back, 3.0, 3.0 * se * T)) {
        d->verdict = SB_DRIFT_UNCLEAR;
        d->decides = T * fmax(1.0, 5.0 * se * T / fabs(back->trend.change));
    } else if (z <= 3.0 && (most <= allowed || (back != NULL && reverses(trend, back)))) {
        d->verdict = SB_DRIFT_NONE;
    } else {
        d->verdict = SB_DRIFT_UNCLEAR;
        d->decides = T * (z > 3.0 ? square(5.0 / z) : most / allowed);
    }
}

/* Returns an estimate of the change of a series by slow components. A series that consists of a component much slower
 * than the run changes by sqrt(12) standard deviations. This is assumed if the slow change of the motion is not small
 * compared with its oscillations: the run is then too short to resolve the slow components. */
static double slow_change(const sb_trend *trend, const motion *m) {
    const double all = sqrt(12.0) * trend->deviation;
    return m->slow <= 0.5 ? fmin(m->slow * trend->fast, all) : all;
}

static void evaluate(series *w, double h, long steps) {
    const double T = h * (double)steps;
    const motion m = evaluate_motion(w);
    irreversible back;
    sb_trends_evaluate(&w->trends, w->trends.count - 1, &back.trend);
    back.se = hypot(back.trend.scatter, slow_change(&back.trend, &m));
    for (int i = 0; i < w->qs.count; i++) {
        sb_drift *d = &w->drifts[i];
        sb_trend trend;
        sb_trends_evaluate(&w->trends, i, &trend);
        d->quantity = w->qs.names[i];
        d->excluded = sb_quantities_excluded(&w->qs, i);
        if (d->excluded == NULL && isnan(trend.max)) {
            d->excluded = "the deviation is not a number: the multipliers of constraints that depend on each other";
        }
        d->initial = w->first[i];
        d->size = w->size[i];
        d->max = trend.max;
        d->rms = trend.rms;
        d->slope = (sb_slope){trend.slope, hypot(trend.scatter, slow_change(&trend, &m)) / T, w->trends.batches};
        d->irreversible = i == 0 && d->excluded == NULL ? back.trend.last : (double)NAN;
        d->rounding = sb_accumulated_rounding(w->size[i] + (i == 0 ? w->sensitivity : 0.0), steps) +
                      (i == 0 ? w->inertia * square(sb_accumulated_rounding(1.0 / h, steps)) : 0.0); /* at rest */
        back.visible = 0.01 * h / w->qs.sys->time_scale * trend.rms;
        back.biased = sb_larger(d->rounding, DBL_EPSILON * w->size[i] * (double)steps);
        set_verdict(&trend, i == 0 && m.turns >= 4.0 ? &back : NULL, w->size[i], T, d);
        d->decides = isfinite(d->decides) ? h * sb_round_number(d->decides / h) : (double)NAN;
        const bool lost = w->drifts[0].excluded == NULL && w->drifts[0].verdict == SB_DRIFT_LOST;
        if (d->max > d->rounding && (lost || jumps(w, i, &trend) || reaches_terms(w, i, d->verdict == SB_DRIFT_YES))) {
            d->verdict = SB_DRIFT_LOST;
            d->decides = NAN;
        }
    }
}

static int check_steps(sb_context *ctx, double h, long steps, int batches) {
    const long least = 4L * (batches + 3) - 1;
    return steps >= least ? SB_OK
                          : sb_fail(ctx, SB_BAD_USAGE,
                                    "drift: %ld steps of %.9g s are too few for %d batches; take --t-end=%.9g, or "
                                    "steps of at most %.4g s",
                                    steps, h, batches, h * (double)least, h * (double)steps / (double)least);
}

int sb_drift_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, int batches,
                     sb_drift **drifts, int *count) {
    series w = {0};
    SB_TRY(check_steps(ctx, h, steps, batches));
    SB_TRY(prepare(ctx, arena, pair, h, steps, batches, &w));
    SB_TRY(sb_pair_run(ctx, arena, pair, h, steps, observe, &w));
    evaluate(&w, h, steps);
    *drifts = w.drifts;
    *count = w.qs.count;
    return SB_OK;
}

/* ---- Rows. ---- */

typedef struct drift_config {
    sb_step_options step;
    long batches;
} drift_config;

static const char lost[] = "the run does not resolve the motion: smaller steps, or another method";

static int run(sb_task *task) {
    const drift_config *config = task->config;
    const double T = task->h * (double)task->steps;
    sb_drift *d;
    int count;
    SB_TRY(
        sb_drift_measure(task->ctx, task->arena, task->pair, task->h, task->steps, (int)config->batches, &d, &count));
    for (; count > 0; count--, d++) {
        const bool decided = d->excluded == NULL;
        SB_TRY(sb_row_status(
            task,
            !decided                      ? d->excluded
            : d->verdict == SB_DRIFT_LOST ? lost
                                          : SB_STATUS_OK,
            SB_CELLS(sb_int(task->steps), sb_text(d->quantity), sb_real(d->initial), sb_known(d->max), sb_known(d->rms),
                     sb_known(d->slope.value), sb_known(hypot(d->slope.se, d->rounding / T)), sb_known(d->irreversible),
                     sb_known(d->rounding), decided ? sb_text(sb_drift_verdict_name[d->verdict]) : sb_empty(),
                     decided ? sb_known(d->decides) : sb_empty())));
    }
    return SB_OK;
}

static int check(const sb_task *task) {
    const drift_config *config = task->config;
    return check_steps(task->ctx, task->h, task->steps, (int)config->batches);
}

static const sb_param params[] = {
    SB_OPTION_H("a tenth of the problem's time scale in two digits, shortened to divide t-end"),
    SB_OPTION_T_END("1000"),
    SB_PARAM_INT(
        drift_config, batches, "32", 8.0, 10000.0,
        "number of overlapping batches; the slope and its standard error are computed from their weighted means"),
    {0}};

static const sb_column columns[] = {
    SB_KEY_COLUMNS,
    {"steps", SB_COL_INFO, "", "number of steps; every step is a sample"},
    {"quantity", SB_COL_KEY, "",
     "energy, momentum or invariant output, of the reported position and velocity; with forces or nonholonomic rows "
     "the energy less their work, energy balance, and the momenta less their impulse"},
    {"initial", SB_COL_EXACT, "", "initial value"},
    {"max_dev", SB_COL_ERROR, "", "largest deviation from the initial value"},
    {"rms", SB_COL_ERROR, "", "root mean square deviation"},
    {"slope", SB_COL_INFO, "1/s", "secular change per second: least squares through the weighted means of the batches"},
    {"slope_se", SB_COL_INFO, "1/s",
     "standard error of the slope: by the scatter of the batches, by slow components as large as those of the motion, "
     "and by round-off"},
    {"irreversible", SB_COL_INFO, "",
     "change that steps back do not undo: half the change by a step and a step back, summed over the steps; empty "
     "unless the quantity is the energy"},
    {"rounding", SB_COL_INFO, "", "estimate of the accumulated round-off at the end of the run"},
    {"verdict", SB_COL_INFO, "",
     "drift: the slope exceeds 5 standard errors, or the energy follows an irreversible change that goes one way or is "
     "secular by 5 standard errors, or the quantity leaves its range by a tenth of its terms; none: max_dev is within "
     "round-off, or the slope is within 3 standard errors and either any drift is below a fifth of rms and not that of "
     "a secular irreversible change, or steps back undo the changes of the energy and the slope changes it by at most "
     "half of rms; lost: the deviation is of the size of the terms without a steady drift, or jumps by a tenth of them "
     "and does not return, so that the run does not resolve the motion; unclear: the run is too short to tell; empty: "
     "see status"},
    {"t_decides", SB_COL_INFO, "s",
     "estimated length of a run with the same step that decides; empty unless the verdict is unclear"},
    SB_COLUMN_STATUS};

SB_DEFINE_ANALYSIS(drift) = {
    .entry = {"drift", "deviation and secular drift of the energy and the other invariants over long runs", "wm96 5",
              params, sizeof(drift_config)},
    .levels = 1,
    .time_scales = 1000.0,
    .forward = true,
    SB_COLUMNS(columns),
    .example = "stepbench drift -p kepler -s verlet -s rk4",
    .plot = "drift",
    .check = check,
    .run = run};
