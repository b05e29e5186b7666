/* Leaves a step that does not return, or that crashes. A timer checks whether the run is interrupted and still in the
 * same step. The handlers of the timer and of crashes leave the step by siglongjmp. Rows written before are kept. */
#include "bench/process/escape.h"
#include "core/base/escape.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

/* Interval of the timer, microseconds. */
enum { INTERVAL = 500000 };

static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { CRASHES = sizeof crashes / sizeof *crashes };

/* Read by the signal handlers. */
static struct {
    const volatile sig_atomic_t *interrupt;
    const volatile sb_progress *progress; /* NULL: no body runs */
    const char *what;                     /* name of the stepper in messages */
    const char *operation;                /* where the last tick found an interrupted stepper; NULL: nowhere */
    long step;                            /* of that operation */
    sigjmp_buf out;
    struct sigaction before[CRASHES + 1]; /* of the crashes, and of SIGALRM */
} watch;

static char signal_stack[1 << 16]; /* of the handlers: the crash may be an overflow of the program's stack */

static void on_tick(int number) {
    const volatile sb_progress *now = watch.progress;
    const char *operation = *watch.interrupt && now->inside ? now->operation : NULL;
    if (operation != NULL && operation == watch.operation && now->step == watch.step) {
        siglongjmp(watch.out, number);
    }
    watch.operation = operation;
    watch.step = now->step;
}

/* Leaves an operation of the stepper that crashes. A crash elsewhere ends the program by the default action. */
static void on_crash(int number) {
    if (watch.progress->inside) {
        siglongjmp(watch.out, number);
    }
    signal(number, SIG_DFL);
    raise(number);
}

/* Reports a stepper that calls exit. */
static void on_exit_inside(void) {
    if (watch.progress != NULL && watch.progress->inside) {
        char place[160];
        const sb_progress now = *watch.progress;
        sb_progress_place(&now, place, sizeof place);
        fflush(NULL);
        sb_write_line(stderr, "stepbench: %s: it ended the process %s", watch.what, place);
        _exit(3); /* CLI_ENDED_EARLY */
    }
}

static void start_timer(long interval) {
    const struct itimerval ticks = {{0, interval}, {0, interval}};
    setitimer(ITIMER_REAL, &ticks, NULL);
}

static void begin(sb_context *ctx, const char *what, const sb_progress *progress) {
    static bool registered;
    const stack_t stack = {.ss_sp = signal_stack, .ss_size = sizeof signal_stack};
    struct sigaction tick = {.sa_handler = on_tick, .sa_flags = SA_RESTART},
                     crash = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};
    watch.interrupt = ctx->interrupt;
    watch.progress = progress;
    watch.what = what;
    watch.operation = NULL;
    registered = registered || atexit(on_exit_inside) == 0;
    sigaltstack(&stack, NULL);
    sigemptyset(&tick.sa_mask);
    sigemptyset(&crash.sa_mask);
    for (int i = 0; i < CRASHES; i++) {
        sigaction(crashes[i], &crash, &watch.before[i]);
    }
    sigaction(SIGALRM, &tick, &watch.before[CRASHES]);
}

/* Restores what `begin` has changed. A SIGALRM that is still pending is discarded by SIG_IGN: the former action would
 * end the process. */
static void end(void) {
    const stack_t none = {.ss_flags = SS_DISABLE};
    start_timer(0);
    signal(SIGALRM, SIG_IGN);
    sigaction(SIGALRM, &watch.before[CRASHES], NULL);
    for (int i = 0; i < CRASHES; i++) {
        sigaction(crashes[i], &watch.before[i], NULL);
    }
    sigaltstack(&none, NULL);
    watch.progress = NULL;
}

int sb_escape_run(sb_context *ctx, const char *what, const sb_progress *progress, int (*body)(void *arg), void *arg) {
    if (ctx->interrupt == NULL) {
        return body(arg);
    }
    begin(ctx, what, progress);
    const int number = sigsetjmp(watch.out, 1);
    if (number != 0) {
        char text[300];
        end();
        if (number == SIGALRM) {
            sb_progress_place(progress, text, sizeof text);
            return sb_fail(ctx, SB_INTERRUPTED, "interrupted %s, which did not return", text);
        }
        sb_progress_crash(progress, number, text, sizeof text);
        return sb_fail(ctx, SB_NOT_CONVERGED, "%s: %s", what, text);
    }
    start_timer(INTERVAL);
    const int status = body(arg);
    end();
    return status;
}

typedef struct binding {
    sb_context *ctx;
    sb_arena *arena;
    sb_pair pair;
    sb_method *out;
} binding;

static int bind(void *arg) {
    const binding *b = arg;
    return sb_method_init(b->ctx, b->arena, b->pair.type, b->pair.config, b->pair.sys, b->out);
}

int sb_escape_bind(sb_context *ctx, sb_arena *arena, const char *what, const sb_pair *pair, sb_progress *progress,
                   sb_method *out) {
    binding b = {.ctx = ctx, .arena = arena, .out = out};
    SB_TRY(sb_pair_monitor(arena, pair, progress, &b.pair));
    return sb_escape_run(ctx, what, progress, bind, &b);
}
