/* wm96 Fig. 4: the component q_y of the quaternion against time at the largest and the smallest step. */
#include <gsl/gsl_statistics_double.h>

#include "bench/experiments/wm96/wm96_runs.h"
#include "bench/runner/experiment_tools.h"

static const sb_column columns[] = {
    {"t", SB_COL_KEY, "s", "time"},
    {"qy_fine", SB_COL_EXACT, "", "q_y at h = 1e-4"},
    {"qy_coarse", SB_COL_EXACT, "", "q_y at h = 0.1"},
    {"deviation", SB_COL_ERROR, "", "distance of the two"},
};
enum { QY = 2, THIRDS = 3 };

static int run(sb_bench *bench) {
    sb_wm96 set;
    sb_wm96_run fine, coarse;
    sb_table table;
    SB_TRY(sb_wm96_rigid(bench, &set));
    SB_TRY(sb_wm96_run_stepper(&set, "dvp", SB_WM96_STANDARD_H, &fine));
    SB_TRY(sb_wm96_run_stepper(&set, "dvp", 0.1, &coarse));
    SB_TRY(SB_TABLE(bench, columns, &table));
    double rms[THIRDS] = {0.0, 0.0, 0.0};
    const int third = (SB_WM96_SAMPLES - 1) / THIRDS;
    for (int i = 0; i < SB_WM96_SAMPLES; i++) {
        const double a = fine.q[i * fine.n + QY], b = coarse.q[i * coarse.n + QY];
        SB_TRY(SB_NUMBERS(&table, i * SB_WM96_T_END / (SB_WM96_SAMPLES - 1), a, b, fabs(a - b)));
        if (i > 0) {
            rms[(i - 1) / third] += (a - b) * (a - b) / third;
        }
    }
    for (int k = 0; k < THIRDS; k++) {
        rms[k] = sqrt(rms[k]);
    }
    SB_TRY(sb_bench_save_curves(bench, &table, "wm96_fig4.csv"));
    SB_TRY(sb_bench_plot(bench, "wm96_fig4"));
    const double correlation =
        gsl_stats_correlation(fine.q + QY, (size_t)fine.n, coarse.q + QY, (size_t)coarse.n, SB_WM96_SAMPLES);
    SB_TRY(sb_bench_measure(bench, "wm96-f4/correlation", correlation, 0.0));
    for (int k = 1; k < THIRDS; k++) {
        SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "wm96-f4/growth-%d", k), rms[k] / rms[k - 1], 0.0));
    }
    return SB_OK;
}

SB_DEFINE_EXPERIMENT(wm96_fig4) = {
    .entry = {"wm96_fig4", "Free rigid body: the component q_y against time at h = 0.1 and h = 1e-4.", "wm96 Fig. 4",
              NULL, 0},
    .files = SB_LIST("wm96_fig4.csv", SB_FIGURE("wm96_fig4")),
    .run = run,
};
