/* The options that several commands share. */
#include "bench/cli/cli.h"
#include "core/base/params.h"

const sb_param cli_shared_params[] = {
    SB_ROW_FORMAT_PARAM(cli_shared),
    SB_PARAM_INT(cli_shared, jobs, "0", 0.0, 1024.0, "pairs at a time; 0: one per processor"),
    {"plot", SB_TEXT, offsetof(cli_shared, plot), "", 0, 0, SB_CLOSED, CLI_PLOT_SHOWN, "",
     "draws the figure with gnuplot, into a file .svg, .pdf, .png or .tex, or without a file on the screen; rows are "
     "then written only with -o or --format"},
    SB_PARAM_TEXT(cli_shared, plot_script, "",
                  "a file FILE.gp for the gnuplot script of the figure; its data are written to FILE.csv"),
    {"plot_width", SB_REAL, offsetof(cli_shared, plot_width), "0", 0.0, 100.0, SB_CLOSED, NULL, "cm",
     "width of the figure in a file .pdf or .tex; 8 is a column of a page with two; 0: 16 of .pdf, 12 of .tex"},
    SB_PARAM_TEXT(
        cli_shared, caption, "",
        "makes the table or the figure in a file .tex a float with this caption, and with a label by the name "
        "of the file; a table wider than a column of two is as wide as the page"),
    SB_PARAM_TEXT(
        cli_shared, expect, "",
        "a file FILE.csv of earlier rows, of which lines and columns may have been removed: another column says "
        "what differs, by more than a unit of its last digit or the number in a column NAME_tolerance, and the "
        "exit status is 3"),
    SB_PARAM_TEXT(cli_shared, label, "",
                  "LABEL=SPECIFICATION: what stands for a stepper or a problem in rows and figures; may be repeated"),
    {"seconds", SB_INT, offsetof(cli_shared, seconds), "0", 0.0, 1e6, SB_CLOSED, NULL, "s",
     "processor time that one pair may take, and ten times as long by the clock; 0: no limit"},
    {"ensemble", SB_INT, offsetof(cli_shared, ensemble.members), "0", 0.0, 1e6, SB_CLOSED, NULL, "",
     "random members of each problem: rows have medians, quartiles NAME_q1 and NAME_q3, and the share of members that "
     "`failed`; 0: the problem itself"},
    {"seed", SB_INT, offsetof(cli_shared, ensemble.seed), "0", 0.0, 4294967295.0, SB_CLOSED, NULL, "",
     "of the random numbers of --ensemble; every stepper has the same members"},
    {"width", SB_REAL, offsetof(cli_shared, ensemble.width), "0.01", 0.0, 1e3, SB_OPEN_LO, NULL, "",
     "of --ensemble: coordinates and velocities of the initial state move by at most this times max |q| and max |v|, "
     "uniformly, then onto the constraints"},
    {"uniform", SB_TEXT, offsetof(cli_shared, ensemble.uniform), "", 0, 0, SB_CLOSED, NULL, "",
     "NAME=LOW:HIGH,...: of --ensemble, parameters of the problems that are uniform between their bounds, in place of "
     "the initial state"},
    SB_ROW_FORM_PARAMS(cli_shared),
    SB_PARAM_CHOICE(cli_shared, progress, "no", "no|yes", "lines of progress on standard error, for a program"),
    {0},
};

const unsigned cli_shared_takes[] = {CLI_ROWS,     CLI_JOBS, CLI_FIGURES, CLI_FIGURES,  CLI_FIGURES,  CLI_ROWS,
                                     CLI_ROWS,     CLI_ROWS, CLI_SECONDS, CLI_ENSEMBLE, CLI_ENSEMBLE, CLI_ENSEMBLE,
                                     CLI_ENSEMBLE, CLI_ROWS, CLI_ROWS,    CLI_ROWS,     CLI_PRECISION};

int cli_check_ensemble(cli *me) {
    const bool ensemble = me->shared.ensemble.members > 0, uniform = cli_given(me, "uniform");
    static const char *const parts[] = {"seed", "width", "uniform"};
    for (int i = 0; i < 3 && !ensemble; i++) {
        if (cli_given(me, parts[i])) {
            return sb_fail(me->ctx, SB_BAD_USAGE, "%s: --%s needs --ensemble N", me->command.entry->name, parts[i]);
        }
    }
    return uniform && cli_given(me, "width")
               ? sb_fail(me->ctx, SB_BAD_USAGE,
                         "%s: --uniform and --width exclude each other: the first varies parameters, the second the "
                         "initial state",
                         me->command.entry->name)
               : SB_OK;
}

/* The first of these parameters, from format to expect, do not change the values in the rows. */
enum { PRESENTATION = 7 };

void cli_option_name(const char *param, char out[CLI_OPTION_SIZE]) {
    snprintf(out, CLI_OPTION_SIZE, "--%s", param);
    for (char *c = out; *c != '\0'; c++) {
        *c = *c == '_' ? '-' : *c;
    }
}

int cli_list_options(sb_arena *arena, const cli_command *command, cli_option **out) {
    const int own = sb_param_count(command->entry->params), shared = sb_param_count(cli_shared_params);
    cli_option *list;
    int count = 0;
    SB_NEW(arena, list, own + shared + 1);
    for (int i = 0; i < own; i++) {
        list[count++].param = &command->entry->params[i];
    }
    for (int i = 0; i < shared; i++) {
        if ((command->takes & cli_shared_takes[i]) != 0) {
            list[count++] = (cli_option){&cli_shared_params[i], .shared = true, .presentation = i < PRESENTATION,
                                         .repeats = cli_shared_params[i].offset == offsetof(cli_shared, label)};
        }
    }
    for (int i = 0; i < count; i++) {
        cli_option_name(list[i].param->name, list[i].name);
    }
    *out = list;
    return SB_OK;
}
