/* The digits of an experiment's numbers that do not depend on round-off, from runs that round in other directions. */
#ifndef STEPBENCH_BENCH_RUNNER_ENSEMBLE_H
#define STEPBENCH_BENCH_RUNNER_ENSEMBLE_H

#include "bench/runner/experiment.h"

/* The cells that the members of an ensemble saved. */
typedef struct sb_ensemble sb_ensemble;

/* Runs the experiment twice more, rounding upward and rounding downward, each in a child process, and keeps the cells
 * of its tables in bench->ensemble. These runs, the members, draw nothing and write no file. Fails with the status of
 * the first member that fails; SB_INTERRUPTED, SB_NO_MEMORY, SB_IO without a temporary file. */
int sb_ensemble_run(sb_bench *bench, const sb_experiment *experiment);

/* In a member: passes the table that the experiment saves as `name` on to the parent process. */
int sb_ensemble_send(sb_bench *bench, const sb_table *table, const char *name);

/* Makes *out the table with the digits that the ensemble leaves certain. The spread of a number is the largest distance
 * of a member's. A column whose spreads are all below sb_undeclared_tolerance is copied. A column with numbers that
 * have no certain digit, chaotic ones, is written down to a tenth of the spreads, two digits at least, and a column
 * NAME_spread is appended. The numbers of the others are written by sb_residual if the column is of the kind
 * SB_COL_ERROR, else by sb_trusted. A member that lacks a number, as its run ended earlier, makes the spread NaN. A
 * text ends, with "...", after the last word on which the members agree. With `curves`
 * rows that follow each other with the same texts as keys are points of a curve, and the spread at a point is the
 * largest there and at its neighbours. Without an ensemble *out is the table. SB_NO_MEMORY. */
int sb_ensemble_digits(sb_bench *bench, const sb_table *table, const char *name, bool curves, sb_table *out);

/* Writes the measured numbers of bench->quantities, for which the experiment states no uncertainty, with the digits
 * that the ensemble leaves certain, down to a tenth of the spread where it leaves none. A quantity that a member has
 * not recorded under the same name keeps its digits. SB_NO_MEMORY. */
int sb_ensemble_quantities(sb_bench *bench);

#endif
