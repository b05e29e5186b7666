/* Writes the help of the program, of a command and of an analysis from their tables: as text, and as parts of the
 * manual page. */
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "analysis/analysis.h"
#include "bench/cli/cli.h"
#include "core/base/params.h"

static const char analysis_usage[] =
    "[-p PROBLEM]... [-w FORMULATION]... [-s STEPPER]... [its options] [--jobs N] "
    "[--seconds N] [--ensemble N] [--columns LIST] [--pivot COLUMN] [--digits N] [--format F] "
    "[-o FILE]";

static const char *const notes[] = {
    "A specification is NAME or NAME:parameter=value,...; a list stands in brackets: masses=[1,50]. Numbers may be "
    "fractions: 1/60.",
    "-p and -s may be repeated, and their names may be patterns; every pair is run. --plugin FILE.so (or FILE.c, which "
    "is compiled) loads steppers, problems or formulations; --engine COMMAND starts a program that steps mechanisms "
    "(docs/adding-an-engine.md).",
    "Every pair of an analysis, of compare, card and check, and every experiment of bench runs in its own process, "
    "--jobs of them at a time (0: one per processor). A crash is reported in the column `status` and costs only the "
    "rows of its own pair.",
    "--format is csv, table, md, latex (booktabs) or json. Without it the ending of "
    "the file decides: .json, .md, .tex, otherwise CSV; on a terminal a table. -o FILE also writes "
    "FILE.provenance.json.",
    "--columns a,b selects columns, --digits N sets the significant digits, and --pivot stepper writes a row per "
    "problem with a column per stepper.",
    "--precision=quad with run and order computes in binary128, --precision=single in float, and both write all "
    "digits; run then takes --h, --t-end or --steps, and --every, order a list --h, --t-end and --reference.",
    NULL};

/* A name and its meaning. */
typedef struct note {
    const char *name, *meaning;
} note;

static const note exit_statuses[] = {{"0", "done"},
                                     {"1", "failed: a file, memory, or interrupted"},
                                     {"2", "bad usage"},
                                     {"3", "ended early for a numerical reason; the rows up to it are written"},
                                     {NULL, NULL}};

static const note variables[] = {
    {"STEPBENCH_DATA", "directory of plot scripts, claims and sources, instead of the installed one"},
    {"OPENBLAS_NUM_THREADS", "number of threads of linear algebra; one by default"},
    {NULL, NULL}};

/* Returns the length of lines: the width of the terminal, 80 at least, or 100. */
static int line_length(FILE *out) {
    struct winsize size;
    const bool terminal = isatty(fileno(out)) && ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return !terminal ? 100 : size.ws_col > 80 ? size.ws_col : 80;
}

/* Returns the length of the first word of a text; an option in brackets, "[-o FILE]", is one word. */
static int word_length(const char *text) {
    bool option = false;
    int length = 0;
    for (; text[length] != '\0' && (text[length] != ' ' || option); length++) {
        option = (option || strncmp(text + length, "[-", 2) == 0) && text[length] != ']';
    }
    return length;
}

void cli_write_wrapped(FILE *out, int used, int indent, const char *text) {
    const int most = line_length(out);
    for (bool first = true; *text != '\0'; first = false) {
        const int length = word_length(text);
        const bool fits = first || used + 1 + length <= most;
        fprintf(out, "%s%*s%.*s", fits ? "" : "\n", !fits ? indent : !first, "", length, text);
        used = length + (fits ? used + !first : indent);
        text += length + (text[length] == ' ');
    }
    fputc('\n', out);
}

void cli_write_item(FILE *out, const char *name, const char *meaning) {
    enum { AT = 19 };
    const int used = fprintf(out, "  %s", name);
    fprintf(out, "%s%*s", used < AT ? "" : "\n", used < AT ? AT - used : AT, "");
    cli_write_wrapped(out, AT, AT, meaning);
}

/* ---- Pages: text, or troff. ---- */

/* Writes text for troff: escapes backslashes and hyphens, and a request at the beginning of a line. */
static void write_troff(FILE *out, const char *request, const char *text) {
    fputs(request, out);
    fputs(*text == '.' || *text == '\'' ? "\\&" : "", out);
    for (; *text != '\0'; text++) {
        if (*text == '\\' || *text == '-') {
            fputs(*text == '-' ? "\\-" : "\\e", out);
        } else {
            fputc(*text == '\n' ? ' ' : *text, out);
        }
    }
    fputc('\n', out);
}

void cli_page_section(const cli_page *page, const char *title) {
    fprintf(page->out, page->troff ? ".SH \"" : "\n");
    for (const char *c = title; *c != '\0'; c++) {
        fputc(page->troff && *c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c, page->out);
    }
    fprintf(page->out, page->troff ? "\"\n" : "\n");
}

void cli_page_item(const cli_page *page, const char *name, const char *meaning) {
    if (page->troff) {
        write_troff(page->out, ".TP\n.B ", name);
        write_troff(page->out, "", meaning);
    } else {
        cli_write_item(page->out, name, meaning);
    }
}

static void write_paragraph(const cli_page *page, int indent, const char *text) {
    if (page->troff) {
        write_troff(page->out, ".PP\n", text);
    } else {
        cli_write_wrapped(page->out, 0, indent, text);
    }
}

/* Writes the forms of a call, each from a line of `usage`, indented. */
static void write_usage(const cli_page *page, int indent, const char *usage) {
    char form[600];
    for (; *usage != '\0'; usage += strspn(usage, "\n ")) {
        const size_t length = strcspn(usage, "\n");
        snprintf(form, sizeof form, "%.*s", (int)length, usage);
        if (page->troff) {
            write_troff(page->out, ".br\n", form);
        } else {
            cli_write_wrapped(page->out, fprintf(page->out, "%*s", indent, ""), indent + 4, form);
        }
        usage += length;
    }
}

void cli_page_params(const cli_page *page, const sb_param *params, bool options) {
    for (const sb_param *p = params; p != NULL && p->name != NULL; p++) {
        char option[CLI_OPTION_SIZE], range[SB_RANGE_MAX], text[2 * SB_RANGE_MAX];
        cli_option_name(p->name, option);
        sb_param_range(p, range, sizeof range);
        if (options && sb_param_is_switch(p)) {
            snprintf(text, sizeof text, "%s", p->doc);
        } else {
            snprintf(text, sizeof text, "%s (%s%s%s; %s%s)", p->doc, range, p->unit[0] != '\0' ? " " : "", p->unit,
                     p->initial == NULL ? "required" : "default ",
                     p->initial == NULL      ? ""
                     : p->initial[0] == '\0' ? "empty"
                                             : p->initial);
        }
        cli_page_item(page, options ? option : p->name, text);
    }
}

static void write_notes(const cli_page *page, const char *title, const note *list) {
    cli_page_section(page, title);
    for (; list->name != NULL; list++) {
        cli_page_item(page, list->name, list->meaning);
    }
}

/* ---- The program, a command, an analysis. ---- */

void cli_help(const cli *me, const cli_page *page) {
    const int analyses = me->registry->count[SB_KIND_ANALYSIS]; /* none in quadruple precision */
    char usage[600];
    if (!page->troff) {
        fputs("stepbench: a benchmark of numerical integrators for mechanical systems\n\n", page->out);
    }
    for (int i = 0; cli_commands[i] != NULL; i++) {
        write_usage(page, 2, cli_commands[i]->usage);
    }
    snprintf(usage, sizeof usage, "stepbench ANALYSIS %s", analysis_usage);
    write_usage(page, 2, analyses > 0 ? usage : "");
    write_usage(page, 2, "stepbench help [COMMAND | ANALYSIS]\nstepbench --version");
    cli_page_section(page, "commands");
    for (int i = 0; cli_commands[i] != NULL; i++) {
        cli_page_item(page, cli_commands[i]->entry->name, cli_commands[i]->entry->brief);
    }
    if (analyses > 0) {
        cli_page_section(page, "analyses");
    }
    for (int i = 0; i < analyses; i++) {
        const sb_entry *entry = me->registry->entries[SB_KIND_ANALYSIS][i];
        cli_page_item(page, entry->name, entry->brief);
    }
    cli_page_section(page, "notes");
    for (int i = 0; notes[i] != NULL; i++) {
        write_paragraph(page, 2, notes[i]);
    }
    write_notes(page, "exit status", exit_statuses);
    write_notes(page, "environment", variables);
}

/* Writes the options of a command, and the shared ones that it takes. */
static void write_options(const cli_page *page, const cli_command *command) {
    const sb_param *own = command->entry->params;
    bool shared = false;
    if (own != NULL && own->name != NULL && !page->troff) {
        cli_page_section(page, "options");
    }
    cli_page_params(page, own, true);
    for (int i = 0; cli_shared_params[i].name != NULL && !page->troff; i++) {
        if ((command->takes & cli_shared_takes[i]) != 0) {
            if (!shared) {
                cli_page_section(page, "options shared with other commands");
            }
            shared = true;
            cli_page_params(page, (const sb_param[]){cli_shared_params[i], {0}}, true);
        }
    }
}

/* Writes which problems and steppers an analysis takes without -p and -s. */
static void write_defaults(const cli_page *page, const sb_analysis *analysis) {
    char text[600];
    snprintf(text, sizeof text, "Without -p: %s. Without -s: %s.",
             analysis->default_problem != NULL ? analysis->default_problem : "every problem",
             analysis->default_stepper != NULL ? analysis->default_stepper : "every stepper");
    write_paragraph(page, 0, text);
}

static void write_columns(const cli_page *page, const sb_analysis *analysis) {
    cli_page_section(page, "columns");
    for (int j = 0; j < analysis->ncolumns; j++) {
        const sb_column *c = &analysis->columns[j];
        char meaning[600];
        snprintf(meaning, sizeof meaning, "%s [%s]", c->doc, c->unit);
        cli_page_item(page, c->name, c->unit[0] != '\0' ? meaning : c->doc);
    }
}

void cli_help_command(const cli_page *page, const cli_command *command) {
    const sb_analysis *analysis = cli_is_analysis(command) ? (const sb_analysis *)command->entry : NULL;
    char text[600];
    snprintf(text, sizeof text, "stepbench %s %s", command->entry->name, analysis_usage);
    write_usage(page, 0, analysis == NULL ? command->usage : text);
    snprintf(text, sizeof text, "%s.", command->entry->brief);
    fputs(page->troff ? "" : "\n", page->out);
    write_paragraph(page, 0, text);
    if (analysis != NULL) {
        write_defaults(page, analysis);
    }
    write_options(page, command);
    if (analysis != NULL && !page->troff) {
        write_columns(page, analysis);
    }
    if (command->example != NULL) {
        fprintf(page->out, page->troff ? ".PP\nExample:\n.br\n" : "\nexample\n  ");
        page->troff ? write_troff(page->out, "", command->example) : (void)fprintf(page->out, "%s\n", command->example);
    }
}
