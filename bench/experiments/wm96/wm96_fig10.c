/* wm96 Fig. 10: energy error of the double spherical pendulum by DVP against the step, and the ranges of its energy. */
#include "bench/experiments/wm96/wm96_published.h"

static int run(sb_bench *bench) {
    sb_wm96 recovered, printed;
    SB_TRY(sb_wm96_dsp(bench, "recovered", &recovered));
    SB_TRY(sb_wm96_invariant_run(&recovered, &sb_wm96_table2[SB_WM96_DVP_ENERGY], "wm96_fig10.csv"));
    SB_TRY(sb_wm96_dsp(bench, "printed", &printed));
    SB_TRY(sb_wm96_invariant_run(&printed, &sb_wm96_table2[SB_WM96_DVP_ENERGY], "wm96_fig10_printed.csv"));
    return sb_bench_plot(bench, "wm96_fig10");
}

SB_DEFINE_EXPERIMENT(wm96_fig10) = {
    .entry = {"wm96_fig10",
              "Double spherical pendulum: energy error of DVP against the step, and the range of its energy.",
              "wm96 Fig. 10", NULL, 0},
    .files = SB_LIST("wm96_fig10.csv", "wm96_fig10_printed.csv", SB_FIGURE("wm96_fig10")),
    .run = run,
};
