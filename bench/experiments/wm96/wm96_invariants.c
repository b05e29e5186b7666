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

SB_DEFINE_EXPERIMENT(wm96_fig5) = {.entry = {"wm96_fig5", "", "", NULL, 0}, .run = run_rigid};

SB_DEFINE_EXPERIMENT(wm96_fig6) = {.entry = {"wm96_fig6", "", "", NULL, 0}, .run = run_rigid};

SB_DEFINE_EXPERIMENT(wm96_fig10) = {.entry = {"wm96_fig10", "", "", NULL, 0}, .run = run_dsp};

SB_DEFINE_EXPERIMENT(wm96_fig11) = {.entry = {"wm96_fig11", "", "", NULL, 0}, .run = run_dsp};
