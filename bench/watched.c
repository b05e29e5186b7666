/* A stepper that leaves word of what it is doing in memory that outlives it: who died, and where. */
#include "bench/watched.h"

#include <stdio.h>

/* The face is the stepper with its operations replaced. */
typedef struct watched {
    sb_stepper face;
    const sb_stepper *inner;
    sb_last_words *words;
} watched;

static const watched *begin(const sb_method *me, const char *operation) {
    const watched *w = (const watched *)me->type;
    snprintf(w->words->operation, sizeof w->words->operation, "%s", operation);
    w->words->inside = true;
    return w;
}

static int end(const watched *w, int status) {
    w->words->inside = false;
    return status;
}

static int init(sb_method *me) {
    const watched *w = begin(me, "init");
    return end(w, w->inner->init(me));
}

static int start(const sb_method *me, double t, const double *q, const double *v, double h, sb_state *out) {
    const watched *w = begin(me, "start");
    w->words->step = 0;
    return end(w, w->inner->start(me, t, q, v, h, out));
}

static int start_pair(const sb_method *me, double t, const double *q0, const double *q1, double h, sb_state *out) {
    const watched *w = begin(me, "start");
    w->words->step = 0;
    return end(w, w->inner->start_pair(me, t, q0, q1, h, out));
}

static int step(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    const watched *w = begin(me, "step");
    w->words->step++;
    w->words->t = in->t;
    w->words->h = h;
    return end(w, w->inner->step(me, in, h, out));
}

static int report(const sb_method *me, const sb_state *in, double *v, double *lambda) {
    const watched *w = begin(me, "report");
    return end(w, w->inner->report(me, in, v, lambda));
}

static int momentum(const sb_method *me, const sb_state *in, double *p) {
    const watched *w = begin(me, "momentum");
    return end(w, w->inner->momentum(me, in, p));
}

static void fini(sb_method *me) {
    const watched *w = begin(me, "fini");
    w->inner->fini(me);
    end(w, SB_OK);
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
    w->face.fini = inner->fini != NULL ? fini : NULL;
    *out = *pair;
    out->type = &w->face;
    return SB_OK;
}
