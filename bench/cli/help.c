/* Writes the help of the program, of a command and of an analysis from their tables. */
#include <string.h>

#include "analysis/analysis.h"
#include "bench/cli/cli.h"
#include "core/base/params.h"

const cli_command *const cli_commands[] = {&cli_list,     &cli_show,    &cli_run,  &cli_animate,  &cli_bench,
                                           &cli_study,    &cli_compare, &cli_card, &cli_check,    &cli_reference,
                                           &cli_roundoff, &cli_new,     &cli_man,  &cli_complete, NULL};

const char cli_analysis_usage[] = "stepbench ANALYSIS [-p PROBLEM]... [-w FORMULATION]... [-s STEPPER]... [its "
                                  "options] [--jobs N] [--seconds N] [--columns LIST] [--pivot COLUMN] [--digits N] "
                                  "[--format F] [-o FILE]";

const char *const cli_notes[] = {
    "A specification is NAME or NAME:parameter=value,...; a list stands in brackets: masses=[1,50]. Numbers may be "
    "fractions: 1/60.",
    "-p and -s may be repeated, and their names may be patterns; every pair is run. --plugin FILE.so (or FILE.c, which "
    "is compiled) loads steppers, "
    "problems or formulations.",
    "Every pair of an analysis and every experiment of bench runs in its own process, --jobs of them at a time (0: "
    "one\n"
    "per processor). A crash is reported in the column `status` and costs only the rows of its own pair.",
    "--format is csv, table, md, latex (booktabs), json or npy (a numpy array of records). Without it the ending\n"
    "of the file decides: .json, .md, .tex, .npy, otherwise CSV; on a terminal a table. -o FILE also writes\n"
    "FILE.provenance.json.",
    "--columns a,b selects columns, --digits N sets the significant digits, and --pivot stepper writes a row per\n"
    "problem with a column per stepper.",
    "--precision=quad before run and order computes in binary128 and writes all digits; run then takes --h, --t-end "
    "and\n"
    "--every, order a list --h, --t-end and --reference; both write rows as above.",
    "Exit status: 0 done; 1 failed (files, memory, interrupted); 2 bad usage; 3 ended early for a numerical reason, "
    "the\n"
    "rows up to it are written.",
    NULL};

void cli_help(const cli *me, FILE *out) {
    fputs("stepbench: a benchmark of numerical integrators for mechanical systems\n\n", out);
    for (int i = 0; cli_commands[i] != NULL; i++) {
        fprintf(out, "  %s\n", cli_commands[i]->usage);
    }
    fprintf(out, "  %s\n", cli_analysis_usage);
    fputs("  stepbench help [COMMAND | ANALYSIS]\n"
          "  stepbench --version\n\ncommands\n",
          out);
    for (int i = 0; cli_commands[i] != NULL; i++) {
        fprintf(out, "  %-14s %s\n", cli_commands[i]->entry.name, cli_commands[i]->entry.brief);
    }
    fputs("\nanalyses\n", out);
    for (int i = 0; i < me->registry->count[SB_KIND_ANALYSIS]; i++) {
        const sb_entry *entry = me->registry->entries[SB_KIND_ANALYSIS][i];
        fprintf(out, "  %-14s %s\n", entry->name, entry->brief);
    }
    fputs("\n", out);
    for (int i = 0; cli_notes[i] != NULL; i++) {
        fprintf(out, "%s\n", cli_notes[i]);
    }
}

/* Always writes a terminal table, whatever standard output is. */
int cli_write_params(cli *me, const sb_entry *entry, bool options) {
    static const sb_column columns[] = {
        {"  name", SB_COL_KEY, "", ""},   {"type", SB_COL_INFO, "", ""}, {"default", SB_COL_INFO, "", ""},
        {"allowed", SB_COL_INFO, "", ""}, {"unit", SB_COL_INFO, "", ""}, {"meaning", SB_COL_INFO, "", ""},
    };
    static const char *const types[] = {"number", "integer", "choice", "list", "word"};
    sb_sink *sink;
    SB_TRY(sb_sink_open(me->ctx, me->arena, SB_FORMAT_TABLE, NULL, NULL, &sink));
    SB_TRY(sink->begin(sink, 6, columns));
    for (const sb_param *p = entry->params; p != NULL && p->name != NULL; p++) {
        char option[CLI_OPTION_SIZE], name[CLI_OPTION_SIZE + 2], range[160];
        cli_option(p->name, option);
        snprintf(name, sizeof name, "  %s", options ? option : p->name);
        sb_param_range(p, range, sizeof range);
        const bool flag = options && sb_param_is_switch(p);
        const sb_cell row[] = {
            sb_text(name),
            sb_text(flag ? "switch" : types[p->type]),
            sb_text(flag                 ? ""
                    : p->initial != NULL ? p->initial
                                         : "none"),
            sb_text(flag ? "" : range),
            sb_text(p->unit != NULL ? p->unit : ""),
            sb_text(p->doc),
        };
        SB_TRY(sink->row(sink, row));
    }
    return sink->end(sink);
}

/* Writes the options of an entry, and the shared ones that it takes. */
static int write_options(cli *me, const sb_entry *entry, unsigned takes) {
    sb_param shared[CLI_SHARED + 1] = {{0}};
    const sb_entry others = {.params = shared};
    int count = 0;
    for (int i = 0; i < CLI_SHARED; i++) {
        if ((takes & cli_shared_takes[i]) != 0) {
            shared[count++] = cli_shared_params[i];
        }
    }
    if (entry->params != NULL && entry->params[0].name != NULL) {
        fputs("\noptions\n", stdout);
        SB_TRY(cli_write_params(me, entry, true));
    }
    if (count > 0) {
        fputs("\noptions shared with other commands\n", stdout);
        SB_TRY(cli_write_params(me, &others, true));
    }
    return SB_OK;
}

static void write_example(const char *example) {
    if (example != NULL) {
        printf("\nexample\n  %s\n", example);
    }
}

int cli_help_command(cli *me, const cli_command *command) {
    printf("%s\n\n%s.\n", command->usage, command->entry.brief);
    SB_TRY(write_options(me, &command->entry, command->takes));
    write_example(command->example);
    return SB_OK;
}

int cli_help_analysis(cli *me, const sb_entry *entry) {
    const sb_analysis *analysis = (const sb_analysis *)entry;
    printf("stepbench %s%s\n\n%s.\n", entry->name, cli_analysis_usage + strlen("stepbench ANALYSIS"), entry->brief);
    printf("Without -p: %s. Without -s: %s.\n",
           analysis->default_problem != NULL ? analysis->default_problem : "every problem",
           analysis->default_stepper != NULL ? analysis->default_stepper : "every stepper");
    SB_TRY(write_options(me, entry, cli_analysis_takes));
    fputs("\ncolumns\n", stdout);
    for (int j = 0; j < analysis->ncolumns; j++) {
        const sb_column *c = &analysis->columns[j];
        printf("  %-16s %s%s%s%s\n", c->name, c->doc, c->unit[0] != '\0' ? " [" : "", c->unit,
               c->unit[0] != '\0' ? "]" : "");
    }
    write_example(analysis->example);
    return SB_OK;
}
