/* Runs an experiment of a study: computes its rows once, as a command, and writes its tables and figures. */
#include <string.h>
#include <unistd.h>

#include "analysis/row.h"
#include "bench/card/workprec_time.h"
#include "bench/cli/plot.h"
#include "bench/cli/provenance.h"
#include "bench/runner/experiment_tools.h"
#include "bench/study/study.h"
#include "core/base/escape.h"

/* A time has three digits after ten rounds of half a millisecond (analysis/timing.h). */
static const double SECONDS_PER_POINT = 0.005;

cli sb_study_cli(const sb_study_experiment *e, sb_context *ctx, sb_arena *arena) {
    return (cli){.ctx = ctx,
                 .arena = arena,
                 .registry = e->registry,
                 .command = e->command,
                 .silent = true,
                 .every_column = e->drawn};
}

int sb_study_columns(sb_context *ctx, sb_arena *arena, const sb_study_experiment *e, bool check, sb_table *rows) {
    int count = 0;
    const sb_column *columns = NULL;
    for (int k = 0; k < e->nruns; k++) {
        cli call = sb_study_cli(e, ctx, arena);
        SB_TRY(cli_parse(&call, e->runs[k].count, (char *const *)e->runs[k].list));
        if (!cli_is_analysis(&e->command)) {
            SB_TRY(cli_run_check(&call, &count, &columns));
            continue;
        }
        const sb_analysis *analysis = (const sb_analysis *)e->command.entry;
        const sb_call pairs = {call.problems, call.formulations, call.steppers, call.shared.ensemble};
        sb_product *product;
        SB_TRY(cli_check_ensemble(&call));
        SB_TRY(check ? sb_product_new(ctx, arena, analysis, call.config, &pairs, &product) : SB_OK);
        SB_TRY(sb_analysis_columns(analysis, &pairs.ensemble, arena, &count, &columns));
        count = e->experiment.timed ? SB_WORKPREC_TIME_COLUMNS : count;
        columns = e->experiment.timed ? sb_workprec_time_columns : columns;
    }
    sb_table_init(rows, arena);
    return rows->sink.begin(&rows->sink, count, columns);
}

/* Sets *me to the command of a run that writes one of the files. `done` is the command that has computed the rows. */
static int open_view(sb_bench *bench, const cli *done, const cli_words *run, const sb_study_view *view,
                     const char *path, cli *me) {
    const sb_study_experiment *e = (const sb_study_experiment *)bench->experiment;
    const cli_words *const parts[] = {run, &view->words};
    cli_words words = {0, NULL};
    *me = sb_study_cli(e, bench->ctx, &bench->arena);
    for (int p = 0; p < 2; p++) {
        for (int i = 0; i < parts[p]->count; i++) {
            SB_TRY(cli_push(me, &words, parts[p]->list[i]));
        }
    }
    for (int i = 0; i < e->labels.count && view != &e->views[0]; i++) { /* the first one has the specifications */
        SB_TRY(cli_push(me, &words, e->labels.list[i]));
    }
    SB_TRY(cli_push(me, &words, view->option));
    SB_TRY(cli_push(me, &words, path));
    SB_TRY(cli_parse(me, words.count, (char *const *)words.list));
    me->problems = done->problems; /* with the defaults of the analysis */
    me->steppers = done->steppers;
    return SB_OK;
}

/* Writes the provenance of a file: FILE.provenance.json of the first run, FILE.provenance-2.json of the second. */
static int write_provenance(sb_bench *bench, const cli *done, const sb_study_view *view, const char *path) {
    const sb_study_experiment *e = (const sb_study_experiment *)bench->experiment;
    for (int k = 0; k < e->nruns; k++) {
        cli me;
        const char *json;
        SB_TRY(open_view(bench, &done[k], &e->runs[k], view, path, &me));
        SB_PRINT(&bench->arena, json, "%s.provenance-%d.json", path, k + 1);
        SB_TRY(k == 0 ? cli_write_provenance(&me) : cli_write_provenance_to(&me, json));
    }
    return SB_OK;
}

/* Writes a file of the experiment from its rows. `done` are the commands that have computed them, one per run. Without
 * gnuplot a figure is left out. */
static int write_view(sb_bench *bench, const cli *done, const sb_study_view *view, const sb_table *rows) {
    const sb_study_experiment *e = (const sb_study_experiment *)bench->experiment;
    cli me;
    const char *path, *const *comments;
    sb_sink *sink;
    SB_PRINT(&bench->arena, path, "%s/%s", bench->out, view->file);
    SB_TRY(open_view(bench, done, &e->runs[0], view, path, &me));
    if (cli_plotted(&me) && cli_plot_check(&me) != SB_OK) {
        sb_write_line(stderr, "stepbench: the figure %s is left out: %s", view->file, bench->ctx->message);
        return SB_OK;
    }
    SB_TRY(cli_comments(&me, &comments));
    SB_TRY(cli_sink(&me, comments, &sink));
    const int status = sb_table_write(rows, sink);
    if (status != SB_OK) {
        sink->abandon(sink);
        return sb_fail(bench->ctx, status, "%s: %s", view->file, sb_asprintf(&bench->arena, "%s", bench->ctx->message));
    }
    return write_provenance(bench, done, view, path);
}

/* Computes the rows of a run and appends them; sets *me to the command that has computed them. */
static int compute(sb_bench *bench, const sb_study_experiment *e, const cli_words *run, cli *me, sb_table *all) {
    cli_words words = {0, NULL};
    sb_table rows;
    *me = sb_study_cli(e, bench->ctx, &bench->arena);
    for (int i = 0; i < run->count; i++) {
        SB_TRY(cli_push(me, &words, run->list[i]));
    }
    if ((e->command.takes & (unsigned)CLI_JOBS) != 0) {
        const char *jobs;
        SB_PRINT(&bench->arena, jobs, "--jobs=%ld", bench->jobs);
        SB_TRY(cli_push(me, &words, jobs));
    }
    sb_table_init(&rows, &bench->arena);
    me->rows = &rows.sink;
    const int status = cli_run_named(me, e->command.entry->name, false, words.count, (char *const *)words.list);
    if (status != SB_OK && (!sb_failure_is_result(status) || rows.nrows == 0)) {
        return status;
    }
    if (status != SB_OK) { /* it is in the rows */
        sb_write_line(stderr, "stepbench: experiment %s: %s", bench->experiment->entry.name, bench->ctx->message);
    }
    if (e->experiment.timed) {
        const sb_table points = rows;
        SB_TRY(sb_workprec_time(bench, &points, &me->formulations, SECONDS_PER_POINT, &rows));
    }
    if (all->ncolumns == 0) {
        *all = rows;
        return SB_OK;
    }
    return sb_table_write_rows(&rows, &all->sink);
}

int sb_study_run(sb_bench *bench) {
    const sb_study_experiment *e = (const sb_study_experiment *)bench->experiment;
    const bool paper = strcmp(bench->command, "bench") == 0;
    sb_table rows = {0};
    cli *done;
    SB_NEW(&bench->arena, done, e->nruns);
    for (int k = 0; k < e->nruns; k++) {
        SB_TRY(compute(bench, e, &e->runs[k], &done[k], &rows));
    }
    SB_TRY(sb_study_measure_all(bench, e, &rows));
    SB_TRY(paper ? sb_bench_save(bench, &rows, e->views[0].file) : SB_OK); /* with the digits of its other tables */
    for (int k = paper; k < e->nviews && bench->member == NULL; k++) {
        SB_TRY(write_view(bench, done, &e->views[k], &rows));
    }
    for (int k = 0; k < e->nscripts; k++) {
        SB_TRY(sb_bench_plot(bench, e->scripts[k]));
    }
    return SB_OK;
}

int sb_study_replot(sb_bench *bench, int *figures) {
    const sb_study_experiment *e = (const sb_study_experiment *)bench->experiment;
    cli *done;
    const char *path;
    sb_table columns, rows;
    SB_PRINT(&bench->arena, path, "%s/%s", bench->out, e->views[0].file);
    for (int k = 0; k < e->nscripts && access(path, R_OK) == 0; k++) {
        SB_TRY(sb_bench_plot(bench, e->scripts[k]));
        ++*figures;
    }
    if (!e->drawn || access(path, R_OK) != 0) {
        return SB_OK;
    }
    SB_TRY(sb_study_columns(bench->ctx, &bench->arena, e, false, &columns));
    sb_table_init(&rows, &bench->arena);
    SB_TRY(sb_table_read_csv(&rows, bench->ctx, path));
    if (rows.ncolumns != columns.ncolumns) {
        return sb_fail(bench->ctx, SB_IO, "%s has %d columns, and the study now gives %d; run it again", path,
                       rows.ncolumns, columns.ncolumns);
    }
    rows.columns = columns.columns; /* with their kinds */
    for (int i = 0; i < rows.nrows * rows.ncolumns; i++) {
        rows.cells[i] = rows.cells[i].type == SB_CELL_INT ? sb_real((double)rows.cells[i].integer) : rows.cells[i];
    }
    SB_NEW(&bench->arena, done, e->nruns);
    for (int k = 0; k < e->nruns; k++) {
        done[k] = sb_study_cli(e, bench->ctx, &bench->arena);
        SB_TRY(cli_parse(&done[k], e->runs[k].count, (char *const *)e->runs[k].list));
    }
    for (int k = 0; k < e->nviews; k++) {
        if (strcmp(e->views[k].option, "--plot") == 0) {
            SB_TRY(write_view(bench, done, &e->views[k], &rows));
            ++*figures;
        }
    }
    return SB_OK;
}
