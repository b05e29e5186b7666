/* notes11 7: the implicit midpoint rule's energy on the oscillator, and its trajectory at very large steps: noise or
 * not? */
#include <float.h>
#include <math.h>

#include <gsl/gsl_statistics_double.h>

#include "bench/runner/verdicts.h"

enum { LENGTH = 4096, SHOWN = 200, LAGS = 60 };

static const sb_column columns[] = {
    {"tau", SB_COL_KEY, "", "natural step h omega"},
    {"steps", SB_COL_INFO, "", "steps taken"},
    {"energy_drift", SB_COL_ERROR, "", "largest deviation of the energy, relative"},
    {"mean", SB_COL_EXACT, "", "of x_k"},
    {"largest", SB_COL_EXACT, "", "|x_k|"},
    {"autocorrelation1", SB_COL_EXACT, "", "of x_k at lag 1"},
    {"autocorrelation2", SB_COL_EXACT, "", "of x_k at lag 2"},
    {"unpredictable", SB_COL_ERROR, "", "share of the variance of x_{k+1} that x_k and x_{k-1} leave open"},
};
static const sb_column trajectory_columns[] = {
    {"k", SB_COL_KEY, "", "step"},
    {"x", SB_COL_EXACT, "", "x_k at tau = 100"},
    {"envelope", SB_COL_EXACT, "", "(-1)^k x_k"},
    {"autocorrelation", SB_COL_EXACT, "", "of x_k at lag k; empty beyond the lags shown"},
};
enum {
    COLUMNS = sizeof columns / sizeof columns[0],
    TRAJECTORY = sizeof trajectory_columns / sizeof trajectory_columns[0]
};

/* Round-off of a step, some ten operations of eps on energies whose parts exchange entirely; deviations of one sign at
 * worst. */
static const double round_off = 16.0 * DBL_EPSILON;

/* White noise has autocorrelations below 3/sqrt(N) at every given lag (three standard deviations), and nothing predicts
 * it. */
static const double noise_band = 3.0 / 64.0;

/* x_k and the largest relative deviation of the energy, from x = 1 at rest. */
static int trajectory(sb_bench *bench, double tau, double *x, double *drift) {
    sb_system sys;
    sb_method method;
    sb_state s[2];
    SB_TRY(sb_system_build(bench->ctx, &bench->arena, "oscillator:m=1,omega=1,x0=1,v0=0", 0, NULL, &sys));
    SB_TRY(sb_method_build(bench->ctx, &bench->arena, "midpoint", &sys, &method));
    SB_TRY(sb_state_new(&method, &bench->arena, &s[0]));
    SB_TRY(sb_state_new(&method, &bench->arena, &s[1]));
    SB_TRY(sb_method_start(&method, 0.0, NULL, NULL, tau, &s[0]));
    *drift = 0.0;
    for (int k = 0; k < LENGTH; k++) {
        const sb_state *now = &s[k % 2];
        const double d = fabs(now->q[0] * now->q[0] + now->v[0] * now->v[0] - 1.0);
        *drift = !(d <= *drift) ? d : *drift;
        x[k] = now->q[0];
        SB_TRY(sb_method_step(&method, now, tau, &s[1 - k % 2]));
    }
    return SB_OK;
}

static double autocorrelation(const double *x, int lag) {
    return gsl_stats_correlation(x, 1, x + lag, 1, (size_t)(LENGTH - lag));
}

/* Least squares of x_{k+1} + x_{k-1} on x_k: what is left, over what there was. Noise leaves 1, a rotation by a fixed
 * angle 0. */
static double unpredictable(const double *x) {
    double xy = 0.0, xx = 0.0, left = 0.0;
    for (int k = 1; k + 1 < LENGTH; k++) {
        xy += (x[k + 1] + x[k - 1]) * x[k];
        xx += x[k] * x[k];
    }
    for (int k = 1; k + 1 < LENGTH; k++) {
        const double d = x[k + 1] + x[k - 1] - xy / xx * x[k];
        left += d * d;
    }
    return left / xx;
}

static int save_trajectory(sb_bench *bench, const double *x) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, TRAJECTORY, trajectory_columns, &table));
    for (int k = 0; k < SHOWN; k++) {
        SB_TRY(SB_ROW(&table.sink, sb_int(k), sb_real(x[k]), sb_real(k % 2 == 0 ? x[k] : -x[k]),
                      k < LAGS ? sb_real(autocorrelation(x, k)) : sb_empty()));
    }
    return sb_bench_save(bench, &table, "notes11_midpoint_trajectory.csv");
}

static int run(sb_bench *bench) {
    static const double taus[] = {0.1, 1.0, 10.0, 100.0, 1000.0, 10000.0};
    const double large = 100.0;
    sb_table table;
    double *x, worst = 0.0, open = 0.0, least = 1.0;
    int noisy = 0, regular = 0;
    SB_NEW(&bench->arena, x, LENGTH);
    SB_TRY(sb_bench_table(bench, COLUMNS, columns, &table));
    for (size_t i = 0; i < sizeof taus / sizeof taus[0]; i++) {
        double drift;
        SB_TRY(trajectory(bench, taus[i], x, &drift));
        const double first = autocorrelation(x, 1), second = autocorrelation(x, 2), share = unpredictable(x);
        worst = !(drift <= worst) ? drift : worst;
        if (taus[i] >= large) {
            const bool white = fabs(first) <= noise_band && fabs(second) <= noise_band && share > 0.5;
            *(white ? &noisy : &regular) += 1;
            open = !(share <= open) ? share : open;
            least = fmin(least, second);
        }
        if (taus[i] == large) {
            SB_TRY(save_trajectory(bench, x));
        }
        SB_TRY(SB_ROW(&table.sink, sb_real(taus[i]), sb_int(LENGTH), sb_real(drift),
                      sb_real(gsl_stats_mean(x, 1, LENGTH)), sb_real(gsl_stats_max(x, 1, LENGTH)), sb_real(first),
                      sb_real(second), sb_real(share)));
    }
    SB_TRY(sb_bench_save(bench, &table, "notes11_midpoint.csv"));
    SB_TRY(sb_bench_plot(bench, "notes11_midpoint"));
    SB_TRY(sb_bench_find(
        bench,
        &(sb_finding){"notes11-mid-e", sb_verdict_of(worst <= LENGTH * round_off, false),
                      sb_bench_format(bench, "relative deviation below 1e-%d over %d steps at tau from 0.1 to 1e4",
                                      sb_decimals(worst), LENGTH),
                      "16 eps a step", "some ten operations a step, their errors of one sign at worst"}));
    const sb_verdict verdict = regular == 0 ? SB_REPRODUCED : noisy == 0 ? SB_REFUTED : SB_UNDECIDABLE;
    return sb_bench_find(
        bench,
        &(sb_finding){"notes11-noise", verdict,
                      sb_bench_format(bench,
                                      "autocorrelation at lag 2 at least %.3f; two points predict the next to a "
                                      "share of 1e-%d of its variance, at tau = 100, 1e3, 1e4",
                                      least, sb_decimals(open)),
                      "noise: autocorrelations within 3/sqrt(N), N = 4096, and more than half of the variance open",
                      "phi goes to pi with tau, so that the trajectory is a rotation of constant amplitude that "
                      "changes sign at nearly every step, under a slow envelope cos(4k/tau): as regular as can be. "
                      "Bounds and mean are as said; it carries no information on the motion, but it isn't random"});
}

SB_DEFINE_EXPERIMENT(notes11_midpoint) = {
    .entry = {"notes11_midpoint",
              "Implicit midpoint on the oscillator: its energy, and its trajectory at very large steps.", "notes11 7",
              NULL, 0},
    .claims = (const char *const[]){"notes11-mid-e", "notes11-noise", NULL},
    .files = (const char *const[]){"notes11_midpoint.csv", "notes11_midpoint_trajectory.csv", "notes11_midpoint.svg",
                                   "notes11_midpoint.png", NULL},
    .run = run,
};
