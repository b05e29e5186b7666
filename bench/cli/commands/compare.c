/* `stepbench compare`: compares steppers on every problem they take, and marks the Pareto front of work and precision.
 */
#include <string.h>

#include "analysis/accuracy/reference.h"
#include "bench/card/pareto.h"
#include "bench/card/workprec_time.h"
#include "bench/cli/commands/compare.h"
#include "bench/cli/label.h"
#include "bench/cli/provenance.h"
#include "bench/process/pool.h"
#include "bench/runner/bench.h"
#include "bench/runner/experiment_tools.h"
#include "core/base/escape.h"
#include "core/output/sink.h"

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
    SB_TRY(sb_evaluate(me->ctx, me->arena, count, c->list, c->options->reference, SB_EVALUATED_METHOD, 0, &limits));
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
                           "the rows are written: %s crashed or did not return on every problem it was tried on; "
                           "--seconds gives it more time",
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
    SB_TRY(cli_compare_long(c, csv));
    SB_TRY(cli_compare_latex(c, tex_path));
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
    SB_TRY(sb_bench_begin(c->me->ctx, "compare", c->options->out, NULL, &bench));
    const int status = write_files(c, &bench);
    sb_bench_finish(&bench);
    return status;
}

/* Writes the rows: in LaTeX a table per problem, unless their form is chosen. */
static int write_rows(const comparison *c) {
    cli *me = c->me;
    const bool chosen =
        me->shared.rows.pivot[0] != '\0' || me->shared.rows.columns[0] != '\0' || me->shared.expect[0] != '\0';
    const char *const *comments;
    sb_sink *sink;
    if (me->format == SB_FORMAT_LATEX && !chosen) {
        return cli_compare_latex(c, me->output);
    }
    SB_TRY(cli_comments(me, &comments));
    SB_TRY(cli_sink(me, comments, &sink));
    const bool rows = me->format == SB_FORMAT_CSV || me->format == SB_FORMAT_JSON || me->shared.rows.pivot[0] != '\0';
    const int status = rows ? cli_compare_long(c, sink) : cli_compare_wide(c, sink);
    if (status != SB_OK) {
        sink->abandon(sink);
    }
    return status;
}

static int run_compare(cli *me) {
    const compare_options *options = me->config;
    comparison c = {.me = me, .options = options};
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
    SB_TRY(options->out[0] != '\0' ? sb_make_directories(me->ctx, me->arena, options->out) : SB_OK);
    SB_TRY(evaluate(&c));
    report_faults(&c);
    SB_TRY(options->out[0] != '\0' ? write_directory(&c) : SB_OK);
    if (options->out[0] != '\0' && me->format != SB_FORMAT_LATEX) {
        me->shared.caption = ""; /* it is that of compare.tex */
    }
    SB_TRY(write_rows(&c));
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
