/* reg05 Figs. 6.6-6.8: the pendulum with the small compliance c = 1e-8. */
#include "bench/experiments/reg05/reg05_runs.h"
#include "bench/runner/experiment_tools.h"

static const double c = 1e-8;
static const double shown = SB_REG05_SHOWN, later = 1000.0, swing = SB_REG05_SWING; /* s */
/* The energy above the lowest point, J. */
static const double height = SB_REG05_G;

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
    SB_TRY(sb_bench_measure(bench, "reg05-f67/implicit",
                            (implicit->energy[lround(shown / SB_REG05_H)] + height) / height, 0.0));
    SB_TRY(sb_bench_measure(bench, "reg05-f67/loss", sb_reg05_loss(reg, shown) / height, 0.0));
    SB_TRY(sb_bench_measure(bench, "reg05-f67/damped", ripple(&runs[SB_REG05_DAMPED]) / ripple(reg), 0.0));
    return sb_bench_measure(bench, "reg05-f67/half-start", ripple(&runs[SB_REG05_HALF]) / ripple(reg), 0.0);
}

SB_DEFINE_EXPERIMENT(reg05_stiff) {
    sb_reg05_run runs[SB_REG05_METHODS];
    const sb_reg05_run *implicit = &runs[SB_REG05_IMPLICIT], *reg = &runs[SB_REG05_REG];
    for (int i = 0; i < SB_REG05_METHODS; i++) {
        const double t_end = i == SB_REG05_REG ? later : shown;
        SB_TRY(sb_reg05_pendulum(bench, (sb_reg05_method)i, c, SB_REG05_H, t_end, &runs[i]));
    }
    SB_TRY(sb_reg05_save(bench, runs, "reg05_stiff.csv"));
    SB_TRY(sb_bench_measure(bench, "reg05-f66/swing-20s", sb_reg05_max(reg, reg->x, shown - swing, shown), 0.0));
    SB_TRY(sb_bench_measure(bench, "reg05-f66/swing-1000s", sb_reg05_max(reg, reg->x, later - swing, later), 0.0));
    SB_TRY(sb_bench_measure(bench, "reg05-f66/kept", sb_reg05_loss(reg, later) / height, 0.0));
    const double lost = sb_reg05_loss(reg, shown) * swing / (shown - swing);
    SB_TRY(sb_bench_measure(bench, "reg05-f66/law", lost / sb_reg05_swing_loss(SB_REG05_H, c), 0.0));
    SB_TRY(record_energy(bench, runs));
    SB_TRY(sb_bench_measure(bench, "reg05-f68/implicit",
                            sb_reg05_max(implicit, implicit->violation, shown - swing, shown), 0.0));
    const double first = sb_reg05_max(reg, reg->violation, 0.0, swing);
    SB_TRY(sb_bench_measure(bench, "reg05-f68/small", first, 0.0));
    /* v^2 = 2 g l at the lowest point. */
    SB_TRY(sb_bench_measure(bench, "reg05-f68/tangent", first / (SB_REG05_H * SB_REG05_H * SB_REG05_G), 0.0));
    return sb_bench_measure(bench, "reg05-f68/regularized",
                            sb_reg05_max(reg, reg->violation, shown - swing, shown) / first, 0.0);
}
