/* Measures the processor time of the points of a work-precision table. */
#ifndef STEPBENCH_BENCH_CARD_WORKPREC_TIME_H
#define STEPBENCH_BENCH_CARD_WORKPREC_TIME_H

#include "bench/runner/experiment.h"

/* Measures the time per step of every row of analysis `workprec` with a result, under the same formulations; columns
 * problem, stepper, h, tol, steps, err_relative, time_step (ns), time (ms), status. Takes about `budget` s per row, in
 * rounds of half a millisecond. */
int sb_workprec_time(sb_bench *bench, const sb_table *points, const sb_specs *formulations, double budget,
                     sb_table *out);

#endif
