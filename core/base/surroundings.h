/* The state of the process that code from outside may change and rows depend on: rounding and traps of floating-point
 * operations, locale, working directory, signals. A stepper runs in a process of its own (bench/process/pairs.h); a
 * plug-in is loaded, and a problem built, in this one. */
#pragma once

#include <fenv.h>
#include <signal.h>

enum { SB_KEPT_SIGNALS = 32 };

typedef struct sb_surroundings {
    fenv_t floating;
    char locale[512]; /* "": it does not fit, and stays as it is */
    int directory;    /* file descriptor; -1: unknown */
    sigset_t mask;
    struct sigaction actions[SB_KEPT_SIGNALS];
} sb_surroundings;

void sb_surroundings_keep(sb_surroundings *out);
/* Sets what was kept, and releases it. */
void sb_surroundings_restore(sb_surroundings *kept);
