/* reg05 2.7: impacts in Newton's cradle, one after the other and all at once; which of its variables jump. */
#include "bench/runner/experiment_tools.h"

enum { BALLS = 5, SAMPLES = 300, SIZES = 7, LEVELS = 6, RUNS = 3 };

static const double h = 1e-3; /* s */

/* The runs shown: balls 0.02 m apart by the regularized stepper, and balls that touch by it and by Moreau's time
 * stepping. */
static const struct {
    const char *name, *problem, *stepper;
} shown[RUNS] = {{"apart", "newtons_cradle:spacing=0.02", "reg"},
                 {"touching", "newtons_cradle", "reg"},
                 {"moreau", "newtons_cradle", "moreau"}};

/* Writes the velocities of all balls against time. */
static int velocities(sb_bench *bench) {
    sb_path path[RUNS];
    sb_table table;
    SB_TRY(sb_bench_table(bench, "reg05_cradle", &table));
    for (int r = 0; r < RUNS; r++) {
        SB_TRY(sb_bench_path(bench, shown[r].problem, shown[r].stepper, h, SAMPLES, 1, &path[r]));
    }
    for (long k = 0; k <= SAMPLES; k++) {
        double row[1 + RUNS * BALLS] = {(double)k * h};
        for (int i = 0; i < RUNS * BALLS; i++) {
            row[1 + i] = k < path[i / BALLS].count ? path[i / BALLS].v[k * BALLS + i % BALLS] : NAN;
        }
        SB_TRY(sb_bench_numbers(&table, SB_COUNT(row), row));
    }
    return sb_bench_save_curves(bench, &table, "reg05_cradle.csv");
}

/* Writes the deviations from the law of one impact of all balls at once. */
static int sizes(sb_bench *bench) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, "reg05_cradle_sizes", &table));
    for (int n = 2; n < 2 + SIZES; n++) {
        sb_path path;
        const char *problem = sb_bench_format(bench, "newtons_cradle:n=%d", n);
        SB_TRY(sb_bench_path(bench, problem, "reg", h, SAMPLES, SAMPLES, &path));
        const double *v = path.v + (path.count - 1) * n, first = -(1.0 - 2.0 / n), last = 2.0 / n;
        SB_TRY(
            SB_NUMBERS(&table, n, v[0], v[n - 1], first, last, sb_larger(fabs(v[0] - first), fabs(v[n - 1] - last))));
    }
    return sb_bench_save(bench, &table, "reg05_cradle_sizes.csv");
}

static double largest_change(const double *x, int n, long count) {
    double most = 0.0;
    for (long i = n; i < count * n; i++) {
        most = sb_larger(most, fabs(x[i] - x[i - n]));
    }
    return most;
}

static double largest_second_difference(const double *x, int n, long count) {
    double most = 0.0;
    for (long i = 2 * n; i < count * n; i++) {
        most = sb_larger(most, fabs(x[i] - 2.0 * x[i - n] + x[i - 2 * n]));
    }
    return most;
}

/* Writes the largest changes per step, and the second difference of the position. */
static int jumps(sb_bench *bench) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, "reg05_cradle_jumps", &table));
    for (int k = 0; k < LEVELS; k++) {
        sb_path path;
        const double step = ldexp(h, -k);
        SB_TRY(sb_bench_path(bench, shown[0].problem, shown[0].stepper, step, SAMPLES << k, 1, &path));
        SB_TRY(SB_NUMBERS(&table, step, largest_change(path.q, path.n, path.count),
                          largest_change(path.v, path.n, path.count),
                          largest_second_difference(path.q, path.n, path.count)));
    }
    return sb_bench_save(bench, &table, "reg05_cradle_jumps.csv");
}

SB_DEFINE_EXPERIMENT(reg05_cradle) {
    SB_TRY(velocities(bench));
    SB_TRY(sizes(bench));
    return jumps(bench);
}
