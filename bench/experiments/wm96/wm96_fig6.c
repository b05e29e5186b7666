/* wm96 Fig. 6: error of the discrete momentum of the rigid body against the step, and its range in time. */
#include "bench/experiments/wm96/wm96_published.h"

/* As in Fig. 3: the next term, (h omega)^2/12 with omega = 5 rad/s, is 2 % at h = 0.1. */
static const double bend = 0.05;

static int run(sb_bench *bench) {
    sb_wm96 set;
    sb_wm96_invariant momentum;
    SB_TRY(sb_wm96_rigid(bench, &set));
    SB_TRY(sb_wm96_invariant_run(&set, &sb_wm96_table1[SB_WM96_RIGID_MOMENTUM], "wm96_fig6.csv", &momentum));
    SB_TRY(sb_bench_plot(bench, "wm96_fig6"));
    const sb_slope slope = sb_wm96_invariant_slope(&momentum);
    SB_TRY(SB_RECORD(bench, "wm96-f6", SB_PRINTED, "power of h in the momentum error, h = 1e-3 to 0.1 s",
                     .measured = slope.value, .expected = 2.0, .tolerance = bend, .uncertainty = slope.se,
                     .published = "2", .from = "the next term of the error, (h omega)^2/12, twice over"));
    return SB_RECORD(
        bench, "wm96-f6", SB_PRINTED, "largest range in time of a component of the momentum at any h (kg m^2/s)",
        SB_AT_MOST, .measured = sb_norm_max(SB_WM96_FIGURE_STEPS, momentum.spread), .expected = 2e-9,
        .round_off = 1e-10, .published = "2e-9", .from = "the paper's data are constant to 1e-9 either way");
}

SB_DEFINE_EXPERIMENT(wm96_fig6) = {
    .entry = {"wm96_fig6",
              "Free rigid body: error of the discrete momentum against the step, and how much it varies in time.",
              "wm96 Fig. 6", NULL, 0},
    .claims = SB_LIST("wm96-f6"),
    .files = SB_LIST("wm96_fig6.csv", SB_FIGURE("wm96_fig6")),
    .run = run,
};
