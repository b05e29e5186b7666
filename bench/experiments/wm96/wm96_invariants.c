/* wm96 Figs. 5, 6, 10 and 11: errors of energy and momentum of both problems against the step, and how much they vary
 * in time. The name of an experiment is that of its table and of its figure. */
#include <string.h>

#include "bench/experiments/wm96/wm96_published.h"

static int run_rigid(sb_bench *bench) {
    const char *name = bench->experiment->entry.name;
    const int column = strcmp(name, "wm96_fig5") == 0 ? SB_WM96_RIGID_ENERGY : SB_WM96_RIGID_MOMENTUM;
    sb_wm96 set;
    SB_TRY(sb_wm96_rigid(bench, &set));
    SB_TRY(sb_wm96_invariant_run(&set, &sb_wm96_table1[column], sb_bench_format(bench, "%s.csv", name)));
    return sb_bench_plot(bench, name);
}

static int run_dsp(sb_bench *bench) {
    const char *name = bench->experiment->entry.name;
    const sb_wm96_column *column =
        &sb_wm96_table2[strcmp(name, "wm96_fig10") == 0 ? SB_WM96_DVP_ENERGY : SB_WM96_DVP_JZ];
    sb_wm96 recovered, printed;
    SB_TRY(sb_wm96_dsp(bench, "recovered", &recovered));
    SB_TRY(sb_wm96_invariant_run(&recovered, column, sb_bench_format(bench, "%s.csv", name)));
    SB_TRY(sb_wm96_dsp(bench, "printed", &printed));
    SB_TRY(sb_wm96_invariant_run(&printed, column, sb_bench_format(bench, "%s_printed.csv", name)));
    return sb_bench_plot(bench, name);
}

SB_DEFINE_EXPERIMENT(wm96_fig5) = {
    .entry = {"wm96_fig5",
              "Free rigid body: error of the discrete energy against the step, and how much it varies in time.",
              "wm96 Fig. 5", NULL, 0},
    .files = SB_LIST("wm96_fig5.csv", SB_FIGURE("wm96_fig5")),
    .run = run_rigid,
};

SB_DEFINE_EXPERIMENT(wm96_fig6) = {
    .entry = {"wm96_fig6",
              "Free rigid body: error of the discrete momentum against the step, and how much it varies in time.",
              "wm96 Fig. 6", NULL, 0},
    .files = SB_LIST("wm96_fig6.csv", SB_FIGURE("wm96_fig6")),
    .run = run_rigid,
};

SB_DEFINE_EXPERIMENT(wm96_fig10) = {
    .entry = {"wm96_fig10",
              "Double spherical pendulum: energy error of DVP against the step, and the range of its energy.",
              "wm96 Fig. 10", NULL, 0},
    .files = SB_LIST("wm96_fig10.csv", "wm96_fig10_printed.csv", SB_FIGURE("wm96_fig10")),
    .run = run_dsp,
};

SB_DEFINE_EXPERIMENT(wm96_fig11) = {
    .entry = {"wm96_fig11",
              "Double spherical pendulum: error of J_z by DVP against the step, and how much it varies in time.",
              "wm96 Fig. 11", NULL, 0},
    .files = SB_LIST("wm96_fig11.csv", "wm96_fig11_printed.csv", SB_FIGURE("wm96_fig11")),
    .run = run_dsp,
};
