/* `stepbench man`: writes the manual page from the tables of commands and the registry. */
#include <string.h>

#include "analysis/analysis.h"
#include "bench/cli/cli.h"
#include "bench/study/study.h"
#include "core/base/params.h"
#include "core/output/provenance.h"

/* Writes text for troff: escapes backslashes and hyphens, and a request at the beginning of a line. */
static void write_text(const char *text) {
    if (*text == '.' || *text == '\'') {
        fputs("\\&", stdout);
    }
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '\\': fputs("\\e", stdout); break;
        case '-': fputs("\\-", stdout); break;
        case '\n': putchar(' '); break;
        default: putchar(*text); break;
        }
    }
}

static void write_line(const char *request, const char *text) {
    printf("%s", request);
    write_text(text);
    putchar('\n');
}

/* Writes the heading of a section, in capitals. */
static void write_heading(const char *text) {
    fputs(".SH ", stdout);
    for (; *text != '\0'; text++) {
        putchar(*text >= 'a' && *text <= 'z' ? *text - 'a' + 'A' : *text);
    }
    putchar('\n');
}

/* Writes ".TP name", then the meaning with default, range and unit. */
static void write_params(const sb_param *params, bool options) {
    for (const sb_param *p = params; p != NULL && p->name != NULL; p++) {
        char option[CLI_OPTION_SIZE], range[160];
        const bool flag = options && sb_param_is_switch(p);
        cli_option_name(p->name, option);
        sb_param_range(p, range, sizeof range);
        fputs(".TP\n.B ", stdout);
        write_text(options ? option : p->name);
        putchar('\n');
        write_text(p->doc);
        if (!flag) {
            fputs(" (", stdout);
            write_text(range);
            if (p->unit[0] != '\0') {
                putchar(' ');
                write_text(p->unit);
            }
            fputs(p->initial == NULL ? "; required" : "; default ", stdout);
            write_text(p->initial == NULL ? "" : p->initial[0] == '\0' ? "empty" : p->initial);
            putchar(')');
        }
        fputs(".\n", stdout);
    }
}

static void write_command(const cli_command *command) {
    write_line(".SS ", command->entry->name);
    write_text(command->entry->brief);
    if (cli_is_analysis(command)) {
        char defaults[200];
        cli_format_defaults((const sb_analysis *)command->entry, defaults, sizeof defaults);
        write_line(".\n", defaults);
    } else {
        write_line(".\n.PP\n", command->usage);
    }
    write_params(command->entry->params, true);
    if (command->example != NULL) {
        write_line(".PP\nExample:\n.br\n", command->example);
    }
}

static void write_kind(const cli *me, sb_kind kind) {
    write_heading(sb_kind_plural[kind]);
    for (int i = 0; i < me->registry->count[kind]; i++) {
        const sb_entry *entry = me->registry->entries[kind][i];
        fputs(".TP\n.B ", stdout);
        write_text(entry->name);
        putchar('\n');
        write_text(entry->brief);
        if (entry->ref != NULL && entry->ref[0] != '\0') {
            fputs(" [", stdout);
            write_text(entry->ref);
            putchar(']');
        }
        putchar('\n');
        if (entry->params != NULL && entry->params[0].name != NULL) {
            fputs(".RS\n", stdout);
            write_params(entry->params, false);
            fputs(".RE\n", stdout);
        }
    }
}

static int run_man(cli *me) {
    SB_TRY(sb_study_read_papers(me));
    printf(".TH STEPBENCH 1 \"\" \"stepbench %s\" \"User Commands\"\n.ad l\n",
           sb_version); /* synopses have long words: left-adjusted lines */
    puts(".SH NAME\nstepbench \\- a benchmark of numerical integrators for mechanical systems\n.SH SYNOPSIS");
    for (int i = 0; cli_commands[i] != NULL; i++) {
        write_text(cli_commands[i]->usage);
        puts("\n.br");
    }
    write_line("stepbench ANALYSIS ", cli_analysis_usage);
    puts(".SH DESCRIPTION");
    for (int i = 0; cli_notes[i] != NULL; i++) {
        write_text(cli_notes[i]);
        puts("\n.PP");
    }
    write_heading("commands");
    for (int i = 0; cli_commands[i] != NULL; i++) {
        write_command(cli_commands[i]);
    }
    write_heading("options of several commands");
    write_params(cli_shared_params, true);
    write_heading("analyses");
    for (int i = 0; i < me->registry->count[SB_KIND_ANALYSIS]; i++) {
        const cli_command analysis = cli_analysis_command(me->registry->entries[SB_KIND_ANALYSIS][i]);
        write_command(&analysis);
    }
    for (int kind = 0; kind < SB_KIND_COUNT; kind++) {
        if (kind != SB_KIND_ANALYSIS) {
            write_kind(me, (sb_kind)kind);
        }
    }
    write_heading("environment");
    puts(".TP\n.B STEPBENCH_DATA\nDirectory of plot scripts, claims and sources, instead of the installed one.\n"
         ".TP\n.B OPENBLAS_NUM_THREADS\nNumber of threads of linear algebra; one by default.");
    return SB_OK;
}

const cli_command cli_man = {
    &(const sb_entry){"man", "Writes the manual page, of plug-ins too, in troff: `stepbench man | man -l -`", "", NULL,
                      0},
    "stepbench man",
    0,
    run_man,
    NULL,
    "stepbench man",
};
