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
    static const char *const claim = "spook07-dissipative";
    double largest, stiff, free, free_stiff;
    sb_table table;
    SB_TRY(SB_TABLE(bench, columns, &table));
    SB_TRY(find_roots(bench, 2.0, &table, &largest, &stiff));
    SB_TRY(find_roots(bench, 0.0, &table, &free, &free_stiff));
    SB_TRY(SB_RECORD(bench, claim, SB_PRINTED,
                     "linear constraint, tau/h = 2: largest |mu|, eps/(h^2 G M^-1 G') = 1e-10 to 1e4", SB_AT_MOST,
                     .measured = largest, .expected = 1.0 - 1e-6, .published = "strictly dissipative",
                     .from = "inside the unit circle by more than the error of a double root"));
    SB_TRY(SB_RECORD(bench, claim, SB_PRINTED, "the same, largest |mu| of the stiff ones, up to 1e-2", SB_AT_MOST,
                     .measured = stiff, .expected = 0.5, .published = "filters out the high oscillations",
                     .from = "at least halved in every step"));
    SB_TRY(SB_RECORD(bench, claim, SB_PRINTED, "the same with tau = 0: largest distance of |mu| from 1", SB_AT_MOST,
                     .measured = fabs(free - 1.0), .expected = 1e-7, .round_off = 1e-8,
                     .published = "constraint stabilization makes it so", .from = "the error of a double root"));
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
    static const char *const claim = "spook07-nonlinear";
    static const double steps_per_s[2] = {60.0, 12.0};
    for (int k = 0; k < 2; k++) {
        double turn[SB_RODS_STARTS];
        int failed;
        SB_TRY(count_failures(bench, 1.0 / steps_per_s[k], &failed, turn));
        const sb_rods_spread s = sb_rods_ensemble(turn);
        const char *ladder = sb_bench_format(bench, "ladder of 20 squares, h = 1/%g s", steps_per_s[k]);
        SB_TRY(SB_RECORD(bench, claim, k == 1 ? SB_PRINTED : SB_REPORTED,
                         sb_bench_format(bench, "%s: starts of %d that fail within 20 s", ladder, SB_RODS_STARTS),
                         SB_AT_LEAST, .measured = failed, .expected = 1.0,
                         .published = k == 1 ? "not guaranteed" : NULL,
                         .from = k == 1 ? "linear constraints are stable at every step" : NULL));
        SB_TRY(SB_RECORD(bench, claim, SB_REPORTED,
                         sb_bench_format(bench, "%s: largest turn of a rod per step before that (rad)", ladder),
                         .measured = s.median, .uncertainty = s.spread));
    }
    return SB_OK;
}

/* A violation x of g = x with the mass 1 obeys x'' = lambda. In the time unit that makes eps = 1 solutions exp(s t)
 * have s^2 + 1 = 0 with eps lambda + g = 0, s^3 + 1 = 0 with eps lambda' + g = 0, s^4 + 1 = 0 with eps lambda'' + g =
 * 0. Returns the largest real part of the roots of s^degree + 1, which are exp(i pi (2k + 1)/degree). */
static double growth(int degree) { return cos(M_PI / degree); }

static int record_regularizations(sb_bench *bench) {
    static const char *const claim = "spook07-rivals";
    SB_TRY(SB_RECORD(bench, claim, SB_PRINTED, "eps lambda + g = 0: growth rate of a violation times sqrt(m eps)",
                     SB_AT_MOST, .measured = growth(2), .expected = 1e-12, .round_off = 1e-14,
                     .from = "a spring: round-off"));
    SB_TRY(SB_RECORD(bench, claim, SB_PRINTED, "eps lambda' + g = 0: growth rate times (m eps)^(1/3)", SB_AT_LEAST,
                     .measured = growth(3), .expected = 1e-3, .round_off = 1e-13, .published = "not physical",
                     .from = "a passive element has no growth"));
    return SB_RECORD(bench, claim, SB_PRINTED, "eps lambda'' + g = 0: growth rate times (m eps)^(1/4)", SB_AT_LEAST,
                     .measured = growth(4), .expected = 1e-3, .round_off = 1e-13, .published = "not justified",
                     .from = "a passive element has no growth");
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
    .claims = SB_LIST("spook07-dissipative", "spook07-nonlinear", "spook07-rivals"),
    .files = SB_LIST("spook07_relaxed.csv"),
    .run = run,
};
