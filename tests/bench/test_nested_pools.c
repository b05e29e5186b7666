/* Pools within pools: together they run as many processes as the outermost may; a child is created again while there is
 * more for it to do. */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <gsl/gsl_test.h>

#include "bench/process/pool.h"

enum { OUTER = 4, INNER = 5, MOST = 3 };

/* Seen by all processes. */
typedef struct shared {
    atomic_int now, most;
    int until, ms; /* a leaf waits until so many have run at once, at most so long */
} shared;

typedef struct outer {
    sb_context *ctx;
    shared *seen;
    int crashes; /* the child that ends with its processes running; -1: none */
    int ended[OUTER], failed;
} outer;

static int leaf(void *arg, int k, int to) {
    const struct timespec nap = {0, 1000000};
    shared *seen = arg;
    (void)k, (void)to;
    const int now = atomic_fetch_add(&seen->now, 1) + 1;
    int most = atomic_load(&seen->most);
    while (now > most && !atomic_compare_exchange_weak(&seen->most, &most, now)) {
    }
    for (int i = 0; i < seen->ms && atomic_load(&seen->most) < seen->until; i++) {
        nanosleep(&nap, NULL);
    }
    atomic_fetch_sub(&seen->now, 1);
    return 0;
}

static int ignore(void *arg, int k, long pid, int ended, const struct rusage *used, double seconds) {
    (void)arg, (void)k, (void)pid, (void)ended, (void)seconds;
    return SB_OK;
}

static int branch(void *arg, int k, int to) {
    (void)to;
    const outer *o = arg;
    sb_arena arena;
    sb_arena_init(&arena, o->ctx);
    if (k == o->crashes) {
        abort();
    }
    const int status =
        sb_processes_run(o->ctx, &arena, INNER, INNER, &(sb_processes){.arg = o->seen, .child = leaf, .after = ignore});
    sb_arena_free(&arena);
    return status == SB_OK ? 0 : 1;
}

static int after(void *arg, int k, long pid, int ended, const struct rusage *used, double seconds) {
    outer *o = arg;
    (void)pid, (void)seconds;
    o->ended[k]++;
    o->failed += !WIFEXITED(ended) || WEXITSTATUS(ended) != 0;
    return SB_OK;
}

/* Child k is created k times. */
static bool more(void *arg, int k) { return ((const outer *)arg)->ended[k] < k; }

static void run(outer *o, int count, int until, int ms, const sb_processes *work) {
    sb_arena arena;
    sb_arena_init(&arena, o->ctx);
    atomic_store(&o->seen->most, 0);
    o->seen->until = until;
    o->seen->ms = ms;
    gsl_test_int(sb_processes_run(o->ctx, &arena, count, MOST, work), SB_OK, "the pool runs: %s", o->ctx->message);
    sb_arena_free(&arena);
}

int main(void) {
    sb_context ctx;
    sb_context_init(&ctx);
    shared *seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (seen == MAP_FAILED) {
        return 1;
    }
    outer one = {.ctx = &ctx, .seen = seen, .crashes = -1};
    run(&one, 1, MOST, 5000, &(sb_processes){.arg = &one, .child = branch, .after = after});
    gsl_test_int(atomic_load(&seen->most), MOST, "a single experiment uses all processes");
    outer all = {.ctx = &ctx, .seen = seen, .crashes = 1};
    run(&all, OUTER, MOST + 1, 50, &(sb_processes){.arg = &all, .child = branch, .after = after});
    gsl_test(atomic_load(&seen->most) > MOST, "several experiments run %d processes at once, of %d",
             atomic_load(&seen->most), MOST);
    gsl_test_int(all.failed, 1, "one crashes, the others end");
    outer chains = {.ctx = &ctx, .seen = seen, .crashes = -1};
    run(&chains, OUTER, MOST + 1, 50, &(sb_processes){.arg = &chains, .more = more, .child = branch, .after = after});
    for (int k = 0; k < OUTER; k++) {
        gsl_test_int(chains.ended[k], k, "child %d is created %d times", k, k);
    }
    gsl_test(atomic_load(&seen->most) > MOST, "children that are created again keep their places: %d processes of %d",
             atomic_load(&seen->most), MOST);
    gsl_test_int(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, 1, "no process is left");
    munmap(seen, sizeof *seen);
    return gsl_test_summary();
}
