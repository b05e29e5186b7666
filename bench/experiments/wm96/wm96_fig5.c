/* wm96 Fig. 5: error of the discrete energy of the rigid body against the step, and the range of the energy in time. */
#include "bench/experiments/wm96/wm96_published.h"

static int run(sb_bench *bench) {
    sb_wm96 set;
    SB_TRY(sb_wm96_rigid(bench, &set));
    SB_TRY(sb_wm96_invariant_run(&set, &sb_wm96_table1[SB_WM96_RIGID_ENERGY], "wm96_fig5.csv"));
    return sb_bench_plot(bench, "wm96_fig5");
}

SB_DEFINE_EXPERIMENT(wm96_fig5) = {
    .entry = {"wm96_fig5",
              "Free rigid body: error of the discrete energy against the step, and how much it varies in time.",
              "wm96 Fig. 5", NULL, 0},
    .files = SB_LIST("wm96_fig5.csv", SB_FIGURE("wm96_fig5")),
    .run = run,
};
