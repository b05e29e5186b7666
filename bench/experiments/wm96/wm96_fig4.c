/* wm96 Fig. 4: the component q_y of the quaternion against time at the largest and the smallest step. */
#include <gsl/gsl_spline.h>
#include <gsl/gsl_statistics_double.h>

#include "bench/experiments/wm96/wm96_runs.h"
#include "bench/runner/experiment_tools.h"

enum { QY = 2, THIRDS = 3, COARSE = 2, SAMPLES = SB_WM96_SAMPLES };
/* Rates are searched up to this one, in these steps: a step changes the phase, 5 rad/s for 30 s, by 0.03 rad. */
static const double largest_rate = 0.1, rate_step = 2e-4;

typedef struct curve {
    double t[SAMPLES], y[SAMPLES];
} curve;

static curve curve_of(const sb_wm96_run *run) {
    curve c;
    for (int i = 0; i < SAMPLES; i++) {
        c.t[i] = i * SB_WM96_T_END / (SAMPLES - 1);
        c.y[i] = run->q[i * run->n + QY];
    }
    return c;
}

/* Returns the correlation of coarse(t) with fine((1 + rate) t), and the values of the latter. */
static double compare(const gsl_spline *fine, const curve *coarse, double rate, double *stretched) {
    size_t n = 0;
    for (int i = 0; i < SAMPLES; i++) {
        const double t = (1.0 + rate) * coarse->t[i];
        stretched[i] = t <= SB_WM96_T_END ? gsl_spline_eval(fine, t, NULL) : (double)NAN;
        n += t <= SB_WM96_T_END;
    }
    return gsl_stats_correlation(coarse->y, 1, stretched, 1, n);
}

/* Finds the rate with the largest correlation, from a parabola through the best three. Returns that correlation. */
static double fit_rate(const gsl_spline *fine, const curve *coarse, double *rate) {
    double work[SAMPLES], best = -1.0;
    const int count = (int)lround(2.0 * largest_rate / rate_step);
    for (int k = 1; k < count; k++) {
        const double at = k * rate_step - largest_rate, here = compare(fine, coarse, at, work);
        if (here > best) {
            const double a = compare(fine, coarse, at - rate_step, work),
                         b = compare(fine, coarse, at + rate_step, work);
            best = here;
            *rate = at + 0.5 * rate_step * (a - b) / (a - 2.0 * here + b);
        }
    }
    return compare(fine, coarse, *rate, work);
}

SB_DEFINE_EXPERIMENT(wm96_fig4) {
    static const double steps[COARSE] = {0.1, 0.05};
    sb_wm96 set;
    sb_wm96_run fine_run, runs[COARSE];
    sb_table table;
    double rate[COARSE], correlation[COARSE], stretched[SAMPLES], square[THIRDS] = {0.0, 0.0, 0.0};
    curve coarse[COARSE];
    SB_TRY(sb_wm96_rigid(bench, &set));
    SB_TRY(sb_wm96_run_stepper(&set, "dvp", SB_WM96_STANDARD_H, &fine_run));
    for (int k = 0; k < COARSE; k++) {
        SB_TRY(sb_wm96_run_stepper(&set, "dvp", steps[k], &runs[k]));
        coarse[k] = curve_of(&runs[k]);
    }
    const curve fine = curve_of(&fine_run);
    gsl_spline *spline = gsl_spline_alloc(gsl_interp_cspline, SAMPLES);
    SB_TRY(spline != NULL ? SB_OK : SB_NO_MEMORY);
    gsl_spline_init(spline, fine.t, fine.y, SAMPLES);
    for (int k = 0; k < COARSE; k++) {
        correlation[k] = fit_rate(spline, &coarse[k], &rate[k]);
    }
    compare(spline, &coarse[0], rate[0], stretched);
    gsl_spline_free(spline);
    SB_TRY(sb_bench_table(bench, "wm96_fig4", &table));
    const int third = (SAMPLES - 1) / THIRDS;
    for (int i = 0; i < SAMPLES; i++) {
        const double difference = fine.y[i] - coarse[0].y[i];
        SB_TRY(SB_NUMBERS(&table, fine.t[i], fine.y[i], coarse[0].y[i], stretched[i]));
        square[i > 0 ? (i - 1) / third : 0] += difference * difference;
    }
    SB_TRY(sb_bench_save_curves(bench, &table, "wm96_fig4.csv"));
    SB_TRY(sb_bench_measure(bench, "wm96-f4/correlation", correlation[0], 0.0));
    SB_TRY(sb_bench_measure(bench, "wm96-f4/order", log2(rate[0] / rate[1]), 0.0));
    SB_TRY(sb_bench_measure(bench, "wm96-f4/rate", rate[0], 0.0));
    for (int k = 1; k < THIRDS; k++) {
        SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "wm96-f4/growth-%d", k), sqrt(square[k] / square[k - 1]),
                                0.0));
    }
    return SB_OK;
}
