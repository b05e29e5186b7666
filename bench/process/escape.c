/* Ends a step that does not return. A timer checks whether the run is interrupted and still in the same step; if so, it
 * leaves the step by siglongjmp. Rows written before are kept. */
#include "bench/process/escape.h"

#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

/* Interval of the timer, microseconds. */
enum { INTERVAL = 500000 };

/* Read by the signal handler. */
static struct {
    const volatile sig_atomic_t *interrupt;
    const volatile sb_progress *progress;
    const char *operation; /* and step, in which the last tick found an interrupted stepper; NULL: in none */
    long step;
    sigjmp_buf out;
} watch;

static void on_tick(int number) {
    (void)number;
    const volatile sb_progress *now = watch.progress;
    const char *operation = *watch.interrupt && now->inside ? now->operation : NULL;
    if (operation != NULL && operation == watch.operation && now->step == watch.step) {
        siglongjmp(watch.out, 1);
    }
    watch.operation = operation;
    watch.step = now->step;
}

static void start_timer(long interval) {
    const struct itimerval ticks = {{0, interval}, {0, interval}};
    setitimer(ITIMER_REAL, &ticks, NULL);
}

/* Stops the timer. A signal that is still pending is discarded by SIG_IGN: the former action would end the process. */
static void stop_timer(const struct sigaction *before) {
    start_timer(0);
    signal(SIGALRM, SIG_IGN);
    sigaction(SIGALRM, before, NULL);
}

int sb_escape_run(sb_context *ctx, const sb_progress *progress, int (*body)(void *arg), void *arg) {
    struct sigaction action = {.sa_handler = on_tick, .sa_flags = SA_RESTART}, before;
    if (ctx->interrupt == NULL) {
        return body(arg);
    }
    watch.interrupt = ctx->interrupt;
    watch.progress = progress;
    watch.operation = NULL;
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, &before);
    if (sigsetjmp(watch.out, 1) != 0) {
        char place[160];
        stop_timer(&before);
        sb_progress_place(progress, place, sizeof place);
        return sb_fail(ctx, SB_INTERRUPTED, "interrupted %s, which did not return", place);
    }
    start_timer(INTERVAL);
    const int status = body(arg);
    stop_timer(&before);
    return status;
}
