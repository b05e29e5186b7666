/* notes11 7: the energy of the implicit midpoint rule on the oscillator, and whether its trajectory at very large steps
 * is noise. */
#include <gsl/gsl_statistics_double.h>

#include "bench/runner/experiment_tools.h"

enum { LENGTH = 4096, SHOWN = 200, LAGS = 60 };

/* Computes x_k, the largest relative deviation of the energy, and the largest distance of x_k from cos(k phi) with
 * cos phi = -a/2 of (38), from x = 1 at rest. */
static int trajectory(sb_bench *bench, double tau, double *x, double *drift, double *off) {
    const double phi = 2.0 * atan(0.5 * tau);
    sb_path path;
    SB_TRY(sb_bench_path(bench, "oscillator:m=1,omega=1,x0=1,v0=0", "midpoint", tau, LENGTH - 1, 1, &path));
    *drift = path.failure == NULL ? 0.0 : NAN;
    *off = 0.0;
    for (int k = 0; k < LENGTH; k++) {
        x[k] = path.q[k];
        *off = sb_larger(*off, fabs(x[k] - cos(k * phi)));
        *drift = sb_larger(*drift, fabs(x[k] * x[k] + path.v[k] * path.v[k] - 1.0));
    }
    return SB_OK;
}

static double autocorrelation(const double *x, int lag) {
    return gsl_stats_correlation(x, 1, x + lag, 1, (size_t)(LENGTH - lag));
}

/* Returns the residual of the regression of x_{k+1} + x_{k-1} on x_k over the variance of x_k: about 1 for noise, 0 for
 * a rotation by a fixed angle. */
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
    SB_TRY(sb_bench_table(bench, "notes11_midpoint_trajectory", &table));
    for (int k = 0; k < SHOWN; k++) {
        SB_TRY(SB_NUMBERS(&table, k, x[k], k % 2 == 0 ? x[k] : -x[k], k < LAGS ? autocorrelation(x, k) : NAN));
    }
    return sb_bench_save(bench, &table, "notes11_midpoint_trajectory.csv");
}

SB_DEFINE_EXPERIMENT(notes11_midpoint) {
    static const double taus[] = {0.1, 1.0, 10.0, 100.0, 1000.0, 10000.0};
    const double large = 100.0;
    sb_table table;
    double *x;
    SB_NEW(&bench->arena, x, LENGTH);
    SB_TRY(sb_bench_table(bench, "notes11_midpoint", &table));
    for (int i = 0; i < SB_COUNT(taus); i++) {
        double drift, off;
        SB_TRY(trajectory(bench, taus[i], x, &drift, &off));
        const double first = autocorrelation(x, 1), second = autocorrelation(x, 2), share = unpredictable(x);
        const double average = fabs(gsl_stats_mean(x, 1, LENGTH)), top = gsl_stats_max(x, 1, LENGTH);
        if (taus[i] == large) {
            SB_TRY(save_trajectory(bench, x));
        }
        SB_TRY(SB_NUMBERS(&table, taus[i], LENGTH, drift, average, top, first, second, share, off));
    }
    return sb_bench_save(bench, &table, "notes11_midpoint.csv");
}
