/* Runs an analysis on pairs, each in its own process. */
#include "bench/process/pairs.h"

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/row.h"
#include "bench/process/pool.h"
#include "bench/process/row_pipe.h"
#include "core/base/text.h"

/* Limit by the clock over the limit of processor time: a machine may be busy or asleep. */
enum { CLOCK_FACTOR = 10 };

/* A pair, and what its process has sent. */
typedef struct job {
    sb_pair pair;
    const sb_pair_work *work;
    sb_table rows; /* that have not been written to the output */
    sb_arena kept; /* holds them until they are written; of limited runs the caller's arena does */
    bool ended, crashed;
    int status; /* of `run`, and its message, or after a crash how the process ended */
    const char *message;
} job;

/* A process, which runs the pairs from `at` up to `end` one after another. */
typedef struct batch {
    int at, end; /* at: the pair that runs */
    sb_row_reader in;
    int ended;                 /* status of waitpid */
    double seconds, processor; /* s, by the clock and of processor time */
} batch;

typedef struct pairs {
    sb_context *ctx;
    sb_arena *arena;
    long seconds; /* limit of processor time; 0: none */
    int count, written;
    job *list;
    int nbatches;
    batch *batches;
    sb_progress *progress; /* of each batch, in memory shared with the processes */
    sb_sink *out;          /* of all pairs; limited runs keep their rows */
    sb_meter *meter;       /* of a longer work, NULL: none */
    double done;           /* of it before this call */
    char *text;            /* what a pair does, SB_MESSAGE_MAX bytes */
    char *place;           /* where an interruption found the first pair, "" if it was not running */
    int status;            /* status of writing the rows so far: nothing is written after a failure */
    /* Limited runs only: */
    int faults;          /* pairs after so many faulty ones are not tried; 0: all are */
    int runs, *next;     /* number of runs per pair; the next run of each pair */
    sb_limited_run *run; /* count x runs */
} pairs;

static double processor_seconds(const struct rusage *used) {
    return (double)(used->ru_utime.tv_sec + used->ru_stime.tv_sec) +
           1e-6 * (double)(used->ru_utime.tv_usec + used->ru_stime.tv_usec);
}

/* ---- In the child. ---- */

/* Restores the default actions of signals, so that a signal ends the process also in a step that does not return. Rows
 * that were finished have been sent. */
static void restore_signals(void) {
    static const int defaults[] = {SIGINT, SIGTERM, SIGHUP, SIGXFSZ, SIGALRM};
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
        signal(defaults[i], SIG_DFL);
    }
}

/* Limits the time of the next pair: by the clock as well where the process runs several. */
static void limit_pair(long seconds, bool alone) {
    struct rusage used = {0};
    getrusage(RUSAGE_SELF, &used);
    const rlim_t most = (rlim_t)processor_seconds(&used) + (rlim_t)seconds;
    setrlimit(RLIMIT_CPU, &(struct rlimit){most, alone ? most + 1 : RLIM_INFINITY});
    alarm(alone ? 0 : CLOCK_FACTOR * (unsigned)seconds);
}

/* Discards what a plug-in prints; without a limit of time it goes to standard error, away from rows. */
static void limit_child(long seconds) {
    const struct rlimit no_core = {0, 0};
    const int null_device = seconds > 0 ? open("/dev/null", O_RDWR) : -1;
    if (seconds > 0) {
        setrlimit(RLIMIT_CORE, &no_core);
        dup2(null_device, STDERR_FILENO);
    }
    dup2(STDERR_FILENO, STDOUT_FILENO);
}

/* Returns whether a pair has a process of its own: a limit of time is that of a process, and what a plug-in does to its
 * process must not reach another pair. */
static bool is_apart(const pairs *me) { return me->seconds > 0 || me->ctx->registry->nplugins > 0; }

/* Runs a pair, and sends its rows and its status. */
static int run_one(const pairs *me, int k, sb_progress *progress, sb_row_pipe *pipe) {
    const job *j = &me->list[k];
    sb_pair monitored = j->pair;
    SB_SCRATCH(arena, me->ctx);
    me->ctx->message[0] = '\0';
    *progress = (sb_progress){0};
    int status = j->pair.type != NULL ? sb_pair_monitor(&arena, &j->pair, progress, &monitored) : SB_OK;
    status = status == SB_OK ? j->work->run(j->work->arg, k, &monitored, progress, &pipe->sink) : status;
    fflush(stdout);
    return sb_row_pipe_close(pipe, status);
}

static int child(void *arg, int b, int to) {
    const pairs *me = arg;
    const batch *group = &me->batches[b];
    sb_row_pipe pipe;
    restore_signals();
    limit_child(me->seconds);
    const sb_pair_work *work = me->list[group->at].work;
    int status = sb_row_pipe_init(&pipe, me->ctx, to, work->ncolumns, work->together && !is_apart(me));
    for (int k = group->at; k < group->end && status == SB_OK; k++) {
        if (me->seconds > 0) {
            limit_pair(me->seconds, group->at + 1 == group->end);
        }
        status = run_one(me, k, &me->progress[b], &pipe);
    }
    return status == SB_OK ? 0 : 1;
}

/* ---- In the parent. ---- */

static bool has_more(void *arg, int b) {
    const pairs *me = arg;
    return me->batches[b].at < me->batches[b].end;
}

static int before(void *arg, int b) {
    const pairs *me = arg;
    batch *group = &me->batches[b];
    group->in = (sb_row_reader){.arena = me->arena, .ncolumns = me->list[group->at].work->ncolumns};
    return SB_OK;
}

/* Ends pair k, all of whose rows have been written. */
static int end_pair(const pairs *me, int k) {
    const job *j = &me->list[k];
    return j->work->ended(j->work->arg, k, j->status, j->message, j->crashed, me->out);
}

/* Writes the rows of all pairs up to the first that still runs, and what it has sent so far. */
static int write_finished(pairs *me) {
    while (me->status == SB_OK && me->written < me->count && me->list[me->written].ended) {
        me->status = end_pair(me, me->written++);
        if (me->status == SB_OK && me->written < me->count) {
            me->status = sb_table_write_rows(&me->list[me->written].rows, me->out);
            sb_arena_free(&me->list[me->written].kept);
        }
    }
    return me->status;
}

/* Sets the end of the running pair of a batch, and goes on to the next. */
static int set_end(pairs *me, batch *group, int status, const char *message, bool crashed) {
    job *j = &me->list[group->at++];
    j->ended = true;
    j->crashed = crashed;
    j->status = status;
    const char *const copy = message[0] != '\0' ? sb_strdup(me->arena, message) : "";
    j->message = copy != NULL ? copy : "";
    return copy == NULL ? SB_NO_MEMORY : me->run == NULL ? write_finished(me) : SB_OK;
}

/* Reads what has been received up to the status of the running pair. Passes on the rows of the first pair that has not
 * ended, and keeps those of others. */
static int read_pair(pairs *me, batch *group, const void *bytes, size_t size) {
    job *j = &me->list[group->at];
    const bool direct = me->run == NULL && group->at == me->written;
    if (!direct && j->rows.arena == NULL) {
        sb_arena_init(&j->kept, me->ctx);
        sb_table_init(&j->rows, &j->kept);
        j->rows.ncolumns = j->work->ncolumns;
        j->rows.columns = j->work->columns;
    }
    SB_TRY(sb_row_reader_take(&group->in, bytes, size, direct ? me->out : &j->rows.sink));
    return group->in.closed ? set_end(me, group, group->in.status, group->in.message, false) : SB_OK;
}

static int receive(void *arg, int b, const void *bytes, size_t size) {
    pairs *me = arg;
    batch *group = &me->batches[b];
    for (bool more = group->at < group->end; more && me->status == SB_OK; size = 0) {
        me->status = read_pair(me, group, bytes, size);
        more = group->in.closed && group->at < group->end;
        if (more) {
            sb_row_reader_next(&group->in);
        }
    }
    return me->status;
}

/* Describes the end of the process of a batch, which did not send the status of its pair, and returns the outcome. Only
 * after the limit of time are the signals those of the limit; others may send them as well. The limit of processor time
 * counts ticks, of which a busy machine gives a process more than it used; SIGKILL follows a second after SIGXCPU. */
static sb_run_outcome describe_end(const pairs *me, int b, char *text, size_t size) {
    const batch *group = &me->batches[b];
    const double limit = (double)me->seconds;
    const int signal = me->seconds > 0 && WIFSIGNALED(group->ended) ? WTERMSIG(group->ended) : 0;
    const bool by_clock = group->seconds >= CLOCK_FACTOR * limit;
    const bool late = signal == SIGXCPU ? group->processor > limit / 2 : by_clock || group->processor >= limit;
    if (sb_row_reader_end(&group->in) == SB_PIPE_DAMAGED && WIFEXITED(group->ended)) {
        snprintf(text, size, "its rows were damaged on the way; those from there on are lost");
        return SB_RUN_CRASHED;
    }
    if (late && (signal == SIGXCPU || signal == SIGKILL || signal == SIGALRM)) {
        char place[160];
        sb_progress_place(&me->progress[b], place, sizeof place);
        snprintf(text, size, "it did not return within %ld s%s, %s", (by_clock ? CLOCK_FACTOR : 1) * me->seconds,
                 by_clock ? "" : " of processor time", place);
        return SB_RUN_TIMED_OUT;
    }
    sb_progress_crash(&me->progress[b], group->ended, text, size);
    return SB_RUN_CRASHED;
}

/* Ends the pair during which the process of a batch ended. One that the pool has terminated, after a failure or an
 * interruption, has not crashed. */
static int after(void *arg, int b, long pid, int ended, const struct rusage *used, double seconds) {
    pairs *me = arg;
    batch *group = &me->batches[b];
    group->ended = ended;
    group->seconds = seconds;
    group->processor = processor_seconds(used);
    if (me->run != NULL || !has_more(me, b)) {
        return SB_OK;
    }
    if (me->status != SB_OK || sb_interrupted(me->ctx)) {
        sb_progress_place(&me->progress[b], me->text, SB_MESSAGE_MAX);
        const bool first = group->at == me->written;
        snprintf(me->place, SB_MESSAGE_MAX, "%s%s", first ? " " : "", first ? me->text : "");
        return SB_OK;
    }
    (void)describe_end(me, b, me->text, SB_MESSAGE_MAX);
    return set_end(me, group, SB_NOT_CONVERGED, me->text, true);
}

/* Returns what the process of a batch does: "order of rk4 on kepler, in step 3 (...)". */
static const char *name(const void *arg, int b) {
    const pairs *me = arg;
    const batch *group = &me->batches[b];
    const int k = group->at < group->end ? group->at : group->end - 1;
    const job *j = &me->list[k];
    char place[160];
    sb_progress_place(&me->progress[b], place, sizeof place);
    snprintf(me->text, SB_MESSAGE_MAX, "%s%s%s%s%s, %s", j->work->name, j->work->name[0] != '\0' ? " of " : "",
             j->pair.type != NULL ? j->pair.stepper : "", j->pair.type != NULL ? " on " : "", j->pair.problem, place);
    if (j->work->steps > 0) {
        me->meter->done = me->done + (double)k * (double)j->work->steps + (double)me->progress[b].step;
    }
    return me->text;
}

/* Sets up processes for `size` pairs each. */
static int set_batches(pairs *me, int size) {
    me->nbatches = (me->count + size - 1) / size;
    SB_NEW(me->arena, me->batches, me->nbatches);
    for (int b = 0; b < me->nbatches; b++) {
        me->batches[b].at = b * size;
        me->batches[b].end = b < me->nbatches - 1 ? (b + 1) * size : me->count;
    }
    return sb_progress_share(me->ctx, me->nbatches, &me->progress);
}

/* Runs the processes, with the callbacks `more`, `before` and `after` of `work`. */
static int run(pairs *me, long jobs, sb_processes work) {
    SB_NEW(me->arena, me->text, SB_MESSAGE_MAX);
    SB_NEW(me->arena, me->place, SB_MESSAGE_MAX);
    work.arg = me;
    work.child = child;
    work.receive = receive;
    work.name = me->run == NULL || me->meter != NULL ? name : NULL;
    work.meter = me->meter;
    work.most_seconds = CLOCK_FACTOR * (double)me->seconds * (double)(me->batches[0].end - me->batches[0].at);
    me->done = me->meter != NULL ? me->meter->done : 0.0;
    const int status = sb_processes_run(me->ctx, me->arena, me->nbatches, jobs, &work);
    sb_progress_free(me->progress, me->nbatches);
    return status;
}

/* ---- All pairs. ---- */

/* Returns the number of pairs that a process runs one after another. A process takes about 1 ms, as much as a short
 * run. With BATCHES per processor the last ones leave a processor idle for at most 1/BATCHES of the time. An engine has
 * a process of its own, whose start takes up to seconds: its pairs share as few as possible. */
static int pairs_per_process(const pairs *me, long jobs) {
    enum { BATCHES = 64 };
    const sb_registry *registry = me->ctx->registry;
    int engines = 0;
    for (int i = 0; i < registry->nplugins; i++) {
        engines += registry->plugins[i].engine != NULL;
    }
    return engines > 0 && engines == registry->nplugins ? 1 + (int)((me->count - 1) / jobs)
           : is_apart(me)                               ? 1
                                                        : 1 + (int)((me->count - 1) / (BATCHES * jobs));
}

/* Writes the rows that are left after an interruption, also those after a pair that is not finished. */
static int write_interrupted(const pairs *me) {
    SB_TRY(me->status);
    for (int k = me->written + 1; k < me->count; k++) {
        SB_TRY(sb_table_write_rows(&me->list[k].rows, me->out));
    }
    return sb_fail(me->ctx, SB_INTERRUPTED, "interrupted%s; the rows that were finished are kept", me->place);
}

int sb_pairs_work(sb_context *ctx, sb_arena *arena, const sb_pair_work *work, int count, const sb_pair *list, long jobs,
                  long seconds, sb_meter *meter, sb_sink *out) {
    pairs me = {.ctx = ctx, .arena = arena, .seconds = seconds, .meter = meter, .count = count, .out = out};
    SB_NEW(arena, me.list, count);
    for (int k = 0; k < count; k++) {
        me.list[k] = (job){.pair = list[k], .work = work};
    }
    SB_TRY(set_batches(&me, pairs_per_process(&me, jobs)));
    int status = run(&me, jobs, (sb_processes){.more = has_more, .before = before, .after = after});
    status = sb_interrupted(ctx) ? write_interrupted(&me) : status;
    for (int k = me.written; k < count; k++) {
        sb_arena_free(&me.list[k].kept);
    }
    return status;
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

/* An analysis and its options. */
typedef struct optioned {
    sb_context *ctx;
    const sb_analysis *analysis;
    void *config;
} optioned;

static int run_optioned(void *arg, int k, const sb_pair *pair, sb_progress *progress, sb_sink *rows) {
    const optioned *o = arg;
    return sb_analysis_run_pair(o->ctx, o->analysis, o->config, pair, rows);
}

static int before_limited(void *arg, int k) {
    const pairs *me = arg;
    const sb_limited_run *run = &me->run[k * me->runs + me->next[k]];
    const sb_analysis *analysis = run->analysis;
    optioned *o;
    sb_pair_work *work;
    SB_NEW(me->arena, o, 1);
    SB_NEW(me->arena, work, 1);
    *o = (optioned){me->ctx, analysis, sb_alloc(me->arena, 1, analysis->entry.config_size)};
    if (o->config == NULL) {
        return SB_NO_MEMORY;
    }
    SB_TRY(sb_config_parse(me->ctx, me->arena, &analysis->entry, run->options, o->config));
    *work = (sb_pair_work){.arg = o,
                           .name = analysis->entry.name,
                           .ncolumns = analysis->ncolumns,
                           .columns = analysis->columns,
                           .run = run_optioned};
    me->list[k] = (job){.pair = run->pair, .work = work};
    me->batches[k].at = k;
    SB_TRY(sb_table_begin(&me->list[k].rows, me->arena, analysis->ncolumns, analysis->columns));
    return before(arg, k);
}

/* Sets the outcome of a run, whose process has ended, and its message. */
static int set_outcome(const pairs *me, int k, sb_limited_run *run) {
    const job *j = &me->list[k];
    const int status = j->status;
    const char *why = j->ended && j->message[0] != '\0' ? j->message : sb_status_text(status);
    char end[300];
    run->message = "";
    if (!j->ended) {
        run->outcome = describe_end(me, k, end, sizeof end);
        SB_PRINT(me->arena, run->message, "%s: %s", run->analysis->entry.name, end);
        return SB_OK;
    }
    run->outcome = status == SB_OK || sb_failure_is_result(status) ? SB_RUN_DONE
                   : status == SB_NO_MEMORY || status == SB_IO     ? SB_RUN_LOST
                                                                   : SB_RUN_FAILED;
    run->refused = status == SB_UNSUPPORTED;
    if (run->outcome != SB_RUN_DONE || run->refused) {
        SB_PRINT(me->arena, run->message, "%s", why);
    }
    return SB_OK;
}

static int after_limited(void *arg, int k, long pid, int ended, const struct rusage *used, double seconds) {
    const pairs *me = arg;
    sb_limited_run *run = &me->run[k * me->runs + me->next[k]];
    SB_TRY(after(arg, k, pid, ended, used, seconds));
    run->rows = me->list[k].rows;
    SB_TRY(set_outcome(me, k, run));
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
    SB_TRY(set_batches(&me, 1));
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
