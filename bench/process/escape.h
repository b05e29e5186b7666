/* Ends a step that does not return, after an interruption. */
#ifndef STEPBENCH_BENCH_PROCESS_ESCAPE_H
#define STEPBENCH_BENCH_PROCESS_ESCAPE_H

#include "bench/process/monitor.h"

/* Calls body(arg) and returns its status. `progress` is that of the stepper that the body runs. Fails with
 * SB_INTERRUPTED, with the step in the message, if *ctx->interrupt is set and one operation of the stepper has not
 * returned half a second later; the memory that the body has allocated outside of arenas of its callers is then lost.
 * Uses SIGALRM and the real-time timer; calls do not nest. */
int sb_escape_run(sb_context *ctx, const sb_progress *progress, int (*body)(void *arg), void *arg);

#endif
