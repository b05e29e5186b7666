/* `stepbench judge`: measures recorded runs of a program, files of samples, in place of a stepper. */
#include <string.h>

#include "analysis/row.h"
#include "bench/cli/provenance.h"
#include "bench/engine/recorded.h"
#include "bench/runner/experiment_tools.h"
#include "core/base/escape.h"

typedef struct judge_options {
    sb_reals h;
    long claim;
} judge_options;

static const sb_param judge_params[] = {
    {"h", SB_REALS, offsetof(judge_options, h), "", 0.0, (double)INFINITY, SB_OPEN, NULL, "s",
     "the steps of the runs, in the order of the files; empty: their column h, or the distance of their samples"},
    SB_PARAM_INT(judge_options, claim, "1", 1.0, 20.0, "the order that the program claims"),
    {0},
};

static const sb_column columns[] = {
    {"analysis", SB_COL_KEY, "", "the analysis with the number"},
    {"file", SB_COL_KEY, "", "the run; empty: all of them"},
    {"quantity", SB_COL_KEY, "", "what was measured"},
    {"value", SB_COL_EXACT, "", "the number"},
    {"uncertainty", SB_COL_ERROR, "", "its standard error or round-off"},
    {"verdict", SB_COL_INFO, "", "of the analysis"},
    SB_COLUMN_STATUS,
};

/* The numbers that are taken from the rows of the analyses of a run. */
static const struct {
    const char *analysis, *value, *uncertainty, *verdict, *text;
} judged[] = {
    {"drift", "max_dev", "rounding", NULL, "largest deviation of the "},
    {"drift", "slope", "slope_se", "verdict", "slope of the "},
    {"constraints", "g_max", NULL, "position", "violation of g"},
    {"constraints", "gv_max", NULL, "tangency", "violation of G v"},
    {"balance", "lost", NULL, NULL, "energy lost"},
    {"balance", "defect", NULL, NULL, "energy lost beyond the work of forces and contacts"},
    {"complementarity", "penetration", NULL, NULL, "penetration"},
    {"complementarity", "adhesion", NULL, NULL, "adhesion"},
    {"complementarity", "product", NULL, NULL, "gap times normal force"},
    {"complementarity", "cone", NULL, NULL, "friction beyond the cone"},
    {"complementarity", "driving", NULL, NULL, "power of friction along the slip"},
};

typedef struct judge {
    cli *me;
    int count;
    sb_recording *runs;
    double t_end;
    sb_sink *sink;
} judge;

/* Runs an analysis on the problem and a stepper of runs that is registered here. */
static int analyse(const judge *j, const char *name, const char *options, int count, const sb_recording *runs,
                   bool sampled, const char *stepper, sb_table *rows) {
    cli *me = j->me;
    sb_stepper *type;
    SB_NEW(me->arena, type, 1);
    SB_TRY(sb_recorded_stepper(me->arena, stepper, count, runs, sampled, type));
    type->order = (int)((const judge_options *)me->config)->claim;
    SB_TRY(sb_registry_add(me->registry, SB_KIND_STEPPER, &type->entry));
    sb_table_init(rows, me->arena);
    const int status = sb_analysis_run(me->ctx, name, options, me->texts[0].count, me->texts[0].list,
                                       me->texts[1].count, me->texts[1].list, 1, &stepper, NULL, &rows->sink);
    return sb_failure_is_result(status) && rows->nrows > 0 ? SB_OK : status;
}

/* Writes a number of a row, unless it is empty. */
static int write_number(const judge *j, const char *analysis, const char *file, const char *quantity,
                        const sb_table *rows, int i, const char *value, const char *uncertainty, const char *verdict) {
    const double x = sb_table_real(rows, i, value);
    return isnan(x) ? SB_OK
                    : SB_ROW(j->sink, sb_text(analysis), sb_text(file), sb_text(quantity), sb_real(x),
                             sb_known(uncertainty != NULL ? sb_table_real(rows, i, uncertainty) : (double)NAN),
                             sb_text(verdict != NULL ? sb_table_text(rows, i, verdict) : ""),
                             sb_text(sb_table_text(rows, i, "status")));
}

/* Judges a run by an analysis. Sets *applies to whether it has a result for the problem. */
static int judge_run(const judge *j, int k, const char *analysis, const char *stepper, bool *applies) {
    const sb_recording *run = &j->runs[k];
    const char *options, *quantity;
    sb_table rows;
    SB_PRINT(j->me->arena, options, "h=[%.17g],t_end=%.17g", run->dt, run->dt * (run->samples.nrows - 1));
    SB_TRY(analyse(j, analysis, options, 1, run, true, stepper, &rows));
    *applies = sb_table_is(&rows, 0, "status", "ok");
    for (int i = 0; i < rows.nrows; i++) {
        for (size_t c = 0; c < sizeof judged / sizeof *judged; c++) {
            if (strcmp(judged[c].analysis, analysis) == 0) {
                SB_PRINT(j->me->arena, quantity, "%s%s", judged[c].text, sb_table_text(&rows, i, "quantity"));
                SB_TRY(write_number(j, analysis, run->file, quantity, &rows, i, judged[c].value, judged[c].uncertainty,
                                    judged[c].verdict));
            }
        }
    }
    return SB_OK;
}

/* Judges the errors of all runs, and with several the order. */
static int judge_order(const judge *j) {
    const char *options = "h=[";
    sb_table rows;
    for (int k = 0; k < j->count; k++) {
        SB_PRINT(j->me->arena, options, "%s%s%.17g", options, k > 0 ? "," : "", j->runs[k].h);
    }
    SB_PRINT(j->me->arena, options, "%s],t_end=%.17g", options, j->t_end);
    SB_TRY(analyse(j, "order", options, j->count, j->runs, false, "runs", &rows));
    if (!sb_table_is(&rows, 0, "status", "ok") && !sb_table_is(&rows, 0, "status", "plateau")) {
        return sb_fail(j->me->ctx, SB_INCONSISTENT, "%s", sb_table_text(&rows, 0, "status"));
    }
    for (int i = 0; i < rows.nrows; i++) {
        const double h = sb_table_real(&rows, i, "h");
        const char *file = "";
        for (int k = 0; k < j->count; k++) {
            file = fabs(j->runs[k].h - h) <= 1e-9 * h ? j->runs[k].file : file;
        }
        SB_TRY(write_number(j, "order", file, "error of q", &rows, i, "err_q", "ref_q", NULL));
        SB_TRY(write_number(j, "order", file, "error of v", &rows, i, "err_v", "ref_v", NULL));
        SB_TRY(write_number(j, "order", file, "error of the energy", &rows, i, "err_energy", NULL, NULL));
        SB_TRY(write_number(j, "order", file, "order", &rows, i, "measured", "se", "verdict"));
    }
    return SB_OK;
}

/* Reads the runs. Every multiple of the largest step has to be a sample of each. */
static int read_runs(judge *j) {
    cli *me = j->me;
    const judge_options *options = me->config;
    double largest = 0.0;
    j->count = me->words.count;
    SB_NEW(me->arena, j->runs, j->count);
    if (options->h.n > 0 && options->h.n != j->count) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "--h has %d steps, and there are %d files", options->h.n, j->count);
    }
    for (int k = 0; k < j->count; k++) {
        sb_recording *run = &j->runs[k];
        SB_TRY(sb_recording_read(me->ctx, me->arena, me->words.list[k],
                                 options->h.n > 0 ? (double)options->h.x[k] : 0.0, run));
        largest = fmax(largest, run->h);
        const double length = run->dt * (run->samples.nrows - 1);
        j->t_end = k == 0 ? length : fmin(j->t_end, length);
    }
    j->t_end = largest * floor(j->t_end / largest + 1e-6);
    for (int k = 0; k < j->count; k++) {
        const double samples = largest / j->runs[k].dt;
        if (fabs(samples - nearbyint(samples)) > 1e-6 * samples || samples < 0.5) {
            return sb_fail(me->ctx, SB_INCONSISTENT,
                           "%s has samples every %.10g s, and the largest step, %.10g s, is no multiple of that",
                           j->runs[k].file, j->runs[k].dt, largest);
        }
    }
    return SB_OK;
}

static int write_rows(const judge *j) {
    /* The last two have results with contacts and dry friction only. */
    static const char *const analyses[] = {"drift", "constraints", "complementarity", "balance"};
    SB_TRY(j->sink->begin(j->sink, sizeof columns / sizeof *columns, columns));
    SB_TRY(judge_order(j));
    for (int k = 0; k < j->count; k++) {
        bool applies = true;
        for (int a = 0; a < SB_COUNT(analyses) && applies; a++) {
            const char *stepper;
            SB_PRINT(j->me->arena, stepper, "run%d_%s", k + 1, analyses[a]);
            const int status = judge_run(j, k, analyses[a], stepper, &applies);
            if (status == SB_BAD_USAGE) { /* the run is too short for the analysis */
                sb_write_line(stderr, "stepbench: %s: %s", j->runs[k].file, j->me->ctx->message);
            }
            SB_TRY(status == SB_UNSUPPORTED || status == SB_BAD_USAGE ? SB_OK : status);
            applies = a < 2 || (applies && status == SB_OK);
        }
    }
    return SB_OK;
}

static int run_judge(cli *me) {
    const char *const *comments = NULL;
    judge j = {.me = me};
    if (me->problems.count != 1 || me->words.count == 0) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "judge takes -p PROBLEM and the files of runs");
    }
    SB_TRY(read_runs(&j));
    SB_TRY(cli_comments(me, &comments));
    SB_TRY(cli_sink(me, comments, &j.sink));
    return cli_finish(me, j.sink, write_rows(&j));
}

const cli_command cli_judge = {
    &(const sb_entry){
        "judge",
        "Measures runs that a program has recorded: errors and order, drift, constraints, balance and contact laws. A "
        "run "
        "is a CSV file with equidistant samples from the start of the problem: columns t, q0, ..., v0, ... or the "
        "names of "
        "`stepbench show PROBLEM`, lambda0, ... if known; or, for problems with a world, BODY.x, BODY.y, BODY.angle, "
        "BODY.vx, BODY.vy, BODY.w in the plane and BODY.x, y, z, e0 to e3, vx, vy, vz, wx, wy, wz in space",
        "", judge_params, sizeof(judge_options)},
    "stepbench judge -p PROBLEM [-w FORMULATION]... RUN.csv... [--h LIST] [--claim N] [-o FILE]",
    CLI_WORDS | CLI_PROBLEMS | CLI_FORMULATIONS | CLI_OUTPUT | CLI_ROWS,
    run_judge,
    NULL,
    "stepbench judge -p pendulum coarse.csv fine.csv --h 1/100,1/200",
};
