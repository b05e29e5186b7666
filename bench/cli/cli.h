/* What the commands of the command line share. */
#ifndef STEPBENCH_BENCH_CLI_CLI_H
#define STEPBENCH_BENCH_CLI_CLI_H

#include <signal.h>
#include <stdio.h>

#include "core/base/spec.h"
#include "core/output/rows.h"

struct sb_study; /* bench/runner/bench.h */

/* Exit statuses: see `stepbench help`. */
enum { CLI_DONE = 0, CLI_FAILED = 1, CLI_BAD_USAGE = 2, CLI_ENDED_EARLY = 3 };

/* What a command takes in addition to the options of its table. */
enum {
    CLI_PROBLEMS = 1,     /* -p, repeated */
    CLI_FORMULATIONS = 2, /* -w, repeated */
    CLI_STEPPERS = 4,     /* -s, repeated */
    CLI_OUTPUT = 8,       /* -o FILE */
    CLI_WORDS = 16,       /* arguments without a dash */
    CLI_JOBS = 32,        /* --jobs */
    CLI_ROWS = 64,        /* --format, --columns, --digits and --pivot: the command writes rows */
    CLI_QUAD = 128,       /* nothing here: stepbench_quad parses and runs it */
    CLI_FIGURES = 256,    /* --plot and --plot-script */
    CLI_SECONDS = 512     /* --seconds, without a limit by default */
};

/* The values of the options that several commands share. */
typedef struct cli_shared {
    sb_row_options rows;
    const char *plot, *plot_script;
    long jobs, seconds;
} cli_shared;

/* The value of --plot without a file. */
#define CLI_PLOT_SHOWN "-"

/* The parameter table of the shared options, and for each option the flag, from the list above, of the commands that
 * take it. The first four (format, jobs, plot, plot_script) do not change the values in the rows. */
enum { CLI_SHARED = 8, CLI_SHARED_SAY = 4 };
extern const sb_param cli_shared_params[];
extern const unsigned cli_shared_takes[];

typedef struct cli_words {
    int count;
    const char **list;
} cli_words;

typedef struct cli {
    sb_context *ctx;
    sb_arena *arena;
    sb_registry *registry;
    const char *plot;                          /* script of the figure of the running command; NULL: none */
    const sb_entry *entry;                     /* name and options of the running command */
    cli_words texts[3], words;                 /* of -p, -w and -s; words without a dash */
    sb_specs problems, formulations, steppers; /* parsed; a command that fills in defaults puts them here */
    bool output_given;
    const char *output; /* -o; NULL: standard output, also by "-o -" */
    sb_sink *rows;      /* where rows go without -o; NULL: to a file or to standard output */
    bool silent;        /* no progress is shown, because the caller shows that of a longer work */
    bool every_column;  /* the rows have what the figure needs, too */
    sb_format format;   /* by --format, or by the ending of -o, or a table on a terminal and CSV elsewhere */
    cli_shared shared;
    bool shared_given[CLI_SHARED + 1];
    void *config;          /* filled from entry->params */
    const bool *given;     /* which of entry->params were on the command line */
    const char **measured; /* options that an analysis has measured, a line per problem */
    int nmeasured;
    bool help;
} cli;

typedef struct cli_command {
    sb_entry entry; /* params are the options */
    const char *usage;
    unsigned takes;
    int (*run)(cli *me);        /* a status */
    const char *plot, *example; /* as of an analysis */
} cli_command;

extern const cli_command cli_list, cli_show, cli_run, cli_bench, cli_compare, cli_card, cli_check, cli_reference,
    cli_roundoff, cli_new, cli_man, cli_complete, cli_study, cli_animate;
/* In the order of `stepbench help`; ends with NULL. */
extern const cli_command *const cli_commands[];

/* Returns whether `stepbench new` makes entries of the kind. */
bool cli_is_new_kind(sb_kind kind);

/* The options of `bench` and `study`. */
typedef struct cli_bench_options {
    const char *out, *compare;
    long jobs;
    int resume, dry_run, plan, part, merge, replot;
} cli_bench_options;
extern const sb_param cli_bench_params[];

/* Returns a word, quoted for the shell where necessary; NULL when out of memory. */
const char *cli_shell_word(sb_arena *arena, const char *word);

/* Runs, lists, merges or draws the registered experiments that me->words select, according to the options. `study` is
 * the file that describes them, NULL for those of the program. */
int cli_bench_run(cli *me, const struct sb_study *study);

/* Checks a call of `run`, and sets *columns to the columns of its rows. */
int cli_run_check(cli *me, int *ncolumns, const sb_column **columns);

/* Runs one analysis as a command. */
int cli_analysis(cli *me);
extern const unsigned cli_analysis_takes;

/* Runs the program with the words argv[1] to argv[argc - 1]: registers everything, loads plug-ins, runs the command,
 * writes the message of a failure to standard error. Stops in order once *interrupt is set. Returns the exit status;
 * nothing stays allocated. */
int cli_program(volatile sig_atomic_t *interrupt, int argc, char *const *argv);

/* Prepares the libraries: one BLAS thread unless the environment sets another number, and no abort in GSL. */
void cli_libraries(void);
/* Initialises a registry with all built-in entries. */
int cli_register(sb_registry *registry, sb_context *ctx);
/* Runs the command or analysis of this name with the words after it, or writes its help. */
int cli_run_named(cli *me, const char *name, bool help, int argc, char *const *argv);

/* Appends a word to a list that this function has made, in the arena of `me`; the first time it is empty. */
int cli_push(cli *me, cli_words *words, const char *word);

/* Writes the option of a parameter: --t-end for t_end. */
enum { CLI_OPTION_SIZE = 80 };
void cli_option(const char *param, char out[CLI_OPTION_SIZE]);

/* Fills `me` from the words after the command's name. Options of the table are written --t-end 3, --t-end=3, a switch
 * --resume. */
int cli_parse(cli *me, unsigned takes, int argc, char *const *argv);
/* Returns whether the option of this parameter was on the command line. */
bool cli_given(const cli *me, const char *param);
/* Returns the same for a shared option. */
bool cli_shared_option_given(const cli *me, const char *param);

/* The usage of an analysis; notes on all commands, NULL-terminated. */
extern const char cli_analysis_usage[];
extern const char *const cli_notes[];

/* Write the help of the program, of a command, and of an analysis. */
void cli_help(const cli *me, FILE *out);
void cli_help_command(const cli_command *command);
void cli_help_analysis(const sb_entry *entry);

/* Writes the rest of a line that has `used` columns, broken at blanks where it exceeds the width of the terminal, or
 * 100; the lines that follow are indented. */
void cli_write_wrapped(FILE *out, int used, int indent, const char *text);

/* Writes an indented name, a long one on a line of its own, and its meaning, which is wrapped. */
void cli_write_item(FILE *out, const char *name, const char *meaning);

/* Sets *stepper to the name of a stepper from a word that is a name or the file of a plug-in, which is loaded. *plugin
 * is NULL for a name; *wrong is the reason why there is no stepper, or NULL. */
int cli_load_stepper(cli *me, const char *word, const char **stepper, const char **plugin, const char **wrong);

/* Returns whether a figure or its script was requested. */
bool cli_plotted(const cli *me);

/* Opens the sink of -o, --format, --columns, --digits, --pivot, --plot and --plot-script. */
int cli_sink(cli *me, const char *const *comments, sb_sink **out);

/* Writes a parameter table to standard output; as options (--t-end) or as parameters (t_end). */
void cli_write_params(const sb_entry *entry, bool options);

#endif
