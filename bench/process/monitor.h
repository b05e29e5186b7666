/* Wraps a stepper so that the current operation, step and time are recorded in memory shared with the parent process,
 * which reads them if the process crashes. */
#pragma once

#include "analysis/analysis.h"

/* The members of sb_stepper. */
typedef enum sb_operation {
    SB_NO_OPERATION, /* before the first */
    SB_IN_INIT,
    SB_IN_START,
    SB_IN_STEP,
    SB_IN_REPORT,
    SB_IN_MOMENTUM,
    SB_OPERATIONS /* their number */
} sb_operation;

/* The last operation of a stepper. Written before every operation: a few stores, and a step may take 50 ns. A process
 * that goes astray may have written anything; there are no pointers. */
typedef struct sb_progress {
    sb_operation operation;
    long step;     /* number of the step since the last init or start, from 1 */
    double t, h;   /* time at the beginning of the step and its length, s */
    bool inside;   /* the operation has not returned */
    char text[80]; /* what a work without a stepper does, "" for one with a stepper */
} sb_progress;

/* Allocates the records of `count` (>= 1) steppers in memory shared with child processes. Fails with SB_NO_MEMORY. */
int sb_progress_share(sb_context *ctx, int count, sb_progress **progress);
void sb_progress_free(sb_progress *progress, int count);

/* Sets `out` to the pair with a wrapper around its stepper that records its operations. Fails with SB_NO_MEMORY. */
int sb_pair_monitor(sb_arena *arena, const sb_pair *pair, sb_progress *progress, sb_pair *out);

/* Writes the place: "in step 3 (t = 0.2, h = 0.1)", or the text. */
void sb_progress_place(const sb_progress *progress, char *out, size_t size);

/* Writes how a process ended, by the status `ended` of waitpid, and the place: "it crashed in step 3 (t = 0.2, h =
 * 0.1): Segmentation fault", "it ended the process with exit status 7 in start, before any step". */
void sb_progress_crash(const sb_progress *progress, int ended, char *out, size_t size);
