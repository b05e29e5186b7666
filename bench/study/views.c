/* Reads the tables and figures of an experiment of a study. */
#include <string.h>

#include "bench/cli/plot.h"
#include "bench/study/study.h"

int sb_study_word(const node *of, const char *key, const char *initial, const char **out) {
    *out = initial;
    return sb_node_member(of, key).value != NULL ? sb_node_word(of, key, out) : SB_OK;
}

/* Checks the names of the columns in --columns and --pivot. */
static int check_form(const cli *call, int ncolumns, const sb_column *columns) {
    const sb_row_form form = {.columns = call->shared.rows.columns, .pivot = call->shared.rows.pivot};
    sb_table unused;
    sb_sink *sink;
    sb_table_init(&unused, call->arena);
    SB_TRY(sb_sink_form(call->ctx, call->arena, &form, &unused.sink, &sink));
    return sink->begin(sink, ncolumns, columns);
}

int sb_study_take_file(sb_study_reader *r, const node *at, bool other, const char *file) {
    static const char *const endings[] = {".csv", ".json", ".md", ".tex"};
    bool known = other;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        known = known || sb_ends_with(file, endings[i]);
    }
    if (!known) {
        return NODE_FAIL(at, "the name %s has to end with .csv, .json, .md or .tex", file);
    }
    static const char *const page[] = {"README.md",  "index.html", "provenance.json",
                                       "claims.csv", "claims.md",  "verdicts.csv"};
    bool taken = sb_ends_with(file, ".provenance.json") ||        /* that of another table */
                 strcmp(file, sb_file_name(at->from->file)) == 0; /* the study */
    for (size_t i = 0; i < sizeof page / sizeof *page; i++) {
        taken = taken || strcmp(file, page[i]) == 0;
    }
    if (file[0] == '.' || strchr(file, '/') != NULL || taken) {
        return NODE_FAIL(
            at, "%s cannot be the file of a table or a figure: take a name without a folder%s", file,
            file[0] == '.' || strchr(file, '/') != NULL ? "" : ", and not that of the study or of a file of the page");
    }
    for (int i = 0; i < r->files.count; i++) {
        if (strcmp(r->files.list[i], file) == 0) {
            return NODE_FAIL(at,
                             "%s is the file of another table or figure (every experiment writes its rows to "
                             "NAME.csv); take another name",
                             file);
        }
    }
    return cli_push(r->me, &r->files, file);
}

/* Reads a key of a table or a figure as a word of the command line, and checks it on the columns. */
static int read_form(sb_study_reader *r, const node *at, const char *key, const sb_study_experiment *e,
                     const sb_table *rows, sb_study_view *view) {
    SB_SCRATCH(scratch, r->me->ctx);
    cli call = sb_study_cli(e, r->me->ctx, &scratch);
    const char *text;
    SB_TRY(sb_study_value(at, &text));
    SB_PRINT(r->me->arena, text, "--%s=%s", key, text);
    SB_TRY(cli_push(r->me, &view->words, text));
    call.command.takes = CLI_ROWS | CLI_FIGURES | CLI_OUTPUT;
    SB_TRY(sb_study_placed(
        at, cli_parse(&call, 4, (char *[]){"--help", (char *)view->option, (char *)view->file, (char *)text})));
    SB_TRY(sb_study_placed(at, cli_caption_check(&call)));
    return sb_study_placed(at, check_form(&call, rows->ncolumns, rows->columns));
}

/* Reads a table, "FILE" or {"file": ...}, or a figure of rows with these columns. */
static int read_view(sb_study_reader *r, const node *at, bool figure, sb_study_experiment *e, const sb_table *rows) {
    static const char *const keys[] = {"columns", "pivot", "digits", "caption", "plot-width"};
    sb_study_view *view = &e->views[e->nviews++];
    SB_SCRATCH(scratch, r->me->ctx);
    *view = (sb_study_view){.option = figure ? "--plot" : "-o", .file = json_string_value(at->value)};
    if (view->file == NULL) {
        SB_TRY(sb_node_keys(at, figure ? "file|caption|plot-width" : "file|columns|pivot|digits|caption"));
        SB_TRY(sb_node_word(at, "file", &view->file));
    }
    SB_TRY(sb_study_take_file(r, at, figure, view->file));
    for (int k = 0; k < 5; k++) {
        const node item = sb_node_member(at, keys[k]);
        SB_TRY(item.value != NULL ? read_form(r, &item, keys[k], e, rows, view) : SB_OK);
    }
    if (!figure) {
        return SB_OK;
    }
    cli call = sb_study_cli(e, r->me->ctx, &scratch);
    cli_words words = {0, NULL};
    call.command.takes = CLI_ROWS | CLI_FIGURES;
    SB_TRY(cli_push(r->me, &words, "--help"));
    SB_TRY(cli_push(r->me, &words, view->option));
    SB_TRY(cli_push(r->me, &words, view->file));
    for (int i = 0; i < view->words.count; i++) {
        SB_TRY(cli_push(r->me, &words, view->words.list[i]));
    }
    SB_TRY(cli_parse(&call, words.count, (char *const *)words.list));
    const int status = cli_plot_check(&call);
    return status == SB_IO ? SB_OK : sb_study_placed(at, status); /* without gnuplot it is left out */
}

/* Reads the names of plot scripts, whose figures are files of the study. */
static int read_scripts(sb_study_reader *r, const node *at, sb_study_experiment *e) {
    const node list = sb_node_member(at, "scripts");
    int count;
    SB_TRY(sb_node_count(&list, &count));
    SB_NEW(r->me->arena, e->scripts, count);
    for (int k = 0; k < count; k++) {
        const node item = sb_node_item(&list, k);
        const char *name = json_string_value(item.value), *figure;
        if (name == NULL) {
            return NODE_FAIL(&item, "the name of a gnuplot script, without its ending .gp, is needed");
        }
        for (int i = 0; i < 2; i++) {
            SB_PRINT(r->me->arena, figure, "%s.%s", name, i == 0 ? "svg" : "png");
            SB_TRY(sb_study_take_file(r, &item, true, figure));
        }
        e->scripts[e->nscripts++] = name;
    }
    return SB_OK;
}

int sb_study_read_views(sb_study_reader *r, const node *at, sb_study_experiment *e, const sb_table *rows) {
    static const char *const keys[] = {"tables", "figures"};
    const char *name = e->experiment.entry.name, *directory = e->experiment.timed ? "times/" : "", **files;
    int count[2];
    for (int kind = 0; kind < 2; kind++) {
        const node list = sb_node_member(at, keys[kind]);
        SB_TRY(sb_node_count(&list, &count[kind]));
    }
    SB_NEW(r->me->arena, e->views, 1 + count[0] + count[1]);
    SB_TRY(read_scripts(r, at, e));
    SB_NEW(r->me->arena, files, 2 + count[0] + count[1] + 2 * e->nscripts);
    e->views[e->nviews].option = "-o";
    SB_PRINT(r->me->arena, e->views[e->nviews].file, "%s.csv", name);
    SB_TRY(sb_study_take_file(r, at, false, e->views[e->nviews++].file));
    for (int kind = 0; kind < 2; kind++) {
        const node list = sb_node_member(at, keys[kind]);
        for (int k = 0; k < count[kind]; k++) {
            const node item = sb_node_item(&list, k);
            SB_TRY(read_view(r, &item, kind == 1, e, rows));
        }
    }
    for (int k = 0; k < e->nviews; k++) {
        SB_PRINT(r->me->arena, files[k], "%s%s", directory, e->views[k].file);
    }
    for (int k = 0; k < e->nscripts; k++) {
        SB_PRINT(r->me->arena, files[e->nviews + 2 * k], "%s%s.svg", directory, e->scripts[k]);
        SB_PRINT(r->me->arena, files[e->nviews + 2 * k + 1], "%s%s.png", directory, e->scripts[k]);
    }
    e->experiment.files = files;
    return SB_OK;
}
