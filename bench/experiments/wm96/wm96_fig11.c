/* wm96 Fig. 11: error of J_z of the double spherical pendulum by DVP against the step, and its range in time. */
#include "bench/experiments/wm96/wm96_published.h"

static int run(sb_bench *bench) {
    sb_wm96 recovered, printed;
    SB_TRY(sb_wm96_dsp(bench, "recovered", &recovered));
    SB_TRY(sb_wm96_invariant_run(&recovered, &sb_wm96_table2[SB_WM96_DVP_JZ], "wm96_fig11.csv"));
    SB_TRY(sb_wm96_dsp(bench, "printed", &printed));
    SB_TRY(sb_wm96_invariant_run(&printed, &sb_wm96_table2[SB_WM96_DVP_JZ], "wm96_fig11_printed.csv"));
    return sb_bench_plot(bench, "wm96_fig11");
}

SB_DEFINE_EXPERIMENT(wm96_fig11) = {
    .entry = {"wm96_fig11",
              "Double spherical pendulum: error of J_z by DVP against the step, and how much it varies in time.",
              "wm96 Fig. 11", NULL, 0},
    .files = SB_LIST("wm96_fig11.csv", "wm96_fig11_printed.csv", SB_FIGURE("wm96_fig11")),
    .run = run,
};
