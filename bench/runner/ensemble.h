/* Finds the digits of an experiment's numbers that do not depend on round-off, from runs that round upward and
 * downward.
 */
#pragma once

#include "bench/runner/experiment.h"

/* The cells that the members of an ensemble saved. */
typedef struct sb_directed sb_directed;

/* Runs the experiment twice more, rounding upward and rounding downward, each in a child process, and keeps the cells
 * of its tables in bench->ensemble. These runs, the members, draw nothing and write no file. Fails with the status of
 * the first member that fails; SB_INTERRUPTED, SB_NO_MEMORY, SB_IO without a temporary file. */
int sb_ensemble_run(sb_bench *bench, const sb_experiment *experiment);

/* Sends the table that the experiment saves as `name` from a member to the parent process. */
int sb_ensemble_send(sb_bench *bench, const sb_table *table, const char *name);

/* Sets *out to the table with the digits that are certain. The spread of a number is the largest distance to a number
 * of a member; it is NaN if a member lacks the number because its run ended earlier. With `curves`, successive rows
 * with the same texts as keys are points of a curve, and the spread at a point is the largest there and at its
 * neighbours.
 *
 * A column whose spreads are all below sb_undeclared_tolerance is copied. A chaotic column, with numbers that have no
 * certain digit, is written down to a tenth of the spreads, with at least two digits, and a column NAME_spread is
 * appended. The numbers of other columns are written by sb_residual if the column is of the kind SB_COL_ERROR,
 * otherwise by sb_trusted. A text ends with "..." after the last word on which the members agree. Without an ensemble
 * *out is the table. Fails with SB_NO_MEMORY. */
int sb_ensemble_digits(sb_bench *bench, const sb_table *table, const char *name, bool curves, sb_table *out);

/* Gives the measured numbers of bench->quantities for which the experiment states no uncertainty the digits that are
 * certain, or digits down to a tenth of the spread where none is. A quantity that a member has not recorded under the
 * same name keeps its digits. Fails with SB_NO_MEMORY. */
int sb_ensemble_quantities(sb_bench *bench);
