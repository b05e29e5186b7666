/* The columns of `stepbench run`: their selection and their values at a sample. */
#pragma once

#include "analysis/analysis.h"
#include "analysis/conservation/quantities.h"
#include "bench/cli/cli.h"

/* The quantity of a column, in the order of the columns. */
typedef enum cli_source {
    CLI_PROBLEM,
    CLI_STEPPER,
    CLI_EVENT,
    CLI_STEP,
    CLI_T,
    CLI_Q,
    CLI_V,
    CLI_LAMBDA,
    CLI_ENERGY,
    CLI_KINETIC,
    CLI_POTENTIAL,
    CLI_WORK,
    CLI_BALANCE,
    CLI_MOMENTUM,
    CLI_G_RMS,
    CLI_G_MAX,
    CLI_GAP_MIN,
    CLI_OUTPUT_VALUE,
    CLI_REACTION,
    CLI_ITERS,
    CLI_NOTHING /* the number of quantities */
} cli_source;

/* A column that a system has. */
typedef struct cli_column {
    sb_column column;
    cli_source source;
    int index; /* within the values of the source */
} cli_column;

/* A column that one of several systems has. */
typedef struct cli_listed {
    sb_column column;
    cli_source source;
    const char *alias; /* the name that a problem gives to the coordinate or its velocity; NULL: none */
    bool left_out;     /* it is written only where --columns or --pivot names it */
} cli_listed;

/* The columns of the systems of a command. */
typedef struct cli_columns {
    int count, room;
    cli_listed *list;
    const char *redundant; /* a sentence about forces of joints of a system with redundant rows; NULL: none */
} cli_columns;

/* Adds the columns of a system, with copies of their texts in me->arena. `events`: the rows are events between steps,
 * which have a number, but no multipliers, no work and no iterations; otherwise they are states. */
int cli_columns_add(cli *me, const sb_system *sys, bool events, cli_columns *all);

/* Selects the columns of --columns and --pivot for the rows of `npairs` pairs; a figure has all columns. Without
 * --columns, q, v and lambda of systems with more than 32 coordinates are left out, and problem and stepper if there is
 * one pair and no pivot. Fails with SB_BAD_USAGE for an unknown name or one given twice. */
int cli_columns_choose(cli *me, const cli_columns *all, int npairs, int *ncolumns, const sb_column **columns);

/* Computes the rows of a run. */
typedef struct cli_probe {
    const sb_system *sys;
    const char *problem, *stepper; /* as rows show them */
    int count;                     /* of the columns that the system has */
    cli_column *list;
    const cli_column **written;   /* the columns of a row; NULL: the system has no such column */
    bool wanted[CLI_NOTHING + 1]; /* sources that have a column in a row */
    sb_quantities quantities;
    double energy, kinetic, potential, g_rms, g_max, gap_min;
    sb_applied_work work; /* if it is wanted */
    double first;         /* initial energy */
    double balance;
    double *momenta, *outputs;
    double *reactions, *a, *lambda; /* of joints; accelerations and multipliers of the state */
    double *g, *gaps;               /* scratch */
} cli_probe;

/* Initialises the rows of a run of the pair with the step h (s), in the arena: those of the selected columns that its
 * system has. `events`: as of cli_columns_add. */
int cli_probe_init(const cli *me, sb_arena *arena, const sb_pair *pair, bool events, double h, int ncolumns,
                   const sb_column *columns, cli_probe *out);

/* Returns whether a column depends on all states before the state of its row. */
bool cli_probe_needs_all(const cli_probe *probe);
/* Advances to the next state of the run. */
int cli_probe_follow(cli_probe *probe, const sb_sample *sample);
/* Computes the row of a state, which is the event of this number. */
int cli_probe_row(cli_probe *probe, int ncolumns, const sb_sample *sample, long event, sb_cell *row);
