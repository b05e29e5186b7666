/* reg05 Figs. 6.6-6.8: the pendulum with the small compliance c = 1e-8. */
#include "bench/experiments/reg05/reg05_runs.h"
#include "bench/runner/verdicts.h"

static const double c = 1e-8;
static const double shown = 20.0, later = 1000.0;

/* One swing of a pendulum let go at the horizontal. */
static const double swing = 4.0 * 1.8540746773013719 / 3.1622776601683795;
/* The energy above the lowest point, J. */
static const double height = SB_REG05_G;
/* Kept, or lost, in a plot. */
static const double eye = 0.01;
static const char *const hundredth = "a hundredth of the plotted range is a line's width";
/* Still swinging: to nine tenths of the way. */
static const double swinging = 0.9;

static double largest_x(const sb_reg05_run *run, double from, double to) {
    double x = 0.0;
    for (long k = 0; k <= run->steps; k++) {
        if (run->t[k] >= from && run->t[k] <= to) {
            x = !(fabs(run->q[2 * k]) <= x) ? fabs(run->q[2 * k]) : x;
        }
    }
    return x;
}

/* Half the range of the energy in the first swing. */
static double ripple(const sb_reg05_run *run) {
    double lo = INFINITY, hi = -INFINITY;
    for (long k = 0; k <= run->steps && run->t[k] <= swing; k++) {
        lo = !(run->energy[k] >= lo) ? run->energy[k] : lo;
        hi = !(run->energy[k] <= hi) ? run->energy[k] : hi;
    }
    return 0.5 * (hi - lo);
}

/* What the mean energy of a swing has lost between the first one and the one that ends at t, J. */
static double lost(const sb_reg05_run *run, double t) {
    return sb_reg05_mean(run, run->energy, 0.0, swing) - sb_reg05_mean(run, run->energy, t - swing, t);
}

static int record_energy(sb_bench *bench, const sb_reg05_run *implicit, const sb_reg05_run *reg,
                         const sb_reg05_run *half, const sb_reg05_run *damped) {
    static const char *const claim = "reg05-f67";
    SB_TRY(SB_RECORD(bench, claim, SB_PRINTED, "implicit: share of the energy left after 20 s", SB_AT_MOST,
                     .measured = (implicit->energy[lround(shown / SB_REG05_H)] + height) / height, .expected = eye,
                     .round_off = 1e-9, .from = hundredth));
    SB_TRY(SB_RECORD(bench, claim, SB_PRINTED, "regularized: share of a swing's mean energy lost in 20 s",
                     .measured = lost(reg, shown) / height, .expected = 0.0, .tolerance = eye, .from = hundredth));
    SB_TRY(SB_RECORD(bench, claim, SB_PRINTED, "amplitude of the energy's oscillation, with damping over without",
                     SB_AT_LEAST, .measured = ripple(damped) / ripple(reg), .expected = swinging,
                     .from = "a tenth less would be a help"));
    SB_TRY(SB_RECORD(bench, claim, SB_REPORTED, "regularized: share of the energy lost in 1000 s",
                     .measured = lost(reg, later) / height));
    return SB_RECORD(bench, claim, SB_REPORTED,
                     "amplitude of the oscillation, start half a step earlier over the paper's start",
                     .measured = ripple(half) / ripple(reg));
}

static int run(sb_bench *bench) {
    sb_reg05_run implicit, newton, reg, half, damped;
    SB_TRY(sb_reg05_pendulum(bench, SB_REG05_IMPLICIT, c, SB_REG05_H, shown, &implicit));
    SB_TRY(sb_reg05_pendulum(bench, SB_REG05_NEWTON, c, SB_REG05_H, shown, &newton));
    SB_TRY(sb_reg05_pendulum(bench, SB_REG05_REG, c, SB_REG05_H, later, &reg));
    SB_TRY(sb_reg05_pendulum(bench, SB_REG05_HALF, c, SB_REG05_H, shown, &half));
    SB_TRY(sb_reg05_pendulum(bench, SB_REG05_DAMPED, c, SB_REG05_H, shown, &damped));
    SB_TRY(sb_reg05_save(bench, &implicit, &newton, &reg, shown, "reg05_stiff.csv"));
    SB_TRY(sb_bench_plot(bench, "reg05_stiff"));
    static const char *const tenths = "nine tenths of the first swing count as going on";
    SB_TRY(SB_RECORD(bench, "reg05-f66", SB_PRINTED, "largest |x| in the swing before 20 s (m)", SB_AT_LEAST,
                     .measured = largest_x(&reg, shown - swing, shown), .expected = swinging, .from = tenths));
    SB_TRY(SB_RECORD(bench, "reg05-f66", SB_PRINTED, "largest |x| in the swing before 1000 s (m)", SB_AT_LEAST,
                     .measured = largest_x(&reg, later - swing, later), .expected = swinging, .from = tenths));
    SB_TRY(SB_RECORD(bench, "reg05-f66", SB_REPORTED, "implicit: largest |x| in the swing before 20 s (m)",
                     .measured = largest_x(&implicit, shown - swing, shown)));
    SB_TRY(record_energy(bench, &implicit, &reg, &half, &damped));
    SB_TRY(SB_RECORD(bench, "reg05-f68", SB_PRINTED, "implicit: largest violation in the swing before 20 s (m)",
                     SB_AT_MOST, .measured = sb_reg05_max(&implicit, implicit.violation, shown - swing, shown),
                     .expected = 3e-7, .from = "3 c g: the most that a swing stretches the spring"));
    return SB_RECORD(bench, "reg05-f68", SB_PRINTED, "regularized: largest violation, last swing over first",
                     .measured = sb_reg05_max(&reg, reg.violation, shown - swing, shown) /
                                 sb_reg05_max(&reg, reg.violation, 0.0, swing),
                     .expected = 1.0, .tolerance = 0.1, .from = "a tenth counts as the same");
}

SB_DEFINE_EXPERIMENT(reg05_stiff) = {
    .entry =
        {"reg05_stiff",
         "Pendulum with c = 1e-8: trajectories, energies and violations of the implicit and the regularized stepper.",
         "reg05 Figs. 6.6-6.8", NULL, 0},
    .claims = SB_LIST("reg05-f66", "reg05-f67", "reg05-f68"),
    .files = SB_LIST("reg05_stiff.csv", SB_FIGURE("reg05_stiff")),
    .run = run,
};
