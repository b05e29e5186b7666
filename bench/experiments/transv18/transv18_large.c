/* transv18: the fastest mode of long threads and ladders: its frequency, that from Laguerre's polynomials, and the time
 * to compute it with dense and with sparse matrices. */
#include <math.h>
#include <string.h>

#include <lapacke.h>

#include "analysis/modes/spectra.h"
#include "analysis/timing.h"
#include "bench/runner/experiment_tools.h"
#include "bench/runner/trajectory.h"

enum { SIZES = 7 };
static const int sizes[SIZES] = {10, 30, 100, 300, 1000, 3000, 10000}; /* of threads, then of ladders */

/* Dense matrices up to this size take seconds. */
enum { DENSE_MAX = 700 };
static const double budget = 0.15; /* of a measurement, s */

/* At rest the load of the ladder contributes no geometric stiffness to these modes; they are computed after six steps
 * of SPOOK, as it falls. */
static const double step = 1.0 / 60.0;
enum { FALL = 6 };

static const sb_column columns[] = {
    {"problem", SB_COL_KEY, "", "thread: n equal hanging particles; ladder: N squares, 0.1 s after the start"},
    {"size", SB_COL_KEY, "", "number of particles or squares"},
    {"coordinates", SB_COL_INFO, "", "number of coordinates"},
    {"omega", SB_COL_EXACT, "1/s", "frequency of the fastest transversal mode, from sparse matrices"},
    {"h_crit", SB_COL_EXACT, "s", "2/omega"},
    {"expected", SB_COL_EXACT, "1/s", "thread: from the largest zero of Laguerre's polynomial L_n, omega^2 l/g"},
    {"law", SB_COL_EXACT, "1/s",
     "thread: its first two terms for long threads, omega^2 l/g = nu + 2^(2/3) a nu^(1/3), nu = 4 n + 2, a = -2.338 "
     "(Airy)"},
    {"difference", SB_COL_ERROR, "", "|omega/expected - 1|"},
};

static const sb_column time_columns[] = {
    {"problem", SB_COL_KEY, "", "thread or ladder"},
    {"size", SB_COL_KEY, "", "number of particles or squares"},
    {"coordinates", SB_COL_KEY, "", "number of coordinates"},
    {"matrices", SB_COL_KEY, "", "dense or sparse"},
    {"seconds", SB_COL_TIME, "s",
     "processor time for the fastest mode of the projected pencil: multipliers, factorization, eigenvalue"},
};

/* A system at a state, and its fastest omega^2. */
typedef struct task {
    sb_bench *bench;
    sb_system sys;
    double t, *q, *v;
    sb_matrices matrices;
    double omega2;
} task;

static int fastest(void *arg) {
    task *w = arg;
    sb_spectra spectra;
    SB_SCRATCH(scratch, w->bench->ctx);
    w->omega2 = NAN;
    SB_TRY(sb_spectra_at(w->bench->ctx, &scratch, &w->sys, w->matrices, 1, true, w->t, w->q, w->v, &spectra));
    w->omega2 = spectra.projected[0];
    return SB_OK;
}

static int open_task(sb_bench *bench, sb_arena *arena, const char *problem, bool falls, task *w) {
    *w = (task){.bench = bench};
    SB_TRY(sb_system_build(bench->ctx, arena, problem, 0, NULL, &w->sys));
    SB_TRY(SB_VECTORS(arena, w->sys.n, &w->q, &w->v));
    SB_TRY(w->sys.initial(w->sys.self, &w->t, w->q, w->v));
    if (!falls) {
        return SB_OK;
    }
    sb_method method;
    sb_orbit orbit;
    SB_TRY(sb_bench_orbit(bench->ctx, arena, &w->sys, "spook", step, &method, &orbit));
    SB_TRY(sb_orbit_advance(&orbit, step, FALL));
    w->t = orbit.now.t;
    memcpy(w->q, orbit.now.q, (size_t)w->sys.n * sizeof *w->q);
    return sb_method_report(&method, &orbit.now, w->v, NULL);
}

/* Computes the largest zero of L_n: the largest eigenvalue of the tridiagonal matrix of its recurrence. */
static int laguerre_zero(sb_arena *arena, int n, double *zero) {
    double *diagonal, *off, *x;
    lapack_int *block, *split, found = 0, blocks = 0;
    SB_TRY(SB_VECTORS(arena, n, &diagonal, &off, &x));
    SB_NEW(arena, block, n);
    SB_NEW(arena, split, n);
    for (int i = 0; i < n; i++) {
        diagonal[i] = 2.0 * i + 1.0;
        off[i] = i + 1.0;
    }
    if (LAPACKE_dstebz('I', 'E', n, 0.0, 0.0, n, n, 0.0, diagonal, off, &found, &blocks, x, block, split) != 0) {
        return sb_fail(arena->ctx, SB_NOT_CONVERGED,
                       "the largest zero of Laguerre's polynomial of degree %d was not found", n);
    }
    *zero = x[0];
    return SB_OK;
}

static int time_rows(task *w, const char *name, int size, sb_table *table) {
    static const char *const words[] = {[SB_MATRICES_DENSE] = "dense", [SB_MATRICES_SPARSE] = "sparse"};
    for (int k = SB_MATRICES_DENSE; k <= SB_MATRICES_SPARSE; k++) {
        const sb_job job = {fastest, w};
        double seconds;
        w->matrices = (sb_matrices)k;
        if (k == SB_MATRICES_DENSE && w->sys.n > DENSE_MAX) {
            continue;
        }
        SB_TRY(sb_time_jobs(budget, 1, &job, &seconds, NULL));
        SB_TRY(
            SB_ROW(&table->sink, sb_text(name), sb_int(size), sb_int(w->sys.n), sb_text(words[k]), sb_real(seconds)));
    }
    return SB_OK;
}

static int measure(sb_bench *bench, sb_arena *arena, bool ladder, int size, sb_table *table, sb_table *times) {
    static const double airy = -2.3381074104597670; /* the first zero of Airy's function */
    const double g = 9.81, nu = 4.0 * size + 2.0;
    const char *name = ladder ? "ladder" : "thread";
    double zero = NAN;
    task w;
    SB_TRY(open_task(bench, arena, sb_bench_format(bench, ladder ? "ladder:N=%d" : "thread:n=%d", size), ladder, &w));
    SB_TRY(time_rows(&w, name, size, times));
    const double omega = sqrt(w.omega2);
    if (ladder) {
        return SB_ROW(&table->sink, sb_text(name), sb_int(size), sb_int(w.sys.n), sb_real(omega), sb_real(2.0 / omega),
                      sb_empty(), sb_empty(), sb_empty());
    }
    SB_TRY(laguerre_zero(arena, size, &zero));
    const double expected = sqrt(g * zero), law = sqrt(g * (nu + pow(2.0, 2.0 / 3.0) * airy * cbrt(nu)));
    return SB_ROW(&table->sink, sb_text(name), sb_int(size), sb_int(w.sys.n), sb_real(omega), sb_real(2.0 / omega),
                  sb_real(expected), sb_real(law), sb_real(fabs(omega / expected - 1.0)));
}

static int run(sb_bench *bench) {
    sb_table table, times;
    SB_TRY(SB_TABLE(bench, columns, &table));
    SB_TRY(SB_TABLE(bench, time_columns, &times));
    for (int i = 0; i < 2 * SIZES; i++) {
        SB_SCRATCH(arena, bench->ctx);
        SB_TRY(measure(bench, &arena, i >= SIZES, sizes[i % SIZES], &table, &times));
    }
    SB_TRY(sb_bench_save(bench, &table, "transv18_large.csv"));
    SB_TRY(sb_bench_save(bench, &times, "transv18_large_times.csv"));
    return sb_bench_plot(bench, "transv18_large");
}

SB_DEFINE_EXPERIMENT(transv18_large) = {
    .entry = {"transv18_large",
              "The fastest mode of threads of 10 000 particles and ladders of 10 000 squares: its step, and the time "
              "to find it.",
              "transv18", NULL, 0},
    .files = SB_LIST("times/transv18_large.csv", "times/transv18_large_times.csv", SB_FIGURE("times/transv18_large")),
    .timed = true,
    .run = run,
};
