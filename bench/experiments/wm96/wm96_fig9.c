/* wm96 Fig. 9: y of the outer mass of the double spherical pendulum by DVP and EM, smallest and largest step. */
#include "bench/experiments/wm96/wm96_runs.h"
#include "bench/runner/experiment_tools.h"

enum { Y2 = 4 };

SB_DEFINE_EXPERIMENT(wm96_fig9) {
    sb_wm96 set;
    sb_wm96_run runs[4];
    sb_table table;
    static const char *const steppers[4] = {"shake", "em", "shake", "em"};
    static const double steps[4] = {1e-4, 1e-4, 0.1, 0.1};
    SB_TRY(sb_wm96_dsp(bench, "printed", &set));
    for (int k = 0; k < 4; k++) {
        SB_TRY(sb_wm96_run_stepper(&set, steppers[k], steps[k], &runs[k]));
    }
    SB_TRY(sb_bench_table(bench, "wm96_fig9", &table));
    double lo = INFINITY, hi = -INFINITY, distance = 0.0, square[2] = {0.0, 0.0};
    for (int i = 0; i < SB_WM96_SAMPLES; i++) {
        double y[4];
        for (int k = 0; k < 4; k++) {
            y[k] = runs[k].q[i * runs[k].n + Y2];
        }
        SB_TRY(SB_NUMBERS(&table, i * SB_WM96_T_END / (SB_WM96_SAMPLES - 1), y[0], y[1], y[2], y[3]));
        lo = fmin(lo, y[1]);
        hi = sb_larger(hi, y[1]);
        distance = sb_larger(distance, fabs(y[0] - y[1]));
        for (int k = 0; k < 2; k++) {
            square[k] += (y[2 + k] - y[1]) * (y[2 + k] - y[1]) / SB_WM96_SAMPLES;
        }
    }
    SB_TRY(sb_bench_save_curves(bench, &table, "wm96_fig9.csv"));
    const double half = 0.5 * (hi - lo), rms[2] = {sqrt(square[0]) / half, sqrt(square[1]) / half};
    SB_TRY(sb_bench_measure(bench, "wm96-f9/distance", distance / (hi - lo), 0.0));
    SB_TRY(sb_bench_measure(bench, "wm96-f9/rms-dvp", rms[0], 0.0));
    return sb_bench_measure(bench, "wm96-f9/rms-em", rms[1], 0.0);
}
