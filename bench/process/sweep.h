/* An analysis over a product of problems and steppers, each pair in a process of its own. */
#ifndef STEPBENCH_BENCH_PROCESS_SWEEP_H
#define STEPBENCH_BENCH_PROCESS_SWEEP_H

#include "analysis/analysis.h"

/* The rows of every pair in the order of the product, however many processes (`jobs`) run at a time: as sb_analysis_run
 * gives them. A pair whose process a signal ends, or that ends its process, keeps the rows it has written and gets one
 * whose `status` says so, and in which step; the others go on. Calls begin, and end unless the status is not SB_OK. */
int sb_sweep(sb_context *ctx, sb_arena *arena, const sb_analysis *analysis, const void *config, const sb_call *call,
             long jobs, sb_sink *out);

#endif
