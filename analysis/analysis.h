/* Analyses: an analysis computes rows from a pair of a system and a stepper. */
#pragma once

#include "analysis/ensemble.h"
#include "core/run/run.h"

/* The references that pairs with one system share (accuracy/reference.h). They live as long as the arena. */
typedef struct sb_references {
    sb_arena *arena;
    struct sb_shared_reference *list;
} sb_references;

/* A system and a stepper. The names are the specifications as the user wrote them; rows show them. */
typedef struct sb_pair {
    const char *problem, *stepper;
    const sb_system *sys;
    const sb_stepper *type;
    const void *config;
    const sb_member *member;   /* the system is this member of an ensemble of the problem; NULL: the problem itself */
    sb_references *references; /* of its system; NULL: they are not shared */
} sb_pair;

/* Builds the pair of a system and a stepper's specification "name:k=v,...". Does not check whether the stepper takes
 * the system. */
int sb_pair_build(sb_context *ctx, sb_arena *arena, const sb_system *sys, const char *stepper, sb_pair *out);

/* Runs the pair for `steps` steps of length h (s) from the system's initial state and passes every state, the initial
 * one included, to `observe`. Fails like sb_run_method. */
int sb_pair_run(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, sb_observer observe,
                void *arg);

/* One computation of an analysis: a pair and, if the analysis has a list of steps, one of these steps. */
typedef struct sb_task {
    sb_context *ctx;
    sb_arena *arena; /* freed after the task */
    const struct sb_analysis *analysis;
    const void *config;
    const sb_pair *pair;
    const sb_system *sys; /* system of the pair */
    double h;             /* step of the run and of the rows to come, s; 0: none */
    long steps;           /* number of steps of length h to t_end; 0 if the analysis has no option t_end */
    sb_sink *out;
    int failed; /* status of the last failure that was written as a row */
} sb_task;

/* The options of an analysis with a list of steps: the first member of its configuration. */
typedef struct sb_step_options {
    sb_reals h;   /* s; empty: see sb_analysis.levels */
    double t_end; /* s; 0: see sb_analysis.time_scales */
} sb_step_options;

typedef struct sb_analysis {
    sb_entry entry;              /* its parameters are the options of the command: h is --h, t_end is --t-end */
    const char *default_problem; /* specification (or glob) used when no -p is given; NULL: every problem */
    const char *default_stepper; /* the same for -s; NULL: every stepper */
    unsigned needs;              /* SB_OFFERS_... or SB_HAS_... of the system */
    bool fixed_steps; /* it examines the map of one step of length h, which steppers with error control do not have */
    bool forward;     /* it only runs forward from a start, as steppers do that cannot go back to a state */
    long levels; /* `run` is called for every step of the option h, the largest first; without h for this many steps,
                    from the default step (row.h) down by factors of 2. 0: `run` is called once per pair */
    double time_scales; /* duration of a run without t_end, see sb_default_end (row.h); 0: there is no option t_end */
    int ncolumns;
    const sb_column *columns;
    const char *example; /* a command that shows its purpose */
    const char *plot; /* its figure is drawn by PLOT.gp in a directory of analyses, see bench/cli/plot.h; NULL: none */
    const char *plot_switch; /* an option that the figure needs, set with --plot; NULL: none */
    /* Returns why the analysis has no result for a system, as a sentence for the column status; NULL if it has one. May
     * be NULL. */
    const char *(*inapplicable)(const sb_system *sys);
    /* Returns whether the analysis takes steps with these options, so that the stepper must support the system. NULL:
     * it does. */
    bool (*steps)(const void *config);
    /* Replaces options whose values are to be measured on the system. Called once per problem of a call, before any
     * pair is run, with a copy of the options for that problem. Sets *measured to the replaced options as on a command
     * line; does not set it if there are none. May be NULL. */
    int (*measure)(sb_context *ctx, sb_arena *arena, const sb_system *sys, void *config, const char **measured);
    /* Fails with SB_BAD_USAGE if the options are invalid for the task. Called for every task before any is run. May be
     * NULL. */
    int (*check)(const sb_task *task);
    /* Computes the rows of a task and writes them with sb_row (row.h). The caller writes a row with the status of a
     * failure that is a property of the pair (sb_failure_is_result), and continues with the next task. */
    int (*run)(sb_task *task);
} sb_analysis;

/* The rows of a parameter table for sb_step_options. `steps` describes the steps that are taken without h; `scales` is
 * time_scales as text. */
#define SB_OPTION_H(steps)                                                                                             \
    { "h", SB_REALS, offsetof(sb_step_options, h), "", 0.0, INFINITY, SB_OPEN, NULL, "s", "steps; empty: " steps }
#define SB_OPTION_T_END(scales)                                                                                        \
    {                                                                                                                  \
        "t_end", SB_REAL, offsetof(sb_step_options, t_end), "0", 0.0, INFINITY, SB_OPEN_HI, NULL, "s",                 \
            "end of the runs, a multiple of every h; 0: about " scales                                                 \
            " time scales of the problem or, if longer, one period"                                                    \
    }

/* The columns of an analysis, an array. */
#define SB_COLUMNS(list) .ncolumns = sizeof(list) / sizeof *(list), .columns = (list)

/* Columns whose cells sb_row sets, wherever they stand in the table of columns. */
#define SB_COLUMN_PROBLEM                                                                                              \
    { "problem", SB_COL_KEY, "", "the problem" }
#define SB_COLUMN_STEPPER                                                                                              \
    { "stepper", SB_COL_KEY, "", "the stepper" }
#define SB_COLUMN_H                                                                                                    \
    { "h", SB_COL_KEY, "s", "step" }
#define SB_COLUMN_TOL                                                                                                  \
    { "tol", SB_COL_KEY, "", "tolerance of a stepper with error control, else empty" }
#define SB_COLUMN_STATUS                                                                                               \
    { "status", SB_COL_INFO, "", "ok, or why there is no result" }
#define SB_KEY_COLUMNS SB_COLUMN_PROBLEM, SB_COLUMN_STEPPER, SB_COLUMN_H

int sb_analyses_register(sb_registry *registry);

/* Returns why the analysis does not take a stepper, as a sentence for the column status; NULL if it may. */
const char *sb_analysis_refusal(const sb_analysis *analysis, const sb_stepper *type);

/* Checks the options of an analysis for one pair. Fails with SB_BAD_USAGE. */
int sb_analysis_check_pair(sb_context *ctx, const sb_analysis *analysis, const void *config, const sb_pair *pair);

/* Writes the rows of one pair; the caller calls begin and end of `out`. Returns the last failure that was written as a
 * row after all tasks are done, and any other failure at once. */
int sb_analysis_run_pair(sb_context *ctx, const sb_analysis *analysis, const void *config, const sb_pair *pair,
                         sb_sink *out);

/* Runs the analysis of this name with options "k=v,..." on every pair of problem and stepper specifications (globs
 * allowed in the name), in order, and calls begin and end of `out`. Writes a row with the reason in `status` for a pair
 * that does not fit. Fails with SB_UNSUPPORTED before any row if no pair fits and one was named; returns SB_UNSUPPORTED
 * or the numerical failure of a named pair after all rows are written. `ensemble` (NULL: none) draws members of every
 * problem. */
int sb_analysis_run(sb_context *ctx, const char *name, const char *options, int nproblems, const char *const *problems,
                    int nformulations, const char *const *formulations, int nsteppers, const char *const *steppers,
                    const sb_ensemble *ensemble, sb_sink *out);

/* The problems, formulations and steppers of a call, and the ensemble of each problem. Without problems or steppers the
 * defaults of the analysis are used. */
typedef struct sb_call {
    sb_specs problems, formulations, steppers;
    sb_ensemble ensemble;
} sb_call;

/* All runs of a call: each pair, or with an ensemble each of its members, pair by pair. sb_product_new checks the
 * pairs; the runs may then be computed one by one in any order. `config` must outlive the product. sb_product_new fails
 * with SB_UNSUPPORTED or SB_BAD_USAGE if no pair can be run, unless all come from globs and do not fit. */
typedef struct sb_product sb_product;
int sb_product_new(sb_context *ctx, sb_arena *arena, const sb_analysis *analysis, const void *config,
                   const sb_call *call, sb_product **out);
/* Returns the call with the defaults of the analysis filled in. */
const sb_call *sb_product_call(const sb_product *product);
/* Returns the options that were measured on problem i of the call, NULL if there are none. */
const char *sb_product_measured(const sb_product *product, int i);
/* Sets the columns of the rows: those of the analysis, or of an ensemble of them. */
int sb_analysis_columns(const sb_analysis *analysis, const sb_ensemble *ensemble, sb_arena *arena, int *count,
                        const sb_column **columns);
int sb_product_count(const sb_product *product);
/* Returns the pair of run k. Its system may be NULL; sb_product_run then builds it. */
sb_pair sb_product_pair(const sb_product *product, int k);
/* Writes the rows of run k, with the columns of the analysis. `pair` is that of sb_product_pair, or the same with a
 * stepper that wraps its stepper. Returns SB_UNSUPPORTED or the numerical failure of a named pair after its rows are
 * written. */
int sb_product_run(sb_context *ctx, const sb_product *product, int k, const sb_pair *pair, sb_sink *out);

/* Passes the rows of the runs on to the rows of the product. */
typedef struct sb_product_rows {
    long members; /* 0: they are the same rows */
    sb_sink *out;
    sb_ensemble_rows ensemble;
} sb_product_rows;
void sb_product_rows_open(sb_context *ctx, const sb_product *product, sb_sink *out, sb_product_rows *rows);
/* Returns the sink for the rows of the runs, in the order of the runs. */
sb_sink *sb_product_rows_sink(sb_product_rows *rows);
/* Ends the rows of run k. Fails like `out`. */
int sb_product_rows_end(sb_product_rows *rows, int k);
void sb_product_rows_close(sb_product_rows *rows);
