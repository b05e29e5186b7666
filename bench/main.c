/* stepbench's command line: signals and libraries; the rest is cli_program's. */
#include <signal.h>
#include <time.h>

#include "bench/cli/arithmetic.h"
#include "bench/cli/cli.h"

/* The handler has no other way to be heard; everything else reads it through the context. */
static volatile sig_atomic_t interrupted;

/* Asked once, a command ends in order. One that hasn't a second later ends at once when asked again; a signal that
 * merely comes twice, to a process and to its group, is one request. */
static void on_signal(int number) {
    static struct timespec first;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!interrupted) {
        interrupted = 1;
        first = now;
    } else if (now.tv_sec - first.tv_sec > 1) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

int main(int argc, char **argv) {
    cli_pin_arithmetic(argv);
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    if (signal(SIGHUP, on_signal) == SIG_IGN) {
        signal(SIGHUP, SIG_IGN); /* nohup */
    }
    signal(SIGXFSZ, SIG_IGN); /* a file over its limit is an error of writing, told like a full disk */
    cli_libraries();
    return cli_program(&interrupted, argc, argv);
}
