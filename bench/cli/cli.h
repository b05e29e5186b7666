/* The interface of the command line: commands, their options, and the state of a running command.
 *
 * Where to find what: program.c begins with argv; cli.c finds the command; args.c parses its options; commands/NAME.c
 * runs it. A run of a stepper is commands/run.c, which calls sb_run_method (core/run/run.c), the loop over the steps of
 * length h. */
#pragma once

#include <signal.h>
#include <stdio.h>

#include "analysis/ensemble.h"
#include "core/output/rows.h"

struct sb_analysis; /* analysis/analysis.h */
struct sb_study;    /* bench/runner/bench.h */

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
    CLI_ROWS = 64,        /* --format, --columns, --digits, --pivot, --caption and --expect: it writes rows */
    CLI_PRECISION = 128,  /* --progress: a program of another precision runs it */
    CLI_FIGURES = 256,    /* --plot, --plot-script and --plot-width */
    CLI_SECONDS = 512,    /* --seconds, without a limit by default */
    CLI_ENSEMBLE = 1024   /* --ensemble, --seed, --width and --uniform */
};

/* The values of the options that several commands share. */
typedef struct cli_shared {
    sb_row_options rows;
    const char *plot, *plot_script, *caption, *expect, *label;
    sb_scalar plot_width;
    long jobs, seconds;
    sb_ensemble ensemble;
    int progress;
} cli_shared;

/* The value of --plot without a file. */
#define CLI_PLOT_SHOWN "-"

/* The parameter table of the shared options, and for each option the flag, from the list above, of the commands that
 * take it. */
extern const sb_param cli_shared_params[];
extern const unsigned cli_shared_takes[];

/* An option of a command: a row of its own parameter table or of that of the shared options. */
enum { CLI_OPTION_SIZE = 80 };
typedef struct cli_option {
    const sb_param *param;
    char name[CLI_OPTION_SIZE]; /* --t-end for t_end */
    bool shared;                /* its value is in cli.shared, otherwise in cli.config */
    bool presentation;          /* from format to expect: it does not change the values in the rows */
    bool repeats;               /* label: a further value follows the first one after a semicolon */
    bool given;                 /* it is on the command line */
} cli_option;

typedef struct cli_words {
    int count;
    const char **list;
} cli_words;

/* The options that name specifications, in the order in which they are parsed and written. */
enum { CLI_SPEC_OPTIONS = 3 };
typedef struct cli_spec_option {
    const char *option;
    unsigned takes;
    sb_kind kind;
} cli_spec_option;
extern const cli_spec_option cli_spec_options[CLI_SPEC_OPTIONS];

struct cli;

/* A command, or an analysis that is run as one. */
typedef struct cli_command {
    const sb_entry *entry; /* its parameters are the options */
    const char *usage;
    unsigned takes;
    int (*run)(struct cli *me); /* returns a status; NULL: stepbench_quad parses its words and runs it */
    const char *plot, *example; /* as of an analysis */
} cli_command;

typedef struct cli {
    sb_context *ctx;
    sb_arena *arena;
    sb_registry *registry;
    cli_command command;                       /* the running one */
    cli_words texts[CLI_SPEC_OPTIONS], words;  /* of -p, -w and -s; words without a dash */
    cli_words inputs;                          /* values of all options but those of outputs */
    cli_words labels;                          /* a label, its specification, the next label, ... */
    sb_specs problems, formulations, steppers; /* parsed; a command adds its defaults */
    bool output_given;
    const char *output;    /* -o; NULL: standard output, also by "-o -" */
    sb_sink *rows;         /* receives the rows if there is no -o; NULL: they go to standard output */
    bool silent;           /* no progress is shown, because the caller shows its own */
    bool every_column;     /* the rows also have the columns that the figure needs */
    sb_format format;      /* of --format, or by the ending of -o, or a table on a terminal, otherwise CSV */
    cli_option *options;   /* of the command; ends with a row whose param is NULL */
    void *config;          /* the values of its own options */
    cli_shared shared;     /* the values of the shared options */
    const char **measured; /* options that an analysis has measured, one line per problem */
    int nmeasured;
    bool help;
} cli;

extern const cli_command cli_list, cli_show, cli_run, cli_bench, cli_compare, cli_card, cli_check, cli_reference,
    cli_roundoff, cli_new, cli_man, cli_complete, cli_study, cli_animate, cli_world, cli_import, cli_cite, cli_judge;
/* In the order of `stepbench help`; ends with NULL. */
extern const cli_command *const cli_commands[];
/* How the program is called, and the beginning of the message for a command that it does not have. */
extern const char cli_call[], cli_no_command[];

/* Sets *out to the command or the analysis of this name; returns false if there is none. */
bool cli_find_command(const cli *me, const char *name, cli_command *out);
/* Returns the analysis as a command. */
cli_command cli_analysis_command(const sb_entry *analysis);
/* Returns whether the command is an analysis. */
bool cli_is_analysis(const cli_command *command);

/* Finds the reference, or an empty text, of an entry or a claim. Sets *read when it has read the studies, once. */
int cli_reference_of(cli *me, const char *name, bool *read, const char **ref);

/* Returns whether `stepbench new` creates entries of the kind. */
bool cli_is_new_kind(sb_kind kind);

/* The options of `bench` and `study`. */
typedef struct cli_bench_options {
    const char *out, *compare;
    long jobs;
    int resume, dry_run, plan, part, merge, replot;
} cli_bench_options;
extern const sb_param cli_bench_params[];

/* Runs, lists, merges or draws the registered experiments that me->words select, as the options say. `study` is the
 * study that describes them, NULL for the experiments of the program. */
int cli_bench_run(cli *me, const struct sb_study *study);

/* Checks the options of `run` without running it, and sets *columns to the columns of its rows. */
int cli_run_check(cli *me, int *ncolumns, const sb_column **columns);

/* Runs the program with the words argv[1] to argv[argc - 1]: registers everything, loads plug-ins, runs the command,
 * writes the message of a failure to standard error. Stops in order once *interrupt is set. Returns the exit status;
 * nothing stays allocated. */
int cli_program(volatile sig_atomic_t *interrupt, int argc, char *const *argv);

/* Sets one BLAS thread unless the environment sets another number, and switches off the error handler of GSL, which
 * aborts. */
void cli_libraries(void);
/* Initialises a registry with all built-in entries. */
int cli_register(sb_registry *registry, sb_context *ctx);
/* Runs the command or analysis of this name with the words after it, or writes its help. */
int cli_run_named(cli *me, const char *name, bool help, int argc, char *const *argv);

/* Returns the number of words of an option that is taken before the command is looked up: 2 for --plugin FILE, --engine
 * COMMAND and --precision NAME, 1 for these with =, 0 for any other word. */
int cli_early_words(const char *word);

/* Returns whether an option of a command takes the word `next`, NULL at the end of the line, as its value. An option
 * that the command does not have takes none. */
bool cli_takes_next(const cli *me, const char *command, const char *option, const char *next);

/* Appends a word to a list that is empty or that this function has made, in the arena of `me`. */
int cli_push(cli *me, cli_words *words, const char *word);

/* Writes the option of a parameter: --t-end for t_end. */
void cli_option_name(const char *param, char out[CLI_OPTION_SIZE]);

/* Sets *out to the options of a command, its own ones first; a row whose param is NULL ends the list. */
int cli_list_options(sb_arena *arena, const cli_command *command, cli_option **out);

/* Fills `me` from the words after the name of me->command. Options are written --t-end 3, --t-end=3, a switch
 * --resume. */
int cli_parse(cli *me, int argc, char *const *argv);
/* Returns whether the command has an option of this parameter and it was on the command line. */
bool cli_given(const cli *me, const char *param);

/* Fails with SB_BAD_USAGE if -o, --plot or --plot-script would replace a file that the words or a plug-in name, or the
 * file of another of them. */
int cli_check_outputs(cli *me);

/* Fails with SB_BAD_USAGE for an option of the ensemble that has no effect. */
int cli_check_ensemble(cli *me);

/* Help as text, or as parts of the manual page in troff. */
typedef struct cli_page {
    FILE *out;
    bool troff;
} cli_page;

/* Write the help of the program, and of a command or an analysis. */
void cli_help(const cli *me, const cli_page *page);
void cli_help_command(const cli_page *page, const cli_command *command);

/* Writes a title. */
void cli_page_section(const cli_page *page, const char *title);
/* Writes a name and its meaning. */
void cli_page_item(const cli_page *page, const char *name, const char *meaning);
/* Writes a parameter table; as options (--t-end) or as parameters (t_end). */
void cli_page_params(const cli_page *page, const sb_param *params, bool options);

/* Writes a text after the first `used` columns of a line, and breaks it at blanks to the width of the terminal or 100
 * columns; the following lines are indented. */
void cli_write_wrapped(FILE *out, int used, int indent, const char *text);

/* Writes an indented name and its meaning, which is wrapped; a long name has a line of its own. */
void cli_write_item(FILE *out, const char *name, const char *meaning);

/* Sets *stepper to the name of a stepper. `word` is that name, or the file of a plug-in, which is loaded. *plugin is
 * the file, NULL for a name; *wrong is the reason why the plug-in gives no stepper, or NULL. */
int cli_load_stepper(cli *me, const char *word, const char **stepper, const char **plugin, const char **wrong);

/* Returns whether a figure or its script was requested. */
bool cli_plotted(const cli *me);

/* Fails if nothing that is written has a place for --caption. */
int cli_caption_check(const cli *me);

/* Opens the sink for the rows of a command, as -o, --format, --columns, --digits, --pivot, --plot and --plot-script
 * say. */
int cli_sink(cli *me, const char *const *comments, sb_sink **out);

/* Runs a command in another precision, quad or single, by the program stepbench_quad or stepbench_single; its rows go
 * to standard output. Returns its status, with its message. Fails with SB_IO where there is no such program. */
int cli_precision(cli *me, const char *precision, const char *command, int argc, char *const *argv);
