/* The columns of `stepbench run`: their selection and their values at a sample. */
#ifndef STEPBENCH_BENCH_CLI_COLUMNS_H
#define STEPBENCH_BENCH_CLI_COLUMNS_H

#include "analysis/conservation/applied_work.h"
#include "analysis/conservation/quantities.h"
#include "bench/cli/cli.h"
#include "core/run/run.h"

/* The columns written, in order. `events`: the rows are events between steps, which have a number, but no multipliers,
 * no work and no iterations. */
typedef struct cli_columns {
    bool events;
    int count;
    const sb_column *list;
} cli_columns;

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
    CLI_ITERS,
    CLI_NOTHING /* the system has no such column; the cells are empty */
} cli_source;

/* Computes the columns of one method. */
typedef struct cli_probe {
    const sb_method *method;
    sb_quantities quantities;
    const char *problem, *stepper;
    cli_source *source;           /* of each column */
    int *index;                   /* within the values of its source */
    bool wanted[CLI_NOTHING + 1]; /* sources that have a column */
    double energy, kinetic, potential, g_rms, g_max, gap_min;
    sb_applied_work work; /* if it is wanted */
    double first;         /* initial energy */
    double balance;
    double *momenta, *outputs;
    double *g, *gaps; /* scratch */
} cli_probe;

/* Selects the columns of --columns and --pivot, for rows that are events or states; a figure has all columns. Without
 * --columns, q, v and lambda of systems with more than 32 coordinates are left out, and problem and stepper if there is
 * one system and no pivot. Fails with SB_BAD_USAGE for an unknown name or one given twice. */
int cli_columns_choose(cli *me, bool events, int nsystems, const sb_system *const *systems, cli_columns *out);

/* Allocate a probe; set the columns that it computes and the names shown in rows, for runs with the step h (s). */
int cli_probe_init(cli *me, const sb_method *method, cli_probe *out);
int cli_probe_bind(cli *me, cli_probe *probe, const cli_columns *columns, const char *problem, const char *stepper,
                   double h);
/* Return whether a column depends on all states before that of its row; advance to the next state of the run; compute
 * the row of a state, which is the event of this number. */
bool cli_probe_needs_all(const cli_probe *probe);
int cli_probe_follow(cli_probe *probe, const sb_sample *sample);
int cli_probe_row(cli_probe *probe, const cli_columns *columns, const sb_sample *sample, long event, sb_cell *row);

#endif
