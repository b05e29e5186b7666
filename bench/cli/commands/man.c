/* `stepbench man`: writes the manual page from the tables of commands and the registry. */
#include <string.h>

#include "analysis/analysis.h"
#include "bench/cli/cli.h"
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
static void write_params(const sb_entry *entry, bool options) {
    for (const sb_param *p = entry->params; p != NULL && p->name != NULL; p++) {
        char option[CLI_OPTION_SIZE], range[160];
        const bool flag = options && sb_param_is_switch(p);
        cli_option(p->name, option);
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

static void write_example(const char *example) {
    if (example != NULL) {
        fputs(".PP\nExample:\n.br\n", stdout);
        write_text(example);
        putchar('\n');
    }
}

static void write_commands(void) {
    write_heading("commands");
    for (int i = 0; cli_commands[i] != NULL; i++) {
        const cli_command *command = cli_commands[i];
        write_line(".SS ", command->entry.name);
        write_text(command->entry.brief);
        fputs(".\n.PP\n", stdout);
        write_text(command->usage);
        putchar('\n');
        write_params(&command->entry, true);
        write_example(command->example);
    }
}

static void write_shared(void) {
    const sb_entry shared = {.params = cli_shared_params};
    write_heading("options of several commands");
    write_params(&shared, true);
}

static void write_analyses(const cli *me) {
    write_heading("analyses");
    for (int i = 0; i < me->registry->count[SB_KIND_ANALYSIS]; i++) {
        const sb_analysis *analysis = (const sb_analysis *)me->registry->entries[SB_KIND_ANALYSIS][i];
        write_line(".SS ", analysis->entry.name);
        write_text(analysis->entry.brief);
        fputs(".\nWithout \\-p: ", stdout);
        write_text(analysis->default_problem != NULL ? analysis->default_problem : "every problem");
        fputs(". Without \\-s: ", stdout);
        write_text(analysis->default_stepper != NULL ? analysis->default_stepper : "every stepper");
        fputs(".\n", stdout);
        write_params(&analysis->entry, true);
        write_example(analysis->example);
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
            write_params(entry, false);
            fputs(".RE\n", stdout);
        }
    }
}

static int run_man(cli *me) {
    printf(".TH STEPBENCH 1 \"\" \"stepbench %s\" \"User Commands\"\n.ad l\n",
           sb_version); /* synopses have long words: left-adjusted lines */
    puts(".SH NAME\nstepbench \\- a benchmark of numerical integrators for mechanical systems\n.SH SYNOPSIS");
    for (int i = 0; cli_commands[i] != NULL; i++) {
        write_text(cli_commands[i]->usage);
        puts("\n.br");
    }
    write_text(cli_analysis_usage);
    puts("\n.SH DESCRIPTION");
    for (int i = 0; cli_notes[i] != NULL; i++) {
        write_text(cli_notes[i]);
        puts("\n.PP");
    }
    write_commands();
    write_shared();
    write_analyses(me);
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
    {"man", "Writes the manual page, of plug-ins too, in troff: `stepbench man | man -l -`", "", NULL, 0},
    "stepbench man",
    0,
    run_man,
    NULL,
    "stepbench man",
};
