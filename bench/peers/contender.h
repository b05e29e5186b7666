/* Runs of an engine with its settings, or of a stepper, on one mechanism with one step. */
#ifndef STEPBENCH_BENCH_PEERS_CONTENDER_H
#define STEPBENCH_BENCH_PEERS_CONTENDER_H

#include <stepbench/method.h>

#include "bench/peers/mechanism.h"

typedef struct contender {
    const char *engine, *settings; /* the columns of the table; a stepper's engine is "stepbench" */
    const peer_engine *peer;       /* NULL: a stepper */
    const peer_settings *values;
} contender;

typedef struct contest {
    const mechanism *on;
    double h;
    const contender *who;
    void *handle; /* of the engine */
    sb_method method;
    sb_state state[2];
    long steps;
    double *v;
} contest;

/* Opens a run from the initial state; the arena owns what it allocates. */
int contest_open(sb_context *ctx, sb_arena *arena, const mechanism *on, const contender *who, double h, contest *out);
/* Takes a step. Fails like sb_method_step. */
int contest_step(contest *me);
/* Sets positions and rates of the bodies. */
int contest_read(contest *me, peer_body *body);

#endif
