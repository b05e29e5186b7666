/* Runs an analysis of one pair in its own process, so that a stepper that crashes or never returns is reported and does
 * not end the program. */
#ifndef STEPBENCH_BENCH_PROCESS_ISOLATE_H
#define STEPBENCH_BENCH_PROCESS_ISOLATE_H

#include "analysis/analysis.h"

typedef enum sb_run_outcome {
    SB_RUN_DONE,     /* it ran to its end; failures are rows */
    SB_RUN_FAILED,   /* it ended with an error of its own */
    SB_RUN_LOST,     /* it ended for lack of memory or disk; another run may succeed */
    SB_RUN_CRASHED,  /* a signal ended it */
    SB_RUN_TIMED_OUT /* it exceeded its processor time, or ten times as long by the clock */
} sb_run_outcome;

/* Runs the analysis with options "k=v,..." on the pair. Keeps its rows up to the end in `rows`, which is initialised
 * here with the columns of the analysis. Unless the outcome is SB_RUN_DONE, `message` (from the arena) describes the
 * failure: what, where, in which step. The analysis may take `seconds` of processor time and ten times as long by the
 * clock. Returns SB_OK for every outcome; SB_INTERRUPTED, SB_BAD_USAGE for options that do not parse, or SB_NO_MEMORY.
 */
int sb_isolate(sb_context *ctx, sb_arena *arena, const sb_analysis *analysis, const char *options, const sb_pair *pair,
               long seconds, sb_table *rows, sb_run_outcome *outcome, const char **message);

#endif
