/* A stepper that leaves word of what it is doing in memory that outlives it: who died, and where. */
#include "bench/process/monitor.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

/* The face is the stepper with its operations replaced. */
typedef struct watched {
    sb_stepper face;
    const sb_stepper *inner;
    sb_last_words *words;
} watched;

static const watched *begin(const sb_method *me, sb_operation operation) {
    const watched *w = (const watched *)me->type;
    w->words->operation = operation;
    w->words->inside = true;
    return w;
}

static int end(const watched *w, int status) {
    w->words->inside = false;
    return status;
}

/* The method as the stepper itself knows it: one may find more behind its type. */
static sb_method bare(const sb_method *me, const watched *w) {
    sb_method method = *me;
    method.type = w->inner;
    return method;
}

static int init(sb_method *me) {
    const watched *w = begin(me, SB_OPERATION_INIT);
    w->words->step = 0;
    me->type = w->inner;
    const int status = w->inner->init(me);
    me->type = &w->face;
    return end(w, status);
}

static int start(const sb_method *me, double t, const double *q, const double *v, double h, sb_state *out) {
    const watched *w = begin(me, SB_OPERATION_START);
    const sb_method inner = bare(me, w);
    w->words->step = 0;
    return end(w, w->inner->start(&inner, t, q, v, h, out));
}

static int start_pair(const sb_method *me, double t, const double *q0, const double *q1, double h, sb_state *out) {
    const watched *w = begin(me, SB_OPERATION_START);
    const sb_method inner = bare(me, w);
    w->words->step = 0;
    return end(w, w->inner->start_pair(&inner, t, q0, q1, h, out));
}

static int step(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    const watched *w = begin(me, SB_OPERATION_STEP);
    const sb_method inner = bare(me, w);
    w->words->step++;
    w->words->t = in->t;
    w->words->h = h;
    return end(w, w->inner->step(&inner, in, h, out));
}

static int report(const sb_method *me, const sb_state *in, const sb_state *next, double *v, double *lambda) {
    const watched *w = begin(me, SB_OPERATION_REPORT);
    const sb_method inner = bare(me, w);
    return end(w, w->inner->report(&inner, in, next, v, lambda));
}

static int momentum(const sb_method *me, const sb_state *in, double *p) {
    const watched *w = begin(me, SB_OPERATION_MOMENTUM);
    const sb_method inner = bare(me, w);
    return end(w, w->inner->momentum(&inner, in, p));
}

int sb_pair_watch(sb_arena *arena, const sb_pair *pair, sb_last_words *words, sb_pair *out) {
    const sb_stepper *inner = pair->type;
    watched *w;
    SB_NEW(arena, w, 1);
    *w = (watched){*inner, inner, words};
    w->face.init = init;
    w->face.start = inner->start != NULL ? start : NULL;
    w->face.start_pair = inner->start_pair != NULL ? start_pair : NULL;
    w->face.step = step;
    w->face.report = inner->report != NULL ? report : NULL;
    w->face.momentum = inner->momentum != NULL ? momentum : NULL;
    *out = *pair;
    out->type = &w->face;
    return SB_OK;
}

int sb_last_words_share(sb_context *ctx, int count, sb_last_words **words) {
    void *memory =
        mmap(NULL, (size_t)count * sizeof(sb_last_words), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return sb_fail(ctx, SB_NO_MEMORY, "no memory to share with a process: %s", strerror(errno));
    }
    *words = memory;
    return SB_OK;
}

void sb_last_words_free(sb_last_words *words, int count) {
    munmap(words, (size_t)count * sizeof *words);
}

void sb_last_words_place(const sb_last_words *words, char *out, size_t size) {
    static const char *const names[] = {
#define SB_OPERATION_WORD(constant, word) [constant] = word,
        SB_OPERATION_LIST(SB_OPERATION_WORD)
#undef SB_OPERATION_WORD
    };
    const char *when = words->inside ? "in" : "after", *name = names[words->operation];
    if (words->operation == SB_OPERATION_NONE) {
        snprintf(out, size, "before its first operation");
    } else if (words->operation == SB_OPERATION_STEP) {
        snprintf(out, size, "%s step %ld (t = %.6g, h = %.6g)", when, words->step, words->t, words->h);
    } else {
        snprintf(out, size, "%s %s%s", when, name, words->step > 0 ? "" : ", before any step");
    }
}

void sb_death(int ended, const char *place, char *out, size_t size) {
    if (WIFSIGNALED(ended)) {
        snprintf(out, size, "it crashed %s: %s", place, strsignal(WTERMSIG(ended)));
    } else {
        snprintf(out, size, "it ended the process with exit status %d %s", WEXITSTATUS(ended), place);
    }
}
