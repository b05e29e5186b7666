/* An analysis of one pair in a process of its own: a stepper that crashes or never returns costs its rows, and is told where it died. */
#include "bench/isolate.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/watched.h"

/* What parent and child share. */
typedef struct shared {
    sb_last_words words;
    char message[SB_MESSAGE_MAX]; /* of an error of the analysis */
    int status;
} shared;

/* ---- Rows through a pipe: a type, then eight bytes, or a length and a text. ---- */

typedef struct pipe_sink {
    sb_sink sink;
    FILE *to;
    int ncolumns;
} pipe_sink;

static int pipe_begin(sb_sink *sink, int ncolumns, const sb_column *columns) {
    (void)columns;
    ((pipe_sink *)sink)->ncolumns = ncolumns;
    return SB_OK;
}

static int pipe_row(sb_sink *sink, const sb_cell *cells) {
    pipe_sink *me = (pipe_sink *)sink;
    for (int j = 0; j < me->ncolumns; j++) {
        const bool text = cells[j].type == SB_CELL_TEXT;
        const size_t length = text ? strlen(cells[j].text) : 0;
        fputc((int)cells[j].type, me->to);
        fwrite(text ? (const void *)&length : (const void *)&cells[j].integer, 8, 1, me->to);
        fwrite(text ? cells[j].text : "", 1, length, me->to);
    }
    return fflush(me->to) == 0 ? SB_OK : SB_IO;
}

static int pipe_end(sb_sink *sink) {
    (void)sink;
    return SB_OK;
}

static void pipe_abandon(sb_sink *sink) {
    (void)sink;
}

/* The bytes a child has written, and how many of them are whole rows by now. */
typedef struct inbox {
    char *bytes;
    size_t count, room;
} inbox;

/* The cell at *at; false when its bytes are not all there. */
static bool take_cell(sb_arena *arena, const inbox *in, size_t *at, sb_cell *cell) {
    if (in->count - *at < 9) {
        return false;
    }
    cell->type = (sb_cell_type)in->bytes[*at];
    memcpy(&cell->integer, in->bytes + *at + 1, 8);
    *at += 9;
    if (cell->type != SB_CELL_TEXT) {
        return true;
    }
    const size_t length = (size_t)cell->integer;
    char *text = in->count - *at < length ? NULL : sb_alloc(arena, length + 1, 1);
    if (text == NULL) {
        return false;
    }
    memcpy(text, in->bytes + *at, length);
    cell->text = text;
    *at += length;
    return true;
}

static int take_rows(sb_arena *arena, const inbox *in, sb_table *rows) {
    sb_cell *cells;
    size_t at = 0;
    SB_NEW(arena, cells, rows->ncolumns);
    for (;;) {
        for (int j = 0; j < rows->ncolumns; j++) {
            if (!take_cell(arena, in, &at, &cells[j])) {
                return SB_OK; /* the end, or a row the child did not finish */
            }
        }
        SB_TRY(rows->sink.row(&rows->sink, cells));
    }
}

/* ---- The child. ---- */

static void limit(int resource, rlim_t most) {
    const struct rlimit bound = {most, most};
    setrlimit(resource, &bound);
}

/* Signals end it as they end any program; what a plug-in prints is not ours to print. */
static void prepare_child(long seconds) {
    static const int defaults[] = {SIGINT, SIGTERM, SIGHUP, SIGXFSZ, SIGPIPE};
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
        signal(defaults[i], SIG_DFL);
    }
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, (rlim_t)seconds);
    const int nowhere = open("/dev/null", O_RDWR);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
    }
}

typedef struct task {
    const sb_analysis *analysis;
    const void *config;
    const sb_pair *pair;
    const char *plugin; /* instead of the three: a file to load */
} task;

static int do_task(sb_context *ctx, const task *t, FILE *to, shared *with) {
    sb_arena arena;
    sb_pair pair;
    pipe_sink sink = {.sink = {pipe_begin, pipe_row, pipe_end, pipe_abandon}, .to = to};
    if (t->plugin != NULL) {
        sb_registry registry;
        SB_TRY(sb_registry_init(&registry, ctx));
        return sb_registry_load(&registry, t->plugin);
    }
    sb_arena_init(&arena, ctx);
    int status = sb_pair_watch(&arena, t->pair, &with->words, &pair);
    status = status == SB_OK ? pipe_begin(&sink.sink, t->analysis->ncolumns, t->analysis->columns) : status;
    return status == SB_OK ? t->analysis->run(ctx, t->config, &pair, &sink.sink) : status;
}

/* ---- The parent. ---- */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool grow(inbox *in, size_t more) {
    if (in->room - in->count >= more) {
        return true;
    }
    const size_t room = 2 * (in->room + more);
    char *bytes = realloc(in->bytes, room);
    if (bytes == NULL) {
        return false;
    }
    in->bytes = bytes;
    in->room = room;
    return true;
}

/* Reads until the child closes the pipe; kills it past the deadline or when asked to stop. */
static int listen_to(sb_context *ctx, pid_t child, int from, double deadline, inbox *in, bool *late) {
    struct pollfd poller = {.fd = from, .events = POLLIN};
    for (;;) {
        const bool stop = ctx->interrupt != NULL && *ctx->interrupt;
        *late = *late || now() > deadline;
        if (stop || *late) {
            kill(child, SIGKILL);
        }
        if (poll(&poller, 1, 100) > 0 || stop || *late) {
            if (!grow(in, 65536)) {
                kill(child, SIGKILL);
                return sb_fail(ctx, SB_NO_MEMORY, "out of memory while reading the rows of an analysis");
            }
            const ssize_t got = read(from, in->bytes + in->count, 65536);
            if (got <= 0 && !(got < 0 && errno == EINTR)) {
                return stop ? sb_fail(ctx, SB_INTERRUPTED, "interrupted") : SB_OK;
            }
            in->count += got > 0 ? (size_t)got : 0;
        }
    }
}

static int spawn(sb_context *ctx, const task *t, long seconds, shared *with, inbox *in, int *ended, bool *late) {
    int ends[2];
    fflush(NULL);
    if (pipe(ends) != 0) {
        return sb_fail(ctx, SB_IO, "no pipe for a process of its own: %s", strerror(errno));
    }
    const pid_t child = fork();
    if (child < 0) {
        close(ends[0]);
        close(ends[1]);
        return sb_fail(ctx, SB_NO_MEMORY, "no process for an analysis: %s", strerror(errno));
    }
    if (child == 0) {
        close(ends[0]);
        prepare_child(seconds);
        FILE *to = fdopen(ends[1], "wb");
        ctx->message[0] = '\0';
        with->status = to != NULL ? do_task(ctx, t, to, with) : SB_NO_MEMORY;
        memcpy(with->message, ctx->message, sizeof with->message);
        _exit(0);
    }
    close(ends[1]);
    const int status = listen_to(ctx, child, ends[0], now() + 10.0 * (double)seconds, in, late);
    close(ends[0]);
    while (waitpid(child, ended, 0) < 0 && errno == EINTR) {
    }
    return status;
}

/* "in step 3 (t = 0.2, h = 0.1)" */
static void where(const sb_last_words *words, char *out, size_t size) {
    if (words->operation[0] == '\0') {
        snprintf(out, size, "before its first operation");
    } else if (strcmp(words->operation, "step") == 0) {
        snprintf(out, size, "%s step %ld (t = %.6g, h = %.6g)", words->inside ? "in" : "after", words->step, words->t, words->h);
    } else {
        snprintf(out, size, "%s %s%s", words->inside ? "in" : "after", words->operation, words->step > 0 ? "" : ", before any step");
    }
}

static const char *judge(sb_arena *arena, const task *t, long seconds, const shared *with, int ended, bool late, sb_fate *fate) {
    char text[SB_MESSAGE_MAX], place[160];
    const char *what = t->plugin != NULL ? "loading it" : t->analysis->entry.name;
    where(&with->words, place, sizeof place);
    if (t->plugin != NULL) {
        snprintf(place, sizeof place, "while it was loaded");
    }
    if (late || (WIFSIGNALED(ended) && (WTERMSIG(ended) == SIGXCPU || WTERMSIG(ended) == SIGKILL))) {
        *fate = SB_FATE_LATE;
        snprintf(text, sizeof text, "%s: it did not return within %ld s%s, %s", what, late ? 10 * seconds : seconds, late ? "" : " of processor time", place);
    } else if (WIFSIGNALED(ended)) {
        *fate = SB_FATE_DIED;
        snprintf(text, sizeof text, "%s: it crashed %s: %s", what, place, strsignal(WTERMSIG(ended)));
    } else if (WEXITSTATUS(ended) != 0 || with->status == 1 << 30) {
        *fate = SB_FATE_DIED;
        snprintf(text, sizeof text, "%s: it ended the process with exit status %d %s", what, WEXITSTATUS(ended), place);
    } else if (with->status != SB_OK) {
        *fate = SB_FATE_FAILED;
        snprintf(text, sizeof text, "%s", with->message[0] != '\0' ? with->message : sb_status_text(with->status));
    } else {
        *fate = SB_FATE_DONE;
        text[0] = '\0';
    }
    return sb_strdup(arena, text);
}

static int isolate(sb_context *ctx, sb_arena *arena, const task *t, long seconds, sb_table *rows, sb_fate *fate, const char **epitaph) {
    shared *with = mmap(NULL, sizeof *with, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    inbox in = {0};
    int ended = 0;
    bool late = false;
    if (with == MAP_FAILED) {
        return sb_fail(ctx, SB_NO_MEMORY, "no memory to share with a process of its own: %s", strerror(errno));
    }
    with->status = 1 << 30; /* until the child says otherwise: a plug-in may call exit */
    int status = spawn(ctx, t, seconds, with, &in, &ended, &late);
    if (status == SB_OK && rows != NULL) {
        status = take_rows(arena, &in, rows);
    }
    if (status == SB_OK) {
        *epitaph = judge(arena, t, seconds, with, ended, late, fate);
        status = *epitaph != NULL ? SB_OK : SB_NO_MEMORY;
    }
    free(in.bytes);
    munmap(with, sizeof *with);
    return status;
}

int sb_isolate(sb_context *ctx, sb_arena *arena, const sb_analysis *analysis, const char *options, const sb_pair *pair, long seconds, sb_table *rows,
               sb_fate *fate, const char **epitaph) {
    void *config = sb_alloc(arena, 1, analysis->entry.config_size);
    if (config == NULL) {
        return SB_NO_MEMORY;
    }
    SB_TRY(sb_config_parse(ctx, arena, &analysis->entry, options, config));
    sb_table_init(rows, arena);
    SB_TRY(rows->sink.begin(&rows->sink, analysis->ncolumns, analysis->columns));
    const task t = {.analysis = analysis, .config = config, .pair = pair};
    return isolate(ctx, arena, &t, seconds, rows, fate, epitaph);
}

int sb_isolate_load(sb_context *ctx, sb_arena *arena, const char *path, long seconds, sb_fate *fate, const char **epitaph) {
    const task t = {.plugin = path};
    return isolate(ctx, arena, &t, seconds, NULL, fate, epitaph);
}
