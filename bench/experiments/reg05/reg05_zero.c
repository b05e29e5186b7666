/* reg05 Figs. 6.9 and 6.10: the regularized stepper with c = 0 on the pendulum. */
#include "bench/experiments/reg05/reg05_runs.h"
#include "bench/runner/experiment_tools.h"

static const double shown = SB_REG05_SHOWN, swing = SB_REG05_SWING; /* s */

enum { STEPS = 6 };

/* Of 1200 samples: 35 per swing. */
enum { DRAWN_EVERY = 4 };

static int save_curves(sb_bench *bench, const sb_reg05_run *runs) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, "reg05_zero_curves", &table));
    for (long k = 0; k <= runs[2].steps; k += DRAWN_EVERY) {
        SB_TRY(SB_NUMBERS(&table, runs[2].t[k], runs[2].q[2 * k], runs[2].q[2 * k + 1], runs[2].violation[k],
                          runs[3].violation[2 * k], runs[4].violation[4 * k]));
    }
    return sb_bench_save_curves(bench, &table, "reg05_zero_curves.csv");
}

/* Returns the largest |dv|/h of a step over 2 g. */
static double largest_acceleration(const sb_reg05_run *run) {
    double largest = 0.0;
    for (long k = 1; k <= run->steps; k++) {
        const double *v = run->v + 2 * k;
        largest = sb_larger(largest, hypot(v[0] - v[-2], v[1] - v[-1]) / run->h);
    }
    return largest / (2.0 * SB_REG05_G);
}

static int record_smooth(sb_bench *bench, const sb_reg05_run *run) {
    SB_TRY(sb_bench_measure(bench, "reg05-f69/acceleration", largest_acceleration(run), 0.0));
    return sb_bench_measure(bench, "reg05-f69/swing", sb_reg05_max(run, run->x, shown - swing, INFINITY), 0.0);
}

SB_DEFINE_EXPERIMENT(reg05_zero) {
    static const double fractions[STEPS] = {15.0, 30.0, 60.0, 120.0, 240.0, 480.0};
    sb_table table;
    SB_TRY(sb_bench_table(bench, "reg05_zero", &table));
    sb_reg05_run runs[STEPS];
    for (int i = 0; i < STEPS; i++) {
        sb_reg05_run *r = &runs[i];
        const double h = 1.0 / fractions[i];
        SB_TRY(sb_reg05_pendulum(bench, SB_REG05_REG, 0.0, h, shown, r));
        SB_TRY(
            SB_NUMBERS(&table, h, sb_reg05_max(r, r->violation, 0.0, shown), h * h * SB_REG05_G,
                       sb_reg05_max(r, r->violation, shown - swing, shown) / sb_reg05_max(r, r->violation, 0.0, swing),
                       sb_reg05_loss(r, shown) / (shown - swing)));
    }
    SB_TRY(sb_bench_save(bench, &table, "reg05_zero.csv"));
    SB_TRY(save_curves(bench, runs));
    return record_smooth(bench, &runs[2]);
}
