/* `order` in another precision: errors of a stepper for a list of steps, and the slopes between them. */
#include <string.h>

#include "core/base/text.h"
#include "precision/precision.h"

typedef struct config {
    sb_reals h;
    sb_scalar t_end;
    const char *reference;
} config;

static const sb_param params[] = {
    {"h", SB_REALS, offsetof(config, h), "", 0.0, INFINITY, SB_OPEN, NULL, "s",
     "steps, each a whole fraction of the largest"},
    SB_PARAM_POSITIVE(config, t_end, NULL, "s", "end of the runs, a multiple of the largest h"),
    SB_PARAM_TEXT(config, reference, "exact",
                  "exact: the exact solution of the problem; or a file that `reference` has written"),
    {0},
};

enum { COLUMNS = 2 + 3 * SB_SOLUTION_PARTS + 1 };

static const sb_column columns[COLUMNS] = {
    {"h", SB_COL_KEY, "s", "length of a step"},
    {"steps", SB_COL_INFO, "", "number of steps"},
    {"err_q", SB_COL_ERROR, "", "largest 2-norm of the error of q over the common times"},
    {"err_v", SB_COL_ERROR, "", "the same of v"},
    {"err_lambda", SB_COL_ERROR, "", "the same of lambda"},
    {"slope_q", SB_COL_SLOPE, "", "slope of err_q between this step and the one before"},
    {"slope_v", SB_COL_SLOPE, "", "the same of err_v"},
    {"slope_lambda", SB_COL_SLOPE, "", "the same of err_lambda"},
    {"ref_q", SB_COL_INFO, "", "bound of the error of q in the reference; empty: the exact solution"},
    {"ref_v", SB_COL_INFO, "", "the same of v"},
    {"ref_lambda", SB_COL_INFO, "", "the same of lambda"},
    {"status", SB_COL_INFO, "", "ok, or why the run ended early"},
};

/* Makes the reference. On entry *count is the number of the largest steps. Sets *stride to their number between
 * samples, *every to the number of samples of the reference in this time, and *count to the number of samples. */
static int make_reference(const precision_call *call, const config *c, long *count, sb_solution *out, long *stride,
                          long *every) {
    *stride = *every = 1;
    if (strcmp(c->reference, "exact") != 0) {
        SB_TRY(sb_solution_read(call->ctx, call->arena, call->problem, &call->sys, c->reference, out));
        SB_TRY(sb_solution_stride(call->ctx, c->reference, out->dt, c->h.x[0], *count, stride));
        *count /= *stride;
        return sb_solution_every(call->ctx, out, c->reference, (sb_scalar)*stride * c->h.x[0], *count, every);
    }
    if (call->sys.exact == NULL) {
        return sb_fail(call->ctx, SB_BAD_USAGE,
                       "%s has no exact solution; give --reference=FILE, which `stepbench reference` writes",
                       call->problem);
    }
    return precision_path_exact(call, c->h.x[0], *count, out);
}

static int run(cli *me) {
    precision_call at, *call = &at;
    SB_TRY(precision_begin(me, NULL, call));
    const config *c = call->config;
    sb_sink *sink;
    sb_solution ref;
    long count, stride, every;
    if (c->h.n == 0) {
        return sb_fail(call->ctx, SB_BAD_USAGE, "order in " PRECISION_WORDS " needs --h, a list of steps");
    }
    SB_TRY(sb_steps(call->ctx, c->t_end, c->h.x[0], SB_STEPS_EXACT, &count));
    SB_TRY(make_reference(call, c, &count, &ref, &stride, &every));
    sb_scalar before[SB_SOLUTION_PARTS] = {NAN, NAN, NAN};
    int failed = SB_OK;
    SB_TRY(cli_sink(me, NULL, &sink));
    SB_TRY(sink->begin(sink, COLUMNS, columns));
    for (int i = 0; i < c->h.n; i++) {
        sb_solution path;
        sb_scalar error[SB_SOLUTION_PARTS] = {NAN, NAN, NAN};
        long per;
        SB_TRY(sb_steps(call->ctx, c->h.x[0], c->h.x[i], SB_STEPS_EXACT, &per));
        per *= stride;
        const int status =
            precision_path_run(call, call->stepper, NULL, (sb_scalar)stride * c->h.x[0], count, per, false, &path);
        if (status < 0) {
            sink->abandon(sink);
            return status;
        }
        if (status == SB_OK) {
            precision_path_difference(&path, &ref, every, error);
        }
        failed = status != SB_OK ? status : failed;
        sb_cell cells[COLUMNS] = {precision_cell(c->h.x[i]), sb_int(per * count)};
        for (int k = 0; k < SB_SOLUTION_PARTS; k++) {
            cells[2 + k] = precision_cell(error[k]);
            cells[2 + SB_SOLUTION_PARTS + k] =
                i > 0 ? precision_cell(log(error[k] / before[k]) / log(c->h.x[i] / c->h.x[i - 1])) : sb_empty();
            cells[2 + 2 * SB_SOLUTION_PARTS + k] = precision_cell(ref.bound[k]);
            before[k] = error[k];
        }
        cells[COLUMNS - 1] = sb_text(status == SB_OK ? "ok" : call->ctx->message);
        SB_TRY(sink->row(sink, cells));
    }
    SB_TRY(sink->end(sink));
    return failed;
}

const cli_command precision_order = {
    .entry = &(const sb_entry){"order", "Errors for a list of steps, and the slopes between them", NULL, params,
                               sizeof(config)},
    .usage = "stepbench --precision=" PRECISION_NAME
             " order -p PROBLEM [-w FORMULATION]... -s STEPPER --h H,H,... --t-end T "
             "[--reference FILE.json] [--columns LIST] [--pivot COLUMN] [--digits N] [--format F] [-o FILE]",
    .takes = CLI_PROBLEMS | CLI_FORMULATIONS | CLI_STEPPERS | CLI_OUTPUT | CLI_ROWS | CLI_PRECISION,
    .run = run};
