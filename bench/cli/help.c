/* Writes the help of the program, of a command and of an analysis from their tables. */
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "analysis/analysis.h"
#include "bench/cli/cli.h"
#include "core/base/params.h"

const cli_command *const cli_commands[] = {
    &cli_list,  &cli_show,  &cli_run,       &cli_animate,  &cli_bench, &cli_study, &cli_compare,  &cli_card,
    &cli_check, &cli_world, &cli_reference, &cli_roundoff, &cli_new,   &cli_man,   &cli_complete, NULL};

const char cli_analysis_usage[] = "[-p PROBLEM]... [-w FORMULATION]... [-s STEPPER]... [its options] [--jobs N] "
                                  "[--seconds N] [--columns LIST] [--pivot COLUMN] [--digits N] [--format F] "
                                  "[-o FILE]";

const char *const cli_notes[] = {
    "A specification is NAME or NAME:parameter=value,...; a list stands in brackets: masses=[1,50]. Numbers may be "
    "fractions: 1/60.",
    "-p and -s may be repeated, and their names may be patterns; every pair is run. --plugin FILE.so (or FILE.c, which "
    "is compiled) loads steppers, problems or formulations.",
    "Every pair of an analysis, of compare, card and check, and every experiment of bench runs in its own process, "
    "--jobs of them at a time (0: one per processor). A crash is reported in the column `status` and costs only the "
    "rows of its own pair.",
    "--format is csv, table, md, latex (booktabs) or json. Without it the ending of "
    "the file decides: .json, .md, .tex, otherwise CSV; on a terminal a table. -o FILE also writes "
    "FILE.provenance.json.",
    "--columns a,b selects columns, --digits N sets the significant digits, and --pivot stepper writes a row per "
    "problem with a column per stepper.",
    "--precision=quad before run and order computes in binary128 and writes all digits; run then takes --h, --t-end "
    "and --every, order a list --h, --t-end and --reference; both write rows as above.",
    "Exit status: 0 done; 1 failed (files, memory, interrupted); 2 bad usage; 3 ended early for a numerical reason, "
    "the rows up to it are written.",
    NULL};

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

/* Writes the forms of a call, each from a line of `usage`, indented. */
static void write_usage(FILE *out, int indent, const char *usage) {
    char form[600];
    for (; *usage != '\0'; usage += strspn(usage, "\n ")) {
        const size_t length = strcspn(usage, "\n");
        snprintf(form, sizeof form, "%.*s", (int)length, usage);
        cli_write_wrapped(out, fprintf(out, "%*s", indent, ""), indent + 4, form);
        usage += length;
    }
}

void cli_write_item(FILE *out, const char *name, const char *meaning) {
    enum { AT = 19 };
    const int used = fprintf(out, "  %s", name);
    fprintf(out, "%s%*s", used < AT ? "" : "\n", used < AT ? AT - used : AT, "");
    cli_write_wrapped(out, AT, AT, meaning);
}

void cli_help(const cli *me, FILE *out) {
    char usage[600];
    fputs("stepbench: a benchmark of numerical integrators for mechanical systems\n\n", out);
    for (int i = 0; cli_commands[i] != NULL; i++) {
        write_usage(out, 2, cli_commands[i]->usage);
    }
    snprintf(usage, sizeof usage, "stepbench ANALYSIS %s", cli_analysis_usage);
    write_usage(out, 2, usage);
    fputs("  stepbench help [COMMAND | ANALYSIS]\n"
          "  stepbench --version\n\ncommands\n",
          out);
    for (int i = 0; cli_commands[i] != NULL; i++) {
        cli_write_item(out, cli_commands[i]->entry->name, cli_commands[i]->entry->brief);
    }
    fputs("\nanalyses\n", out);
    for (int i = 0; i < me->registry->count[SB_KIND_ANALYSIS]; i++) {
        const sb_entry *entry = me->registry->entries[SB_KIND_ANALYSIS][i];
        cli_write_item(out, entry->name, entry->brief);
    }
    fputs("\n", out);
    for (int i = 0; cli_notes[i] != NULL; i++) {
        cli_write_wrapped(out, 0, 2, cli_notes[i]);
    }
}

/* The cells of a parameter before its meaning. */
enum { CELLS = 5 };

typedef struct cells {
    char text[CELLS][160];
} cells;

static void set_cells(const sb_param *p, bool option, cells *out) {
    static const char *const types[] = {"number", "integer", "choice", "list", "word"};
    const bool flag = option && sb_param_is_switch(p);
    char name[CLI_OPTION_SIZE];
    cli_option_name(p->name, name);
    snprintf(out->text[0], sizeof out->text[0], "  %s", option ? name : p->name);
    snprintf(out->text[1], sizeof out->text[1], "%s", flag ? "switch" : types[p->type]);
    snprintf(out->text[2], sizeof out->text[2], "%s", flag ? "" : p->initial != NULL ? p->initial : "none");
    sb_param_range(p, out->text[3], sizeof out->text[3]);
    out->text[3][0] = flag ? '\0' : out->text[3][0];
    snprintf(out->text[4], sizeof out->text[4], "%s", p->unit != NULL ? p->unit : "");
}

/* Widens the columns for the cells of a row, and for the head of each column that is not empty. */
static void widen(const cells *row, const cells *head, int width[CELLS]) {
    for (int k = 0; k < CELLS; k++) {
        const int length = (int)strlen(row->text[k]), least = length > 0 ? (int)strlen(head->text[k]) : 0;
        width[k] = length > width[k] ? length : width[k];
        width[k] = least > width[k] ? least : width[k];
    }
}

/* Writes the cells of a row and the meaning, which has lines of its own if less than 40 columns are left. */
static void write_row(const cells *row, const int width[CELLS], const char *meaning) {
    enum { BELOW = 8, LEAST = 40 };
    char line[CELLS * sizeof row->text[0]] = "";
    int used = 0;
    for (int k = 0; k < CELLS; k++) {
        used += width[k] > 0 ? sprintf(line + used, "%-*s  ", width[k], row->text[k]) : 0;
    }
    if (used + LEAST <= line_length(stdout)) {
        fputs(line, stdout);
    } else {
        while (used > 0 && line[used - 1] == ' ') {
            used--;
        }
        printf("%.*s\n%*s", used, line, BELOW, "");
        used = BELOW;
    }
    cli_write_wrapped(stdout, used, used, meaning);
}

void cli_write_params(const sb_param *params, bool options) {
    const cells head = {{"  name", "type", "default", "allowed", "unit"}};
    cells row;
    int width[CELLS] = {0};
    for (const sb_param *p = params; p->name != NULL; p++) {
        set_cells(p, options, &row);
        widen(&row, &head, width);
    }
    write_row(&head, width, "meaning");
    for (const sb_param *p = params; p->name != NULL; p++) {
        set_cells(p, options, &row);
        write_row(&row, width, p->doc);
    }
}

/* Writes the options of a command, and the shared ones that it takes. */
static void write_options(const cli_command *command) {
    const sb_param *own = command->entry->params;
    sb_param shared[16] = {{0}};
    int count = 0;
    for (int i = 0; cli_shared_params[i].name != NULL; i++) {
        if ((command->takes & cli_shared_takes[i]) != 0) {
            shared[count++] = cli_shared_params[i];
        }
    }
    if (own != NULL && own->name != NULL) {
        fputs("\noptions\n", stdout);
        cli_write_params(own, true);
    }
    if (count > 0) {
        fputs("\noptions shared with other commands\n", stdout);
        cli_write_params(shared, true);
    }
}

void cli_format_defaults(const sb_analysis *analysis, char *out, size_t size) {
    snprintf(out, size, "Without -p: %s. Without -s: %s.",
             analysis->default_problem != NULL ? analysis->default_problem : "every problem",
             analysis->default_stepper != NULL ? analysis->default_stepper : "every stepper");
}

/* Writes the columns of an analysis. */
static void write_columns(const sb_analysis *analysis) {
    fputs("\ncolumns\n", stdout);
    for (int j = 0; j < analysis->ncolumns; j++) {
        const sb_column *c = &analysis->columns[j];
        char meaning[600];
        snprintf(meaning, sizeof meaning, c->unit[0] != '\0' ? "%s [%s]" : "%s", c->doc, c->unit);
        cli_write_item(stdout, c->name, meaning);
    }
}

void cli_help_command(const cli_command *command) {
    const sb_analysis *analysis = cli_is_analysis(command) ? (const sb_analysis *)command->entry : NULL;
    char text[600];
    if (analysis != NULL) {
        snprintf(text, sizeof text, "stepbench %s %s", command->entry->name, cli_analysis_usage);
    }
    write_usage(stdout, 0, analysis != NULL ? text : command->usage);
    snprintf(text, sizeof text, "%s.", command->entry->brief);
    putchar('\n');
    cli_write_wrapped(stdout, 0, 0, text);
    if (analysis != NULL) {
        cli_format_defaults(analysis, text, sizeof text);
        puts(text);
    }
    write_options(command);
    if (analysis != NULL) {
        write_columns(analysis);
    }
    if (command->example != NULL) {
        printf("\nexample\n  %s\n", command->example);
    }
}
