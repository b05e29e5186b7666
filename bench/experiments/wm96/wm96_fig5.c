/* wm96 Fig. 5: error of the discrete energy of the rigid body against the step, and the range of the energy in time. */
#include "bench/experiments/wm96/wm96_published.h"

static int run(sb_bench *bench) {
    sb_wm96 set;
    sb_wm96_invariant energy;
    SB_TRY(sb_wm96_rigid(bench, &set));
    SB_TRY(sb_wm96_invariant_run(&set, &sb_wm96_table1[SB_WM96_RIGID_ENERGY], "wm96_fig5.csv", &energy));
    SB_TRY(sb_bench_plot(bench, "wm96_fig5"));
    const sb_slope slope = sb_wm96_invariant_slope(&energy);
    SB_TRY(sb_bench_measure(bench, "wm96-f5/slope", slope.value, slope.se));
    for (int i = 0; i < 2; i++) {
        const double constant = i == 0 ? 1e-2 : 1e-1, printed = i == 0 ? 1e-4 : 1e-3; /* ranges in the text */
        const int at = sb_wm96_figure_step(constant), text = sb_wm96_figure_step(printed);
        SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "wm96-f5/range-h=%g", constant),
                                energy.hi[at] - energy.lo[at], 0.0));
        SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "wm96-f5/lowest-h=%g", printed), energy.lo[text], 0.0));
        SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "wm96-f5/highest-h=%g", printed), energy.hi[text], 0.0));
    }
    return SB_OK;
}

SB_DEFINE_EXPERIMENT(wm96_fig5) = {
    .entry = {"wm96_fig5",
              "Free rigid body: error of the discrete energy against the step, and how much it varies in time.",
              "wm96 Fig. 5", NULL, 0},
    .files = SB_LIST("wm96_fig5.csv", SB_FIGURE("wm96_fig5")),
    .run = run,
};
