/* Calls code from outside in a process of its own first, to see whether it returns. */
#pragma once

#include <sys/types.h>

#include <stepbench/context.h>

/* What a host whose interpreter has a lock calls around a fork, in this order: enter and before; `parent` or `child`,
 * each in its process; leave, with the result of enter. A child has no other thread that could open the lock. */
typedef struct sb_fork_hooks {
    int (*enter)(void);
    void (*before)(void), (*parent)(void), (*child)(void);
    void (*leave)(int entered);
} sb_fork_hooks;

/* Sets the hooks of this process, for all of its threads. */
void sb_fork_set_hooks(const sb_fork_hooks *hooks);

/* Creates a child process in which callbacks of the host may be called. Returns what fork returns, with its errno. */
pid_t sb_fork(void);

/* Calls body(arg) in a child process, which may take `seconds` of processor time and ten times as long by the clock (0:
 * any time), and discards what it prints; what it wrote to standard error is passed on if it does not return. Returns
 * SB_OK if it returns, with whatever status. Fails with `status` and the sentence that `what` ("plug-in FILE") crashed,
 * ended the process or was not `done` ("loaded") in time, and after a crash the `remedy`; with SB_INTERRUPTED; with
 * SB_IO without a process. */
int sb_try_apart(sb_context *ctx, int (*body)(void *arg), void *arg, long seconds, int status, const char *what,
                 const char *done, const char *remedy);
