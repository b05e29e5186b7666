/* Studies: experiments that a JSON file describes. An experiment computes the rows of one analysis or of `run`, and
 * writes tables and figures of them, and measures quantities. docs/studies.md describes the file. read.c, spec.c and
 * views.c read it, run.c runs an experiment, programs.c one in C, measure.c measures its quantities, summary.c
 * summarizes all pairs. */
#pragma once

#include <jansson.h>

#include "analysis/accuracy/fit.h"
#include "bench/cli/cli.h"
#include "bench/runner/bench.h"
#include "core/output/description.h"

/* A file of an experiment: a table of its rows, or their figure. */
typedef struct sb_study_view {
    const char *option; /* "-o" or "--plot", as on the command line */
    const char *file;
    cli_words words; /* --columns, --pivot and --digits */
} sb_study_view;

/* A choice of rows: those that have one of the values in each of the columns. */

typedef struct sb_study_allowed {
    const char *column;
    const json_t *values; /* a word or a number, or a list of them */
} sb_study_allowed;
typedef struct sb_study_choice {
    int count;
    sb_study_allowed *list;
} sb_study_choice;

/* The rows of which the number is taken: the only one; each, with its cells in the id; the one with the largest or the
 * smallest number; their mean, with the standard deviation; their median, with half of their range; or their count. */
typedef enum sb_study_take {
    SB_TAKE_ONE,
    SB_TAKE_EACH,
    SB_TAKE_LARGEST,
    SB_TAKE_SMALLEST,
    SB_TAKE_MEAN,
    SB_TAKE_MEDIAN,
    SB_TAKE_COUNT
} sb_study_take;

/* A quantity: the column `value` of the rows `where` but not `except`, and with numbers of at most `at_most` and at
 * least `at_least`, divided by the column `per`; its distance from `from`; the power of the column `power_of` in it;
 * the c of exp(-c/x) in it, x the column `decay_of`; or, with `is`, whether all of these rows have the values. With
 * `over` it is divided by the number of the rows that have these values instead of those of `where`. */
typedef struct sb_study_measure {
    const char *id;    /* of quantities.csv */
    const char *table; /* of a program's experiment: the file of the rows; NULL: the rows of the study */
    sb_study_choice where, except, at_most, at_least, over, is;
    const char *value, *per, *power_of, *decay_of, *uncertainty; /* columns; NULL: none */
    const char *words; /* of a summary: the column with the words beside the number; NULL: none */
    double from;       /* NaN: the number itself */
    sb_study_take take;
} sb_study_measure;

typedef struct sb_study_experiment {
    sb_experiment experiment; /* the first member: what the runner is given */
    sb_registry *registry;
    cli_command command; /* the analysis, or `run` */
    bool drawn;          /* it has a figure of the analysis */
    cli_words words;     /* problems, formulations, steppers and options of the run that is read */
    cli_words labels;    /* of its specifications: --label=LABEL=SPECIFICATION */
    int nruns, nviews, nmeasures, nscripts;
    const char **scripts; /* plot scripts SCRIPT.gp, which draw SCRIPT.svg and SCRIPT.png from the tables */
    cli_words *runs;      /* the words of each run, as on the command line */
    sb_study_view *views;
    sb_study_measure *measures;
    int (*program)(sb_bench *bench); /* computes and saves the rows in place of a command; NULL: the command does */
} sb_study_experiment;

/* The summary of a study: quantities of every pair of a problem and a stepper, each from the rows of the pair in a
 * table of the study. */
typedef struct sb_study_summary {
    int count;
    const sb_study_measure *list; /* their ids are names of columns */
} sb_study_summary;

/* A study that is read. */
typedef struct sb_study_reader {
    cli *me;
    bool check;         /* the pairs of all experiments */
    node root, engines; /* engines: the names of the engines that --engine starts */
    cli_words files;    /* names of the tables and figures of all experiments */
} sb_study_reader;

/* Reads a word; without the key it is `initial`. */
int sb_study_word(const node *of, const char *key, const char *initial, const char **out);

/* Reads the tables, figures and plot scripts of an experiment whose rows have these columns. */
int sb_study_read_views(sb_study_reader *reader, const node *at, sb_study_experiment *out, const sb_table *rows);

/* Reads a study, loads its plug-ins and registers its experiments in me->registry, which has no others. Everything that
 * can be checked before a run is checked. A mistake fails with SB_BAD_USAGE and a sentence with its file, line and
 * key. */
int sb_study_read(cli *me, const char *file, sb_study *out);

/* Reads the specification at `at`, a text or an object with parameters and values to vary, and appends FLAG and a
 * specification for each to the words of the experiment. */
int sb_study_read_spec(cli *me, const node *at, sb_kind kind, const char *flag, sb_study_experiment *out);

/* Sets *text to the text of a value on the command line: of a number, a word, true or false, or a list of them. */
int sb_study_value(const node *at, const char **text);

/* Adds the place of a node to the message of a failure. */
int sb_study_placed(const node *at, int status);

/* Reads the studies of the papers, bench/experiments/PAPER/study.json, and registers their experiments in
 * me->registry; their pairs are checked when they run. Then reads the quantities that are measured from the tables of
 * experiments in C, PAPER/measures.json and those beside plug-ins. */
int sb_study_read_papers(cli *me);

/* Reads the list of quantities at key "measure" or of a node that is the list. `columns` are those of the rows; NULL:
 * each quantity names a table of a program's experiment. */
int sb_study_read_measures(const node *list, const sb_table *columns, sb_study_experiment *out);

/* Fails with SB_BAD_USAGE unless the table has the columns that a quantity names. */
int sb_study_check_columns(sb_context *ctx, const sb_study_measure *m, const sb_table *rows);

/* Computes the quantity of the chosen rows, with the values `instead` in place of those of `where` (NULL: none), and
 * sets *row to the row that it is from, -1 if there is none: the number is then NaN, or a count of 0. Fails with
 * SB_BAD_USAGE if there are several. */
int sb_study_evaluate(sb_bench *bench, const sb_study_measure *m, const sb_study_choice *instead, const sb_table *rows,
                      sb_slope *out, int *row);

/* Measures the quantities of the experiment from its rows; NULL: from the tables that it has saved. */
int sb_study_measure_all(sb_bench *bench, const sb_study_experiment *experiment, const sb_table *rows);

/* Reads the quantities in a file {EXPERIMENT: [QUANTITY, ...], ...} of experiments in C. */
int sb_study_read_programs(cli *me, const char *file);

/* Takes the name of a file of the study. Fails if it is that of another one or has a folder, and unless it ends as a
 * table does or is of another kind. */
int sb_study_take_file(sb_study_reader *reader, const node *at, bool other, const char *file);

/* Reads the key "summary", NAME and its quantities. */
int sb_study_read_summary(sb_study_reader *reader, sb_study *out);

/* Writes the summary of the study from the tables in the results directory: NAME.csv with a row per pair, and
 * times/NAME.csv with the quantities that are measured times. */
int sb_study_write_summary(const sb_bench_call *call);

/* Returns the state of a command line for the experiment, without words. */
cli sb_study_cli(const sb_study_experiment *experiment, sb_context *ctx, sb_arena *arena);

/* Checks the options of an experiment, with `check` its pairs too, for which it builds all problems, and sets the
 * columns of its rows; *rows has none. */
int sb_study_columns(sb_context *ctx, sb_arena *arena, const sb_study_experiment *experiment, bool check,
                     sb_table *rows);

/* The functions `run` and `replot` of a study's experiments. */
int sb_study_run(sb_bench *bench);
int sb_study_replot(sb_bench *bench, int *figures);
