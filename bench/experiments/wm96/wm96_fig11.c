/* wm96 Fig. 11: error of J_z of the double spherical pendulum by DVP against the step, and its range in time. */
#include "bench/experiments/wm96/wm96_published.h"

/* The printed errors have slope 1.964 between h = 0.01 and 0.1 and 1.997 below. */
static const double bend = 0.1;
static const char *const claim = "wm96-f11";

static int measure(sb_bench *bench, const char *ic, const char *name, sb_wm96_invariant *out) {
    sb_wm96 set;
    SB_TRY(sb_wm96_dsp(bench, ic, &set));
    return sb_wm96_invariant_run(&set, &sb_wm96_table2[SB_WM96_DVP_JZ], name, out);
}

static int record_range(sb_bench *bench, sb_claim_form form, const char *ic, const sb_wm96_invariant *Jz) {
    const int at = sb_wm96_figure_step(1e-4);
    static const char *const unit = "a unit of the ninth decimal below";
    SB_TRY(SB_RECORD(bench, claim, form, sb_bench_format(bench, "%s: lowest J_z at h = 1e-4 s (kg m^2/s)", ic),
                     SB_AT_LEAST, .measured = Jz->lo[at], .expected = 199.825467169, .round_off = 1e-10,
                     .published = "199.825467170", .from = unit));
    return SB_RECORD(bench, claim, form, sb_bench_format(bench, "%s: highest J_z at h = 1e-4 s (kg m^2/s)", ic),
                     SB_AT_MOST, .measured = Jz->hi[at], .expected = 199.825467185, .uncertainty = 1e-9,
                     .published = "199.825467184", .from = "a unit of the ninth decimal above");
}

static int run(sb_bench *bench) {
    sb_wm96_invariant recovered, printed;
    SB_TRY(measure(bench, "recovered", "wm96_fig11.csv", &recovered));
    SB_TRY(measure(bench, "printed", "wm96_fig11_printed.csv", &printed));
    SB_TRY(sb_bench_plot(bench, "wm96_fig11"));
    const sb_slope slope = sb_wm96_invariant_slope(&recovered);
    const double spread = sb_larger(sb_norm_max(SB_WM96_FIGURE_STEPS, recovered.spread),
                                    sb_norm_max(SB_WM96_FIGURE_STEPS, printed.spread));
    SB_TRY(SB_RECORD(bench, claim, SB_BOTH_FORMS, "power of h in the error of J_z, h = 1e-3 to 0.1 s",
                     .measured = slope.value, .expected = 2.0, .tolerance = bend, .uncertainty = slope.se,
                     .from = "the printed errors' own powers differ from 2 by less"));
    SB_TRY(SB_RECORD(bench, claim, SB_BOTH_FORMS, "largest range of J_z in time at any h (kg m^2/s)", SB_AT_MOST,
                     .measured = spread, .expected = 1.6e-8, .round_off = 1e-9, .published = "1.4e-8",
                     .from = "the printed range, which is round-off of the original, a unit wider at either end"));
    SB_TRY(record_range(bench, SB_PRINTED, "printed initial conditions", &printed));
    return record_range(bench, SB_CORRECTED_FORM, "recovered initial conditions", &recovered);
}

SB_DEFINE_EXPERIMENT(wm96_fig11) = {
    .entry = {"wm96_fig11",
              "Double spherical pendulum: error of J_z by DVP against the step, and how much it varies in time.",
              "wm96 Fig. 11", NULL, 0},
    .claims = SB_LIST("wm96-f11"),
    .files = SB_LIST("wm96_fig11.csv", "wm96_fig11_printed.csv", SB_FIGURE("wm96_fig11")),
    .run = run,
};
