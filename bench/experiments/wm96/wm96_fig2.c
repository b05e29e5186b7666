/* wm96 Fig. 2: CPU time of the rigid body's runs against the step. */
#include "bench/experiments/wm96/wm96_published.h"
#include "bench/experiments/wm96/wm96_times.h"

/* CPU times of wm96 Table 1 at h = 1e-4, 1e-3, 1e-2, 1e-1. */
static const double published[SB_WM96_TABLE_STEPS] = {97.620, 9.905, 1.397, 0.301};

SB_DEFINE_EXPERIMENT(wm96_fig2) {
    sb_wm96 set;
    sb_wm96_times times;
    sb_table table;
    SB_TRY(sb_wm96_rigid(bench, &set));
    SB_TRY(sb_wm96_times_measure(&set, 1, SB_LIST("dvp"), SB_WM96_FIGURE_STEPS, sb_wm96_figure_steps, &times));
    SB_TRY(sb_bench_table(bench, "wm96_fig2_times", &table));
    for (int i = 0; i < SB_WM96_FIGURE_STEPS; i++) {
        const double h = sb_wm96_figure_steps[i];
        const sb_quartiles q = sb_wm96_times_of(&times, 0, i);
        sb_wm96_run run;
        SB_TRY(sb_wm96_run_stepper(&set, "dvp", h, &run));
        SB_TRY(SB_NUMBERS(&table, h, q.median, q.lo, q.hi, 1e9 * q.median * h / SB_WM96_T_END, run.iters,
                          sb_wm96_published(published, h)));
    }
    return sb_bench_save(bench, &table, "wm96_fig2_times.csv");
}
