/* wm96 Fig. 4: the component q_y of the quaternion against time at the largest and the smallest step. */
#include <math.h>

#include <gsl/gsl_statistics_double.h>

#include "bench/experiments/wm96/wm96_runs.h"
#include "bench/runner/verdicts.h"

static const sb_column columns[] = {
    {"t", SB_COL_KEY, "s", "time"},
    {"qy_fine", SB_COL_EXACT, "", "q_y at h = 1e-4"},
    {"qy_coarse", SB_COL_EXACT, "", "q_y at h = 0.1"},
    {"deviation", SB_COL_ERROR, "", "distance of the two"},
};
enum { COLUMNS = sizeof columns / sizeof columns[0], QY = 2, THIRDS = 3 };

/* "Of the same shape": the coarse curve accounts for more than half of the fine one's variance, correlation^2 > 1/2. */
static const double alike = 0.7071067811865476;

static int run(sb_bench *bench) {
    sb_wm96 set;
    sb_wm96_run fine, coarse;
    sb_table table;
    SB_TRY(sb_wm96_rigid(bench, &set));
    SB_TRY(sb_wm96_run_stepper(&set, "dvp", SB_WM96_STANDARD_H, &fine));
    SB_TRY(sb_wm96_run_stepper(&set, "dvp", 0.1, &coarse));
    SB_TRY(sb_bench_table(bench, COLUMNS, columns, &table));
    double rms[THIRDS] = {0.0, 0.0, 0.0};
    const int third = (SB_WM96_SAMPLES - 1) / THIRDS;
    for (int i = 0; i < SB_WM96_SAMPLES; i++) {
        const double a = fine.q[i * fine.n + QY], b = coarse.q[i * coarse.n + QY];
        SB_TRY(SB_ROW(&table.sink, sb_real(i * SB_WM96_T_END / (SB_WM96_SAMPLES - 1)), sb_real(a), sb_real(b),
                      sb_real(fabs(a - b))));
        if (i > 0) {
            rms[(i - 1) / third] += (a - b) * (a - b) / third;
        }
    }
    for (int k = 0; k < THIRDS; k++) {
        rms[k] = sqrt(rms[k]);
    }
    SB_TRY(sb_bench_save(bench, &table, "wm96_fig4.csv"));
    SB_TRY(sb_bench_plot(bench, "wm96_fig4"));
    const double correlation =
        gsl_stats_correlation(fine.q + QY, (size_t)fine.n, coarse.q + QY, (size_t)coarse.n, SB_WM96_SAMPLES);
    const bool holds = correlation > alike && rms[0] < rms[1] && rms[1] < rms[2];
    return sb_bench_find(
        bench,
        &(sb_finding){
            "wm96-f4", sb_verdict_of(holds, false),
            sb_bench_format(bench, "correlation %.3f; rms deviation %s in the three thirds", correlation,
                            sb_bench_list(bench, "%.3f", THIRDS, rms)),
            "correlation above 0.707; deviation growing from third to third",
            "a curve without printed numbers: of the same shape is taken as sharing more than half of the variance"});
}

SB_DEFINE_EXPERIMENT(wm96_fig4) = {
    .entry = {"wm96_fig4", "Free rigid body: the component q_y against time at h = 0.1 and h = 1e-4.", "wm96 Fig. 4",
              NULL, 0},
    .claims = (const char *const[]){"wm96-f4", NULL},
    .files = (const char *const[]){"wm96_fig4.csv", "wm96_fig4.svg", "wm96_fig4.png", NULL},
    .run = run,
};
