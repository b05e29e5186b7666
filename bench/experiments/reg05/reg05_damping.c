/* reg05 3.3: a compliance without damping oscillates. The weight of a particle at rest on the line y = 0 loads it. */
#include "bench/runner/experiment_tools.h"

enum { LEVELS = 13, STEPS = 4000 };
static const double h = 1.0 / 60.0;

static int observe(void *arg, const sb_sample *sample) {
    double *lowest = arg;
    *lowest = sb_larger(*lowest, -sample->q[1]);
    return SB_OK;
}

/* Measures the largest violation over that at rest, c m g, less 1. */
static int overshoot(sb_bench *bench, double c, double b, double *out) {
    const sb_run run = {.h = h, .steps = STEPS, .every = 1};
    const char *stepper = sb_bench_format(bench, "reg:c=%.17g,b=%.17g,start=full", c, b);
    double lowest = 0.0;
    SB_TRY(sb_bench_observe(bench, "plane:vx0=0", "", stepper, &run, observe, &lowest));
    *out = lowest / c - 1.0;
    return SB_OK;
}

SB_DEFINE_EXPERIMENT(reg05_damping) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, "reg05_damping", &table));
    for (int k = 0; k < LEVELS; k++) {
        const double ratio = pow(10.0, 0.5 * k - 2.0), c = ratio * h * h;
        double undamped, damped;
        SB_TRY(overshoot(bench, c, 0.0, &undamped));
        SB_TRY(overshoot(bench, c, 2.0 / sqrt(c), &damped));
        SB_TRY(SB_TABLE_ROW(&table, sb_real(ratio), sb_trusted(undamped, 1e-9), sb_trusted(damped, 1e-9)));
    }
    return sb_bench_save(bench, &table, "reg05_damping.csv");
}
