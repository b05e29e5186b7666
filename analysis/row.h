/* What the analyses share about their rows and options: status rows, default steps, which failures are results. */
#ifndef STEPBENCH_ANALYSIS_ROW_H
#define STEPBENCH_ANALYSIS_ROW_H

#include "analysis/analysis.h"

/* The length of a run in time scales where t_end is 0 and the analysis has no reason for another. */
#define SB_TIME_SCALES 20.0

/* Text of a `status` cell when nothing went wrong. */
#define SB_STATUS_FINE "ok"

/* True for failures that are a property of the pair (no convergence, overflow, singular matrix, off the domain) and so belong in a row;
 * false for those that end the analysis (memory, usage, interruption, output). */
bool sb_failure_is_result(int status);

/* A row that is empty but for the columns problem, stepper, h (empty when h <= 0) and status. Columns the analysis lacks are skipped.
 * Returns `why` when the row is written: the failure, or SB_OK where having no result is the answer. */
int sb_row_failure(const sb_analysis *analysis, const sb_pair *pair, double h, int why, const char *status, sb_sink *out);

/* For loops that go on after a failure that is a row: SB_OK for such a status, which *failed keeps, else the status itself. */
int sb_row_go_on(int status, int *failed);

/* Fails with SB_BAD_USAGE unless a run to t_end (s; 0: to about `scales` time scales) has a number of steps for every step asked for. */
int sb_check_lengths(sb_context *ctx, const sb_system *sys, const sb_reals *h, double t_end, double scales);

/* The steps asked for, or, when the list is empty, `levels` steps from time_scale/10 down by factors of `ratio`; from the largest to the
 * smallest, in s. A tenth of the shortest time of the motion is where a second-order method has left about 1 % of error. */
int sb_pick_steps(sb_arena *arena, const sb_system *sys, const sb_reals *asked, long levels, double ratio, sb_reals *out);

/* Shortens steps that were not asked for, all by one factor, so that the largest divides t_end; nothing to do when t_end is 0.
 * Fails with SB_BAD_USAGE when t_end is too many steps. */
int sb_fit_steps(sb_context *ctx, const sb_reals *asked, double t_end, sb_reals *h);

/* Computes the number of steps of length h to t_end (s; a multiple of h), or, when t_end is 0, to about `scales` time scales. Fails like sb_steps. */
int sb_pick_length(sb_context *ctx, const sb_system *sys, double t_end, double scales, double h, long *steps);

/* Writes the rows of a pair for one step h; `arena` is given back after it. */
typedef int (*sb_step_rows)(sb_context *ctx, sb_arena *arena, const void *config, const sb_pair *pair, double h, sb_sink *out);

/* `write` for every step asked for, or else for `levels` steps as sb_pick_steps takes them by halves, fitted to t_end (s; 0: none is asked for). Goes on after a
 * failure that is a row, and returns the last one. */
int sb_each_step(sb_context *ctx, const void *config, const sb_pair *pair, const sb_reals *asked, long levels, double t_end, sb_step_rows write, sb_sink *out);

#endif
