/* `stepbench compare`: compares steppers on every problem they take, and marks the Pareto front of work and precision.
 */
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/accuracy/reference.h"
#include "analysis/row.h"
#include "bench/card/evaluate.h"
#include "bench/card/pareto.h"
#include "bench/card/workprec_time.h"
#include "bench/cli/label.h"
#include "bench/cli/provenance.h"
#include "bench/process/pool.h"
#include "bench/runner/bench.h"
#include "bench/runner/experiment_tools.h"
#include "core/base/escape.h"
#include "core/output/sink.h"
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

/* The evaluations of all steppers on all problems. */
typedef struct comparison {
    cli *me;
    const compare_options *options;
    int problems, steppers;
    const char **name;             /* of each problem */
    int pairs;                     /* number of pairs of a problem and a stepper that supports it */
    const char **stepper, **named; /* all steppers; the steppers not from a glob, NULL-terminated */
    int members;                   /* of the ensemble of each problem; 1: there is none */
    sb_evaluation *list;           /* problems x members x steppers */
    int *order;                    /* of the problems in the output: family by family */
    sb_table work;                 /* rows of workprec of all of them */
    bool *front;                   /* of each row: on the front of its problem */
} comparison;

static const sb_evaluation *member_at(const comparison *c, int problem, int member, int stepper) {
    return &c->list[(problem * c->members + member) * c->steppers + stepper];
}

/* Returns the first member's. */
static const sb_evaluation *at(const comparison *c, int problem, int stepper) {
    return member_at(c, problem, 0, stepper);
}

static int count_evaluations(const comparison *c) { return c->problems * c->members * c->steppers; }

/* ---- Evaluation. ---- */

/* Builds a member of the problem `of`, whose name is that of the problem with its number, so that each has a front. */
static int build_member(const comparison *c, const sb_spec *problem, const sb_system *of, int k, sb_system *out) {
    cli *me = c->me;
    sb_system like = *of;
    SB_PRINT(me->arena, like.name, "%s#%d", of->name, k);
    const sb_member member = {&me->shared.ensemble, k};
    return sb_member_system(me->ctx, me->arena, &member, problem, &me->formulations, &like, out);
}

/* Begins the evaluations of all steppers on a system, member k of the last problem. */
static int begin_system(comparison *c, const sb_system *sys, int k, bool *any) {
    cli *me = c->me;
    double dt, duration;
    const sb_pair pair = {.problem = sys->name, .sys = sys};
    SB_TRY(sb_reference_samples(me->ctx, me->arena, c->options->reference, &pair, &dt,
                                &duration)); /* checks that the reference fits */
    sb_evaluation *row = &c->list[(c->problems * c->members + k) * c->steppers];
    for (int s = 0; s < c->steppers; s++) {
        SB_TRY(sb_evaluation_begin(me->ctx, me->arena, sys, c->stepper[s], &row[s]));
        *any = *any || row[s].refusal == NULL;
        c->pairs += row[s].refusal == NULL;
    }
    return SB_OK;
}

/* Begins the evaluations of all steppers on a problem; leaves out a problem from a glob that none of them takes. */
static int begin_problem(comparison *c, const sb_spec *problem) {
    cli *me = c->me;
    const bool ensemble = me->shared.ensemble.members > 0;
    bool any = problem->glob == NULL;
    sb_system *sys, *member;
    SB_NEW(me->arena, sys, 1);
    int status = sb_system_make(me->ctx, me->arena, problem, &me->formulations, sys);
    status = status == SB_OK ? sb_ensemble_check(me->ctx, &me->shared.ensemble, problem, sys) : status;
    if (status == SB_UNSUPPORTED && problem->glob != NULL) { /* a formulation or the ensemble does not fit */
        return SB_OK;
    }
    SB_TRY(status);
    c->name[c->problems] = sys->name;
    for (int k = 0; k < c->members; k++) {
        member = sys;
        if (ensemble) {
            SB_NEW(me->arena, member, 1);
            SB_TRY(build_member(c, problem, sys, k, member));
        }
        SB_TRY(begin_system(c, member, k, &any));
    }
    c->problems += any;
    return SB_OK;
}

/* Sets the problems and steppers: from the command line, otherwise all. */
static int choose(comparison *c) {
    cli *me = c->me;
    static const char *const all = "*";
    if (me->problems.count == 0) {
        SB_TRY(sb_specs_parse(me->ctx, me->arena, SB_KIND_PROBLEM, 1, &all, &me->problems));
    }
    if (me->steppers.count == 0) {
        SB_TRY(sb_specs_parse(me->ctx, me->arena, SB_KIND_STEPPER, 1, &all, &me->steppers));
    }
    c->steppers = me->steppers.count;
    SB_NEW(me->arena, c->stepper, c->steppers);
    SB_NEW(me->arena, c->named, c->steppers + 1);
    for (int s = 0, k = 0; s < c->steppers; s++) {
        c->stepper[s] = me->steppers.list[s].text;
        if (me->steppers.list[s].glob == NULL) {
            c->named[k++] = cli_label(me, c->stepper[s]);
        }
    }
    c->members = me->shared.ensemble.members > 0 ? (int)me->shared.ensemble.members : 1;
    SB_NEW(me->arena, c->name, me->problems.count);
    SB_NEW(me->arena, c->list, (size_t)me->problems.count * (size_t)c->members * (size_t)c->steppers);
    for (int i = 0; i < me->problems.count; i++) {
        SB_TRY(begin_problem(c, &me->problems.list[i]));
    }
    return c->pairs > 0 ? SB_OK
                        : sb_fail(me->ctx, SB_UNSUPPORTED, "none of the steppers takes any of the problems: %s",
                                  c->list[0].refusal != NULL ? c->list[0].refusal : "");
}

/* Sets the order of the problems: families in the order of their first problems. */
static int set_order(comparison *c) {
    int count = 0;
    SB_NEW(c->me->arena, c->order, c->problems);
    for (int f = 0; f < c->problems; f++) {
        bool seen = false;
        for (int k = 0; k < count; k++) {
            seen = seen || c->order[k] == f;
        }
        for (int p = f; p < c->problems && !seen; p++) {
            if (strcmp(at(c, p, 0)->family, at(c, f, 0)->family) == 0) {
                c->order[count++] = p;
            }
        }
    }
    return SB_OK;
}

static int evaluate(comparison *c) {
    cli *me = c->me;
    const int count = count_evaluations(c);
    const sb_analysis *workprec = (const sb_analysis *)sb_registry_find(me->ctx, SB_KIND_ANALYSIS, "workprec");
    sb_meter meter;
    const sb_limits limits = {sb_processes_at_a_time(me->shared.jobs), c->options->seconds, &meter};
    sb_meter_begin(&meter, me->ctx, count);
    SB_TRY(sb_evaluate(me->ctx, me->arena, count, c->list, c->options->reference, SB_EVALUATED_ALL, 0, &limits));
    sb_meter_clear(&meter);
    sb_table_init(&c->work, me->arena);
    SB_TRY(c->work.sink.begin(&c->work.sink, workprec->ncolumns, workprec->columns));
    for (int i = 0; i < count; i++) {
        SB_TRY(c->list[i].refusal == NULL ? sb_bench_append(&c->work, &c->list[i].tables[SB_EVALUATED_WORKPREC])
                                          : SB_OK);
    }
    SB_NEW(me->arena, c->front, c->work.nrows + 1);
    sb_pareto_mark(&c->work, "evaluations", "err_relative", c->front);
    return SB_OK;
}

/* Computes the numbers of an evaluation, and the number of its points on the front. */
static void measure_one(const comparison *c, const sb_evaluation *e, sb_measure list[SB_MEASURES], int *count) {
    sb_measures_of(e, list, count);
    list[(*count)++] = (sb_measure){"points on the front", sb_pareto_count(&c->work, c->front, e->problem, e->stepper),
                                    (double)NAN, "", ""};
}

/* The distribution of a number over the members. */
typedef struct spread {
    double first, third, failed; /* quartiles; the share of the members without the number */
} spread;

/* Replaces the value of number k by its median over the members; its uncertainty is half the distance of the
 * quartiles. */
static int take_median(const comparison *c, int problem, int stepper, int k, sb_measure *m, spread *out) {
    double *x;
    size_t n = 0;
    SB_SCRATCH(scratch, c->me->ctx);
    SB_NEW(&scratch, x, c->members);
    for (int i = 0; i < c->members; i++) {
        sb_measure list[SB_MEASURES];
        int count;
        measure_one(c, member_at(c, problem, i, stepper), list, &count);
        x[n] = list[k].value;
        n += isnan(x[n]) ? 0 : 1;
    }
    gsl_sort(x, 1, n);
    m->value = n > 0 ? gsl_stats_quantile_from_sorted_data(x, 1, n, 0.5) : (double)NAN;
    out->first = n > 0 ? gsl_stats_quantile_from_sorted_data(x, 1, n, 0.25) : (double)NAN;
    out->third = n > 0 ? gsl_stats_quantile_from_sorted_data(x, 1, n, 0.75) : (double)NAN;
    out->failed = 1.0 - (double)n / c->members;
    m->uncertainty = 0.5 * (out->third - out->first);
    m->note = n > 0 ? "" : m->note;
    return SB_OK;
}

/* Computes the numbers of a stepper on a problem: of the ensemble, with their spreads, or of the problem itself. */
static int measure(const comparison *c, int problem, int stepper, sb_measure list[SB_MEASURES],
                   spread spreads[SB_MEASURES], int *count) {
    measure_one(c, at(c, problem, stepper), list, count);
    for (int k = 0; k < *count && c->me->shared.ensemble.members > 0; k++) {
        SB_TRY(take_median(c, problem, stepper, k, &list[k], &spreads[k]));
    }
    return SB_OK;
}

/* ---- One row per number. ---- */

static const sb_column long_columns[] = {{"family", SB_COL_KEY, "", "what the problem demands"},
                                         {"problem", SB_COL_KEY, "", "the problem"},
                                         {"stepper", SB_COL_KEY, "", "the stepper"},
                                         {"measure", SB_COL_KEY, "", "what was measured"},
                                         {"value", SB_COL_EXACT, "", "the number"},
                                         {"uncertainty", SB_COL_ERROR, "",
                                          "standard error, noise or round-off; of a median half the distance of the "
                                          "quartiles"},
                                         {"unit", SB_COL_INFO, "", "of the number"},
                                         {"note", SB_COL_INFO, "", "a remark on the number, or why there is none"},
                                         {"value_q1", SB_COL_EXACT, "", "first quartile of the ensemble"},
                                         {"value_q3", SB_COL_EXACT, "", "third quartile of the ensemble"},
                                         {"failed", SB_COL_EXACT, "", "share of the members without the number"}};
enum { LONG_COLUMNS = sizeof long_columns / sizeof *long_columns, ENSEMBLE_COLUMNS = 3 };

static int write_long_rows(const comparison *c, int problem, int stepper, sb_sink *out) {
    const sb_evaluation *e = at(c, problem, stepper);
    sb_measure list[SB_MEASURES] = {{"takes it", 0.0, (double)NAN, "", e->refusal}};
    spread spreads[SB_MEASURES] = {{(double)NAN, (double)NAN, 1.0}};
    int count = 1;
    SB_TRY(e->refusal == NULL ? measure(c, problem, stepper, list, spreads, &count) : SB_OK);
    for (int k = 0; k < count; k++) {
        const sb_measure *m = &list[k];
        SB_TRY(SB_ROW(out, sb_text(e->family), sb_text(c->name[problem]), sb_text(e->stepper), sb_text(m->name),
                      e->refusal != NULL ? sb_int(0) : sb_known(m->value), sb_known(m->uncertainty), sb_text(m->unit),
                      sb_text(m->note), sb_known(spreads[k].first), sb_known(spreads[k].third),
                      sb_real(spreads[k].failed)));
    }
    return SB_OK;
}

static int write_long(const comparison *c, sb_sink *out) {
    SB_TRY(out->begin(out, LONG_COLUMNS - (c->me->shared.ensemble.members > 0 ? 0 : ENSEMBLE_COLUMNS), long_columns));
    for (int p = 0; p < c->problems; p++) {
        for (int s = 0; s < c->steppers; s++) {
            SB_TRY(write_long_rows(c, c->order[p], s, out));
        }
    }
    return out->end(out);
}

/* ---- One row per problem and number, a column per stepper. ---- */

enum { KEYS = 3, CELL_SIZE = SB_WITH_ERROR + 2 };

static void format_measure(const sb_evaluation *e, bool ensemble, const sb_measure *m, char out[CELL_SIZE]) {
    if (e->refusal != NULL) {
        snprintf(out, CELL_SIZE, "-");
        return;
    }
    const bool judged = ensemble || strncmp(m->name, "order", 5) == 0 || strcmp(m->name, "energy drift") == 0;
    if (isnan(m->value)) {
        snprintf(out, CELL_SIZE, "%s", strncmp(m->note, "stable up to", 12) == 0 ? "none found" : "");
    } else if (judged && m->uncertainty > 0.0 && isfinite(m->uncertainty)) {
        sb_text_with_error(m->value, m->uncertainty, out);
    } else {
        snprintf(out, CELL_SIZE, fabs(m->value) >= 1e-3 || m->value == 0.0 ? "%.3g" : "%.2e", m->value);
    }
    if (judged && !isnan(m->value) && strcmp(m->note, "unclear") == 0) {
        strcat(out, "?");
    }
}

/* Writes the rows of a problem, without those that have no value for any stepper. In a table of the problem `alone`
 * they have neither its keys nor columns of the steppers that do not take it, and none has zeros only. */
static int write_wide_rows(const comparison *c, int problem, bool alone, sb_sink *out) {
    sb_arena *arena = c->me->arena;
    sb_measure(*lists)[SB_MEASURES];
    spread spreads[SB_MEASURES];
    sb_cell *cells;
    char(*texts)[CELL_SIZE];
    int count = 0;
    SB_NEW(arena, lists, c->steppers);
    SB_NEW(arena, cells, c->steppers + KEYS);
    SB_NEW(arena, texts, c->steppers);
    for (int s = 0; s < c->steppers; s++) {
        if (at(c, problem, s)->refusal == NULL) {
            SB_TRY(measure(c, problem, s, lists[s], spreads, &count));
        }
    }
    for (int k = 0; k < count; k++) {
        bool any = false;
        int n = alone ? 1 : KEYS;
        cells[0] = sb_text(at(c, problem, 0)->family);
        cells[1] = sb_text(c->name[problem]);
        for (int s = 0; s < c->steppers; s++) {
            const sb_measure *m = &lists[s][k];
            const bool refused = at(c, problem, s)->refusal != NULL;
            format_measure(at(c, problem, s), c->me->shared.ensemble.members > 0, m, texts[s]);
            if (!refused) {
                cells[alone ? 0 : KEYS - 1] = sb_text(m->name);
                any = any || !(isnan(m->value) || (alone && m->value == 0.0));
            }
            if (!refused || !alone) {
                cells[n++] = sb_text(texts[s]);
            }
        }
        SB_TRY(any ? out->row(out, cells) : SB_OK);
    }
    return SB_OK;
}

static int write_wide(const comparison *c, sb_sink *out) {
    static const sb_column keys[KEYS] = {
        {"family", SB_COL_KEY, "", ""}, {"problem", SB_COL_KEY, "", ""}, {"measure", SB_COL_KEY, "", ""}};
    sb_column *columns;
    SB_NEW(c->me->arena, columns, c->steppers + KEYS);
    memcpy(columns, keys, sizeof keys);
    for (int s = 0; s < c->steppers; s++) {
        columns[KEYS + s] = (sb_column){cli_label(c->me, c->stepper[s]), SB_COL_INFO, "", ""};
    }
    SB_TRY(out->begin(out, c->steppers + KEYS, columns));
    for (int p = 0; p < c->problems; p++) {
        SB_TRY(write_wide_rows(c, c->order[p], false, out));
    }
    return out->end(out);
}

/* Writes a table in LaTeX for a problem, headed by its name: a row per number, a column per stepper. */
static int write_problem(const comparison *c, int problem, FILE *to) {
    sb_table table;
    sb_column *columns;
    int n = 1;
    SB_NEW(c->me->arena, columns, c->steppers + 1);
    columns[0] = (sb_column){" ", SB_COL_KEY, "", ""};
    for (int s = 0; s < c->steppers; s++) {
        if (at(c, problem, s)->refusal == NULL) {
            columns[n++] = (sb_column){cli_label(c->me, c->stepper[s]), SB_COL_INFO, "", ""};
        }
    }
    SB_TRY(sb_table_begin(&table, c->me->arena, n, columns));
    SB_TRY(write_wide_rows(c, problem, true, &table.sink));
    fputs("\\par\\medskip\\noindent ", to);
    sb_escape(to, SB_LATEX, at(c, problem, 0)->problem);
    fputs("\\par\\smallskip\\noindent\n", to);
    return sb_write_view(&table, to, SB_FORMAT_LATEX);
}

static int write_latex(const comparison *c, const char *path) {
    sb_outfile file;
    int status = SB_OK;
    SB_TRY(sb_outfile_open(c->me->ctx, c->me->arena, path, &file));
    for (int p = 0; p < c->problems && status == SB_OK; p++) {
        status = write_problem(c, c->order[p], file.stream);
    }
    return sb_outfile_close(&file, status);
}

/* ---- Output. ---- */

/* Reports crashes and time-outs on standard error. */
static void report_faults(const comparison *c) {
    for (int i = 0; i < count_evaluations(c); i++) {
        const sb_evaluation *e = &c->list[i];
        if (e->refusal == NULL && e->fault != NULL) {
            sb_write_line(stderr, "stepbench: %s on %s: %s", e->stepper, e->problem, e->fault);
        }
    }
}

/* Fails if a stepper that is not from a glob crashed or did not return on every problem that it takes. */
static int check_named(const comparison *c) {
    for (int s = 0; s < c->steppers; s++) {
        int taken = 0, faults = 0;
        for (int p = 0; p < c->problems; p++) {
            taken += at(c, p, s)->refusal == NULL;
            faults += at(c, p, s)->refusal == NULL && at(c, p, s)->fault != NULL;
        }
        if (c->me->steppers.list[s].glob == NULL && taken > 0 && faults == taken) {
            return sb_fail(c->me->ctx, SB_NOT_CONVERGED,
                           "the rows are written: %s crashed or did not return on every problem it was tried on",
                           c->stepper[s]);
        }
    }
    return SB_OK;
}

/* Fails if an evaluation lost results for lack of memory or disk space. */
static int check_lost(const comparison *c) {
    for (int i = 0; i < count_evaluations(c); i++) {
        const sb_evaluation *e = &c->list[i];
        if (e->refusal == NULL && e->lost != NULL) {
            return sb_fail(c->me->ctx, SB_NO_MEMORY, "the rows are written without what was lost: %s on %s: %s",
                           e->stepper, e->problem, e->lost);
        }
    }
    return SB_OK;
}

static int write_files(const comparison *c, sb_bench *bench) {
    cli *me = c->me;
    const char *out = c->options->out, *tex_path, *provenance;
    sb_sink *csv;
    sb_table work, times;
    SB_PRINT(me->arena, tex_path, "%s/compare.tex", out);
    SB_PRINT(me->arena, provenance, "%s/provenance.json", out);
    SB_TRY(sb_bench_csv(bench, "compare.csv", NULL, &csv));
    SB_TRY(cli_label_sink(me, csv, &csv));
    SB_TRY(write_long(c, csv));
    SB_TRY(write_latex(c, tex_path));
    SB_TRY(cli_label_table(me, &c->work, &work));
    SB_TRY(sb_pareto_draw(bench, &work, "evaluations", "evaluations of terms", c->named, "compare_work"));
    if (c->options->times) {
        SB_TRY(sb_workprec_time(bench, &c->work, &me->formulations, 0.01, &times));
        SB_TRY(cli_label_table(me, &times, &work));
        SB_TRY(sb_pareto_draw(bench, &work, "time", "processor time (ms)", c->named, "compare_times"));
    }
    return cli_write_provenance_to(me, provenance);
}

static int write_directory(const comparison *c) {
    sb_bench bench;
    mkdir(c->options->out, 0777); /* where it is missing; the first file reports what cannot be written */
    SB_TRY(sb_bench_begin(c->me->ctx, "compare", c->options->out, NULL, &bench));
    const int status = write_files(c, &bench);
    sb_bench_finish(&bench);
    return status;
}

static int run_compare(cli *me) {
    const compare_options *options = me->config;
    const char *const *comments;
    comparison c = {.me = me, .options = options};
    sb_sink *sink;
    if (options->times && options->out[0] == '\0') {
        return sb_fail(me->ctx, SB_BAD_USAGE, "--times requires --out DIR");
    }
    SB_TRY(cli_check_ensemble(me));
    if (me->shared.ensemble.members > 0 && options->out[0] != '\0') {
        return sb_fail(me->ctx, SB_BAD_USAGE,
                       "compare: --ensemble and --out exclude each other: the directory has the front of one start; -o "
                       "writes the rows of an ensemble");
    }
    SB_TRY(choose(&c));
    SB_TRY(set_order(&c));
    SB_TRY(evaluate(&c));
    report_faults(&c);
    SB_TRY(options->out[0] != '\0' ? write_directory(&c) : SB_OK);
    SB_TRY(cli_comments(me, &comments));
    SB_TRY(cli_sink(me, comments, &sink));
    const bool rows = me->format == SB_FORMAT_CSV || me->format == SB_FORMAT_JSON || me->shared.rows.pivot[0] != '\0';
    const int status = rows ? write_long(&c, sink) : write_wide(&c, sink);
    if (status != SB_OK) {
        sink->abandon(sink);
        return status;
    }
    SB_TRY(cli_write_provenance(me));
    SB_TRY(check_lost(&c));
    return check_named(&c);
}

const cli_command cli_compare = {
    &(const sb_entry){"compare",
                      "Compares steppers on every problem they take: orders, drift, defects, stability, work, and the "
                      "Pareto front of "
                      "work "
                      "and precision",
                      "", compare_params, sizeof(compare_options)},
    "stepbench compare [-s STEPPER]... [-p PROBLEM]... [-w FORMULATION]... [--out DIR [--times]] [--reference FILE] "
    "[--ensemble N [--seed S] [--width W | --uniform RANGES]] [--seconds N] [--jobs N] "
    "[--columns LIST] [--pivot COLUMN] [--digits N] [--format F] [-o FILE]",
    CLI_PROBLEMS | CLI_FORMULATIONS | CLI_STEPPERS | CLI_OUTPUT | CLI_ROWS | CLI_JOBS | CLI_ENSEMBLE,
    run_compare,
    NULL,
    "stepbench compare -s verlet -s rk4 -p oscillator",
};
