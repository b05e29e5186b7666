/* The options that several commands share, and the sink that they choose. */
#include <string.h>

#include "bench/cli/cli.h"
#include "bench/cli/plot.h"
#include "core/base/params.h"

const sb_param cli_shared_params[CLI_SHARED + 1] = {
    SB_ROW_FORMAT_PARAM(cli_shared),
    SB_PARAM_INT(cli_shared, jobs, "0", 0.0, 1024.0, "pairs at a time; 0: one per processor"),
    {"plot", SB_TEXT, offsetof(cli_shared, plot), "", 0, 0, SB_CLOSED, CLI_PLOT_SHOWN, "",
     "draws the figure with gnuplot, into a file .svg, .pdf, .png or .tex, or without a file on the screen; rows are "
     "then "
     "written only with -o or --format"},
    SB_PARAM_TEXT(cli_shared, plot_script, "",
                  "a file FILE.gp for the gnuplot script of the figure; its data are written to FILE.csv"),
    {"seconds", SB_INT, offsetof(cli_shared, seconds), "0", 0.0, 1e6, SB_CLOSED, NULL, "s",
     "processor time that one pair may take, and ten times as long by the clock; 0: no limit"},
    SB_ROW_FORM_PARAMS(cli_shared),
    {0},
};

const unsigned cli_shared_takes[CLI_SHARED] = {CLI_ROWS,    CLI_JOBS, CLI_FIGURES, CLI_FIGURES,
                                               CLI_SECONDS, CLI_ROWS, CLI_ROWS,    CLI_ROWS};

bool cli_shared_option_given(const cli *me, const char *param) {
    for (int i = 0; i < CLI_SHARED; i++) {
        if (strcmp(cli_shared_params[i].name, param) == 0) {
            return me->shared_given[i];
        }
    }
    return false;
}

static int open_rows(cli *me, const char *const *comments, sb_sink **out) {
    if (me->rows != NULL && me->output == NULL) {
        *out = me->rows;
        return SB_OK;
    }
    if (!cli_shared_option_given(me, "format")) {
        SB_TRY(sb_rows_check_ending(me->ctx, me->entry->name, me->output));
    }
    return sb_sink_open(me->ctx, me->arena, me->format, me->output, comments, out);
}

bool cli_plotted(const cli *me) { return me->shared.plot[0] != '\0' || me->shared.plot_script[0] != '\0'; }

/* Opens the sink of the rows in the requested form. */
static int open_form(cli *me, const char *const *comments, sb_sink **out) {
    sb_sink *inner;
    SB_TRY(open_rows(me, comments, &inner));
    return sb_rows_form(me->ctx, me->arena, &me->shared.rows, me->format, inner, out);
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
