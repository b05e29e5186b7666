/* The options that several commands share, and the sink that they choose. */
#include <string.h>

#include "bench/cli/cli.h"
#include "bench/cli/plot.h"
#include "core/base/params.h"

const sb_param cli_shared_params[CLI_SHARED + 1] = {
    {"format", SB_CHOICE, offsetof(cli_shared, format), "csv", 0, 0, SB_CLOSED, SB_FORMAT_CHOICES, "",
     "how rows are written; the default is a table on a terminal, otherwise what the ending of -o FILE says"},
    SB_PARAM_INT(cli_shared, jobs, "0", 0.0, 1024.0, "pairs at a time; 0: one per processor"),
    {"plot", SB_TEXT, offsetof(cli_shared, plot), "", 0, 0, SB_CLOSED, CLI_PLOT_SHOWN, "",
     "draws the figure with gnuplot, into a file .svg, .pdf, .png or .tex, or without a file on the screen; rows are "
     "then "
     "written only with -o or --format"},
    SB_PARAM_TEXT(cli_shared, plot_script, "",
                  "a file FILE.gp for the gnuplot script of the figure; its data are written to FILE.csv"),
    {"seconds", SB_INT, offsetof(cli_shared, seconds), "0", 0.0, 1e6, SB_CLOSED, NULL, "s",
     "processor time that one pair may take, and ten times as long by the clock; 0: no limit"},
    SB_PARAM_TEXT(cli_shared, columns, "", "names of the columns in their order, joined by commas; empty: all"),
    SB_PARAM_TEXT(
        cli_shared, pivot, "",
        "a column whose values become columns: with --pivot stepper a row per problem and a column per stepper"),
    SB_PARAM_INT(cli_shared, digits, "0", 0.0, 17.0,
                 "significant digits of numbers; 0: all in csv, json and npy, at most six in the other formats"),
    {0},
};

const unsigned cli_shared_takes[CLI_SHARED] = {CLI_ROWS, CLI_JOBS, CLI_FIGURES, CLI_FIGURES,
                                               CLI_JOBS, CLI_ROWS, CLI_ROWS,    CLI_ROWS};

bool cli_shared_option_given(const cli *me, const char *param) {
    for (int i = 0; i < CLI_SHARED; i++) {
        if (strcmp(cli_shared_params[i].name, param) == 0) {
            return me->shared_given[i];
        }
    }
    return false;
}

/* Fails with SB_BAD_USAGE if the file of the rows has the ending of a picture or of a page. */
static int check_ending(cli *me) {
    static const char *const others[] = {".png", ".svg", ".pdf", ".gif", ".jpg", ".eps", ".html"};
    const char *ending = me->output != NULL && !cli_shared_option_given(me, "format") ? strrchr(me->output, '.') : NULL;
    for (size_t i = 0; ending != NULL && i < sizeof others / sizeof *others; i++) {
        if (strcmp(ending, others[i]) == 0) {
            return sb_fail(me->ctx, SB_BAD_USAGE,
                           "%s writes rows, and %s would not be a %s file: end its name with .csv, .json, .md, .tex or "
                           ".npy, or give --format",
                           me->entry->name, me->output, ending + 1);
        }
    }
    return SB_OK;
}

static int open_rows(cli *me, const char *const *comments, sb_sink **out) {
    if (me->rows != NULL && me->output == NULL) {
        *out = me->rows;
        return SB_OK;
    }
    SB_TRY(check_ending(me));
    return sb_sink_open(me->ctx, me->arena, me->format, me->output, comments, out);
}

bool cli_for_people(const cli *me) {
    return me->format == SB_FORMAT_TABLE || me->format == SB_FORMAT_MD || me->format == SB_FORMAT_LATEX;
}

bool cli_plotted(const cli *me) { return me->shared.plot[0] != '\0' || me->shared.plot_script[0] != '\0'; }

/* Opens the sink of the rows in the requested form. */
static int open_form(cli *me, const char *const *comments, sb_sink **out) {
    const cli_shared *o = &me->shared;
    const sb_row_form form = {.columns = o->columns,
                              .pivot = o->pivot,
                              .digits = (int)o->digits,
                              .people = cli_for_people(me),
                              .mark = me->format == SB_FORMAT_LATEX};
    sb_sink *inner;
    SB_TRY(open_rows(me, comments, &inner));
    return sb_sink_form(me->ctx, me->arena, &form, inner, out);
}

int cli_sink(cli *me, const char *const *comments, sb_sink **out) {
    if (!cli_plotted(me)) {
        return open_form(me, comments, out);
    }
    const bool rows = me->output != NULL || me->rows != NULL || cli_shared_option_given(me, "format");
    sb_sink *inner = NULL;
    SB_TRY(cli_plot_check(me));
    SB_TRY(rows ? open_form(me, comments, &inner) : SB_OK);
    return cli_plot_sink(me, comments, inner, out);
}
