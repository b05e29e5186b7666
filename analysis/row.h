/* Rows of an analysis, its lists of steps, and the failures that are results. */
#pragma once

#include "analysis/analysis.h"

/* Duration of a run without t_end, in time scales, unless the analysis has a reason for another; see sb_default_end. */
#define SB_TIME_SCALES 20.0

/* Text of a status cell of a row with a result. */
#define SB_STATUS_OK "ok"

/* Expands to the number of cells and the cells: sb_row(task, SB_CELLS(sb_real(x), sb_int(n))). */
#define SB_CELLS(...)                                                                                                  \
    (int)(sizeof((sb_cell[]){__VA_ARGS__}) / sizeof(sb_cell)), (const sb_cell[]) { __VA_ARGS__ }

/* Writes a row. `cells` are those of the analysis' own columns in the order of its table; cells that are missing at the
 * end are empty. Sets problem, stepper, h (empty if task->h is 0) and status. */
int sb_row(const sb_task *task, int count, const sb_cell *cells);
/* The same with another status than SB_STATUS_OK. */
int sb_row_status(const sb_task *task, const char *status, int count, const sb_cell *cells);
/* Writes a row without own cells for the failure `why` with the message of task->ctx, and keeps `why` in task->failed.
 */
int sb_row_failed(sb_task *task, int why);

/* Writes a row for a pair that is not run: problem, stepper and status. */
int sb_row_not_run(const sb_analysis *analysis, const sb_pair *pair, const char *status, sb_sink *out);

/* Returns an empty cell for NaN, else a number. */
sb_cell sb_known(double x);
/* Returns the cell, or an empty one if it is a number that is NaN. */
sb_cell sb_filled(sb_cell cell);
/* Returns "yes" or "no". */
sb_cell sb_yes(bool x);

/* Returns whether a failure is a property of the pair and belongs in a row (no convergence, overflow, singular matrix,
 * unsupported term), and not one that ends the analysis (memory, usage, interruption, output). */
bool sb_failure_is_result(int status);

/* Returns the message of the last failure in ctx, or the general text of `status` if there is none. */
const char *sb_failure_text(const sb_context *ctx, int status);

/* Returns SB_OK for a failure that is a result, and sets *text to its message, from the arena; else the status. */
int sb_failure_keep(sb_arena *arena, int status, const char **text);

/* Returns SB_OK for a failure that is a result and sets *failed to it; else returns the status. For loops that continue
 * after such a failure. */
int sb_row_go_on(int status, int *failed);

/* Sets `out` to the values given, or if there are none to `levels` values from `largest` down by factors of `ratio`;
 * from the largest to the smallest. */
int sb_pick_values(sb_arena *arena, const sb_reals *given, long levels, double largest, double ratio, sb_reals *out);

/* Returns the smallest number that is 1, 2 or 5 times a power of ten and at least x > 0. */
double sb_round_number(double x);

/* Returns the largest step of a run without h, in s: a tenth of the time scale T (s), rounded to two significant
 * digits. With this step a second-order method has an error of about 1 %. */
double sb_default_step(double time_scale);

/* Returns the duration of a run without t_end, in s: 10 `scales` default steps, about `scales` time scales, or, if that
 * is longer, the default steps that cover a period. */
double sb_default_end(const sb_system *sys, double scales);

/* Shortens the steps h, unless they were given, by one common factor so that t_end is sb_round_number steps of the
 * largest; does nothing if t_end is 0. Fails with SB_BAD_USAGE if that takes too many steps. */
int sb_fit_steps(sb_context *ctx, const sb_reals *given, double t_end, sb_reals *h);

/* Computes the number of steps of length h to t_end (s; a multiple of h) or, if t_end is 0, to the default end or the
 * next multiple of h. Fails like sb_steps. */
int sb_pick_length(sb_context *ctx, const sb_system *sys, double t_end, double scales, double h, long *steps);
