/* Error against processor time: the points of a work-precision table, each timed. */
#ifndef STEPBENCH_BENCH_CARD_WORKPREC_TIME_H
#define STEPBENCH_BENCH_CARD_WORKPREC_TIME_H

#include "bench/runner/experiment.h"

/* Times the steps of every row of a table of analysis `workprec` whose runs went through, on the problems under the
 * formulations they were run with; columns problem, stepper, h, steps, err_relative, time_step (ns), time (ms). About
 * 50 ms a row. */
int sb_workprec_time(sb_bench *bench, const sb_table *points, const sb_specs *formulations, sb_table *out);

#endif
