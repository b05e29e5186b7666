/* Calls code from outside in a process of its own first, to see whether it returns. */
#pragma once

#include <stepbench/context.h>

/* Calls body(arg) in a child process, which may take `seconds` of processor time and ten times as long by the clock (0:
 * any time), and discards what it prints; what it wrote to standard error is passed on if it does not return. Returns
 * SB_OK if it returns, with whatever status. Fails with `status` and the sentence that `what` ("plug-in FILE") crashed,
 * ended the process or was not `done` ("loaded") in time, and after a crash the `remedy`; with SB_INTERRUPTED; with
 * SB_IO without a process. */
int sb_try_apart(sb_context *ctx, int (*body)(void *arg), void *arg, long seconds, int status, const char *what,
                 const char *done, const char *remedy);
