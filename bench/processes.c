/* Child processes, some at a time: what the bench's experiments and an analysis's pairs are run in, so that a crash costs one of them. */
#include "bench/processes.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct child {
    pid_t pid; /* 0: not running */
    double begun;
} child;

typedef struct pool {
    sb_context *ctx;
    const sb_processes *work;
    int count, next, running;
    child *list;
    int status; /* the first that wasn't SB_OK */
    bool stopped;
} pool;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A parent that is killed takes its children along, where the system knows how. */
static void follow_parent(pid_t parent) {
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
    if (getppid() != parent) {
        _exit(1);
    }
}

static int start(pool *p, int k) {
    const pid_t parent = getpid();
    SB_TRY(p->work->before != NULL ? p->work->before(p->work->arg, k) : SB_OK);
    fflush(NULL);
    p->list[k].begun = now();
    const pid_t pid = fork();
    if (pid < 0) {
        return sb_fail(p->ctx, SB_NO_MEMORY, "no process more: %s", strerror(errno));
    }
    if (pid == 0) {
        follow_parent(parent);
        _exit(p->work->child(p->work->arg, k));
    }
    p->list[k].pid = pid;
    p->running++;
    return SB_OK;
}

/* Keeps the first failure and its sentence. */
static void keep(pool *p, int status) {
    if (p->status == SB_OK) {
        p->status = status;
    }
}

static void look(pool *p) {
    for (int k = 0; k < p->next; k++) {
        child *c = &p->list[k];
        int ended;
        if (c->pid == 0 || waitpid(c->pid, &ended, WNOHANG) != c->pid) {
            continue;
        }
        const pid_t pid = c->pid;
        c->pid = 0;
        p->running--;
        keep(p, p->work->after(p->work->arg, k, (long)pid, ended, now() - c->begun));
    }
}

static void stop(pool *p) {
    for (int k = 0; k < p->next && !p->stopped; k++) {
        if (p->list[k].pid != 0) {
            kill(p->list[k].pid, SIGTERM);
        }
    }
    p->stopped = true;
}

int sb_processes_run(sb_context *ctx, sb_arena *arena, int count, long most, const sb_processes *work) {
    const struct timespec nap = {0, 1000000}; /* s, ns: long against a look, short against what is worth a process */
    pool p = {.ctx = ctx, .work = work, .count = count};
    SB_NEW(arena, p.list, count);
    for (;;) {
        look(&p);
        if (p.status != SB_OK || (ctx->interrupt != NULL && *ctx->interrupt)) {
            stop(&p);
        }
        if (p.running == 0 && (p.stopped || p.next == count)) {
            return p.status;
        }
        if (!p.stopped && p.next < count && p.running < most) {
            keep(&p, start(&p, p.next++));
            continue;
        }
        nanosleep(&nap, NULL);
    }
}

long sb_processors(void) {
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 1 ? count : 1;
}
