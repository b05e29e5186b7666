/* A stepper that leaves word of what it is doing in memory that outlives it: who died, and where. */
#ifndef STEPBENCH_BENCH_PROCESS_MONITOR_H
#define STEPBENCH_BENCH_PROCESS_MONITOR_H

#include "analysis/analysis.h"

/* X(constant, word) */
#define SB_OPERATION_LIST(X)                                                                                           \
    X(SB_OPERATION_NONE, "")                                                                                           \
    X(SB_OPERATION_INIT, "init")                                                                                       \
    X(SB_OPERATION_START, "start")                                                                                     \
    X(SB_OPERATION_STEP, "step")                                                                                       \
    X(SB_OPERATION_REPORT, "report")                                                                                   \
    X(SB_OPERATION_MOMENTUM, "momentum")

typedef enum sb_operation {
#define SB_OPERATION_ENUM(constant, word) constant,
    SB_OPERATION_LIST(SB_OPERATION_ENUM)
#undef SB_OPERATION_ENUM
} sb_operation;

/* What a watched stepper did last. Written before every operation, in a few stores beside a step that may take 50 ns.
 */
typedef struct sb_last_words {
    sb_operation operation; /* SB_OPERATION_NONE before the first */
    long step;              /* since the last init or start, counting from 1 */
    double t, h;            /* of the step */
    bool inside;            /* the operation has not returned */
} sb_last_words;

/* The last words of `count` (>= 1) steppers to be, in memory shared with processes that are made later. SB_NO_MEMORY.
 */
int sb_last_words_share(sb_context *ctx, int count, sb_last_words **words);
void sb_last_words_free(sb_last_words *words, int count);

/* `out` does what `pair` does and keeps word of it in *words. */
int sb_pair_watch(sb_arena *arena, const sb_pair *pair, sb_last_words *words, sb_pair *out);

/* "in step 3 (t = 0.2, h = 0.1)" */
void sb_last_words_place(const sb_last_words *words, char *out, size_t size);

/* "it crashed in step 3 (t = 0.2, h = 0.1): Segmentation fault", "it ended the process with exit status 7 in start,
 * before any step": the sentence for a process that ended as waitpid's `ended` says, at `place`. */
void sb_death(int ended, const char *place, char *out, size_t size);

#endif
