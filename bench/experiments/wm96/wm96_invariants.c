/* wm96 Figs. 5, 6, 10 and 11: errors of energy and momentum of both problems against the step, and how much they vary
 * in time. */
#include "bench/experiments/wm96/wm96_published.h"

static int run_rigid(sb_bench *bench, const char *name, int column) {
    sb_wm96 set;
    SB_TRY(sb_wm96_rigid(bench, &set));
    return sb_wm96_invariant_run(&set, &sb_wm96_table1[column], sb_bench_format(bench, "%s.csv", name));
}

static int run_dsp(sb_bench *bench, const char *name, int column) {
    sb_wm96 recovered, printed;
    SB_TRY(sb_wm96_dsp(bench, "recovered", &recovered));
    SB_TRY(sb_wm96_invariant_run(&recovered, &sb_wm96_table2[column], sb_bench_format(bench, "%s.csv", name)));
    SB_TRY(sb_wm96_dsp(bench, "printed", &printed));
    return sb_wm96_invariant_run(&printed, &sb_wm96_table2[column], sb_bench_format(bench, "%s_printed.csv", name));
}

SB_DEFINE_EXPERIMENT(wm96_fig5) { return run_rigid(bench, "wm96_fig5", SB_WM96_RIGID_ENERGY); }

SB_DEFINE_EXPERIMENT(wm96_fig6) { return run_rigid(bench, "wm96_fig6", SB_WM96_RIGID_MOMENTUM); }

SB_DEFINE_EXPERIMENT(wm96_fig10) { return run_dsp(bench, "wm96_fig10", SB_WM96_DVP_ENERGY); }

SB_DEFINE_EXPERIMENT(wm96_fig11) { return run_dsp(bench, "wm96_fig11", SB_WM96_DVP_JZ); }
