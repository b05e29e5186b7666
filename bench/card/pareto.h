/* Finds and draws the Pareto front of work and precision. */
#pragma once

#include "bench/runner/experiment.h"

/* Sets on[i] if row i is on the Pareto front of its problem: no row of the same problem has less cost and no more
 * error, or less error and no more cost. Rows without cost or error are not, and no rows with the status
 * "plateau", whose error is mostly round-off. `on` has room for table->nrows. */
void sb_pareto_mark(const sb_table *table, const char *cost, const char *error, bool *on);

/* Returns the number of rows of a stepper on a problem (NULL: on any) that are on the front. */
int sb_pareto_count(const sb_table *table, const bool *on, const char *problem, const char *stepper);

/* Writes the keys, steps, costs, errors and status of the table and a column `front` (yes, no) to out/NAME.csv, and the
 * diagram of it to out/NAME.svg and out/NAME.png. `cost` is also the name of the axis, `label` its label. The first six
 * steppers of `named` (NULL-terminated, or NULL) have their name and a colour, and then those with the most points on
 * the fronts. If the table is of an ensemble, it is drawn by medians, with bars between the quartiles. */
int sb_pareto_draw(sb_bench *bench, const sb_table *table, const char *cost, const char *label,
                   const char *const *named, const char *name);
