/* Leaves a step that does not return after an interruption, and one that crashes. */
#ifndef STEPBENCH_BENCH_PROCESS_ESCAPE_H
#define STEPBENCH_BENCH_PROCESS_ESCAPE_H

#include "bench/process/monitor.h"

/* Calls body(arg) and returns its status. `progress` is the progress of the stepper that the body runs, `what` names it
 * in messages. Fails with SB_INTERRUPTED, with the step in the message, if *ctx->interrupt is set and one operation of
 * the stepper has not returned half a second later; with SB_NOT_CONVERGED if an operation crashes. The memory that the
 * body has allocated outside of arenas of its callers is then lost. An operation that ends the process is reported,
 * with exit status 3. Uses SIGALRM and the real-time timer; calls do not nest. Without ctx->interrupt it only calls. */
int sb_escape_run(sb_context *ctx, const char *what, const sb_progress *progress, int (*body)(void *arg), void *arg);

/* Binds the stepper of the pair, with a wrapper that records its operations in `progress`, in the same way. */
int sb_escape_bind(sb_context *ctx, sb_arena *arena, const char *what, const sb_pair *pair, sb_progress *progress,
                   sb_method *out);

#endif
