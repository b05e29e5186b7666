/* reg05 Figs. 6.1-6.4: the pendulum with the compliance c = 1e-2, and where it comes to rest. */
#include "bench/experiments/reg05/reg05_runs.h"
#include "bench/runner/experiment_tools.h"

static const double c = 1e-2;
/* Implicit Euler comes to rest within this time, s: it takes h omega^2 = 15 % of the energy of small oscillations per
 * second. */
static const double settled = 400.0;

/* Returns the height at which the springs balance gravity, m. */
static double rest_y(void) { return -(1.0 + SB_REG05_G * c); }

/* Measures the largest violation of the exact motion on the springs, by rk4 with a hundredth of the step: 60 steps per
 * period of the springs. */
static int spring_violation(sb_bench *bench, double *out) {
    const double h = SB_REG05_H / 100.0;
    const sb_run run = {.h = h, .steps = lround(SB_REG05_SHOWN / h), .every = 1};
    sb_path path;
    SB_TRY(sb_bench_path_of(bench, SB_REG05_PENDULUM, "penalty:eps=1e-2", "rk4", &run, &path));
    *out = path.failure == NULL ? 0.0 : NAN;
    for (long k = 0; k < path.count; k++) {
        *out = sb_larger(*out, fabs(hypot(path.q[2 * k], path.q[2 * k + 1]) - 1.0));
    }
    return SB_OK;
}

static int record_rest(sb_bench *bench, const sb_reg05_run *run) {
    const double x = run->q[2 * run->steps], y = run->q[2 * run->steps + 1];
    SB_TRY(sb_bench_measure(bench, "reg05-rest/printed", hypot(x + 1.0, y), 0.0));
    return sb_bench_measure(bench, "reg05-rest/corrected", hypot(x, y - rest_y()), 0.0);
}

SB_DEFINE_EXPERIMENT(reg05_soft) {
    sb_reg05_run runs[3], stiff;
    const double swing = SB_REG05_SWING;
    double exact;
    for (int i = 0; i < 3; i++) {
        SB_TRY(sb_reg05_pendulum(bench, (sb_reg05_method)i, c, SB_REG05_H, settled, &runs[i]));
    }
    SB_TRY(sb_reg05_pendulum(bench, SB_REG05_REG, 2e-4, SB_REG05_H, SB_REG05_SHOWN, &stiff));
    SB_TRY(spring_violation(bench, &exact));
    SB_TRY(sb_reg05_save(bench, runs, "reg05_soft.csv"));
    const sb_reg05_run *implicit = &runs[SB_REG05_IMPLICIT], *reg = &runs[SB_REG05_REG];
    const double rest = SB_REG05_G * rest_y();
    const double fast = sb_reg05_half_life(implicit, rest), slow = sb_reg05_half_life(reg, rest);
    SB_TRY(sb_bench_measure(bench, "reg05-f61/half-life", fast, 0.0));
    SB_TRY(sb_bench_measure(bench, "reg05-f61/end", implicit->energy[implicit->steps] - rest, 0.0));
    SB_TRY(
        sb_bench_measure(bench, "reg05-f61/half-life-newton", sb_reg05_half_life(&runs[SB_REG05_NEWTON], rest), 0.0));
    SB_TRY(sb_bench_measure(bench, "reg05-f62/ratio", slow / fast, 0.0));
    SB_TRY(sb_bench_measure(bench, "reg05-f62/swings", slow / swing, 0.0));
    SB_TRY(sb_bench_measure(bench, "reg05-f63/implicit", fast / swing, 0.0));
    SB_TRY(sb_bench_measure(bench, "reg05-f63/regularized", slow / swing, 0.0));
    const double large = sb_reg05_loss(reg, 2.0 * swing), small = sb_reg05_loss(&stiff, 2.0 * swing);
    SB_TRY(sb_bench_measure(bench, "reg05-f63/smaller", small / large, 0.0));
    SB_TRY(sb_bench_measure(bench, "reg05-f63/law", small / sb_reg05_swing_loss(SB_REG05_H, 2e-4), 0.0));
    SB_TRY(record_rest(bench, implicit));
    SB_TRY(sb_bench_measure(bench, "reg05-f64/implicit",
                            sb_reg05_max(implicit, implicit->violation, 0.0, SB_REG05_SHOWN), 0.0));
    SB_TRY(
        sb_bench_measure(bench, "reg05-f64/regularized", sb_reg05_max(reg, reg->violation, 0.0, SB_REG05_SHOWN), 0.0));
    return sb_bench_measure(bench, "reg05-f64/exact", exact, 0.0);
}
