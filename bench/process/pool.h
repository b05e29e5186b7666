/* Child processes, some at a time: what the bench's experiments and an analysis's pairs are run in, so that a crash
 * costs one of them. */
#ifndef STEPBENCH_BENCH_PROCESS_POOL_H
#define STEPBENCH_BENCH_PROCESS_POOL_H

#include <stdbool.h>

#include <stepbench/context.h>

typedef struct sb_processes {
    void *arg;
    /* In the parent, before child k is made (NULL: nothing); a status. */
    int (*before)(void *arg, int k);
    /* The child's whole life; its exit status. It has the parent's memory as it was and its own from then on. */
    int (*child)(void *arg, int k);
    /* In the parent, once child k has ended as waitpid's `ended` says, after `seconds`; a status: anything but SB_OK
     * ends the others, too. */
    int (*after)(void *arg, int k, long pid, int ended, double seconds);
} sb_processes;

/* Children 0 to count - 1, in this order, at most `most` at a time. Asked to stop (ctx->interrupt) it makes no more of
 * them, passes SIGTERM on and waits for their end; the status is SB_OK then, too. When the parent is killed, the kernel
 * kills its children (on Linux). */
int sb_processes_run(sb_context *ctx, sb_arena *arena, int count, long most, const sb_processes *work);

/* What sb_program_run returns for a program that cannot be started, as a shell does. */
enum { SB_NO_PROGRAM = 127 };

/* Runs the program argv[0] and waits for its end; `quiet` discards what it writes to standard error. Returns its exit
 * status, 1 if a signal ended it. It is killed when this process is. */
int sb_program_run(char *const *argv, bool quiet);

/* Processors of this machine, at least 1. */
long sb_processors(void);

#endif
