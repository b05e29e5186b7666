/* Rows of an analysis, its lists of steps, and the failures that are results. */
#include <gsl/gsl_sort.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/row.h"

enum { COLUMNS_MAX = 64 };

/* ---- Failures. ---- */

bool sb_failure_is_result(int status) { return status > 0 || status == SB_INCONSISTENT || status == SB_UNSUPPORTED; }

const char *sb_failure_text(const sb_context *ctx, int status) {
    return ctx->message[0] != '\0' ? ctx->message : sb_status_text(status);
}

int sb_failure_keep(sb_arena *arena, int status, const char **text) {
    if (!sb_failure_is_result(status)) {
        return status;
    }
    *text = sb_strdup(arena, sb_failure_text(arena->ctx, status));
    return *text != NULL ? SB_OK : SB_NO_MEMORY;
}

int sb_row_go_on(int status, int *failed) {
    if (!sb_failure_is_result(status)) {
        return status;
    }
    *failed = status;
    return SB_OK;
}

/* ---- Rows. ---- */

sb_cell sb_known(double x) { return sb_filled(sb_real(x)); }

sb_cell sb_filled(sb_cell cell) { return cell.type == SB_CELL_REAL && isnan(cell.real) ? sb_empty() : cell; }

sb_cell sb_yes(bool x) { return sb_text(x ? "yes" : "no"); }

/* Sets *cell and returns true if the column is one that every analysis has. */
static bool is_shared(const char *name, const sb_pair *pair, double h, const char *status, sb_cell *cell) {
    if (strcmp(name, "problem") == 0) {
        *cell = sb_text(pair->problem);
    } else if (strcmp(name, "stepper") == 0) {
        *cell = sb_text(pair->stepper);
    } else if (strcmp(name, "h") == 0) {
        *cell = h > 0.0 ? sb_real(h) : sb_empty();
    } else if (strcmp(name, "status") == 0) {
        *cell = sb_text(status);
    } else {
        return false;
    }
    return true;
}

static int write(const sb_analysis *analysis, const sb_pair *pair, double h, const char *status, int count,
                 const sb_cell *own, sb_sink *out) {
    sb_cell cells[COLUMNS_MAX];
    int used = 0;
    for (int j = 0; j < analysis->ncolumns && j < COLUMNS_MAX; j++) {
        if (!is_shared(analysis->columns[j].name, pair, h, status, &cells[j])) {
            cells[j] = used < count ? own[used++] : sb_empty();
        }
    }
    return out->row(out, cells);
}

int sb_row_status(const sb_task *task, const char *status, int count, const sb_cell *cells) {
    return write(task->analysis, task->pair, task->h, status, count, cells, task->out);
}

int sb_row(const sb_task *task, int count, const sb_cell *cells) {
    return sb_row_status(task, SB_STATUS_OK, count, cells);
}

int sb_row_failed(sb_task *task, int why) {
    task->failed = why;
    return sb_row_status(task, sb_failure_text(task->ctx, why), 0, NULL);
}

int sb_row_not_run(const sb_analysis *analysis, const sb_pair *pair, const char *status, sb_sink *out) {
    return write(analysis, pair, 0.0, status, 0, NULL, out);
}

/* ---- Lists of steps. ---- */

int sb_pick_values(sb_arena *arena, const sb_reals *given, long levels, double largest, double ratio, sb_reals *out) {
    out->n = given->n > 0 ? given->n : (int)levels;
    SB_NEW(arena, out->x, out->n);
    gsl_sort_largest(out->x, (size_t)given->n, given->x, 1, (size_t)given->n);
    double x = largest;
    for (int i = given->n; i < out->n; i++, x /= ratio) {
        out->x[i] = x;
    }
    return SB_OK;
}

/* Tolerance for the rounding of log10, pow and x. */
static const double rounding = 1e-9;

/* Returns x > 0 as m 10^power with m in [1, 10). */
static double mantissa(double x, int *power) {
    *power = (int)floor(log10(x) + rounding);
    return x / pow(10.0, *power);
}

/* Returns digits 10^power as the nearest double, the same as that of the text on a command line. */
static double typed(int digits, int power) {
    char text[40];
    snprintf(text, sizeof text, "%de%d", digits, power);
    return strtod(text, NULL);
}

double sb_round_number(double x) {
    int power;
    const double m = mantissa(x, &power) * (1.0 - rounding);
    return typed(m <= 1.0 ? 1 : m <= 2.0 ? 2 : m <= 5.0 ? 5 : 10, power);
}

double sb_default_step(double time_scale) {
    int power;
    const double m = mantissa(time_scale / 10.0, &power);
    return typed((int)floor(10.0 * m + 0.5 + rounding), power - 1);
}

double sb_default_end(const sb_system *sys, double scales) {
    const double h = sb_default_step(sys->time_scale), number = fmax(10.0 * scales, sys->period / h);
    return ceil(number * (1.0 - rounding)) * h;
}

int sb_fit_steps(sb_context *ctx, const sb_reals *given, double t_end, sb_reals *h) {
    long steps;
    if (given->n > 0 || !(t_end > 0.0)) {
        return SB_OK;
    }
    SB_TRY(sb_steps(ctx, t_end, h->x[0], SB_STEPS_UP, &steps));
    const double largest = h->x[0];
    for (int i = 0; i < h->n; i++) {
        h->x[i] = t_end / sb_round_number((double)steps) * (h->x[i] / largest);
    }
    return SB_OK;
}

int sb_pick_length(sb_context *ctx, const sb_system *sys, double t_end, double scales, double h, long *steps) {
    return t_end > 0.0 ? sb_steps(ctx, t_end, h, SB_STEPS_EXACT, steps)
                       : sb_steps(ctx, sb_default_end(sys, scales), h, SB_STEPS_UP, steps);
}

/* ---- The tasks of a pair. ---- */

static int visit_task(sb_task *task, int (*visit)(sb_task *task)) {
    SB_SCRATCH(arena, task->ctx);
    task->arena = &arena;
    const int status = visit(task);
    task->arena = NULL;
    return status;
}

/* Calls `visit` for every task of a pair. */
static int visit_pair(sb_task *task, int (*visit)(sb_task *task)) {
    if (task->analysis->levels == 0) {
        return visit_task(task, visit);
    }
    SB_SCRATCH(arena, task->ctx);
    const sb_step_options *options = task->config;
    const double scales = task->analysis->time_scales;
    sb_reals h;
    const double first = sb_default_step(task->sys->time_scale);
    SB_TRY(sb_pick_values(&arena, &options->h, task->analysis->levels, first, 2.0, &h));
    SB_TRY(sb_fit_steps(task->ctx, &options->h, options->t_end, &h));
    for (int i = 0; i < h.n; i++) {
        task->h = h.x[i];
        SB_TRY(scales > 0.0 ? sb_pick_length(task->ctx, task->sys, options->t_end, scales, task->h, &task->steps)
                            : SB_OK);
        SB_TRY(visit_task(task, visit));
    }
    return SB_OK;
}

static int check_task(sb_task *task) { return task->analysis->check != NULL ? task->analysis->check(task) : SB_OK; }

static int run_task(sb_task *task) {
    const int status = task->analysis->run(task);
    return sb_failure_is_result(status) ? sb_row_failed(task, status) : status;
}

int sb_analysis_check_pair(sb_context *ctx, const sb_analysis *analysis, const void *config, const sb_pair *pair) {
    sb_task task = {.ctx = ctx, .analysis = analysis, .config = config, .pair = pair, .sys = pair->sys};
    return visit_pair(&task, check_task);
}

const char *sb_analysis_refusal(const sb_analysis *analysis, const sb_stepper *type) {
    return analysis->fixed_steps && type->control.tolerance != NULL ? "the stepper chooses its steps itself"
           : type->continues && !analysis->forward
               ? "it takes steps from many states, and the state of the stepper cannot be restored"
           : type->opaque && analysis->fixed_steps
               ? "it varies the state, and that of the stepper has bytes without a meaning"
               : NULL;
}

/* Binds the stepper to the system, to see whether its init takes it. Sets *refusal to why the analysis does not take
 * the stepper as bound, which may keep another state on this system; NULL if it does. */
static int try_binding(const sb_task *task, const char **refusal) {
    sb_method method;
    SB_SCRATCH(arena, task->ctx);
    SB_TRY(sb_method_init(task->ctx, &arena, task->pair->type, task->pair->config, task->sys, &method));
    *refusal = sb_analysis_refusal(task->analysis, method.type);
    return SB_OK;
}

int sb_analysis_run_pair(sb_context *ctx, const sb_analysis *analysis, const void *config, const sb_pair *pair,
                         sb_sink *out) {
    sb_task task = {.ctx = ctx, .analysis = analysis, .config = config, .pair = pair, .sys = pair->sys, .out = out};
    const char *why = analysis->inapplicable != NULL ? analysis->inapplicable(pair->sys) : NULL;
    if (why != NULL) {
        return sb_row_not_run(analysis, pair, why, out);
    }
    const char *refusal = sb_analysis_refusal(analysis, pair->type);
    const bool bound = analysis->steps == NULL || analysis->steps(config); /* a problem that is not taken comes first */
    int status = bound ? try_binding(&task, &refusal) : SB_OK;
    if (status == SB_UNSUPPORTED) {
        SB_TRY(sb_row_not_run(analysis, pair, ctx->message, out));
        return status;
    }
    if (refusal != NULL) {
        return sb_row_not_run(analysis, pair, refusal, out);
    }
    status = visit_pair(&task, run_task);
    return status != SB_OK ? status : task.failed;
}
