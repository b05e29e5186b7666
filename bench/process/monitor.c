/* Wraps a stepper so that the current operation, step and time are recorded in memory shared with the parent process.
 */
#include "bench/process/monitor.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

/* A stepper whose operations record their progress and call the operations of `inner`. */
typedef struct wrapper {
    sb_stepper stepper;
    const sb_stepper *inner;
    sb_progress *progress;
} wrapper;

static const char *const operations[SB_OPERATIONS] = {[SB_IN_INIT] = "init",
                                                      [SB_IN_START] = "start",
                                                      [SB_IN_STEP] = "step",
                                                      [SB_IN_REPORT] = "report",
                                                      [SB_IN_MOMENTUM] = "momentum"};

/* Records the beginning of an operation and returns the method with its own type, which may be part of a larger struct.
 */
static sb_method begin(const sb_method *me, sb_operation operation) {
    const wrapper *w = (const wrapper *)me->type;
    sb_method method = *me;
    method.type = w->inner;
    w->progress->operation = operation;
    w->progress->inside = true;
    return method;
}

/* Ends an operation, and makes a failure of the stepper of a status that would end the whole command: a number that is
 * none, wrong usage or a file after init, an interruption that there was not. */
static int end(const sb_method *me, int status) {
    sb_progress *progress = ((const wrapper *)me->type)->progress;
    progress->inside = false;
    switch (status) {
    case SB_BAD_USAGE:
    case SB_IO: return progress->operation == SB_IN_INIT ? status : SB_NOT_CONVERGED;
    case SB_INTERRUPTED: return sb_interrupted(me->ctx) ? status : SB_NOT_CONVERGED;
    case SB_OK:
    case SB_NO_MEMORY:
    case SB_UNSUPPORTED:
    case SB_INCONSISTENT:
    case SB_BAD_PLUGIN: return status;
    default:
        return status > 0 && status <= SB_DOMAIN
                   ? status
                   : sb_fail(me->ctx, SB_NOT_CONVERGED, "%s: its %s returned %d, which is no status of a stepper",
                             me->type->entry.name, operations[progress->operation], status);
    }
}

/* Init may replace the type of the method: the wrapper is then that of the new type. */
static int init(sb_method *me) {
    const wrapper *w = (const wrapper *)me->type;
    w->progress->step = 0;
    me->type = begin(me, SB_IN_INIT).type;
    const int status = me->type->init(me);
    const sb_stepper *bound = me->type;
    me->type = &w->stepper;
    me->steps = NULL; /* every step is recorded */
    if (bound != w->inner) {
        wrapper *own;
        SB_NEW(me->arena, own, 1);
        *own = *w;
        own->inner = bound;
        own->stepper.continues = bound->continues;
        me->type = &own->stepper;
    }
    return end(me, status);
}

static int start(const sb_method *me, double t, const double *q, const double *v, double h, sb_state *out) {
    const sb_method inner = begin(me, SB_IN_START);
    ((const wrapper *)me->type)->progress->step = 0;
    return end(me, inner.type->start(&inner, t, q, v, h, out));
}

static int start_pair(const sb_method *me, double t, const double *q0, const double *q1, double h, sb_state *out) {
    const sb_method inner = begin(me, SB_IN_START);
    ((const wrapper *)me->type)->progress->step = 0;
    return end(me, inner.type->start_pair(&inner, t, q0, q1, h, out));
}

static int step(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    const sb_method inner = begin(me, SB_IN_STEP);
    sb_progress *progress = ((const wrapper *)me->type)->progress;
    progress->step++;
    progress->t = in->t;
    progress->h = h;
    return end(me, inner.type->step(&inner, in, h, out));
}

static int report(const sb_method *me, const sb_state *in, const sb_state *next, double *v, double *lambda) {
    const sb_method inner = begin(me, SB_IN_REPORT);
    return end(me, inner.type->report(&inner, in, next, v, lambda));
}

static int momentum(const sb_method *me, const sb_state *in, double *p) {
    const sb_method inner = begin(me, SB_IN_MOMENTUM);
    return end(me, inner.type->momentum(&inner, in, p));
}

int sb_pair_monitor(sb_arena *arena, const sb_pair *pair, sb_progress *progress, sb_pair *out) {
    const sb_stepper *inner = pair->type;
    wrapper *w;
    SB_NEW(arena, w, 1);
    *w = (wrapper){*inner, inner, progress};
    w->stepper.init = init;
    w->stepper.start = inner->start != NULL ? start : NULL;
    w->stepper.start_pair = inner->start_pair != NULL ? start_pair : NULL;
    w->stepper.step = step;
    w->stepper.report = inner->report != NULL ? report : NULL;
    w->stepper.momentum = inner->momentum != NULL ? momentum : NULL;
    *out = *pair;
    out->type = &w->stepper;
    return SB_OK;
}

int sb_progress_share(sb_context *ctx, int count, sb_progress **progress) {
    void *memory =
        mmap(NULL, (size_t)count * sizeof(sb_progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return sb_fail(ctx, SB_NO_MEMORY, "no memory to share with a process: %s", strerror(errno));
    }
    *progress = memory;
    return SB_OK;
}

void sb_progress_free(sb_progress *progress, int count) { munmap(progress, (size_t)count * sizeof *progress); }

void sb_progress_place(const sb_progress *progress, char *out, size_t size) {
    const char *when = progress->inside ? "in" : "after";
    const unsigned operation = (unsigned)progress->operation;
    if (progress->text[0] != '\0') {
        snprintf(out, size, "%.*s", (int)sizeof progress->text, progress->text);
    } else if (operation == SB_NO_OPERATION || operation >= SB_OPERATIONS) {
        snprintf(out, size, "before its first operation");
    } else if (operation == SB_IN_STEP) {
        snprintf(out, size, "%s step %ld (t = %.6g, h = %.6g)", when, progress->step, progress->t, progress->h);
    } else {
        snprintf(out, size, "%s %s%s", when, operations[operation], progress->step > 0 ? "" : ", before any step");
    }
}

void sb_progress_crash(const sb_progress *progress, int ended, char *out, size_t size) {
    char place[160];
    sb_progress_place(progress, place, sizeof place);
    if (WIFSIGNALED(ended)) {
        snprintf(out, size, "it crashed %s: %s", place, strsignal(WTERMSIG(ended)));
    } else {
        snprintf(out, size, "it ended the process with exit status %d %s", WEXITSTATUS(ended), place);
    }
}
