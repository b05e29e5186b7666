/* spook07 3 and 5: dissipation of relaxed constraints, limits of nonlinear stability, and other regularizations. */
#include <math.h>

#include <stepbench/numerics/norm.h>

#include "bench/experiments/spook07/linear_system.h"
#include "bench/experiments/spook07/rods_runs.h"
#include "bench/runner/experiment_tools.h"

static const sb_column columns[] = {
    {"eps", SB_COL_KEY, "", "eps/(h^2 G M^-1 G')"},
    {"theta", SB_COL_KEY, "", "tau/h"},
    {"root", SB_COL_EXACT, "", "largest |mu|, by stepping"},
};
enum { LEVELS = 15 };

/* Computes the largest |mu| over eps = 1e-10 ... 1e4 at one tau/h, and over eps <= 1e-2, the stiff ones. */
static int find_roots(sb_bench *bench, double theta, sb_table *table, double *largest, double *stiff) {
    *largest = *stiff = 0.0;
    for (int i = 0; i < LEVELS; i++) {
        const double eps = pow(10.0, i - 10);
        double trace, determinant;
        SB_TRY(sb_linear_one(bench, eps, theta, &trace, &determinant));
        const double root = sb_linear_root(trace, determinant);
        *largest = sb_larger(*largest, root);
        *stiff = eps <= 0.011 ? sb_larger(*stiff, root) : *stiff;
        SB_TRY(SB_ROW(&table->sink, sb_real(eps), sb_real(theta), sb_trusted(root, 1e-8)));
    }
    return SB_OK;
}

static int record_dissipation(sb_bench *bench) {
    double largest, stiff, free, free_stiff;
    sb_table table;
    SB_TRY(SB_TABLE(bench, columns, &table));
    SB_TRY(find_roots(bench, 2.0, &table, &largest, &stiff));
    SB_TRY(find_roots(bench, 0.0, &table, &free, &free_stiff));
    SB_TRY(sb_bench_measure(bench, "spook07-dissipative/largest", largest, 0.0));
    SB_TRY(sb_bench_measure(bench, "spook07-dissipative/stiff", stiff, 0.0));
    SB_TRY(sb_bench_measure(bench, "spook07-dissipative/undamped", fabs(free - 1.0), 0.0));
    return sb_bench_save(bench, &table, "spook07_relaxed.csv");
}

/* Counts the starts of the ladder of 20 squares whose energy leaves its range by 2 % in 20 s; `turn` is the largest
 * turn of a rod per step before that, in rad. */
static int count_failures(sb_bench *bench, double h, int *failed, double turn[SB_RODS_STARTS]) {
    *failed = 0;
    for (int i = 0; i < SB_RODS_STARTS; i++) {
        sb_rods_run run;
        SB_TRY(sb_rods_follow_start(bench, "ladder:N=20", i, "spook", h, 20.0, &run));
        const double end = sb_rods_failure(&run, 0.02, NULL);
        *failed += isfinite(end);
        turn[i] = 0.0;
        for (int k = 0; k < run.count && run.at[k].t < end; k++) {
            turn[i] = sb_larger(turn[i], h * run.at[k].spin);
        }
    }
    return SB_OK;
}

static int record_nonlinear(sb_bench *bench) {
    static const double steps_per_s[2] = {60.0, 12.0};
    for (int k = 0; k < 2; k++) {
        double turn[SB_RODS_STARTS];
        int failed;
        SB_TRY(count_failures(bench, 1.0 / steps_per_s[k], &failed, turn));
        const sb_rods_spread s = sb_rods_ensemble(turn);
        SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "spook07-nonlinear/failed-h=1:%g", steps_per_s[k]),
                                failed, 0.0));
        SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "spook07-nonlinear/turn-h=1:%g", steps_per_s[k]),
                                s.median, s.spread));
    }
    return SB_OK;
}

/* A violation x of g = x with the mass 1 obeys x'' = lambda. In the time unit that makes eps = 1 solutions exp(s t)
 * have s^2 + 1 = 0 with eps lambda + g = 0, s^3 + 1 = 0 with eps lambda' + g = 0, s^4 + 1 = 0 with eps lambda'' + g =
 * 0. Returns the largest real part of the roots of s^degree + 1, which are exp(i pi (2k + 1)/degree). */
static double growth(int degree) { return cos(M_PI / degree); }

static int record_regularizations(sb_bench *bench) {
    SB_TRY(sb_bench_measure(bench, "spook07-rivals/spring", growth(2), 0.0));
    SB_TRY(sb_bench_measure(bench, "spook07-rivals/first-order", growth(3), 0.0));
    return sb_bench_measure(bench, "spook07-rivals/second-order", growth(4), 0.0);
}

static int run(sb_bench *bench) {
    SB_TRY(record_dissipation(bench));
    SB_TRY(record_nonlinear(bench));
    return record_regularizations(bench);
}

SB_DEFINE_EXPERIMENT(spook07_relaxed) = {
    .entry = {"spook07_relaxed",
              "Relaxed constraints: their dissipation, where nonlinear stability ends, and other regularizations.",
              "spook07 3, 5", NULL, 0},
    .files = SB_LIST("spook07_relaxed.csv"),
    .run = run,
};
