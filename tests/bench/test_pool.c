/* The pool of experiments: one that breaks its word, fails or crashes costs itself alone; timed ones run one by one
 * after the others; parts of an earlier call count with --resume only. */
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <gsl/gsl_test.h>

#include "bench/runner/bench.h"
#include "bench/runner/claims.h"
#include "core/base/text.h"
#include "tests/bench/bounds.h"

/* Seen by all processes: how many experiments of a kind run now, and the most that ever did. */
typedef struct counts {
    atomic_int now[2], most[2], ran;
} counts;

static counts *shared;

static void run_a_while(int timed) {
    const struct timespec nap = {0, 30000000}; /* ns: long against starting a process */
    const int now = atomic_fetch_add(&shared->now[timed], 1) + 1;
    int most = atomic_load(&shared->most[timed]);
    while (now > most && !atomic_compare_exchange_weak(&shared->most[timed], &most, now)) {
    }
    nanosleep(&nap, NULL);
    if (timed && atomic_load(&shared->now[0]) > 0) {
        atomic_store(&shared->most[1], 99); /* beside others */
    }
    atomic_fetch_sub(&shared->now[timed], 1);
    atomic_fetch_add(&shared->ran, 1);
}

/* Measures the quantity of the experiment. */
static int find(sb_bench *bench) {
    return sb_bench_measure(bench, sb_asprintf(&bench->arena, "wm96-t1-q/%s", bench->experiment->entry.name), 1.0, 0.0);
}

static int save(sb_bench *bench, const char *name) {
    static const sb_column column = {"x", SB_COL_KEY, "", ""};
    sb_sink *sink;
    SB_TRY(sb_bench_csv(bench, name, NULL, &sink));
    SB_TRY(sink->begin(sink, 1, &column));
    return sink->end(sink);
}

static int good(sb_bench *bench) {
    run_a_while(0);
    SB_TRY(find(bench));
    return save(bench, "pool.csv");
}
static int timed(sb_bench *bench) {
    (void)bench;
    run_a_while(1);
    return SB_OK;
}
static int silent(sb_bench *bench) { return save(bench, "pool.csv"); }
static int twice(sb_bench *bench) {
    SB_TRY(find(bench));
    return good(bench);
}
static int more(sb_bench *bench) {
    SB_TRY(sb_bench_measure(bench, "wm96-t1-q/good", 1.0, 0.0));
    return good(bench);
}
static int no_file(sb_bench *bench) { return find(bench); }
static int fails(sb_bench *bench) { return sb_fail(bench->ctx, SB_IO, "on purpose"); }
static int crashes(sb_bench *bench) {
    (void)bench;
    raise(SIGKILL);
    return SB_OK;
}

static const struct {
    const char *name;
    int (*run)(sb_bench *bench);
    bool timed, claims;
    sb_outcome outcome;
} cases[] = {{"good", good, false, true, SB_BENCH_RAN},          {"timed_one", timed, true, false, SB_BENCH_RAN},
             {"silent", silent, false, true, SB_BENCH_FAILED},   {"twice", twice, false, true, SB_BENCH_FAILED},
             {"more", more, false, true, SB_BENCH_FAILED},       {"no_file", no_file, false, true, SB_BENCH_FAILED},
             {"timed_two", timed, true, false, SB_BENCH_RAN},    {"fails", fails, false, true, SB_BENCH_FAILED},
             {"crashes", crashes, false, true, SB_BENCH_FAILED}, {"good_too", good, false, true, SB_BENCH_RAN},
             {"good_again", good, false, true, SB_BENCH_RAN},    {"timed_three", timed, true, false, SB_BENCH_RAN}};
enum { CASES = sizeof cases / sizeof *cases };

static sb_experiment experiments[CASES];
static sb_bench_job jobs[CASES];

static bool has_part(const sb_bench_call *call, int k) {
    const char *path;
    return sb_bench_part(call->arena, call->out, &experiments[k], &path) == SB_OK && access(path, R_OK) == 0;
}

/* Leaves a part of an earlier call. */
static void leave_part(const sb_bench_call *call, int k) {
    const char *path;
    gsl_test(sb_bench_part(call->arena, call->out, &experiments[k], &path) != SB_OK ||
                 close(open(path, O_CREAT | O_WRONLY, 0666)) != 0,
             "a part of an earlier call");
}

/* The word each experiment keeps or breaks. */
static void outcomes(sb_bench_call *call) {
    gsl_test(sb_bench_open(call, true) != SB_OK, "the directory is made (%s)", call->ctx->message);
    leave_part(call, 7); /* fails */
    gsl_test(sb_bench_run(call) != SB_OK, "the pool runs (%s)", call->ctx->message);
    for (int k = 0; k < CASES; k++) {
        gsl_test(jobs[k].outcome != cases[k].outcome, "the experiment %s %s", cases[k].name,
                 cases[k].outcome == SB_BENCH_RAN ? "runs" : "has failed");
        gsl_test(has_part(call, k) != (cases[k].outcome == SB_BENCH_RAN), "and leaves %s",
                 cases[k].outcome == SB_BENCH_RAN ? "its part" : "none, also of an earlier call");
    }
    gsl_test(atomic_load(&shared->most[0]) > 2, "no more than two at a time, not %d", atomic_load(&shared->most[0]));
    gsl_test(atomic_load(&shared->most[1]) != 1, "timed ones by themselves");
}

/* What has left its part is not run again, and not without --resume. */
static void resume(sb_bench_call *call) {
    for (int k = 0; k < CASES; k++) {
        jobs[k].outcome = SB_BENCH_WAITING;
    }
    leave_part(call, 8); /* as if finished before */
    call->resume = true;
    atomic_store(&shared->ran, 0);
    gsl_test(sb_bench_run(call) != SB_OK, "resumed (%s)", call->ctx->message);
    gsl_test_int(atomic_load(&shared->ran), 1, "of what had run, only the one that broke its word after it does again");
    gsl_test(jobs[0].outcome != SB_BENCH_KEPT || jobs[8].outcome != SB_BENCH_KEPT || jobs[7].outcome != SB_BENCH_FAILED,
             "what is there is kept, what failed is tried again");
    gsl_test(sb_bench_collect(call) != SB_OK || jobs[0].outcome != SB_BENCH_KEPT || jobs[2].outcome != SB_BENCH_FAILED,
             "collected, what left no part has failed");
}

int main(void) {
    static const char *const nothing[] = {NULL}, *const files[] = {"pool.csv", NULL},
                             *const never[] = {"never.csv", NULL};
    sb_context ctx;
    sb_arena arena;
    sb_context_init(&ctx);
    sb_arena_init(&arena, &ctx);
    sb_bench_call call = {.ctx = &ctx, .arena = &arena, .out = "pool_test", .jobs = 2, .count = CASES, .list = jobs};
    gsl_test(system("rm -rf pool_test") != 0, "an empty folder to begin with");
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        return 1;
    }
    gsl_test(make_bounds(&arena, &call.bounds) != SB_OK, "bounds: %s", ctx.message);
    for (int k = 0; k < CASES; k++) {
        char id[64];
        snprintf(id, sizeof id, "wm96-t1-q/%s", cases[k].name);
        gsl_test(cases[k].claims && add_bound(&call.bounds, id, cases[k].name, "printed") != SB_OK, "bounds: %s",
                 ctx.message);
        experiments[k] = (sb_experiment){.entry = {cases[k].name, "", "hlw06", NULL, 0},
                                         .timed = cases[k].timed,
                                         .run = cases[k].run,
                                         .files = cases[k].run == no_file ? never
                                                  : cases[k].claims       ? files
                                                                          : nothing};
        jobs[k].experiment = &experiments[k];
    }
    outcomes(&call);
    resume(&call);
    sb_bench_close(&call);
    gsl_test(system("rm -rf pool_test") != 0, "nothing stays");
    sb_arena_free(&arena);
    return gsl_test_summary();
}
