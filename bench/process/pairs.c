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
#include "core/base/escape.h"

/* Limit by the clock over the limit of processor time: a machine may be busy or asleep. */
enum { CLOCK_FACTOR = 10 };

/* The process of one pair, and what it has sent. */
typedef struct job {
    sb_pair pair;
    const sb_analysis *analysis;
    const void *config; /* its options; unused in a product */
    FILE *file;         /* the row pipe; open while the process runs */
    sb_table rows;
    int ended;     /* status of waitpid */
    bool finished; /* the process has ended and its rows are read */
    sb_pipe_end end;
    int status; /* the status and the message that the process has sent, if `end` is SB_PIPE_CLOSED */
    char *message;
} job;

typedef struct pairs {
    sb_context *ctx;
    sb_arena *arena;
    const sb_product *product; /* NULL: the limited runs below */
    long seconds;              /* limit of processor time; 0: none */
    int count, written;
    job *list;
    sb_progress *progress; /* of each pair, in memory shared with the processes */
    sb_sink *out;          /* NULL: rows are left in the jobs */
    sb_meter *meter;       /* of a longer work, NULL: none */
    char *text;            /* what a pair does, SB_MESSAGE_MAX bytes */
    int status;            /* status of writing the rows so far: nothing is written after a failure */
    /* Limited runs only: */
    int faults;          /* pairs after so many faulty ones are not tried; 0: all are */
    int runs, *next;     /* number of runs per pair; the next run of each pair */
    sb_limited_run *run; /* count x runs */
} pairs;

/* ---- In the child. ---- */

/* Restores the default actions of signals, so that a signal ends the process also in a step that does not return. Rows
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
    const job *j = &me->list[k];
    SB_TRY(sb_pair_monitor(me->arena, &j->pair, &me->progress[k], &monitored));
    return me->product != NULL ? sb_product_run(me->ctx, me->product, k, &monitored, rows)
                               : sb_analysis_run_pair(me->ctx, j->analysis, j->config, &monitored, rows);
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
    sb_row_pipe_init(&pipe, me->ctx, me->list[k].file, me->list[k].analysis->ncolumns);
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
    return sb_table_begin(&j->rows, me->arena, j->analysis->ncolumns, j->analysis->columns);
}

/* Describes the end of the process of pair k, which did not send its status, and returns the outcome. */
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

/* Adds a row for a pair whose process ended before its analysis or whose rows were damaged, and reports it on standard
 * error. */
static int write_crash(pairs *me, int k) {
    job *j = &me->list[k];
    char text[300];
    (void)describe_end(me, k, text, sizeof text);
    sb_write_line(stderr, "stepbench: %s of %s on %s: %s", j->analysis->entry.name, j->pair.stepper, j->pair.problem,
                  text);
    j->status = j->end == SB_PIPE_DAMAGED ? SB_OK : SB_NOT_CONVERGED;
    snprintf(j->message, SB_MESSAGE_MAX, "%s on %s: %s", j->pair.stepper, j->pair.problem, text);
    return sb_row_not_run(j->analysis, &j->pair, text, &j->rows.sink);
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

/* Returns what the process of pair k does: "order of rk4 on kepler, in step 3 (...)". */
static const char *name(const void *arg, int k) {
    const pairs *me = arg;
    const job *j = &me->list[k];
    char place[160];
    sb_progress_place(&me->progress[k], place, sizeof place);
    snprintf(me->text, SB_MESSAGE_MAX, "%s of %s on %s, %s", j->analysis->entry.name, j->pair.stepper, j->pair.problem,
             place);
    return me->text;
}

/* Runs the processes, with the callbacks `more`, `before` and `after` of `work`. */
static int run(pairs *me, long jobs, sb_processes work) {
    SB_NEW(me->arena, me->text, SB_MESSAGE_MAX);
    SB_TRY(sb_progress_share(me->ctx, me->count, &me->progress));
    work.arg = me;
    work.child = child;
    work.name = me->out != NULL || me->meter != NULL ? name : NULL;
    work.meter = me->meter;
    const int status = sb_processes_run(me->ctx, me->arena, me->count, jobs, &work);
    for (int k = 0; k < me->count; k++) {
        if (me->list[k].file != NULL) {
            fclose(me->list[k].file);
        }
    }
    sb_progress_free(me->progress, me->count);
    return status;
}

/* ---- All pairs of a product. ---- */

/* Writes the rows that are left after an interruption, also those after a pair that is not finished. */
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
                .product = product,
                .seconds = seconds,
                .meter = meter,
                .count = sb_product_count(product),
                .out = out};
    SB_NEW(arena, me.list, me.count);
    for (int k = 0; k < me.count; k++) {
        me.list[k] = (job){.pair = sb_product_pair(product, k), .analysis = analysis};
    }
    const int status = run(&me, jobs, (sb_processes){.before = before, .after = after});
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

/* ---- Limited runs. ---- */

/* Returns whether the last run of the pair so far was a fault. */
static bool is_faulty(const pairs *me, int k) {
    if (me->next[k] == 0) {
        return false;
    }
    const sb_run_outcome last = me->run[k * me->runs + me->next[k] - 1].outcome;
    return last == SB_RUN_CRASHED || last == SB_RUN_TIMED_OUT;
}

/* Returns whether the fault limit was reached before this pair. */
static bool fault_limit_reached(const pairs *me, int k) {
    int count = 0;
    for (int i = 0; i < k && me->faults > 0; i++) {
        count += is_faulty(me, i);
    }
    return me->faults > 0 && count >= me->faults;
}

static bool has_next(void *arg, int k) {
    const pairs *me = arg;
    return me->next[k] < me->runs && !is_faulty(me, k) && !fault_limit_reached(me, k);
}

static int before_limited(void *arg, int k) {
    const pairs *me = arg;
    const sb_limited_run *run = &me->run[k * me->runs + me->next[k]];
    const sb_entry *analysis = &run->analysis->entry;
    void *config = sb_alloc(me->arena, 1, analysis->config_size);
    if (config == NULL) {
        return SB_NO_MEMORY;
    }
    SB_TRY(sb_config_parse(me->ctx, me->arena, analysis, run->options, config));
    me->progress[k] = (sb_progress){0};
    me->list[k] = (job){.pair = run->pair, .analysis = run->analysis, .config = config};
    return before(arg, k);
}

/* Sets the outcome of a run, whose process has ended, and its message. */
static void set_outcome(const pairs *me, int k, sb_limited_run *run) {
    const job *j = &me->list[k];
    char end[300];
    if (j->end != SB_PIPE_CLOSED) {
        run->outcome = describe_end(me, k, end, sizeof end);
        snprintf(j->message, SB_MESSAGE_MAX, "%s: %s", run->analysis->entry.name, end);
    } else if (j->status == SB_NO_MEMORY || j->status == SB_IO) {
        run->outcome = SB_RUN_LOST;
    } else if (j->status != SB_OK && !sb_failure_is_result(j->status)) {
        run->outcome = SB_RUN_FAILED;
    }
    run->refused = j->end == SB_PIPE_CLOSED && j->status == SB_UNSUPPORTED;
    run->message = run->outcome == SB_RUN_DONE && !run->refused ? ""
                   : j->message[0] != '\0'                      ? j->message
                                                                : sb_status_text(j->status);
}

static int after_limited(void *arg, int k, long pid, int ended, double seconds) {
    const pairs *me = arg;
    sb_limited_run *run = &me->run[k * me->runs + me->next[k]];
    SB_TRY(after(arg, k, pid, ended, seconds));
    run->rows = me->list[k].rows;
    set_outcome(me, k, run);
    me->next[k]++;
    if (me->meter != NULL) {
        me->meter->done += 1.0 / me->runs;
    }
    return SB_OK;
}

/* Sets the runs that were not tried. A pair after the last fault that is allowed may have run at the same time. */
static int finish(const pairs *me) {
    for (int k = 0; k < me->count; k++) {
        const bool beyond = fault_limit_reached(me, k);
        for (int i = beyond ? 0 : me->next[k]; i < me->runs; i++) {
            sb_limited_run *run = &me->run[k * me->runs + i];
            run->outcome = beyond ? SB_RUN_NOT_TRIED : run[-1].outcome;
            run->message = beyond ? "" : run[-1].message;
            SB_TRY(sb_table_begin(&run->rows, me->arena, run->analysis->ncolumns, run->analysis->columns));
        }
    }
    return SB_OK;
}

int sb_pairs_run_limited(sb_context *ctx, sb_arena *arena, const sb_limits *limits, int faults, int count, int runs,
                         sb_limited_run *list) {
    pairs me = {.ctx = ctx,
                .arena = arena,
                .seconds = limits->seconds,
                .meter = limits->meter,
                .faults = faults,
                .count = count,
                .runs = runs,
                .run = list};
    if (count == 0) {
        return SB_OK;
    }
    SB_NEW(arena, me.list, count);
    SB_NEW(arena, me.next, count);
    const double done = me.meter != NULL ? me.meter->done : 0.0;
    const int status =
        run(&me, limits->jobs, (sb_processes){.more = has_next, .before = before_limited, .after = after_limited});
    if (sb_interrupted(ctx)) {
        return sb_fail(ctx, SB_INTERRUPTED, "interrupted");
    }
    SB_TRY(status);
    if (me.meter != NULL) {
        me.meter->done = done + count;
    }
    return finish(&me);
}
