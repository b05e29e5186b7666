/* Runs an analysis on pairs, each in its own process. */
#include "bench/process/pairs.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/row.h"
#include "bench/process/monitor.h"
#include "bench/process/pool.h"
#include "bench/process/row_pipe.h"

/* Limit by the clock over the limit of processor time: a machine may be busy or asleep. */
enum { CLOCK_FACTOR = 10 };

/* The process of one pair, and what it has sent. */
typedef struct job {
    sb_pair pair;
    FILE *file; /* the row pipe; open while the process runs */
    sb_table rows;
    int ended;       /* status of waitpid */
    bool finished;   /* the process has ended and its rows are read */
    sb_pipe_end end; /* SB_PIPE_CLOSED: it has sent its status, which is the next member, and its message */
    int status;
    char *message;
} job;

typedef struct pairs {
    sb_context *ctx;
    sb_arena *arena;
    const sb_analysis *analysis;
    const sb_product *product; /* NULL: a single pair with the options `config` */
    const void *config;
    long seconds; /* limit of processor time; 0: none */
    int count, written;
    job *list;
    sb_progress *progress; /* of each pair, in memory shared with the processes */
    sb_sink *out;          /* NULL: rows are left in the jobs */
    sb_meter *meter;       /* of a longer work, NULL: none */
    char *text;            /* what a pair does, SB_MESSAGE_MAX bytes */
    int status;            /* of the rows written so far: nothing is written after a failure */
} pairs;

/* ---- In the child. ---- */

/* Restores the default actions of signals: the first one ends the process, also in a step that does not return. Rows
 * that were finished have been sent. */
static void restore_signals(void) {
    static const int defaults[] = {SIGINT, SIGTERM, SIGHUP, SIGXFSZ, SIGALRM};
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
        signal(defaults[i], SIG_DFL);
    }
}

/* Limits the time, and discards what a plug-in prints. */
static void limit_child(long seconds) {
    const struct rlimit no_core = {0, 0}, time = {(rlim_t)seconds, (rlim_t)seconds + 1};
    setrlimit(RLIMIT_CORE, &no_core);
    setrlimit(RLIMIT_CPU, &time);
    alarm((unsigned)(CLOCK_FACTOR * seconds));
    const int null_device = open("/dev/null", O_RDWR);
    if (null_device >= 0) {
        dup2(null_device, STDOUT_FILENO);
        dup2(null_device, STDERR_FILENO);
    }
}

static int run_monitored(const pairs *me, int k, sb_sink *rows) {
    sb_pair monitored;
    SB_TRY(sb_pair_monitor(me->arena, &me->list[k].pair, &me->progress[k], &monitored));
    return me->product != NULL ? sb_product_run(me->ctx, me->product, k, &monitored, rows)
                               : sb_analysis_run_pair(me->ctx, me->analysis, me->config, &monitored, rows);
}

static int child(void *arg, int k) {
    const pairs *me = arg;
    sb_row_pipe pipe;
    for (int i = 0; i < me->count; i++) { /* the files of other pairs */
        if (i != k && me->list[i].file != NULL) {
            close(fileno(me->list[i].file));
        }
    }
    restore_signals();
    if (me->seconds > 0) {
        limit_child(me->seconds);
    }
    sb_row_pipe_init(&pipe, me->ctx, me->list[k].file, me->analysis->ncolumns);
    me->ctx->message[0] = '\0';
    return sb_row_pipe_close(&pipe, run_monitored(me, k, &pipe.sink)) == SB_OK ? 0 : 1;
}

/* ---- In the parent. ---- */

static int before(void *arg, int k) {
    const pairs *me = arg;
    job *j = &me->list[k];
    j->file = tmpfile();
    if (j->file == NULL) {
        return sb_fail(me->ctx, SB_IO, "no temporary file for the rows of a process: %s", strerror(errno));
    }
    sb_table_init(&j->rows, me->arena);
    return j->rows.sink.begin(&j->rows.sink, me->analysis->ncolumns, me->analysis->columns);
}

/* Describes the end of the process of pair k, which did not send its status. */
static sb_run_outcome describe_end(const pairs *me, int k, char *text, size_t size) {
    const job *j = &me->list[k];
    const int signal = me->seconds > 0 && WIFSIGNALED(j->ended) ? WTERMSIG(j->ended) : 0;
    const bool by_clock = signal == SIGALRM;
    if (j->end == SB_PIPE_DAMAGED && WIFEXITED(j->ended)) {
        snprintf(text, size, "the temporary file of its rows was damaged; those from there on are lost");
        return SB_RUN_CRASHED;
    }
    if (signal == SIGXCPU || signal == SIGKILL || by_clock) {
        char place[160];
        sb_progress_place(&me->progress[k], place, sizeof place);
        snprintf(text, size, "it did not return within %ld s%s, %s", (by_clock ? CLOCK_FACTOR : 1) * me->seconds,
                 by_clock ? "" : " of processor time", place);
        return SB_RUN_TIMED_OUT;
    }
    sb_progress_crash(&me->progress[k], j->ended, text, size);
    return SB_RUN_CRASHED;
}

/* Adds the row of a pair whose process ended before its analysis did or whose rows were damaged, and reports it on
 * standard error. */
static int write_crash(pairs *me, int k) {
    job *j = &me->list[k];
    char text[300];
    (void)describe_end(me, k, text, sizeof text);
    fprintf(stderr, "stepbench: %s of %s on %s: %s\n", me->analysis->entry.name, j->pair.stepper, j->pair.problem,
            text);
    j->status = j->end == SB_PIPE_DAMAGED ? SB_OK : SB_NOT_CONVERGED;
    snprintf(j->message, SB_MESSAGE_MAX, "%s on %s: %s", j->pair.stepper, j->pair.problem, text);
    return sb_row_failure(me->analysis, &j->pair, 0.0, SB_OK, text, &j->rows.sink);
}

/* Writes the rows of all pairs up to the first that still runs, or whose failure ends the command. */
static int write_finished(pairs *me) {
    while (me->status == SB_OK && me->written < me->count && me->list[me->written].finished) {
        const job *j = &me->list[me->written++];
        me->status = sb_table_write_rows(&j->rows, me->out);
        if (me->status == SB_OK && j->status != SB_OK && !sb_failure_is_result(j->status)) {
            me->status = sb_fail(me->ctx, j->status, "%s", j->message);
        }
    }
    return me->status;
}

/* Reads the rows of a process that has ended. One that the pool has terminated, after a failure or an interruption, has
 * not crashed. */
static int after(void *arg, int k, long pid, int ended, double seconds) {
    pairs *me = arg;
    job *j = &me->list[k];
    j->ended = ended;
    SB_NEW(me->arena, j->message, SB_MESSAGE_MAX);
    SB_TRY(sb_row_pipe_read(j->file, &j->rows, &j->end, &j->status, j->message));
    fclose(j->file);
    j->file = NULL;
    if (me->out == NULL || (j->end != SB_PIPE_CLOSED && (me->status != SB_OK || sb_interrupted(me->ctx)))) {
        return SB_OK;
    }
    SB_TRY(j->end == SB_PIPE_CLOSED ? SB_OK : write_crash(me, k));
    j->finished = true;
    return write_finished(me);
}

/* Returns the pair, and its step where it takes more than one. */
static const char *name(const void *arg, int k) {
    const pairs *me = arg;
    const job *j = &me->list[k];
    char place[160];
    sb_progress_place(&me->progress[k], place, sizeof place);
    snprintf(me->text, SB_MESSAGE_MAX, "%s of %s on %s, %s", me->analysis->entry.name, j->pair.stepper, j->pair.problem,
             place);
    return me->text;
}

static int run(pairs *me, long jobs) {
    SB_NEW(me->arena, me->text, SB_MESSAGE_MAX);
    SB_TRY(sb_progress_share(me->ctx, me->count, &me->progress));
    const int status = sb_processes_run(
        me->ctx, me->arena, me->count, jobs,
        &(sb_processes){me, before, child, after, me->out != NULL || me->meter != NULL ? name : NULL, me->meter});
    for (int k = 0; k < me->count; k++) {
        if (me->list[k].file != NULL) {
            fclose(me->list[k].file);
        }
    }
    return status;
}

/* ---- All pairs of a product. ---- */

/* After an interruption: writes the rows behind a pair that is not finished, too. */
static int write_interrupted(const pairs *me) {
    SB_TRY(me->status);
    for (int k = me->written; k < me->count; k++) {
        SB_TRY(sb_table_write_rows(&me->list[k].rows, me->out));
    }
    return sb_fail(me->ctx, SB_INTERRUPTED, "interrupted; the rows that were finished are kept");
}

int sb_pairs_run(sb_context *ctx, sb_arena *arena, const sb_analysis *analysis, const sb_product *product, long jobs,
                 long seconds, sb_meter *meter, sb_sink *out) {
    pairs me = {.ctx = ctx,
                .arena = arena,
                .analysis = analysis,
                .product = product,
                .seconds = seconds,
                .meter = meter,
                .count = sb_product_count(product),
                .out = out};
    SB_NEW(arena, me.list, me.count);
    for (int k = 0; k < me.count; k++) {
        me.list[k].pair = sb_product_pair(product, k);
    }
    const int status = run(&me, jobs);
    if (me.progress != NULL) {
        sb_progress_free(me.progress, me.count);
    }
    if (sb_interrupted(ctx)) {
        return write_interrupted(&me);
    }
    SB_TRY(status);
    for (int k = me.count - 1; k >= 0; k--) {
        if (me.list[k].status != SB_OK) {
            return sb_fail(ctx, me.list[k].status, "%s", me.list[k].message);
        }
    }
    return SB_OK;
}

/* ---- One pair with a limit of time. ---- */

/* The outcome of a process that did not send its status, in words, too. */
static sb_run_outcome judge_end(const pairs *me, char *text, size_t size) {
    char end[300];
    const sb_run_outcome outcome = describe_end(me, 0, end, sizeof end);
    snprintf(text, size, "%s: %s", me->analysis->entry.name, end);
    return outcome;
}

static int run_limited(pairs *me, sb_run_outcome *outcome, const char **message) {
    job *j = me->list;
    SB_TRY(run(me, 1));
    if (sb_interrupted(me->ctx)) {
        return sb_fail(me->ctx, SB_INTERRUPTED, "interrupted");
    }
    const bool lost = j->status == SB_NO_MEMORY || j->status == SB_IO;
    *outcome = j->end != SB_PIPE_CLOSED                                ? judge_end(me, j->message, SB_MESSAGE_MAX)
               : j->status == SB_OK || sb_failure_is_result(j->status) ? SB_RUN_DONE
               : lost                                                  ? SB_RUN_LOST
                                                                       : SB_RUN_FAILED;
    *message = *outcome == SB_RUN_DONE ? "" : j->message[0] != '\0' ? j->message : sb_status_text(j->status);
    return SB_OK;
}

int sb_pair_run_limited(sb_context *ctx, sb_arena *arena, const sb_analysis *analysis, const char *options,
                        const sb_pair *pair, long seconds, sb_meter *meter, sb_table *rows, sb_run_outcome *outcome,
                        const char **message) {
    void *config = sb_alloc(arena, 1, analysis->entry.config_size);
    job *list;
    SB_NEW(arena, list, 1);
    if (config == NULL) {
        return SB_NO_MEMORY;
    }
    SB_TRY(sb_config_parse(ctx, arena, &analysis->entry, options, config));
    list->pair = *pair;
    pairs me = {.ctx = ctx,
                .arena = arena,
                .analysis = analysis,
                .config = config,
                .seconds = seconds,
                .meter = meter,
                .count = 1,
                .list = list};
    const int status = run_limited(&me, outcome, message);
    if (me.progress != NULL) {
        sb_progress_free(me.progress, 1);
    }
    *rows = list->rows;
    return status;
}
