/* Starts the program: installs signal handlers, prepares the libraries and calls cli_program. */
#include <fcntl.h>
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

/* Opens /dev/null in the place of standard streams that are closed, so that their use still fails: files and pipes
 * would take their numbers, and a program that is started would have them as its streams. */
static void reserve_streams(void) {
    for (int stream = 0; stream < 3; stream++) {
        if (fcntl(stream, F_GETFD) < 0) {
            (void)!open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
        }
    }
}

int main(int argc, char **argv) {
    reserve_streams();
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
