/* `stepbench compare`: compares steppers on every problem they take, and marks the Pareto front of work and precision.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/accuracy/reference.h"
#include "bench/card/evaluate.h"
#include "bench/card/pareto.h"
#include "bench/card/workprec_time.h"
#include "bench/cli/cli.h"
#include "bench/cli/provenance.h"
#include "bench/process/pool.h"
#include "bench/runner/bench.h"
#include "bench/runner/verdicts.h"
#include "core/run/build.h"

typedef struct compare_options {
    const char *out, *reference;
    long seconds;
    int times;
} compare_options;

static const sb_param compare_params[] = {
    SB_PARAM_TEXT(
        compare_options, out, "",
        "a directory for all files: compare.csv and .tex, compare_work.csv and .svg, provenance.json, and with "
        "--times compare_times.csv and .svg"),
    SB_PARAM_CHOICE(compare_options, times, "no", "no|yes", "measure the time per step as well; requires --out"),
    SB_PARAM_TEXT(compare_options, reference, "auto",
                  "what errors are measured against, as of order: FILE.json of `stepbench reference` for one problem"),
    {"seconds", SB_INT, offsetof(compare_options, seconds), "20", 1.0, 1e6, SB_CLOSED, NULL, "s",
     "processor time that one analysis of one pair may take"},
    {0},
};

/* All evaluations, problem by problem. */
typedef struct board {
    cli *me;
    int problems, steppers, fitting; /* fitting: pairs of them */
    const char **stepper, **named;   /* all of them; those not from a glob, NULL-terminated */
    sb_evaluation *list;             /* problems x steppers */
    sb_table work;                   /* rows of workprec of all of them */
    bool *front;                     /* of each row: on the front of its problem */
    sb_meter meter;
} board;

static const sb_evaluation *at(const board *b, int problem, int stepper) {
    return &b->list[problem * b->steppers + stepper];
}

/* ---- Evaluation. ---- */

/* Begins the evaluations of all steppers on a problem; leaves out a problem from a glob that none of them takes. */
static int begin_problem(board *b, const sb_spec *problem, const compare_options *options) {
    cli *me = b->me;
    double dt, duration;
    sb_system *sys;
    bool any = problem->glob == NULL;
    SB_NEW(me->arena, sys, 1);
    const int status = sb_system_make(me->ctx, me->arena, problem, &me->formulations, sys);
    if (status == SB_UNSUPPORTED && problem->glob != NULL) { /* a formulation does not fit */
        return SB_OK;
    }
    SB_TRY(status);
    const sb_pair pair = {.problem = sys->name, .sys = sys};
    SB_TRY(sb_reference_samples(me->ctx, me->arena, options->reference, &pair, &dt, &duration)); /* it fits */
    sb_evaluation *row = &b->list[b->problems * b->steppers];
    for (int s = 0; s < b->steppers; s++) {
        SB_TRY(sb_evaluation_begin(me->ctx, me->arena, sys, b->stepper[s], &row[s]));
        any = any || row[s].refusal == NULL;
        b->fitting += row[s].refusal == NULL;
    }
    b->problems += any;
    return SB_OK;
}

static int gather(board *b, const compare_options *options) {
    cli *me = b->me;
    static const char *const all = "*";
    sb_specs problems = me->problems, steppers = me->steppers;
    SB_TRY(problems.count > 0 ? SB_OK : sb_specs_parse(me->ctx, me->arena, SB_KIND_PROBLEM, 1, &all, &problems));
    SB_TRY(steppers.count > 0 ? SB_OK : sb_specs_parse(me->ctx, me->arena, SB_KIND_STEPPER, 1, &all, &steppers));
    SB_NEW(me->arena, b->stepper, steppers.count);
    SB_NEW(me->arena, b->named, steppers.count + 1);
    for (int s = 0, k = 0; s < steppers.count; s++) {
        b->stepper[s] = steppers.list[s].text;
        if (steppers.list[s].glob == NULL) {
            b->named[k++] = b->stepper[s];
        }
    }
    b->steppers = steppers.count;
    me->problems = problems;
    me->steppers = steppers;
    SB_NEW(me->arena, b->list, (size_t)problems.count * (size_t)steppers.count);
    for (int i = 0; i < problems.count; i++) {
        SB_TRY(begin_problem(b, &problems.list[i], options));
    }
    if (b->fitting == 0) {
        return sb_fail(me->ctx, SB_UNSUPPORTED, "none of the steppers takes any of the problems: %s",
                       b->list[0].refusal != NULL ? b->list[0].refusal : "");
    }
    const int pairs = b->problems * b->steppers;
    sb_meter_begin(&b->meter, me->ctx, pairs);
    SB_TRY(sb_evaluate(me->ctx, me->arena, pairs, b->list, options->reference, SB_EVALUATED_ALL, 0,
                       &(sb_limits){sb_processes_at_a_time(me->shared.jobs), options->seconds, &b->meter}));
    sb_meter_clear(&b->meter);
    const sb_analysis *workprec = (const sb_analysis *)sb_registry_find(me->ctx, SB_KIND_ANALYSIS, "workprec");
    sb_table_init(&b->work, me->arena);
    SB_TRY(b->work.sink.begin(&b->work.sink, workprec->ncolumns, workprec->columns));
    for (int i = 0; i < pairs; i++) {
        SB_TRY(b->list[i].refusal == NULL ? sb_bench_append(&b->work, &b->list[i].tables[SB_EVALUATED_WORKPREC])
                                          : SB_OK);
    }
    SB_NEW(me->arena, b->front, b->work.nrows + 1);
    sb_pareto_mark(&b->work, "evaluations", "err_relative", b->front);
    return SB_OK;
}

/* Calls `row` for every problem, family by family in the order of their first problems. */
static int for_each_problem(board *b, int (*row)(board *b, int problem, void *arg), void *arg) {
    for (int f = 0; f < b->problems; f++) {
        bool seen = false;
        for (int k = 0; k < f; k++) {
            seen = seen || strcmp(at(b, k, 0)->family, at(b, f, 0)->family) == 0;
        }
        for (int p = f; p < b->problems && !seen; p++) {
            if (strcmp(at(b, p, 0)->family, at(b, f, 0)->family) == 0) {
                SB_TRY(row(b, p, arg));
            }
        }
    }
    return SB_OK;
}

static sb_measure on_front(const board *b, const sb_evaluation *j) {
    return (sb_measure){"points on the front",
                        j->refusal != NULL ? (double)NAN : sb_pareto_count(&b->work, b->front, j->problem, j->stepper),
                        (double)NAN, "", ""};
}

static void measures(const board *b, const sb_evaluation *j, sb_measure list[SB_MEASURES], int *count) {
    sb_measures_of(j, list, count);
    list[(*count)++] = on_front(b, j);
}

/* ---- One row per number. ---- */

static const sb_column long_columns[] = {{"family", SB_COL_KEY, "", "what the problem demands"},
                                         {"problem", SB_COL_KEY, "", "the problem"},
                                         {"stepper", SB_COL_KEY, "", "the stepper"},
                                         {"measure", SB_COL_KEY, "", "what was measured"},
                                         {"value", SB_COL_EXACT, "", "the number"},
                                         {"uncertainty", SB_COL_ERROR, "", "standard error, noise or round-off"},
                                         {"unit", SB_COL_INFO, "", "of the number"},
                                         {"note", SB_COL_INFO, "", "a remark on the number, or why there is none"}};
enum { LONG = sizeof long_columns / sizeof long_columns[0] };

static sb_cell known(double x) { return isnan(x) ? sb_empty() : sb_real(x); }

static int long_rows(board *b, int problem, void *arg) {
    sb_sink *out = arg;
    for (int s = 0; s < b->steppers; s++) {
        const sb_evaluation *j = at(b, problem, s);
        sb_measure list[SB_MEASURES];
        int count = 0;
        if (j->refusal != NULL) {
            SB_TRY(SB_ROW(out, sb_text(j->family), sb_text(j->problem), sb_text(j->stepper), sb_text("takes it"),
                          sb_int(0), sb_empty(), sb_text(""), sb_text(j->refusal)));
            continue;
        }
        measures(b, j, list, &count);
        for (int k = 0; k < count; k++) {
            const sb_measure *m = &list[k];
            SB_TRY(SB_ROW(out, sb_text(j->family), sb_text(j->problem), sb_text(j->stepper), sb_text(m->name),
                          known(m->value), known(m->uncertainty), sb_text(m->unit), sb_text(m->note)));
        }
    }
    return SB_OK;
}

/* ---- Steppers side by side. ---- */

static void show(const sb_evaluation *j, const sb_measure *m, char out[48]) {
    const bool order = strncmp(m->name, "order", 5) == 0;
    const bool sure = m->uncertainty > 0.0 && isfinite(m->uncertainty);
    if (j->refusal != NULL || isnan(m->value)) {
        const bool unlimited = strncmp(m->note, "stable up to", 12) == 0;
        snprintf(out, 48, "%s", j->refusal != NULL ? "-" : unlimited ? "none found" : "");
    } else if (order) {
        snprintf(out, 48, sure ? "%.2f (se %.1g)" : "%.2f", m->value, m->uncertainty);
    } else if (strcmp(m->name, "energy drift") == 0 && sure) {
        snprintf(out, 48, "%.2g (se %.1g)", m->value, m->uncertainty);
    } else {
        snprintf(out, 48, fabs(m->value) >= 1e-3 || m->value == 0.0 ? "%.3g" : "%.2e", m->value);
    }
}

static bool says_anything(const sb_measure *const *lists, int steppers, int k) {
    for (int s = 0; s < steppers; s++) {
        if (!isnan(lists[s][k].value)) {
            return true;
        }
    }
    return false;
}

static int wide_rows(board *b, int problem, void *arg) {
    sb_sink *out = arg;
    sb_measure(*lists)[SB_MEASURES];
    const sb_measure **each;
    sb_cell *cells;
    char(*texts)[48];
    int count = 0;
    SB_NEW(b->me->arena, lists, b->steppers);
    SB_NEW(b->me->arena, each, b->steppers);
    SB_NEW(b->me->arena, cells, b->steppers + 3);
    SB_NEW(b->me->arena, texts, b->steppers);
    for (int s = 0; s < b->steppers; s++) {
        const sb_evaluation *j = at(b, problem, s);
        each[s] = lists[s];
        if (j->refusal != NULL) {
            static const sb_evaluation nothing = {.problem = "", .stepper = "", .family = "", .time_scale = 1.0};
            measures(b, &nothing, lists[s], &count);
            for (int k = 0; k < count; k++) {
                lists[s][k].value = (double)NAN;
            }
        } else {
            measures(b, j, lists[s], &count);
        }
    }
    for (int k = 0; k < count; k++) {
        if (!says_anything(each, b->steppers, k)) {
            continue;
        }
        cells[0] = sb_text(at(b, problem, 0)->family);
        cells[1] = sb_text(at(b, problem, 0)->problem);
        cells[2] = sb_text(lists[0][k].name);
        for (int s = 0; s < b->steppers; s++) {
            show(at(b, problem, s), &lists[s][k], texts[s]);
            cells[3 + s] = sb_text(texts[s]);
        }
        SB_TRY(out->row(out, cells));
    }
    return SB_OK;
}

/* ---- Output. ---- */

static int write_long(board *b, sb_sink *out) {
    SB_TRY(out->begin(out, LONG, long_columns));
    SB_TRY(for_each_problem(b, long_rows, out));
    return out->end(out);
}

static int write_wide(board *b, sb_sink *out) {
    sb_column *columns;
    SB_NEW(b->me->arena, columns, b->steppers + 3);
    columns[0] = (sb_column){"family", SB_COL_KEY, "", ""};
    columns[1] = (sb_column){"problem", SB_COL_KEY, "", ""};
    columns[2] = (sb_column){"measure", SB_COL_KEY, "", ""};
    for (int s = 0; s < b->steppers; s++) {
        columns[3 + s] = (sb_column){b->stepper[s], SB_COL_INFO, "", ""};
    }
    SB_TRY(out->begin(out, b->steppers + 3, columns));
    SB_TRY(for_each_problem(b, wide_rows, out));
    return out->end(out);
}

/* Reports crashes and time-outs on standard error. */
static void report_faults(const board *b) {
    for (int i = 0; i < b->problems * b->steppers; i++) {
        const sb_evaluation *j = &b->list[i];
        if (j->refusal == NULL && j->fault != NULL) {
            fprintf(stderr, "stepbench: %s on %s: %s\n", j->stepper, j->problem, j->fault);
        }
    }
}

/* Fails if a stepper that is named crashed or did not return on every problem that it takes; the rows are written. */
static int check_named(const board *b) {
    for (int s = 0; s < b->steppers; s++) {
        int taken = 0, faults = 0;
        for (int p = 0; p < b->problems; p++) {
            taken += at(b, p, s)->refusal == NULL;
            faults += at(b, p, s)->refusal == NULL && at(b, p, s)->fault != NULL;
        }
        if (b->me->steppers.list[s].glob == NULL && taken > 0 && faults == taken) {
            return sb_fail(b->me->ctx, SB_NOT_CONVERGED,
                           "the rows are written: %s crashed or did not return on every problem it was tried on",
                           b->stepper[s]);
        }
    }
    return SB_OK;
}

/* Fails if an evaluation lost results for lack of memory or disk; the other rows are written. */
static int check_lost(const board *b) {
    for (int i = 0; i < b->problems * b->steppers; i++) {
        const sb_evaluation *j = &b->list[i];
        if (j->refusal == NULL && j->lost != NULL) {
            return sb_fail(b->me->ctx, SB_NO_MEMORY, "the rows are written without what was lost: %s on %s: %s",
                           j->stepper, j->problem, j->lost);
        }
    }
    return SB_OK;
}

static int write_directory(board *b, const compare_options *options) {
    cli *me = b->me;
    sb_bench bench;
    sb_sink *csv, *tex;
    mkdir(options->out, 0777); /* where it is missing; the first file reports what cannot be written */
    SB_TRY(sb_bench_begin(me->ctx, "compare", options->out, &bench));
    const char *path = sb_bench_format(&bench, "%s/compare.tex", options->out),
               *provenance = sb_bench_format(&bench, "%s/provenance.json", options->out);
    int status = path == NULL || provenance == NULL ? SB_NO_MEMORY : sb_bench_csv(&bench, "compare.csv", NULL, &csv);
    status = status == SB_OK ? write_long(b, csv) : status;
    status = status == SB_OK ? sb_sink_open(me->ctx, me->arena, SB_FORMAT_LATEX, path, NULL, &tex) : status;
    status = status == SB_OK ? write_wide(b, tex) : status;
    status = status == SB_OK
                 ? sb_pareto_draw(&bench, &b->work, "evaluations", "evaluations of terms", b->named, "compare_work")
                 : status;
    if (status == SB_OK && options->times) {
        sb_table times;
        status = sb_workprec_time(&bench, &b->work, &me->formulations, 0.01, &times);
        status = status == SB_OK
                     ? sb_pareto_draw(&bench, &times, "time", "processor time (ms)", b->named, "compare_times")
                     : status;
    }
    status = status == SB_OK ? cli_write_provenance_to(me, provenance) : status;
    sb_bench_finish(&bench);
    return status;
}

static int run_compare(cli *me) {
    const compare_options *options = me->config;
    const char *const *comments;
    board b = {.me = me};
    sb_sink *sink;
    if (options->times && options->out[0] == '\0') {
        return sb_fail(me->ctx, SB_BAD_USAGE, "--times requires --out DIR");
    }
    SB_TRY(gather(&b, options));
    report_faults(&b);
    if (options->out[0] != '\0') {
        SB_TRY(write_directory(&b, options));
    }
    SB_TRY(cli_comments(me, &comments));
    SB_TRY(cli_sink(me, comments, &sink));
    const bool rows = me->format == SB_FORMAT_CSV || me->format == SB_FORMAT_JSON || me->shared.rows.pivot[0] != '\0';
    const int status = rows ? write_long(&b, sink) : write_wide(&b, sink);
    if (status != SB_OK) {
        sink->abandon(sink);
        return status;
    }
    SB_TRY(cli_write_provenance(me));
    SB_TRY(check_lost(&b));
    return check_named(&b);
}

const cli_command cli_compare = {
    &(const sb_entry){"compare",
                      "Compares steppers on every problem they take: orders, drift, defects, stability, work, and the "
                      "Pareto front of "
                      "work "
                      "and precision",
                      "", compare_params, sizeof(compare_options)},
    "stepbench compare [-s STEPPER]... [-p PROBLEM]... [-w FORMULATION]... [--out DIR [--times]] [--reference FILE] "
    "[--seconds N] [--jobs N] "
    "[--columns LIST] [--pivot COLUMN] [--digits N] [--format F] [-o FILE]",
    CLI_PROBLEMS | CLI_FORMULATIONS | CLI_STEPPERS | CLI_OUTPUT | CLI_ROWS | CLI_JOBS,
    run_compare,
    NULL,
    "stepbench compare -s verlet -s rk4 -p oscillator",
};
