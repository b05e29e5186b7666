/* Many pairs: they share processes, their rows come in order, and a crash, an end of the process or a failure in one of
 * them costs its own rows only. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include <gsl/gsl_test.h>

#include "bench/process/pairs.h"
#include "bench/runner/registry.h"

enum { PAIRS = 1000, CRASHES = 7, ENDS = 500, FAILS = 999, ROWS = 3 };

typedef struct seen {
    sb_context *ctx;
    int ended, crashed, failed, wrong;
} seen;

/* Two rows, then the fate of the pair, then the third. */
static int run(void *arg, int k, const sb_pair *pair, sb_progress *progress, sb_sink *rows) {
    const seen *s = arg;
    for (int i = 0; i < ROWS; i++) {
        if (i == 2 && k == CRASHES) {
            raise(SIGKILL);
        }
        if (i == 2 && k == ENDS) {
            _exit(3);
        }
        if (i == 2 && k == FAILS) {
            return sb_fail(s->ctx, SB_SINGULAR, "pair %d", k);
        }
        const sb_cell row[] = {sb_int(k), sb_int(i), sb_int((long)getpid())};
        SB_TRY(rows->row(rows, row));
    }
    return SB_OK;
}

static int ended(void *arg, int k, int status, const char *message, bool crashed, sb_sink *out) {
    seen *s = arg;
    s->wrong += k != s->ended++;
    s->crashed += crashed && (k == CRASHES || k == ENDS);
    s->failed += !crashed && k == FAILS && status == SB_SINGULAR && strcmp(message, "pair 999") == 0;
    s->wrong += crashed ? k != CRASHES && k != ENDS : status != SB_OK && k != FAILS;
    return SB_OK;
}

static void run_all(sb_context *ctx, long jobs) {
    static const sb_column columns[] = {
        {"pair", SB_COL_KEY, "", ""}, {"row", SB_COL_KEY, "", ""}, {"process", SB_COL_INFO, "", ""}};
    sb_arena arena;
    sb_table table;
    sb_pair *list;
    seen s = {.ctx = ctx};
    sb_arena_init(&arena, ctx);
    list = sb_alloc(&arena, PAIRS, sizeof *list);
    const sb_pair_work work = {.arg = &s, .name = "", .ncolumns = 3, .columns = columns, .run = run, .ended = ended};
    sb_meter silence = {0};
    int status = sb_table_begin(&table, &arena, 3, columns);
    for (int k = 0; k < PAIRS; k++) {
        list[k].problem = "nothing";
    }
    status = status == SB_OK ? sb_pairs_work(ctx, &arena, &work, PAIRS, list, jobs, 0, &silence, &table.sink) : status;
    gsl_test(status != SB_OK || s.ended != PAIRS || s.wrong != 0, "%ld jobs: all pairs end in order: %s", jobs,
             ctx->message);
    gsl_test(s.crashed != 2 || s.failed != 1, "%ld jobs: two crashes and a failure, by their pairs", jobs);
    int wrong = table.nrows != ROWS * PAIRS - 3, processes = 0;
    long last = -1, pid = 0;
    for (int i = 0; i < table.nrows; i++) {
        const long at = ROWS * sb_table_cell(&table, i, 0)->integer + sb_table_cell(&table, i, 1)->integer;
        wrong += at <= last;
        last = at;
        processes += sb_table_cell(&table, i, 2)->integer != pid;
        pid = sb_table_cell(&table, i, 2)->integer;
    }
    gsl_test(wrong != 0, "%ld jobs: %d rows in order, without those that were not written", jobs, table.nrows);
    gsl_test(processes < 2 || processes > PAIRS / 4, "%ld jobs: %d processes for %d pairs", jobs, processes, PAIRS);
    sb_arena_free(&arena);
}

static bool takes_no_steps(const void *config) { return false; }

static int fail(sb_task *task) { return sb_fail(task->ctx, SB_IO, "it fails"); }

/* Where the parent gets no memory for the message of a limited run, its work ends with that. */
static void starve(sb_context *ctx) {
    static const sb_param none[] = {{0}};
    static const sb_column columns[] = {{"h", SB_COL_KEY, "", ""}};
    static const sb_analysis failing = {.entry = {"failing", "", "", none, sizeof(int)},
                                        .ncolumns = 1,
                                        .columns = columns,
                                        .steps = takes_no_steps,
                                        .run = fail};
    static const sb_stepper stepper = {.entry = {"none", "", "", none, 0}};
    int starved = 0, wrong = 0, status = SB_NO_MEMORY;
    for (long budget = 0; status != SB_OK && budget < 200; budget++) {
        sb_limited_run run = {.analysis = &failing, .options = "", .pair = {"nothing", "none", .type = &stepper}};
        sb_meter silence = {0};
        sb_arena arena;
        sb_arena_init(&arena, ctx);
        ctx->alloc_budget = budget;
        status = sb_pairs_run_limited(ctx, &arena, &(sb_limits){1, 5, &silence}, 0, 1, 1, &run);
        ctx->alloc_budget = -1;
        starved += status == SB_NO_MEMORY;
        wrong += status != SB_OK && status != SB_NO_MEMORY;
        sb_arena_free(&arena);
    }
    gsl_test(status != SB_OK || starved == 0 || wrong != 0, "without memory: status %d, %d starved, %d otherwise: %s",
             status, starved, wrong, ctx->message);
}

int main(void) {
    sb_context ctx;
    sb_registry registry;
    sb_context_init(&ctx);
    gsl_test(sb_registry_init(&registry, &ctx) != SB_OK, "the registry");
    ctx.registry = &registry;
    run_all(&ctx, 1);
    run_all(&ctx, 3);
    starve(&ctx);
    sb_registry_free(&registry);
    return gsl_test_summary();
}
