/* Runs experiments in child processes: a crash ends only one of them. */
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/process/pool.h"
#include "bench/runner/bench.h"
#include "bench/runner/claims.h"
#include "bench/runner/ensemble.h"
#include "core/base/escape.h"

/* ---- In the child. ---- */

/* Checks that the CSV files are there; without gnuplot figures are left out. */
static int check_files(sb_bench *bench, const char *out, const sb_experiment *experiment) {
    for (const char *const *file = experiment->files; file != NULL && *file != NULL; file++) {
        char *path;
        SB_PRINT(&bench->arena, path, "%s/%s", out, *file);
        if (sb_ends_with(*file, ".csv") && access(path, R_OK) != 0) {
            return sb_fail(bench->ctx, SB_IO, "it did not write %s", *file);
        }
    }
    return SB_OK;
}

/* Writes the measured quantities in the order of quantities.csv. */
static int write_part(sb_bench *bench, const char *out, const sb_experiment *experiment) {
    const char *path;
    sb_sink *sink;
    sb_table sorted;
    SB_TRY(sb_table_begin(&sorted, &bench->arena, SB_QUANTITY_COLUMNS, sb_quantity_columns));
    for (int i = 0; i < bench->bounds->nrows; i++) {
        if (bench->measured[i] > 0) {
            SB_TRY(sorted.sink.row(&sorted.sink, sb_table_cell(&bench->quantities, bench->measured[i] - 1, 0)));
        }
    }
    SB_TRY(sb_bench_part(&bench->arena, out, experiment, &path));
    SB_TRY(sb_sink_open(bench->ctx, &bench->arena, SB_FORMAT_CSV, path, NULL, &sink));
    return sb_table_write(&sorted, sink);
}

static int run_experiment(sb_bench *bench, const char *out, const sb_experiment *experiment) {
    SB_TRY(experiment->directed ? sb_ensemble_run(bench, experiment) : SB_OK);
    SB_TRY(experiment->run(bench));
    SB_TRY(sb_ensemble_quantities(bench));
    if (sb_interrupted(bench->ctx)) {
        return sb_fail(bench->ctx, SB_INTERRUPTED, "interrupted");
    }
    SB_TRY(sb_bench_draw(bench));
    SB_TRY(sb_check_measured(bench));
    SB_TRY(check_files(bench, out, experiment));
    return write_part(bench, out, experiment);
}

/* Makes the allocator keep freed memory. UMFPACK allocates and frees its work space in every factorization; where each
 * time the system takes the pages back and maps new ones, its time on ladders of 100 to 10 000 squares grows as N^1.4
 * (measured on one machine), and as N^1.05 without. */
static void keep_freed_memory(void) {
#ifdef M_MMAP_MAX
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1);
#endif
}

/* Exit status of a child that was interrupted. */
enum { STOPPED = 2 };

/* Runs an experiment in the child. Returns the exit status, 0 if the part is written. */
static int child_main(const sb_bench_call *call, const sb_experiment *experiment) {
    char times[4200];
    sb_bench bench;
    snprintf(times, sizeof times, "%s/times", call->out);
    if (experiment->timed) {
        keep_freed_memory();
    }
    int status = sb_bench_begin(call->ctx, call->study != NULL ? "study" : "bench",
                                experiment->timed ? times : call->out, &call->bounds, &bench);
    if (status == SB_OK) {
        bench.experiment = experiment;
        bench.study = call->study != NULL ? call->study->file : NULL;
        bench.jobs = call->jobs;
        call->ctx->message[0] = '\0';
        status = run_experiment(&bench, call->out, experiment);
    }
    if (status != SB_OK && !sb_interrupted(call->ctx)) {
        sb_write_line(stderr, "stepbench: experiment %s failed: %s", experiment->entry.name,
                      call->ctx->message[0] != '\0' ? call->ctx->message : sb_status_text(status));
    }
    sb_bench_finish(&bench);
    fflush(NULL);
    return status == SB_OK ? 0 : sb_interrupted(call->ctx) ? STOPPED : 1;
}

/* ---- In the parent. ---- */

/* The experiments of one call to the pool. */
typedef struct group {
    sb_bench_call *call;
    int count;
    sb_bench_job **jobs;
} group;

static int child(void *arg, int k, int to) {
    const group *g = arg;
    return child_main(g->call, g->jobs[k]->experiment);
}

static int reap(void *arg, int k, long pid, int ended, const struct rusage *used, double seconds) {
    const group *g = arg;
    sb_bench_job *job = g->jobs[k];
    const char *name = job->experiment->entry.name;
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == 0) {
        job->outcome = SB_BENCH_RAN;
        sb_write_line(stderr, "stepbench: %-28s %6.1f s", name, seconds);
        return SB_OK;
    }
    job->outcome = sb_interrupted(g->call->ctx) ? SB_BENCH_LEFT : SB_BENCH_FAILED;
    if (WIFSIGNALED(ended) && job->outcome == SB_BENCH_FAILED) {
        sb_write_line(stderr, "stepbench: experiment %s crashed: %s", name, strsignal(WTERMSIG(ended)));
    } else if (WIFEXITED(ended) && WEXITSTATUS(ended) == STOPPED && job->outcome == SB_BENCH_FAILED) {
        sb_write_line(stderr, "stepbench: experiment %s was interrupted; the others go on", name);
    }
    return SB_OK;
}

static const char *name(const void *arg, int k) { return ((const group *)arg)->jobs[k]->experiment->entry.name; }

/* Inserts a job after the jobs that take as long or longer. */
static void insert(group *g, sb_bench_job *job) {
    int at = g->count++;
    for (; at > 0 && g->jobs[at - 1]->experiment->seconds < job->experiment->seconds; at--) {
        g->jobs[at] = g->jobs[at - 1];
    }
    g->jobs[at] = job;
}

/* Runs the timed or the other experiments that wait, `most` at a time. The longest come first, so that none of them is
 * left over at the end. */
static int run_group(sb_bench_call *call, bool timed, long most) {
    group g = {.call = call};
    SB_NEW(call->arena, g.jobs, call->count);
    for (int i = 0; i < call->count; i++) {
        if (call->list[i].outcome == SB_BENCH_WAITING && call->list[i].experiment->timed == timed) {
            insert(&g, &call->list[i]);
        }
    }
    return sb_processes_run(call->ctx, call->arena, g.count, most,
                            &(sb_processes){.arg = &g, .child = child, .after = reap, .name = name});
}

int sb_bench_collect(sb_bench_call *call) {
    for (int i = 0; i < call->count; i++) {
        sb_bench_job *job = &call->list[i];
        const char *path;
        SB_TRY(sb_bench_part(call->arena, call->out, job->experiment, &path));
        job->outcome = access(path, R_OK) == 0 ? SB_BENCH_KEPT : SB_BENCH_FAILED;
        if (job->outcome == SB_BENCH_FAILED) {
            sb_write_line(stderr, "stepbench: experiment %s has left no part in %s: it has failed, or has not been run",
                          job->experiment->entry.name, call->out);
        }
    }
    return SB_OK;
}

/* Keeps the parts of an earlier call with --resume, otherwise removes them. */
static int look_for_parts(sb_bench_call *call) {
    for (int i = 0; i < call->count; i++) {
        sb_bench_job *job = &call->list[i];
        const char *path;
        SB_TRY(sb_bench_part(call->arena, call->out, job->experiment, &path));
        if (!call->resume) {
            unlink(path);
        } else if (access(path, R_OK) == 0) {
            job->outcome = SB_BENCH_KEPT;
        }
    }
    return SB_OK;
}

int sb_bench_run(sb_bench_call *call) {
    SB_TRY(look_for_parts(call));
    int status = run_group(call, false, call->jobs);
    if (status == SB_OK) {
        status = run_group(call, true, 1);
    }
    if (sb_interrupted(call->ctx)) {
        return sb_fail(call->ctx, SB_INTERRUPTED,
                       "interrupted; what is finished is kept, the same call with --resume goes on from there");
    }
    return status;
}
