/* reg05 Figs. 6.6-6.8: the pendulum with the small compliance c = 1e-8. */
#include "bench/experiments/reg05/reg05_runs.h"
#include "bench/runner/experiment_tools.h"

static const double c = 1e-8;
static const double shown = SB_REG05_SHOWN, later = 1000.0, swing = SB_REG05_SWING; /* s */
/* The energy above the lowest point, J. */
static const double height = SB_REG05_G;
/* The smallest change that a plot shows, as a share of its range. */
static const double visible = 0.01;
static const char *const hundredth = "a hundredth of the plotted range is a line's width";
/* The pendulum still swings if it reaches this share of the first amplitude. */
static const double swinging = 0.9;

/* Returns half the range of the energy in the first swing. */
static double ripple(const sb_reg05_run *run) {
    double lo = INFINITY, hi = -INFINITY;
    for (long k = 0; k <= run->steps && run->t[k] <= swing; k++) {
        lo = fmin(lo, run->energy[k]);
        hi = sb_larger(hi, run->energy[k]);
    }
    return 0.5 * (hi - lo);
}

static int record_energy(sb_bench *bench, const sb_reg05_run runs[SB_REG05_METHODS]) {
    const sb_reg05_run *implicit = &runs[SB_REG05_IMPLICIT], *reg = &runs[SB_REG05_REG];
    static const char *const claim = "reg05-f67";
    SB_TRY(SB_RECORD(bench, claim, SB_PRINTED, "implicit: share of the energy left after 20 s", SB_AT_MOST,
                     .measured = (implicit->energy[lround(shown / SB_REG05_H)] + height) / height, .expected = visible,
                     .round_off = 1e-9, .from = hundredth));
    SB_TRY(SB_RECORD(bench, claim, SB_PRINTED, "regularized: share of a swing's mean energy lost in 20 s",
                     .measured = sb_reg05_loss(reg, shown) / height, .expected = 0.0, .tolerance = visible,
                     .from = hundredth));
    SB_TRY(SB_RECORD(bench, claim, SB_PRINTED, "amplitude of the energy's oscillation, with damping over without",
                     SB_AT_LEAST, .measured = ripple(&runs[SB_REG05_DAMPED]) / ripple(reg), .expected = swinging,
                     .from = "damping helps if it reduces the amplitude by a tenth or more"));
    SB_TRY(SB_RECORD(bench, claim, SB_REPORTED, "regularized: share of the energy lost in 1000 s",
                     .measured = sb_reg05_loss(reg, later) / height));
    return SB_RECORD(bench, claim, SB_REPORTED,
                     "amplitude of the oscillation, start half a step earlier over the paper's start",
                     .measured = ripple(&runs[SB_REG05_HALF]) / ripple(reg));
}

static int run(sb_bench *bench) {
    sb_reg05_run runs[SB_REG05_METHODS];
    const sb_reg05_run *implicit = &runs[SB_REG05_IMPLICIT], *reg = &runs[SB_REG05_REG];
    for (int i = 0; i < SB_REG05_METHODS; i++) {
        const double t_end = i == SB_REG05_REG ? later : shown;
        SB_TRY(sb_reg05_pendulum(bench, (sb_reg05_method)i, c, SB_REG05_H, t_end, &runs[i]));
    }
    SB_TRY(sb_reg05_save(bench, runs, "reg05_stiff.csv"));
    SB_TRY(sb_bench_plot(bench, "reg05_stiff"));
    static const char *const tenths = "nine tenths of the first swing count as going on";
    SB_TRY(SB_RECORD(bench, "reg05-f66", SB_PRINTED, "largest |x| in the swing before 20 s (m)", SB_AT_LEAST,
                     .measured = sb_reg05_max(reg, reg->x, shown - swing, shown), .expected = swinging,
                     .from = tenths));
    SB_TRY(SB_RECORD(bench, "reg05-f66", SB_PRINTED, "largest |x| in the swing before 1000 s (m)", SB_AT_LEAST,
                     .measured = sb_reg05_max(reg, reg->x, later - swing, later), .expected = swinging,
                     .from = tenths));
    SB_TRY(SB_RECORD(bench, "reg05-f66", SB_REPORTED, "implicit: largest |x| in the swing before 20 s (m)",
                     .measured = sb_reg05_max(implicit, implicit->x, shown - swing, shown)));
    SB_TRY(record_energy(bench, runs));
    SB_TRY(SB_RECORD(bench, "reg05-f68", SB_PRINTED, "implicit: largest violation in the swing before 20 s (m)",
                     SB_AT_MOST, .measured = sb_reg05_max(implicit, implicit->violation, shown - swing, shown),
                     .expected = 3e-7, .from = "3 c g: the most that a swing stretches the spring"));
    return SB_RECORD(bench, "reg05-f68", SB_PRINTED, "regularized: largest violation, last swing over first",
                     .measured = sb_reg05_max(reg, reg->violation, shown - swing, shown) /
                                 sb_reg05_max(reg, reg->violation, 0.0, swing),
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
