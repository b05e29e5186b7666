/* Runs an experiment of a study: computes its rows once, as a command, and writes its tables and figures. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analysis/row.h"
#include "bench/cli/plot.h"
#include "bench/cli/provenance.h"
#include "bench/study/study.h"
#include "core/base/text.h"

cli sb_study_cli(const sb_study_experiment *e, sb_context *ctx, sb_arena *arena) {
    return (cli){.ctx = ctx,
                 .arena = arena,
                 .registry = e->registry,
                 .command = e->command,
                 .silent = true,
                 .every_column = e->drawn};
}

int sb_study_columns(sb_context *ctx, sb_arena *arena, const sb_study_experiment *e, sb_table *rows) {
    cli call = sb_study_cli(e, ctx, arena);
    int count = 0;
    const sb_column *columns = NULL;
    SB_TRY(cli_parse(&call, e->words.count, (char *const *)e->words.list));
    if (!cli_is_analysis(&e->command)) {
        SB_TRY(cli_run_check(&call, &count, &columns));
    } else {
        const sb_analysis *analysis = (const sb_analysis *)e->command.entry;
        const sb_call pairs = {call.problems, call.formulations, call.steppers};
        sb_product *product;
        SB_TRY(sb_product_new(ctx, arena, analysis, call.config, &pairs, &product));
        count = analysis->ncolumns;
        columns = analysis->columns;
    }
    sb_table_init(rows, arena);
    return rows->sink.begin(&rows->sink, count, columns);
}

/* Sets *out to the words of the experiment, followed by the words of one of its files. */
static int join(cli *me, const sb_study_experiment *e, const sb_study_view *view, const char *path, cli_words *out) {
    const cli_words *const parts[] = {&e->words, &view->words};
    *out = (cli_words){0, NULL};
    for (int p = 0; p < 2; p++) {
        for (int i = 0; i < parts[p]->count; i++) {
            SB_TRY(cli_push(me, out, parts[p]->list[i]));
        }
    }
    SB_TRY(cli_push(me, out, view->option));
    return cli_push(me, out, path);
}

/* Writes a file of the experiment from its rows. `done` is the command that has computed them. Without gnuplot a figure
 * is left out. */
static int write_view(sb_bench *bench, const cli *done, const sb_study_view *view, const sb_table *rows) {
    const sb_study_experiment *e = (const sb_study_experiment *)bench->experiment;
    cli me = sb_study_cli(e, bench->ctx, &bench->arena);
    const char *path, *const *comments;
    sb_table medians;
    sb_sink *sink;
    cli_words words;
    SB_PRINT(&bench->arena, path, "%s/%s", bench->out, view->file);
    SB_TRY(join(&me, e, view, path, &words));
    SB_TRY(cli_parse(&me, words.count, (char *const *)words.list));
    me.problems = done->problems; /* with the defaults of the analysis */
    me.steppers = done->steppers;
    if (cli_plotted(&me) && cli_plot_check(&me) != SB_OK) {
        fprintf(stderr, "stepbench: the figure %s is left out: %s\n", view->file, bench->ctx->message);
        return SB_OK;
    }
    SB_TRY(view->median ? sb_study_median(bench->ctx, &bench->arena, e, rows, &medians) : SB_OK);
    SB_TRY(cli_comments(&me, &comments));
    SB_TRY(cli_sink(&me, comments, &sink));
    const int status = sb_table_write(view->median ? &medians : rows, sink);
    if (status != SB_OK) {
        sink->abandon(sink);
        return sb_fail(bench->ctx, status, "%s: %s", view->file, sb_asprintf(&bench->arena, "%s", bench->ctx->message));
    }
    return cli_write_provenance(&me);
}

int sb_study_run(sb_bench *bench) {
    const sb_study_experiment *e = (const sb_study_experiment *)bench->experiment;
    cli me = sb_study_cli(e, bench->ctx, &bench->arena);
    cli_words words = {0, NULL};
    sb_table rows;
    for (int i = 0; i < e->words.count; i++) {
        SB_TRY(cli_push(&me, &words, e->words.list[i]));
    }
    if ((e->command.takes & (unsigned)CLI_JOBS) != 0) {
        const char *jobs;
        SB_PRINT(&bench->arena, jobs, "--jobs=%ld", bench->jobs);
        SB_TRY(cli_push(&me, &words, jobs));
    }
    sb_table_init(&rows, &bench->arena);
    me.rows = &rows.sink;
    const int status = cli_run_named(&me, e->command.entry->name, false, words.count, (char *const *)words.list);
    if (status != SB_OK && (!sb_failure_is_result(status) || rows.nrows == 0)) {
        return status;
    }
    if (status != SB_OK) { /* it is in the rows */
        fprintf(stderr, "stepbench: experiment %s: %s\n", bench->experiment->entry.name, bench->ctx->message);
    }
    for (int k = 0; k < e->nviews; k++) {
        SB_TRY(write_view(bench, &me, &e->views[k], &rows));
    }
    return SB_OK;
}

int sb_study_replot(sb_bench *bench, int *figures) {
    const sb_study_experiment *e = (const sb_study_experiment *)bench->experiment;
    cli me = sb_study_cli(e, bench->ctx, &bench->arena);
    const char *path;
    sb_table columns, rows;
    SB_PRINT(&bench->arena, path, "%s/%s", bench->out, e->views[0].file);
    if (!e->drawn || access(path, R_OK) != 0) {
        return SB_OK;
    }
    SB_TRY(sb_study_columns(bench->ctx, &bench->arena, e, &columns));
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
    SB_TRY(cli_parse(&me, e->words.count, (char *const *)e->words.list));
    for (int k = 0; k < e->nviews; k++) {
        if (strcmp(e->views[k].option, "--plot") == 0) {
            SB_TRY(write_view(bench, &me, &e->views[k], &rows));
            ++*figures;
        }
    }
    return SB_OK;
}
