/* wm96 Fig. 10: energy error of the double spherical pendulum by DVP against the step, and the ranges of its energy. */
#include "bench/experiments/wm96/wm96_published.h"

enum { PRINTED, RECOVERED, CONDITIONS };
static const char *const conditions[CONDITIONS] = {"printed", "recovered"};
static const char *const files[CONDITIONS] = {"wm96_fig10_printed.csv", "wm96_fig10.csv"};

static int run(sb_bench *bench) {
    sb_wm96_invariant energy[CONDITIONS];
    for (int ic = 0; ic < CONDITIONS; ic++) {
        sb_wm96 set;
        SB_TRY(sb_wm96_dsp(bench, conditions[ic], &set));
        SB_TRY(sb_wm96_invariant_run(&set, &sb_wm96_table2[SB_WM96_DVP_ENERGY], files[ic], &energy[ic]));
        const sb_slope slope = sb_wm96_invariant_slope(&energy[ic]);
        SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "wm96-f10/slope-%s", conditions[ic]), slope.value,
                                slope.se));
    }
    SB_TRY(sb_bench_plot(bench, "wm96_fig10"));
    const sb_wm96_invariant *p = &energy[PRINTED], *r = &energy[RECOVERED];
    const int coarse = sb_wm96_figure_step(0.1), fine = sb_wm96_figure_step(1e-4);
    const struct {
        const char *id;
        double measured;
    } ranges[] = {{"printed-lowest-h=0.1", p->lo[coarse]},       {"printed-highest-h=0.1", p->hi[coarse]},
                  {"printed-lowest-h=1e-4", p->lo[fine]},        {"printed-highest-h=1e-4", p->hi[fine]},
                  {"recovered-second-h=0.1", r->second[coarse]}, {"recovered-highest-h=0.1", r->hi[coarse]},
                  {"recovered-lowest-h=1e-4", r->lo[fine]},      {"recovered-highest-h=1e-4", r->hi[fine]}};
    for (int k = 0; k < SB_COUNT(ranges); k++) {
        SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "wm96-f10/%s", ranges[k].id), ranges[k].measured, 0.0));
    }
    return SB_OK;
}

SB_DEFINE_EXPERIMENT(wm96_fig10) = {
    .entry = {"wm96_fig10",
              "Double spherical pendulum: energy error of DVP against the step, and the range of its energy.",
              "wm96 Fig. 10", NULL, 0},
    .files = SB_LIST("wm96_fig10.csv", "wm96_fig10_printed.csv", SB_FIGURE("wm96_fig10")),
    .run = run,
};
