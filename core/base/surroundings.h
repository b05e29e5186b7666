/* The state of the process that code from outside may change and rows depend on: rounding and traps of floating-point
 * operations, locale, working directory, standard streams, mode of new files, signals, timers. A stepper runs in a
 * process of its own (bench/process/pairs.h); a plug-in is loaded, and a problem built, in this one. */
#pragma once

#include <fenv.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/time.h>
#include <sys/types.h>

enum { SB_KEPT_SIGNALS = 32, SB_KEPT_TIMERS = 3, SB_KEPT_STREAMS = 3 };

typedef struct sb_surroundings {
    fenv_t floating;
    char locale[512]; /* "": it does not fit, and stays as it is */
    int directory;    /* file descriptor; -1: unknown */
    int streams[SB_KEPT_STREAMS];
    mode_t mode; /* of umask */
    pid_t process;
    struct itimerval timers[SB_KEPT_TIMERS];
    sigset_t mask;
    struct sigaction actions[SB_KEPT_SIGNALS];
} sb_surroundings;

/* Keeps the state. `apart`: what is written to standard output goes to standard error from then on, away from rows; the
 * threads of a host of sessions write there meanwhile. */
void sb_surroundings_keep(sb_surroundings *out, bool apart);
/* Sets what was kept, and releases it. A copy of the process, which the code has made, ends here.
 * Returns false if the code has closed what was kept of a standard stream, as closefrom(3) does: rows would be lost. */
bool sb_surroundings_restore(sb_surroundings *kept);
