/* A stepper that leaves word of what it is doing in memory that outlives it: who died, and where. */
#ifndef STEPBENCH_BENCH_WATCHED_H
#define STEPBENCH_BENCH_WATCHED_H

#include "analysis/analysis.h"

/* What a watched stepper did last. Written before every operation; lies in memory shared between processes. */
typedef struct sb_last_words {
    char operation[16]; /* "init", "start", "step", "report", "momentum", "fini"; "" before the first */
    long step;          /* since the last start, counting from 1 */
    double t, h;        /* of the step */
    bool inside;        /* the operation has not returned */
} sb_last_words;

/* `out` does what `pair` does and keeps word of it in *words. */
int sb_pair_watch(sb_arena *arena, const sb_pair *pair, sb_last_words *words, sb_pair *out);

#endif
