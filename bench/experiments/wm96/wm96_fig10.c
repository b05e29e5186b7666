/* wm96 Fig. 10: energy error of the double spherical pendulum by DVP against the step, and the ranges the text gives.
 */
#include <math.h>

#include "bench/experiments/wm96/wm96_invariant.h"
#include "bench/runner/verdicts.h"

/* The printed errors have slope 1.917 between h = 0.01 and 0.1 and 1.994 below: the fit can be bent by as much. */
static const double bend = 0.1;
/* A sample at h = 0.1 is known to 9 decimals, here and there. At h = 1e-4 the original's round-off is larger: its mean
 * error in Table 2, 6.475e-6, is 6e-8 from what exact arithmetic gives, and the extremes of a few hundred samples
 * are 2.5 times as far out. */
static const double coarse_decimals = 1e-9, fine_decimals = 1.5e-7;

typedef struct ranges {
    double slope, se;
    double coarse_lo, coarse_second, coarse_hi, fine_lo, fine_hi;
} ranges;

static int measure(sb_bench *bench, const char *ic, const char *name, ranges *out) {
    sb_wm96 set;
    sb_wm96_invariant energy;
    SB_TRY(sb_wm96_dsp(bench, ic, &set));
    SB_TRY(sb_wm96_invariant_run(&set, "shake", false, &sb_wm96_table2[SB_WM96_DVP_ENERGY], name, &energy));
    const sb_slope slope = sb_wm96_invariant_slope(&energy);
    const int coarse = sb_wm96_figure_step(0.1), fine = sb_wm96_figure_step(1e-4);
    *out = (ranges){slope.value,       slope.se,        energy.lo[coarse], energy.second[coarse],
                    energy.hi[coarse], energy.lo[fine], energy.hi[fine]};
    return SB_OK;
}

/* The text's four numbers as printed; and with the two errata (the minimum is the second-lowest sample, the maximum at
 * h = 1e-4 lacks a 9).
 */
static bool as_printed(const ranges *r) {
    return fabs(r->coarse_lo - 20.910805793) <= coarse_decimals &&
           fabs(r->coarse_hi - 25.583335766) <= coarse_decimals && fabs(r->fine_lo - 24.944495109) <= fine_decimals &&
           fabs(r->fine_hi - 24.94449828) <= fine_decimals;
}

static bool as_corrected(const ranges *r) {
    return fabs(r->coarse_second - 20.910805793) <= coarse_decimals &&
           fabs(r->coarse_hi - 25.583335766) <= coarse_decimals && fabs(r->fine_lo - 24.944495109) <= fine_decimals &&
           fabs(r->fine_hi - 24.944499828) <= fine_decimals;
}

static int run(sb_bench *bench) {
    ranges recovered, printed;
    SB_TRY(measure(bench, "recovered", "wm96_fig10.csv", &recovered));
    SB_TRY(measure(bench, "printed", "wm96_fig10_printed.csv", &printed));
    SB_TRY(sb_bench_plot(bench, "wm96_fig10"));
    const bool second_order = fabs(recovered.slope - 2.0) <= bend && fabs(printed.slope - 2.0) <= bend;
    const char *measured = sb_bench_format(
        bench, "slope %.3f, standard error %.3f; h = 0.1: %.9f (then %.9f) to %.9f J; h = 1e-4: %.9f to %.9f J",
        recovered.slope, recovered.se, recovered.coarse_lo, recovered.coarse_second, recovered.coarse_hi,
        recovered.fine_lo, recovered.fine_hi);
    return sb_bench_find(
        bench,
        &(sb_finding){
            "wm96-f10", sb_verdict_of(second_order && as_printed(&printed), second_order && as_corrected(&recovered)),
            measured, "0.1 absolute on the slope; 1e-9 J at h = 0.1, 1.5e-7 J at h = 1e-4",
            "samples carry 9 decimals, and at h = 1e-4 the original's round-off: 6e-8 in the mean error of Table 2, "
            "2.5 times as much in "
            "an extreme. The printed minimum at h = 0.1 is the lowest sample but one, and the printed maximum at h = "
            "1e-4 has lost a 9; "
            "both need the recovered initial conditions, which were fitted to numbers of the paper, these among them"});
}

SB_DEFINE_EXPERIMENT(wm96_fig10) = {
    .entry = {"wm96_fig10",
              "Double spherical pendulum: energy error of DVP against the step, and the range of its energy.",
              "wm96 Fig. 10", NULL, 0},
    .claims = (const char *const[]){"wm96-f10", NULL},
    .files = (const char *const[]){"wm96_fig10.csv", "wm96_fig10_printed.csv", "wm96_fig10.svg", "wm96_fig10.png",
                                   NULL},
    .run = run,
};
