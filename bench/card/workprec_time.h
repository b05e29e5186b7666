/* Measures the processor time of the points of a work-precision table. */
#pragma once

#include "bench/runner/experiment.h"

enum { SB_WORKPREC_TIME_COLUMNS = 9 };
extern const sb_column sb_workprec_time_columns[SB_WORKPREC_TIME_COLUMNS];

/* Measures the time per step of every row of analysis `workprec` with a result, under the same formulations; columns
 * problem, stepper, h, tol, steps, err_relative, time_step (ns), time (ms), status. The time is empty where the steps
 * cannot be repeated from their start. Takes about `budget` s per row, in
 * rounds of half a millisecond. */
int sb_workprec_time(sb_bench *bench, const sb_table *points, const sb_specs *formulations, double budget,
                     sb_table *out);
