/* An analysis of one pair in a process of its own: a stepper that crashes or never returns costs its rows, and is told where it died. */
#ifndef STEPBENCH_BENCH_PROCESS_ISOLATE_H
#define STEPBENCH_BENCH_PROCESS_ISOLATE_H

#include "analysis/analysis.h"

typedef enum sb_fate {
    SB_FATE_DONE,   /* it ran to its end; its failures are rows */
    SB_FATE_FAILED, /* it ended with an error of its own */
    SB_FATE_LOST,   /* it ended for lack of memory or disk: another run may say something else */
    SB_FATE_DIED,   /* a signal ended it */
    SB_FATE_LATE    /* it used up its processor time, or slept through it */
} sb_fate;

/* Runs the analysis with options "k=v,..." on the pair. Its rows up to the end are kept in `rows` (initialised here; of the columns of the analysis). Unless it
 * is done, `epitaph` (from the arena) is a sentence: what, where, in which step. `seconds` of processor time it may take; ten times as long by the clock.
 * The status is SB_OK for every fate; SB_INTERRUPTED, SB_BAD_USAGE for options that do not parse, or SB_NO_MEMORY. */
int sb_isolate(sb_context *ctx, sb_arena *arena, const sb_analysis *analysis, const char *options, const sb_pair *pair, long seconds, sb_table *rows,
               sb_fate *fate, const char **epitaph);

#endif
