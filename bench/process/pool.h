/* Runs child processes, a limited number at a time: one per experiment or per pair of an analysis, so that a crash
 * ends only one of them. Runs other programs. */
#pragma once

#include <stdio.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "bench/process/meter.h"

typedef struct sb_processes {
    void *arg;
    /* Called in the parent before each child k: returns whether one more is to be created with this number, after those
     * that have ended. NULL: one child for each number. */
    bool (*more)(void *arg, int k);
    /* Called in the parent before child k is created. Returns a status. May be NULL. */
    int (*before)(void *arg, int k);
    /* Called in the child, which has a copy of the parent's memory. `to` is the end of a pipe to the parent, -1 without
     * `receive`. Returns the exit status. */
    int (*child)(void *arg, int k, int to);
    /* Called in the parent with what child k has written to its pipe, up to its end. Returns a status like `after`.
     * NULL: there is no pipe. */
    int (*receive)(void *arg, int k, const void *bytes, size_t size);
    /* Called in the parent after child k has ended, with the status `ended` of waitpid, what it used, and its duration
     * in s. Returns a status; any but SB_OK ends the other children. */
    int (*after)(void *arg, int k, long pid, int ended, const struct rusage *used, double seconds);
    /* Returns what child k does, for a terminal (meter.h). NULL: nothing is shown. */
    const char *(*name)(const void *arg, int k);
    /* Time by the clock after which a child is killed, s; 0: there is no limit. */
    double most_seconds;
    /* The meter of a longer work of which all children are one part; NULL: each child is a part of the work shown. */
    sb_meter *meter;
} sb_processes;

/* Runs the children 0 to count - 1 in this order, at most `most` (>= 1) at a time. A call in a child counts its own
 * children among the processes of the outermost call, and may run one of them even if these are too many. When
 * interrupted (ctx->interrupt), creates no more children, sends SIGTERM to those that run, kills them if they still run
 * after ten seconds, waits for their end, and returns SB_OK. What a child has started ends with it. When the parent is
 * killed, the kernel kills its children (on Linux). Fails with SB_NO_MEMORY if no process can be created, or with the
 * first failure of `before` and `after`.
 */
int sb_processes_run(sb_context *ctx, sb_arena *arena, int count, long most, const sb_processes *work);

/* Returns whether a child process has ended; it remains to be waited for. */
bool sb_child_ended(pid_t pid);

/* Kills a child process, and the processes of the group of which it is the leader, which it has started. Returns
 * its status of waitpid, -1 if there is none, and in *used what it used (NULL: not wanted). */
int sb_child_end(pid_t pid, struct rusage *used);

/* The exit status of a program that cannot be started, as in a shell. */
enum { SB_NO_PROGRAM = 127 };

/* Runs the program argv[0] and waits for its end. What it writes to its standard error goes to the file `errors` (NULL:
 * it is discarded), what it writes to its standard output to the stream `out` (NULL: to the standard output of this
 * process), whose error indicator is set if not all of it could be written. Returns its exit status, 1 if a signal
 * ended it, as an interruption does, which sb_poll reports then. The kernel kills it with this process (on Linux). */
int sb_program_run(const sb_context *ctx, char *const *argv, FILE *errors, FILE *out);
/* Fails with SB_IO if a program, which `what` needs, is not installed. */
int sb_program_find(sb_context *ctx, const char *name, const char *what);

/* Returns `jobs`, or the number of processors if it is 0. */
long sb_processes_at_a_time(long jobs);
