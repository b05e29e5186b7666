/* Analysis `stability`: stability map of a stepper over the step and a parameter, and the largest stable step. notes11
 * 3-5. */
#include "analysis/row.h"
#include "analysis/stability/amplification.h"
#include "analysis/vary.h"

typedef struct stability_config {
    const char *vary;
    sb_reals values;
    double h_max;
    long cells;
} stability_config;

/* The parameter that is varied without the option `vary`: the damping of a problem that has a parameter gamma, unless
 * its specification sets it. For the oscillator, with omega = 1/s, the values are from none to critical damping. */
static const char *const damping = "gamma";
static double default_values[] = {0.0, 0.1, 0.2, 0.5, 1.0, 2.0};

/* Relative tolerance of the bisection. */
static const double tolerance = 1e-6;

/* If every step of the map is stable, the search continues by factors of `factor` up to this multiple of h_max. */
static const double factor = 1.1, search_end = 64.0;

/* The largest stable step below the first unstable one. */
typedef struct threshold {
    double h, error; /* s; NaN: none was found */
    char known[32];  /* cell of the column `limit` */
} threshold;

/* Sets the bracket of the limit: *lo is 0 if no step down to a thousandth of a cell is stable, *hi is 0 if no step up
 * to `search_end` is unstable. */
static int find_bracket(sb_root_search *s, long cells, double cell, const sb_step_result *row, double *lo, double *hi) {
    long first = 0;
    while (first < cells && sb_is_stable(row[first].bounded)) {
        first++;
    }
    s->beyond = first < cells ? row[first] : s->beyond;
    *lo = (double)first * cell;
    *hi = first < cells ? *lo + cell : factor * *lo;
    if (first == cells) {
        SB_TRY(sb_raise_to_unstable(sb_root_judge, s, factor, search_end * *lo, lo, hi));
    }
    return *lo > 0.0 ? SB_OK : sb_lower_to_stable(sb_root_judge, s, 1e-3 * cell, lo, hi);
}

static int find_threshold(sb_root_search *s, long cells, double cell, const sb_step_result *row, threshold *out) {
    double lo, hi;
    SB_TRY(find_bracket(s, cells, cell, row, &lo, &hi));
    const bool nowhere = hi > 0.0 && s->beyond.nowhere;
    SB_TRY(lo > 0.0 && hi > 0.0 && !nowhere ? sb_bisect_decided(sb_root_judge, s, tolerance, &lo, &hi) : SB_OK);
    *out = (threshold){.h = NAN, .error = NAN};
    if (!s->examined) {
        snprintf(out->known, sizeof out->known, "not applicable");
    } else if (nowhere) {
        snprintf(out->known, sizeof out->known, "no equilibrium");
    } else if (!(lo > 0.0) && s->beyond.bounded == SB_BOUND_UNCLEAR) {
        snprintf(out->known, sizeof out->known, "unclear");
    } else if (!(lo > 0.0)) {
        out->h = 0.0;
        out->error = hi;
        snprintf(out->known, sizeof out->known, "< %.6g", hi);
    } else if (!(hi > 0.0)) {
        snprintf(out->known, sizeof out->known, "> %.6g", lo);
    } else {
        out->h = sb_bracketed(lo, hi, &out->error);
        snprintf(out->known, sizeof out->known, "%s", s->beyond.failure != NULL ? "failure" : "root");
    }
    return SB_OK;
}

/* Writes the cells of `pair`, the pair of the task with the parameter set to `value`. */
static int write_value(sb_task *task, const sb_pair *pair, sb_cell parameter, sb_cell value) {
    const stability_config *config = task->config;
    const double cell = (config->h_max > 0.0 ? config->h_max : 4.0 * pair->sys->time_scale) / (double)config->cells;
    sb_root_search s = {.ctx = task->ctx, .arena = task->arena, .pair = pair};
    sb_step_result *row;
    threshold limit;
    SB_NEW(task->arena, row, config->cells);
    for (long i = 0; i < config->cells; i++) {
        SB_TRY(sb_amplification_examine(task->ctx, task->arena, pair, (double)(i + 1) * cell, &row[i]));
        s.examined = s.examined || row[i].failure == NULL;
    }
    SB_TRY(find_threshold(&s, config->cells, cell, row, &limit));
    for (long i = 0; i < config->cells; i++) {
        const bool failed = row[i].failure != NULL;
        task->h = (double)(i + 1) * cell;
        SB_TRY(sb_row_status(task, failed ? row[i].failure : SB_STATUS_OK,
                             SB_CELLS(parameter, value, failed ? sb_empty() : sb_real(row[i].radius),
                                      failed ? sb_empty() : sb_text(sb_bounded_name[row[i].bounded]), sb_known(limit.h),
                                      sb_known(limit.error), sb_text(limit.known))));
    }
    return SB_OK;
}

/* Sets the parameter that is varied and its values. Returns false if there is none. */
static bool pick_param(const sb_task *task, sb_pair_param *param, sb_reals *values) {
    const stability_config *config = task->config;
    *values = config->values;
    if (config->vary[0] != '\0') {
        return sb_pair_find_param(task->ctx, task->arena, task->pair, config->vary, param) == SB_OK;
    }
    if (values->n == 0) {
        *values = (sb_reals){sizeof default_values / sizeof default_values[0], default_values};
    }
    return !sb_pair_sets(task->pair, damping) &&
           sb_pair_find_param(task->ctx, task->arena, task->pair, "problem.gamma", param) == SB_OK;
}

static int check(const sb_task *task) {
    const stability_config *config = task->config;
    if (config->vary[0] == '\0') {
        return SB_OK;
    }
    if (config->values.n == 0) {
        return sb_fail(task->ctx, SB_BAD_USAGE, "stability: vary=%s needs values: values=[1,10,100]", config->vary);
    }
    return sb_pair_check_vary(task->ctx, task->arena, task->pair, config->vary, &config->values);
}

static int run(sb_task *task) {
    sb_pair_param param;
    sb_reals values;
    if (!pick_param(task, &param, &values)) {
        return write_value(task, task->pair, sb_empty(), sb_empty());
    }
    for (int k = 0; k < values.n; k++) {
        const sb_cell parameter = sb_text(param.name), value = sb_real(values.x[k]);
        sb_pair varied;
        const int status = sb_pair_vary(task->ctx, task->arena, task->pair, &param, values.x[k], &varied);
        if (status == SB_UNSUPPORTED) { /* for example a stepper that takes no damping */
            task->h = 0.0;
            SB_TRY(sb_row_status(task, task->ctx->message, SB_CELLS(parameter, value)));
            continue;
        }
        SB_TRY(status);
        SB_TRY(write_value(task, &varied, parameter, value));
    }
    return SB_OK;
}

static const sb_param params[] = {
    SB_PARAM_TEXT(stability_config, vary, "",
                  "the parameter that takes each of `values`, problem.NAME or stepper.NAME (NAME if only one of them "
                  "has it); empty: problem.gamma, if the problem has it and -p does not set it"),
    {"values", SB_REALS, offsetof(stability_config, values), "", -INFINITY, INFINITY, SB_OPEN, NULL, "",
     "values of the parameter; empty: of problem.gamma, 0 to 2"},
    SB_PARAM_NOT_NEGATIVE(stability_config, h_max, "0", "s", "the largest step; 0: 4 time scales of the problem"),
    SB_PARAM_INT(stability_config, cells, "12", 1.0, 1000.0, "number of steps, in equal parts of h_max"),
    {0}};

static const sb_column columns[] = {
    SB_COLUMN_PROBLEM,
    SB_COLUMN_STEPPER,
    SB_COLUMNS_VARIED,
    SB_COLUMN_H,
    {"radius", SB_COL_EXACT, "", "spectral radius of the amplification matrix"},
    {"stable", SB_COL_INFO, "", "yes, neutral, linear, no or unclear, as in the analysis amplification"},
    {"h_limit", SB_COL_EXACT, "s",
     "largest stable step for this value, below the first unstable one; 0: no step tried is stable; empty: none is "
     "unstable, or it is not applicable"},
    {"h_error", SB_COL_ERROR, "s", "bound of its error: what the bisection and the round-off of the roots leave open"},
    {"limit", SB_COL_INFO, "",
     "why there is a limit: root (beyond it a root leaves the unit circle) or failure (beyond it steps fail); > H: no "
     "step up to H is unstable; < H: no step from H on is stable; unclear: the roots of no step decide; no "
     "equilibrium: beyond it a step has no fixed point near the start; not applicable: no step has one, see status"},
    SB_COLUMN_STATUS};

SB_DEFINE_ANALYSIS(stability) = {
    .entry = {"stability", "stability map of a stepper over the step and a parameter, and the largest stable step",
              "notes11 3", params, sizeof(stability_config)},
    .default_problem = "oscillator",
    SB_COLUMNS(columns),
    .example = "stepbench stability -s verlet -s midpoint --plot stability.svg",
    .plot = "stability",
    .check = check,
    .fixed_steps = true,
    .run = run};
