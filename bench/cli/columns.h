/* The columns of `stepbench run`: which there are for a system, which are wanted, and their values at a sample. */
#ifndef STEPBENCH_BENCH_CLI_COLUMNS_H
#define STEPBENCH_BENCH_CLI_COLUMNS_H

#include <stepbench/numerics/dynamics.h>

#include "bench/cli/cli.h"
#include "core/run/run.h"

/* The columns written, in order. */
typedef struct cli_columns {
    int count;
    const sb_column *list;
} cli_columns;

/* Where the value of a column comes from; the order is that of the columns. */
typedef enum cli_source {
    CLI_PROBLEM,
    CLI_STEPPER,
    CLI_STEP,
    CLI_T,
    CLI_Q,
    CLI_V,
    CLI_LAMBDA,
    CLI_ENERGY,
    CLI_KINETIC,
    CLI_POTENTIAL,
    CLI_MOMENTUM,
    CLI_G_RMS,
    CLI_G_MAX,
    CLI_GAP_MIN,
    CLI_OUTPUT_VALUE,
    CLI_ITERS,
    CLI_NOTHING /* the system has no such column: empty cells */
} cli_source;

/* What evaluates the columns of one method; scratch is allocated once. */
typedef struct cli_probe {
    const sb_method *method;
    sb_dynamics dynamics;
    const char *problem, *stepper;
    cli_source *source; /* of each chosen column */
    int *index;         /* within q, v, lambda, momenta or outputs */
    bool multipliers, energies, momenta, constraints, penetrations, outputs; /* what is asked for at all */
    double kinetic, potential, g_rms, g_max, gap_min;
    double *p, *xi, *g, *gaps, *value;
} cli_probe;

/* `wanted` is a list joined by commas, "" for the default: all but q, v and lambda of systems with more than 32
 * coordinates, and the columns problem and stepper only where there are several systems. SB_BAD_USAGE names the
 * nearest. */
int cli_columns_choose(cli *me, int nsystems, const sb_system *const *systems, const char *wanted, cli_columns *out);

int cli_probe_init(cli *me, const sb_method *method, cli_probe *out);
int cli_probe_bind(cli *me, cli_probe *probe, const cli_columns *columns, const char *problem, const char *stepper);
int cli_probe_row(cli_probe *probe, const cli_columns *columns, const sb_sample *sample, sb_cell *row);

#endif
