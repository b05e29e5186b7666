/* wm96 Fig. 11: error of J_z of the double spherical pendulum by DVP against the step, and its range in time. */
#include "bench/experiments/wm96/wm96_published.h"

static int measure(sb_bench *bench, const char *ic, const char *name, sb_wm96_invariant *out) {
    sb_wm96 set;
    SB_TRY(sb_wm96_dsp(bench, ic, &set));
    return sb_wm96_invariant_run(&set, &sb_wm96_table2[SB_WM96_DVP_JZ], name, out);
}

static int measure_range(sb_bench *bench, const char *ic, const sb_wm96_invariant *Jz) {
    const int at = sb_wm96_figure_step(1e-4);
    SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "wm96-f11/lowest-%s", ic), Jz->lo[at], 0.0));
    return sb_bench_measure(bench, sb_bench_format(bench, "wm96-f11/highest-%s", ic), Jz->hi[at], 1e-9);
}

static int run(sb_bench *bench) {
    sb_wm96_invariant recovered, printed;
    SB_TRY(measure(bench, "recovered", "wm96_fig11.csv", &recovered));
    SB_TRY(measure(bench, "printed", "wm96_fig11_printed.csv", &printed));
    SB_TRY(sb_bench_plot(bench, "wm96_fig11"));
    const sb_slope slope = sb_wm96_invariant_slope(&recovered);
    const double spread = sb_larger(sb_norm_max(SB_WM96_FIGURE_STEPS, recovered.spread),
                                    sb_norm_max(SB_WM96_FIGURE_STEPS, printed.spread));
    SB_TRY(sb_bench_measure(bench, "wm96-f11/slope", slope.value, slope.se));
    SB_TRY(sb_bench_measure(bench, "wm96-f11/range", spread, 0.0));
    SB_TRY(measure_range(bench, "printed", &printed));
    return measure_range(bench, "recovered", &recovered);
}

SB_DEFINE_EXPERIMENT(wm96_fig11) = {
    .entry = {"wm96_fig11",
              "Double spherical pendulum: error of J_z by DVP against the step, and how much it varies in time.",
              "wm96 Fig. 11", NULL, 0},
    .files = SB_LIST("wm96_fig11.csv", "wm96_fig11_printed.csv", SB_FIGURE("wm96_fig11")),
    .run = run,
};
