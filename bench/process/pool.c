/* Runs child processes, a limited number at a time, and other programs. */
#include "bench/process/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/select.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/apart.h"

enum { PIPE_BYTES = 1 << 16 };

typedef struct child {
    pid_t pid; /* 0: not running */
    int from;  /* pipe from it, -1: none */
    double begun;
} child;

typedef struct pool {
    sb_context *ctx;
    const sb_processes *work;
    int count, next, running;
    child *list;
    char *bytes; /* PIPE_BYTES, from a pipe */
    int status;  /* the first failure */
    bool stopped;
    double patience;      /* time of the clock until which a stopped child may run */
    sb_meter own, *meter; /* meter: the meter of the work, or `own` */
    sigset_t mask;        /* signal mask of the caller, in which SIGCHLD is not blocked */
} pool;

/* ---- Tokens. ---- */

/* A pipe with one byte for each process that may still be created, as in the jobserver of make. The outermost pool
 * makes it, in each thread of its own; the pools of its children inherit it. A pool needs no token for the first of its
 * processes, because the one that runs the pool waits meanwhile. A pool that is killed loses its tokens, and the others
 * go on with fewer. */
static _Thread_local int tokens[2] = {-1, -1};

static void give_token(void) {
    while (write(tokens[1], "", 1) < 0 && errno == EINTR) {
    }
}

static bool take_token(void) {
    char token;
    return read(tokens[0], &token, 1) == 1;
}

static void close_tokens(void) {
    close(tokens[0]);
    close(tokens[1]);
    tokens[0] = tokens[1] = -1;
}

static int make_tokens(sb_context *ctx, long count) {
    if (pipe(tokens) != 0) {
        return sb_fail(ctx, SB_NO_MEMORY, "cannot create a pipe between processes: %s", strerror(errno));
    }
    for (int i = 0; i < 2; i++) {
        fcntl(tokens[i], F_SETFD, FD_CLOEXEC);
        fcntl(tokens[i], F_SETFL, O_NONBLOCK);
    }
    for (long i = 0; i < count; i++) {
        give_token();
    }
    return SB_OK;
}

/* ---- The pool. ---- */

/* Returns the signals that a pool blocks: the end of a child, and the stop by the terminal, which it passes on. */
static sigset_t held_signals(void) {
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGCHLD);
    sigaddset(&held, SIGTSTP);
    return held;
}

/* Called in a new child process: gives it a process group, resets SIGCHLD, and makes the kernel kill this process when
 * its parent ends; both survive exec. SIGKILL, because a process that handles the signal would continue for a while
 * during a new run. Systems other than Linux lack the request; there only the lock of the results directory
 * (bench/runner/lock.h) keeps a new run from starting too early. */
static void begin_child(pid_t parent) {
    const sigset_t held = held_signals();
    setpgid(0, 0);
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &held, NULL);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent) {
        _exit(1);
    }
}

bool sb_child_ended(pid_t pid) {
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ? errno != EINTR : info.si_pid == pid;
}

/* The process has not been waited for while its group is killed, so that no other process has its number. It has no
 * group yet if it has just been created. */
int sb_child_end(pid_t pid, struct rusage *used) {
    int ended = -1;
    if (kill(-pid, SIGKILL) != 0) {
        kill(pid, SIGKILL);
    }
    while (wait4(pid, &ended, 0, used) < 0 && errno == EINTR) {
    }
    return ended;
}

/* Returns whether child k should be started. `first`: it has not run yet. */
static bool should_start(const pool *p, int k, bool first) {
    return !p->stopped && p->status == SB_OK && (p->work->more != NULL ? p->work->more(p->work->arg, k) : first);
}

static void close_end(int *end) {
    if (*end >= 0) {
        close(*end);
    }
    *end = -1;
}

/* Runs child k in its process, which writes to `to`. */
_Noreturn static void run_child(pool *p, int k, pid_t parent, int to) {
    begin_child(parent);
    for (int i = 0; i < p->next; i++) { /* the pipes from others, and its own */
        close_end(&p->list[i].from);
    }
    p->ctx->watch = NULL;
    p->ctx->notice = NULL;
    _exit(p->work->child(p->work->arg, k, to));
}

static int start(pool *p, int k) {
    const pid_t parent = getpid();
    int ends[2] = {-1, -1};
    SB_TRY(p->work->before != NULL ? p->work->before(p->work->arg, k) : SB_OK);
    if (p->work->receive != NULL && (pipe(ends) != 0 || ends[0] >= FD_SETSIZE)) {
        return sb_fail(p->ctx, SB_NO_MEMORY, "cannot create a pipe between processes: %s",
                       ends[0] < 0 ? strerror(errno) : "too many files are open");
    }
    p->list[k].from = ends[0];
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    fflush(NULL);
    p->list[k].begun = sb_clock();
    const pid_t pid = sb_fork();
    if (pid == 0) {
        run_child(p, k, parent, ends[1]);
    }
    close_end(&ends[1]);
    if (pid < 0) {
        close_end(&p->list[k].from);
        return sb_fail(p->ctx, SB_NO_MEMORY, "cannot create a child process: %s", strerror(errno));
    }
    p->list[k].pid = pid;
    return SB_OK;
}

/* Keeps the first failure and its message. */
static void keep(pool *p, int status) {
    if (p->status == SB_OK) {
        p->status = status;
    }
}

/* Passes on what child k has sent, at most what a pipe holds. */
static void receive(pool *p, int k) {
    const ssize_t size = read(p->list[k].from, p->bytes, PIPE_BYTES);
    if (size > 0) {
        keep(p, p->work->receive(p->work->arg, k, p->bytes, (size_t)size));
    } else if (size == 0) {
        close_end(&p->list[k].from);
    }
}

/* Collects the children that have ended. */
static void collect(pool *p) {
    for (int k = 0; k < p->next; k++) {
        child *c = &p->list[k];
        struct rusage used = {0};
        if (c->pid == 0 || !sb_child_ended(c->pid)) {
            continue;
        }
        const int ended = sb_child_end(c->pid, &used);
        if (c->from >= 0) {
            receive(p, k);
            close_end(&c->from);
        }
        const pid_t pid = c->pid;
        c->pid = 0;
        if (p->meter == &p->own) {
            sb_meter_clear(p->meter);
        }
        keep(p, p->work->after(p->work->arg, k, (long)pid, ended, &used, sb_clock() - c->begun));
        if (should_start(p, k, false)) {
            keep(p, start(p, k)); /* with the token of the one that ended */
        } else {
            p->own.done += 1.0;
        }
        if (c->pid == 0 && --p->running > 0) {
            give_token();
        }
    }
}

/* Time for a child to end after SIGTERM, s. */
static const double patience = 10.0;

static void stop(pool *p) {
    for (int k = 0; k < p->next && !p->stopped; k++) {
        if (p->list[k].pid != 0) {
            kill(p->list[k].pid, SIGTERM);
        }
    }
    p->patience = p->stopped ? p->patience : sb_clock() + patience;
    p->stopped = true;
}

/* Kills the children whose time is over: they sleep, are stopped, or do not hear signals. */
static void kill_late(const pool *p) {
    const double now = sb_clock(), most = p->work->most_seconds;
    for (int k = 0; k < p->next; k++) {
        const child *c = &p->list[k];
        if (c->pid != 0 && ((most > 0.0 && now - c->begun > most) || (p->stopped && now > p->patience))) {
            kill(c->pid, SIGKILL);
        }
    }
}

/* Stops the children when the terminal stops this process, whose group is not theirs, and resumes them with it. */
static void pass_on_stop(const pool *p) {
    static const int signals[] = {SIGTSTP, SIGCONT};
    const sigset_t held = held_signals();
    sigset_t pending, before;
    sigpending(&pending);
    for (int i = 0; i < 2 && sigismember(&pending, SIGTSTP); i++) {
        for (int k = 0; k < p->next; k++) {
            if (p->list[k].pid != 0) {
                kill(p->list[k].pid, signals[i]);
            }
        }
        if (i == 0) { /* the process stops here */
            sigprocmask(SIG_UNBLOCK, &held, &before);
            sigprocmask(SIG_SETMASK, &before, NULL);
        }
    }
}

/* Starts the first child k, for which there is a token. */
static void begin(pool *p, int k) {
    keep(p, start(p, k));
    if (p->list[k].pid != 0) {
        p->running++;
    } else if (p->running > 0) {
        give_token();
    }
}

/* Shows what the running child with the least number does. */
static void show(pool *p) {
    char what[300];
    for (int k = 0; k < p->next && p->work->name != NULL && !p->stopped; k++) {
        if (p->list[k].pid != 0) {
            const char *name = p->work->name(p->work->arg, k);
            snprintf(what, sizeof what, p->running > 1 ? "%s and %d more" : "%s", name, p->running - 1);
            keep(p, sb_meter_show(p->meter, what));
            return;
        }
    }
    if (p->work->name != NULL && p->meter == &p->own && p->next == p->count) {
        keep(p, sb_meter_show(p->meter, "done"));
    }
}

/* Waits until a child has sent something or has ended, another signal arrives, or the display is due. Polling every
 * millisecond instead took 8 % of a processor. */
static void wait_for_children(pool *p) {
    const struct timespec refresh = {0, 100000000};
    fd_set from;
    int most = -1;
    FD_ZERO(&from);
    for (int k = 0; k < p->next; k++) {
        if (p->list[k].pid != 0 && p->list[k].from >= 0) {
            FD_SET(p->list[k].from, &from);
            most = p->list[k].from > most ? p->list[k].from : most;
        }
    }
    if (pselect(most + 1, &from, NULL, NULL, &refresh, &p->mask) <= 0) {
        return;
    }
    for (int k = 0; k < p->next; k++) {
        if (p->list[k].pid != 0 && p->list[k].from >= 0 && FD_ISSET(p->list[k].from, &from)) {
            receive(p, k);
        }
    }
}

static int run_all(pool *p, long most) {
    for (;;) {
        collect(p);
        kill_late(p);
        pass_on_stop(p);
        show(p);
        if (p->status != SB_OK || sb_interrupted(p->ctx)) {
            stop(p);
        }
        if (p->running == 0 && (p->stopped || p->next == p->count)) {
            sb_meter_clear(&p->own);
            return p->status;
        }
        if (!p->stopped && p->next < p->count && !should_start(p, p->next, true)) {
            p->next++;
        } else if (!p->stopped && p->next < p->count && p->running < most && (p->running == 0 || take_token())) {
            begin(p, p->next++);
            show(p);
        } else {
            wait_for_children(p);
        }
    }
}

/* Does nothing: a signal without a handler does not end pselect. */
static void catch_signal(int signal) { (void)signal; }

int sb_processes_run(sb_context *ctx, sb_arena *arena, int count, long most, const sb_processes *work) {
    const struct sigaction caught = {.sa_handler = catch_signal};
    struct sigaction before;
    const sigset_t held = held_signals();
    sigset_t mask;
    pool p = {.ctx = ctx, .work = work, .count = count};
    SB_NEW(arena, p.list, count);
    SB_NEW(arena, p.bytes, PIPE_BYTES);
    for (int k = 0; k < count; k++) {
        p.list[k].from = -1;
    }
    sb_meter_begin(&p.own, ctx, count);
    p.meter = work->meter != NULL ? work->meter : &p.own;
    sigaction(SIGCHLD, &caught, &before);
    sigprocmask(SIG_BLOCK, &held, &mask);
    p.mask = mask;
    sigdelset(&p.mask, SIGCHLD);
    sigaddset(&p.mask, SIGTSTP);
    const bool outermost = tokens[0] < 0;
    int status = outermost ? make_tokens(ctx, most - 1) : SB_OK;
    status = status == SB_OK ? run_all(&p, most) : status;
    if (outermost && tokens[0] >= 0) {
        close_tokens();
    }
    sigprocmask(SIG_SETMASK, &mask, NULL);
    if (before.sa_handler != catch_signal) { /* otherwise a pool of another thread, or around this one, restores it */
        sigaction(SIGCHLD, &before, NULL);
    }
    return status;
}

/* Copies what a pipe has, waiting for at most `ms`. Returns false at its end, or if writing fails. */
static bool copy(int from, FILE *to, int ms) {
    char bytes[4096];
    struct pollfd ready = {.fd = from, .events = POLLIN};
    if (poll(&ready, 1, ms) <= 0) {
        return true;
    }
    const ssize_t length = read(from, bytes, sizeof bytes);
    return length > 0 ? fwrite(bytes, 1, (size_t)length, to) == (size_t)length : length < 0 && errno == EINTR;
}

/* Waits for the end of a program, and copies its output from the pipe *from (-1: it has none), which is closed. An
 * interruption terminates it, and kills it after the patience of a pool, with what it has started; otherwise that
 * stays, as the window of gnuplot. Returns the status of waitpid, -1 if there is none. */
static int wait_for_program(const sb_context *ctx, pid_t pid, int *from, FILE *out) {
    enum { SHORT_MS = 1, LONG_MS = 50 }; /* between two looks */
    bool terminated = false;
    int ended = -1;
    double until = 0.0;
    for (int ms = SHORT_MS;; ms = ms < LONG_MS ? 2 * ms : LONG_MS) {
        if (*from < 0 && sb_child_ended(pid)) {
            return terminated ? sb_child_end(pid, NULL) : waitpid(pid, &ended, 0) == pid ? ended : -1;
        }
        if (sb_interrupted(ctx) && (!terminated || sb_clock() > until)) {
            kill(-pid, terminated ? SIGKILL : SIGTERM);
            until = terminated ? until : sb_clock() + patience;
            terminated = true;
            close_end(from);
        }
        if (*from < 0) {
            nanosleep(&(struct timespec){0, 1000000 * ms}, NULL);
        } else if (!copy(*from, out, LONG_MS)) {
            close_end(from); /* which ends a program that goes on writing */
            ms = SHORT_MS;
        }
    }
}

int sb_program_run(const sb_context *ctx, char *const *argv, FILE *errors, FILE *out) {
    int ends[2] = {-1, -1}; /* of the pipe from its standard output */
    const pid_t parent = getpid();
    fflush(NULL);
    if (out != NULL && pipe(ends) != 0) {
        return SB_NO_PROGRAM;
    }
    const pid_t pid = fork();
    if (pid == 0) {
        begin_child(parent);
        setenv("LC_ALL", "C.UTF-8", 1); /* decimal points and UTF-8 in every locale of the user */
        const int to = errors != NULL ? fileno(errors) : open("/dev/null", O_WRONLY),
                  none = open("/dev/null", O_RDONLY);
        if (none >= 0) {
            dup2(none, STDIN_FILENO); /* of a terminal, its group cannot read */
        }
        if (to >= 0) {
            dup2(to, STDERR_FILENO);
        }
        if (out != NULL) {
            dup2(ends[1], STDOUT_FILENO);
            close(ends[0]);
            close(ends[1]);
        }
        execvp(argv[0], argv);
        _exit(SB_NO_PROGRAM);
    }
    close_end(&ends[1]);
    (void)setpgid(pid, pid); /* so that an interruption finds the group */
    const int ended = pid > 0 ? wait_for_program(ctx, pid, &ends[0], out) : -1;
    close_end(&ends[0]);
    return ended < 0 ? SB_NO_PROGRAM : WIFEXITED(ended) ? WEXITSTATUS(ended) : 1;
}

int sb_program_find(sb_context *ctx, const char *name, const char *what) {
    const char *const argv[] = {"/bin/sh", "-c", "command -v \"$0\" >/dev/null", name, NULL};
    const int exited = sb_program_run(ctx, (char *const *)argv, NULL, NULL);
    SB_TRY(sb_poll(ctx));
    return exited == 0 ? SB_OK : sb_fail(ctx, SB_IO, "%s needs %s, which is not installed", what, name);
}

long sb_processes_at_a_time(long jobs) {
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return jobs > 0 ? jobs : processors > 1 ? processors : 1;
}
