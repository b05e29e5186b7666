/* Calls code from outside in a process of its own first. */
#include "core/base/apart.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The exit status of a child that returned from the body; limit by the clock over that of processor time. */
enum { RETURNED = 90, CLOCK_FACTOR = 10 };

static sb_fork_hooks host; /* of the process, as its interpreter is */

void sb_fork_set_hooks(const sb_fork_hooks *hooks) { host = *hooks; }

pid_t sb_fork(void) {
    const sb_fork_hooks hooks = host;
    if (hooks.enter == NULL) {
        return fork();
    }
    const int entered = hooks.enter();
    hooks.before();
    const pid_t pid = fork();
    const int why = errno;
    (pid == 0 ? hooks.child : hooks.parent)();
    hooks.leave(entered);
    errno = why;
    return pid;
}

static void call_and_exit(int (*body)(void *arg), void *arg, long seconds, int said) {
    static const int defaults[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM};
    const struct rlimit no_core = {0, 0}, time = {(rlim_t)seconds, (rlim_t)seconds};
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
        signal(defaults[i], SIG_DFL);
    }
    setrlimit(RLIMIT_CORE, &no_core);
    if (seconds > 0) {
        setrlimit(RLIMIT_CPU, &time);
        alarm((unsigned)(CLOCK_FACTOR * seconds));
    }
    if (freopen("/dev/null", "w", stdout) != NULL && dup2(said, STDERR_FILENO) >= 0) {
        (void)body(arg);
    }
    _exit(RETURNED);
}

/* Waits for the end of the child, which is killed when interrupted. A signal need not end a call of waitpid, so that it
 * is asked after 0.1 ms, twice that, and so on up to 20 ms. */
static int wait_for(sb_context *ctx, pid_t child, const char *what, int *ended) {
    struct timespec pause = {0, 100000};
    for (;;) {
        const pid_t found = waitpid(child, ended, WNOHANG);
        if (found == child) {
            return SB_OK;
        }
        if (found < 0 && errno != EINTR) {
            return sb_fail(ctx, SB_IO, "%s cannot be tried: the child process is lost: %s", what, strerror(errno));
        }
        if (sb_interrupted(ctx)) {
            kill(child, SIGKILL);
        }
        nanosleep(&pause, NULL);
        pause.tv_nsec = pause.tv_nsec < 10000000 ? 2 * pause.tv_nsec : 20000000;
    }
}

/* Calls the body in a child whose standard error is a pipe, and waits. If it did not return, passes on what is in the
 * pipe, such as the report of a sanitizer; the child's writes to a full pipe fail. */
static int call_apart(sb_context *ctx, int (*body)(void *arg), void *arg, long seconds, const char *what, int *ended) {
    int said[2];
    fflush(NULL);
    if (pipe(said) != 0) {
        return sb_fail(ctx, SB_IO, "%s cannot be tried: cannot create a pipe: %s", what, strerror(errno));
    }
    fcntl(said[0], F_SETFL, O_NONBLOCK);
    fcntl(said[1], F_SETFL, O_NONBLOCK);
    const pid_t child = sb_fork();
    if (child == 0) {
        call_and_exit(body, arg, seconds, said[1]);
    }
    int status =
        child < 0 ? sb_fail(ctx, SB_IO, "%s cannot be tried: cannot create a child process: %s", what, strerror(errno))
                  : wait_for(ctx, child, what, ended);
    status = status == SB_OK ? sb_poll(ctx) : status;
    char bytes[4096];
    ssize_t length = status == SB_OK && !(WIFEXITED(*ended) && WEXITSTATUS(*ended) == RETURNED) ? 1 : 0;
    while (length > 0 && (length = read(said[0], bytes, sizeof bytes)) > 0) {
        length = write(STDERR_FILENO, bytes, (size_t)length);
    }
    close(said[0]);
    close(said[1]);
    return status;
}

int sb_try_apart(sb_context *ctx, int (*body)(void *arg), void *arg, long seconds, int status, const char *what,
                 const char *done, const char *remedy) {
    int ended;
    SB_TRY(call_apart(ctx, body, arg, seconds, what, &ended));
    if (WIFEXITED(ended)) {
        return WEXITSTATUS(ended) == RETURNED
                   ? SB_OK
                   : sb_fail(ctx, status, "%s ended the process with exit status %d while it was %s", what,
                             WEXITSTATUS(ended), done);
    }
    const int number = WTERMSIG(ended);
    return seconds > 0 && (number == SIGXCPU || number == SIGKILL || number == SIGALRM)
               ? sb_fail(ctx, status, "%s was not %s within %ld s", what, done,
                         number == SIGALRM ? CLOCK_FACTOR * seconds : seconds)
               : sb_fail(ctx, status, "%s crashed while it was %s: %s; %s", what, done, strsignal(number), remedy);
}
