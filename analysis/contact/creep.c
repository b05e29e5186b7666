/* Analysis `creep`: creep speed against the regularization of dry friction, its exponent, and the law it should follow.
 * reg05 3.3, (4.4). */
#include "analysis/accuracy/fit.h"
#include "analysis/contact/measures.h"
#include "analysis/contact/steps.h"
#include "analysis/row.h"
#include "analysis/vary.h"

/* Means over the second half of a run. */
typedef struct means {
    long skip, count;     /* steps before averaging begins; steps that are averaged */
    double *slip, *force; /* contact.k each */
} means;

static int observe(void *arg, const sb_step *s) {
    const means *w = arg;
    const double *beta = s->lambda + sb_system_bilateral(s->sys) + s->sys->contact.m;
    for (int j = 0; j < s->sys->contact.k && s->number > w->skip; j++) {
        w->slip[j] += s->slip[j] / (double)w->count;
        w->force[j] += beta[j] / (double)w->count;
    }
    return SB_OK;
}

int sb_creep_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, sb_creep *out) {
    means w = {.skip = steps / 2, .count = steps - steps / 2};
    SB_TRY(SB_VECTORS(arena, pair->sys->contact.k, &w.slip, &w.force));
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

typedef struct creep_config {
    const char *vary;
    sb_reals values;
    double h, t_end;
} creep_config;

static int pick_step(const sb_task *task, double *h, long *steps) {
    const creep_config *config = task->config;
    *h = config->h > 0.0 ? config->h : sb_default_step(task->sys->time_scale);
    return sb_pick_length(task->ctx, task->sys, config->t_end, SB_TIME_SCALES, *h, steps);
}

static int run(sb_task *task) {
    const creep_config *config = task->config;
    const int n = config->values.n;
    const sb_cell none = sb_empty();
    double *value, *speed, *floor, *work;
    int used = 0;
    sb_pair_param param;
    SB_TRY(sb_pair_find_param(task->ctx, task->arena, task->pair, config->vary, &param));
    SB_TRY(SB_VECTORS(task->arena, n, &value, &speed, &floor));
    SB_NEW(task->arena, work, 2 * n);
    SB_TRY(pick_step(task, &task->h, &task->steps));
    for (int i = 0; i < n; i++) {
        sb_pair varied;
        sb_creep x;
        SB_TRY(sb_pair_vary(task->ctx, task->arena, task->pair, &param, config->values.x[i], &varied));
        const int status = sb_creep_measure(task->ctx, task->arena, &varied, task->h, task->steps, &x);
        if (sb_failure_is_result(status)) {
            SB_TRY(sb_row_failed(task, status));
            continue;
        }
        SB_TRY(status);
        value[used] = config->values.x[i];
        speed[used] = x.speed;
        floor[used] = DBL_EPSILON;
        const double slope = used > 0 ? sb_slope_between(value[used - 1], speed[used - 1], floor[used - 1], value[used],
                                                         speed[used], floor[used])
                                      : NAN;
        const double law = value[used++] * x.force;
        SB_TRY(sb_row(task, SB_CELLS(sb_real(config->values.x[i]), sb_real(x.speed), sb_known(x.force), sb_known(law),
                                     law > 0.0 ? sb_real(x.speed / law) : none, sb_known(slope), none)));
    }
    const sb_slope fit = sb_slope_power(used, value, speed, floor, work);
    return sb_row_status(task, "fit", SB_CELLS(none, none, none, none, none, sb_known(fit.value), sb_known(fit.se)));
}

static int check(const sb_task *task) {
    const creep_config *config = task->config;
    double h;
    long steps;
    SB_TRY(pick_step(task, &h, &steps));
    return sb_pair_check_vary(task->ctx, task->arena, task->pair, config->vary, &config->values);
}

static const sb_param params[] = {
    SB_PARAM_TEXT(creep_config, vary, "stepper.gamma",
                  "parameter that regularizes friction, an inverse viscous drag: problem.NAME or stepper.NAME (NAME if "
                  "only one of them has it)"),
    {"values", SB_REALS, offsetof(creep_config, values), "1e-2,1e-3,1e-4,1e-5,1e-6", 0.0, INFINITY, SB_OPEN, NULL, "",
     "its values"},
    SB_PARAM_NOT_NEGATIVE(creep_config, h, "0", "s", "step; 0: a tenth of the problem's time scale in two digits"),
    SB_PARAM_NOT_NEGATIVE(
        creep_config, t_end, "0", "s",
        "end of the runs, a multiple of h; 0: about 20 time scales of the problem or, if longer, one period"),
    {0}};

static const sb_column columns[] = {
    SB_KEY_COLUMNS,
    {"value", SB_COL_KEY, "", "regularization gamma; empty in the row of the fit"},
    {"speed", SB_COL_ERROR, "m/s",
     "mean slip velocity, over the second half of the run, of the friction row that slides fastest"},
    {"force", SB_COL_EXACT, "N", "mean friction force of that row"},
    {"law", SB_COL_EXACT, "m/s",
     "value times force: the slip velocity at which the regularized row carries that force, reg05 (4.4)"},
    {"ratio", SB_COL_EXACT, "", "speed / law; 1 if the regularization alone determines the slip"},
    {"slope", SB_COL_SLOPE, "",
     "exponent of the speed as a power of the value, from this row and the row above; in the row of the fit by least "
     "squares"},
    {"status", SB_COL_INFO, "", "ok, fit, or why there is no result"},
    {"se", SB_COL_INFO, "", "standard error of the fitted slope"}};

SB_DEFINE_ANALYSIS(creep) = {
    .entry = {"creep", "creep speed of a body held by dry friction against the regularization of friction",
              "reg05 3.3, (4.4)", params, sizeof(creep_config)},
    .default_problem = "block_incline:angle=0.3",
    .default_stepper = "reg",
    .needs = SB_HAS_FRICTION,
    .forward = true,
    SB_COLUMNS(columns),
    .example = "stepbench creep -p block_incline -s reg",
    .check = check,
    .run = run};
