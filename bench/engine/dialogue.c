/* Talks with a program over pipes, by poll: it may neither block nor flood this process. */
#include "bench/engine/dialogue.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/process/pool.h"

enum { CHUNK = 65536, GRACE_MS = 500 };

/* ---- The program. ---- */

static void close_end(int *end) {
    if (*end >= 0) {
        close(*end);
    }
    *end = -1;
}

/* Returns the largest descriptor that is open: closefrom(3) is missing in older systems, and limits can be 10^9. */
static int last_descriptor(void) {
    int last = (int)sysconf(_SC_OPEN_MAX) - 1;
    DIR *const open = opendir("/dev/fd");
    if (open != NULL) {
        last = STDERR_FILENO;
        for (const struct dirent *entry = readdir(open); entry != NULL; entry = readdir(open)) {
            const int descriptor = (int)strtol(entry->d_name, NULL, 10); /* 0: not a number */
            last = descriptor > last ? descriptor : last;
        }
        closedir(open);
    }
    return last;
}

/* Closes the descriptors from `first` to `last`, also in a child of a host with threads. */
static void close_from(int first, int last) {
    for (int end = first; end <= last; end++) {
        close(end);
    }
}

/* Waits in a child process until the input of the program has no writer: its owner has closed it, or has ended in any
 * way. Gives the program more time to end by that than its owner does, and kills the process group, of which this
 * process is the leader: the program, and those that it has started. */
_Noreturn static void watch(int input, int last) {
    struct pollfd hang_up = {STDIN_FILENO, 0, 0};
    setpgid(0, 0);
    (void)dup2(input, STDIN_FILENO);
    close_from(STDIN_FILENO + 1, last);
    while (poll(&hang_up, 1, -1) < 0 && errno == EINTR) {
    }
    nanosleep(&(struct timespec){0, 1000000 * (GRACE_MS + GRACE_MS / 2)}, NULL);
    kill(0, SIGKILL);
    _exit(1);
}

/* Runs the program in a child process of this process group. */
_Noreturn static void run(char *const *argv, pid_t group, const int pipes[3][2], int last) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGCHLD, SIG_DFL);
    setenv("LC_ALL", "C.UTF-8", 1);
    if (setpgid(0, group) == 0 && dup2(pipes[0][0], STDIN_FILENO) >= 0 && dup2(pipes[1][1], STDOUT_FILENO) >= 0 &&
        dup2(pipes[2][1], STDERR_FILENO) >= 0) {
        close_from(STDERR_FILENO + 1, last); /* the files and pipes of this process are none of its business */
        execvp(argv[0], argv);
    }
    _exit(SB_NO_PROGRAM);
}

/* Kills the group of the program, and returns how the program has ended, as waitpid. */
static int end_group(sb_dialogue *me) {
    (void)sb_child_end(me->group, NULL);
    const int status = sb_child_end(me->pid, NULL);
    me->pid = me->group = 0;
    return status;
}

int sb_dialogue_start(sb_context *ctx, char *const *argv, const char *name, int failure, sb_dialogue *out) {
    int pipes[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}}; /* its input, output and standard error */
    bool open = true;
    for (int k = 0; k < 3; k++) {
        open = open && pipe(pipes[k]) == 0 && fcntl(pipes[k][0], F_SETFD, FD_CLOEXEC) == 0 &&
               fcntl(pipes[k][1], F_SETFD, FD_CLOEXEC) == 0;
    }
    fflush(NULL);
    const int last = last_descriptor();
    const pid_t group = open ? fork() : -1;
    if (group == 0) {
        watch(pipes[0][0], last);
    }
    if (group > 0) {
        (void)setpgid(group, group); /* before the program joins it; one of the two calls comes first */
    }
    const pid_t pid = group > 0 ? fork() : -1;
    if (pid == 0) {
        run(argv, group, (const int(*)[2])pipes, last);
    }
    const int failed = errno;
    if (group > 0 && pid < 0) {
        (void)sb_child_end(group, NULL);
    }
    close_end(&pipes[0][0]);
    close_end(&pipes[1][1]);
    close_end(&pipes[2][1]);
    *out = (sb_dialogue){.ctx = ctx,
                         .name = name,
                         .failure = failure,
                         .pid = pid > 0 ? pid : 0,
                         .group = group,
                         .owner = getpid(),
                         .to = pipes[0][1],
                         .from = pipes[1][0],
                         .errors = pipes[2][0]};
    if (pid < 0) {
        sb_dialogue_end(out);
        return sb_fail(ctx, SB_IO, "%s cannot be started: %s", name, strerror(failed));
    }
    for (int k = 0; k < 3; k++) {
        const int end = k == 0 ? out->to : k == 1 ? out->from : out->errors;
        (void)fcntl(end, F_SETFL, O_NONBLOCK);
    }
    return SB_OK;
}

void sb_dialogue_end(sb_dialogue *me) {
    close_end(&me->to);
    if (me->pid > 0 && me->owner == getpid()) {
        struct pollfd end = {me->from, 0, 0}; /* POLLHUP: it has closed its output, as at its end */
        (void)poll(&end, 1, GRACE_MS);
        (void)end_group(me);
    }
    me->pid = 0;
    close_end(&me->from);
    close_end(&me->errors);
    free(me->line);
    me->line = NULL;
    me->used = me->room = me->read = 0;
}

/* ---- Its words. ---- */

/* Returns a byte as messages may have it. */
static char printable(char byte) { return (byte >= ' ' && byte < 127) || byte == '\n' ? byte : '?'; }

void sb_dialogue_quote(const char *bytes, size_t count, char out[SB_QUOTE]) {
    const size_t most = SB_QUOTE - sizeof "...", shown = count < most ? count : most;
    for (size_t k = 0; k < shown; k++) {
        out[k] = printable(bytes[k]);
    }
    snprintf(out + shown, sizeof "...", "%s", count > most ? "..." : "");
}

/* Keeps the end of what it writes to its standard error. */
static void read_errors(sb_dialogue *me) {
    char chunk[1024];
    ssize_t count;
    while ((count = read(me->errors, chunk, sizeof chunk)) > 0) {
        const size_t old = strlen(me->words), fresh = (size_t)count < SB_LAST_WORDS ? (size_t)count : SB_LAST_WORDS;
        const size_t kept = old + fresh > SB_LAST_WORDS ? SB_LAST_WORDS - fresh : old;
        memmove(me->words, me->words + old - kept, kept);
        memcpy(me->words + kept, chunk + count - fresh, fresh);
        me->words[kept + fresh] = '\0';
        for (size_t k = kept; k < kept + fresh; k++) {
            me->words[k] = printable(me->words[k]);
        }
    }
}

/* Returns the line of the words that says most: the last one that begins with the name of an error, as Python and Node
 * write it, Node before its version; otherwise the last one. */
static const char *telling_line(char *words) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_.";
    const char *last = "", *error = NULL;
    char *rest = NULL;
    for (const char *line = strtok_r(words, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        const size_t name = strspn(line, letters);
        error = name >= 5 && strncmp(line + name - 5, "Error", 5) == 0 ? line : error;
        last = line;
    }
    return error != NULL ? error : last;
}

/* Fails: writes how the program ended, and a line of its last words. A program that has closed its output is
 * ending, for which it has until the time `limit` of its answer; then it is killed. */
static int ended(sb_dialogue *me, const char *what, double limit) {
    char how[80] = "";
    const struct timespec moment = {0, 1000000};
    while (!sb_child_ended(me->pid) && sb_clock() < limit && sb_poll(me->ctx) == SB_OK) {
        read_errors(me);
        nanosleep(&moment, NULL);
    }
    const int status = end_group(me);
    read_errors(me);
    if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL) {
        snprintf(how, sizeof how, "crashed: %s", strsignal(WTERMSIG(status)));
    } else if (WIFEXITED(status)) {
        snprintf(how, sizeof how, "ended with exit status %d", WEXITSTATUS(status));
    } else {
        snprintf(how, sizeof how, "closed its output");
    }
    const char *last = telling_line(me->words);
    if (WIFEXITED(status) && WEXITSTATUS(status) == SB_NO_PROGRAM && last[0] == '\0') {
        return sb_fail(me->ctx, me->failure, "%s: there is no such program", me->name);
    }
    return sb_fail(me->ctx, me->failure, "%s %s instead of answering to `%s`%s%.300s", me->name, how, what,
                   last[0] != '\0' ? "; its last words: " : "", last);
}

/* Makes room for another chunk of an answer. */
static int grow(sb_dialogue *me) {
    if (me->room - me->used >= CHUNK) {
        return SB_OK;
    }
    char *grown = realloc(me->line, me->used + 2 * CHUNK);
    if (grown == NULL) {
        return sb_fail(me->ctx, SB_NO_MEMORY, "no memory for an answer of %s", me->name);
    }
    me->line = grown;
    me->room = me->used + 2 * CHUNK;
    return SB_OK;
}

/* Waits until the program can be written to (out) or has written, and takes what it has written: one chunk. Sets *end
 * when its output has ended. Fails with SB_IO at the time `limit`. */
static int wait_for(sb_dialogue *me, const char *what, bool out, double limit, double seconds, bool *end) {
    struct pollfd ends[3] = {{me->from, POLLIN, 0}, {me->errors, POLLIN, 0}, {out ? me->to : -1, POLLOUT, 0}};
    const double left = limit - sb_clock();
    SB_TRY(sb_poll(me->ctx));
    if (!(left > 0.0)) {
        return sb_fail(me->ctx, me->failure, "%s does not answer to `%s` within %g s%s", me->name, what, seconds,
                       me->more != NULL ? me->more : "");
    }
    if (poll(ends, 3, left < 1.0 ? (int)(1000.0 * left) + 1 : 1000) < 0 && errno != EINTR) {
        return sb_fail(me->ctx, SB_IO, "no connection to %s: %s", me->name, strerror(errno));
    }
    read_errors(me);
    SB_TRY(grow(me));
    const ssize_t count = read(me->from, me->line + me->used, CHUNK);
    me->used += count > 0 ? (size_t)count : 0;
    *end = count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR);
    return SB_OK;
}

/* Writes without the signal of a pipe that nobody reads. */
static ssize_t write_quietly(int to, const char *bytes, size_t count) {
    sigset_t pipe_only, before, pending;
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
    const ssize_t written = write(to, bytes, count);
    const int failed = errno;
    if (written < 0 && failed == EPIPE && !sigismember(&pending, SIGPIPE)) {
        sigtimedwait(&pipe_only, NULL, &(const struct timespec){0, 0});
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = failed;
    return written;
}

int sb_dialogue_send(sb_dialogue *me, const char *line, size_t length, double seconds) {
    const double limit = sb_clock() + seconds;
    size_t sent = 0;
    bool end = false;
    while (sent < length) {
        const ssize_t count = write_quietly(me->to, line + sent, length - sent);
        if (count < 0 && errno != EAGAIN && errno != EINTR) {
            return SB_OK; /* it has ended: the missing answer says how */
        }
        sent += count > 0 ? (size_t)count : 0;
        if (sent < length && count < 0) {
            SB_TRY(wait_for(me, "a message", true, limit, seconds, &end));
        }
    }
    return SB_OK;
}

int sb_dialogue_answer(sb_dialogue *me, const char *what, size_t most, double seconds, char **line, size_t *size) {
    const double limit = sb_clock() + seconds;
    bool end = false;
    if (me->read > 0) {
        memmove(me->line, me->line + me->read, me->used - me->read);
    }
    me->used -= me->read;
    me->read = 0;
    size_t seen = 0;
    for (;;) {
        char *newline = me->used > seen ? memchr(me->line + seen, '\n', me->used - seen) : NULL;
        const size_t length = newline != NULL ? (size_t)(newline - me->line) : me->used;
        if (length > most) {
            char said[SB_QUOTE];
            sb_dialogue_quote(me->line, length, said);
            return sb_fail(me->ctx, me->failure, "%s answers to `%s` with more than %zu bytes: %s", me->name, what,
                           most, said);
        }
        if (newline != NULL) {
            *newline = '\0';
            me->read = length + 1;
            *line = me->line;
            *size = length;
            return SB_OK;
        }
        if (end) {
            return ended(me, what, limit);
        }
        seen = me->used;
        SB_TRY(wait_for(me, what, false, limit, seconds, &end));
    }
}

int sb_dialogue_silent(sb_dialogue *me) {
    char said[SB_QUOTE];
    if (me->used == me->read) {
        return SB_OK;
    }
    sb_dialogue_quote(me->line + me->read, me->used - me->read, said);
    return sb_fail(me->ctx, me->failure, "%s says something that it was not asked: %s", me->name, said);
}
