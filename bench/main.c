/* Starts the program: installs signal handlers, prepares the libraries and calls cli_program. */
#include <signal.h>
#include <time.h>

#include "bench/cli/arithmetic.h"
#include "bench/cli/cli.h"

/* Set by the signal handler; everything else reads it through the context. */
static volatile sig_atomic_t interrupted;

/* Requests an orderly end. A second signal more than a second later ends the process at once; within a second it counts
 * as the same request, since a signal may be sent to a process and to its group. */
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
    signal(SIGXFSZ, SIG_IGN); /* writing a file beyond its limit of size fails like a full disk */
    cli_libraries();
    return cli_program(&interrupted, argc, argv);
}
