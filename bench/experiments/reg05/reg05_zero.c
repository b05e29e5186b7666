/* reg05 Figs. 6.9 and 6.10: the regularized stepper with c = 0, on the pendulum and on other problems. */
#include "bench/experiments/reg05/reg05_runs.h"
#include "bench/runner/experiment_tools.h"

static const double shown = SB_REG05_SHOWN, swing = SB_REG05_SWING; /* s */

/* c = 0 is safe if the violation is at most 1.1 times that with a small compliance, c = 1e-8, up to 2 s. Later the
 * chain and the ladder are chaotic. */
static const double regular = 2.0;

static const sb_column columns[] = {
    {"h", SB_COL_KEY, "s", "step"},
    {"violation", SB_COL_ERROR, "m", "largest, to 20 s"},
    {"predicted", SB_COL_ERROR, "m", "h^2 v^2/2 at the lowest point, v^2 = 2 g l"},
    {"loss", SB_COL_ERROR, "J/s", "of the mean energy, between the first swing and the last"},
};
enum { STEPS = 6 };

/* Further problems for c = 0, run for 10 s. The squares of the ladder come close to flat ones, where its constraints
 * are linearly dependent. */
static const char *const others[] = {"pendulum", "dsp", "rod_chain:n=6", "ladder:N=10"};

/* Measures the largest violation by `stepper` up to t = 2 s; NaN if the run fails. */
static int violation_on(sb_bench *bench, const char *problem, const char *stepper, double *out) {
    sb_path path;
    double *g;
    SB_TRY(sb_bench_path(bench, problem, stepper, SB_REG05_H, 600, 1, &path));
    const sb_holonomic *constraints = &path.sys.holonomic;
    SB_NEW(&bench->arena, g, constraints->m);
    *out = path.failure == NULL ? 0.0 : NAN;
    for (long k = 0; k < path.count && path.t[k] <= regular; k++) {
        SB_TRY(constraints->value(constraints->self, 0.0, path.q + k * path.n, g, NULL));
        *out = sb_larger(*out, sb_norm_max(constraints->m, g));
    }
    return SB_OK;
}

static int record_safe(sb_bench *bench) {
    for (int i = 0; i < SB_COUNT(others); i++) {
        double without, with;
        SB_TRY(violation_on(bench, others[i], "reg:c=0,start=full", &without));
        SB_TRY(violation_on(bench, others[i], "reg:c=1e-8,start=full", &with));
        SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "reg05-c0/%s", others[i]), without / with, 0.0));
    }
    return SB_OK;
}

static const sb_column curve_columns[] = {
    {"t", SB_COL_KEY, "s", "time"},
    {"x", SB_COL_EXACT, "m", "at h = 1/60"},
    {"y", SB_COL_EXACT, "m", "at h = 1/60"},
    {"violation", SB_COL_ERROR, "m", "at h = 1/60"},
    {"violation_half", SB_COL_ERROR, "m", "at h = 1/120"},
    {"violation_quarter", SB_COL_ERROR, "m", "at h = 1/240"},
};

/* Every second of 1200 samples, on 600 pixels. */
enum { DRAWN_EVERY = 2 };

static int save_curves(sb_bench *bench, const sb_reg05_run *runs) {
    sb_table table;
    SB_TRY(SB_TABLE(bench, curve_columns, &table));
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

static int run(sb_bench *bench) {
    static const double fractions[STEPS] = {15.0, 30.0, 60.0, 120.0, 240.0, 480.0};
    double h[STEPS], violation[STEPS], kept = 1.0;
    sb_table table;
    SB_TRY(SB_TABLE(bench, columns, &table));
    sb_reg05_run runs[STEPS];
    for (int i = 0; i < STEPS; i++) {
        sb_reg05_run *r = &runs[i];
        h[i] = 1.0 / fractions[i];
        SB_TRY(sb_reg05_pendulum(bench, SB_REG05_REG, 0.0, h[i], shown, r));
        violation[i] = sb_reg05_max(r, r->violation, 0.0, shown);
        if (h[i] <= 1.0 / 59.0) { /* at larger steps the swing decays by more than a tenth */
            kept = fmin(kept, sb_reg05_max(r, r->violation, shown - swing, shown) /
                                  sb_reg05_max(r, r->violation, 0.0, swing));
        }
        SB_TRY(SB_NUMBERS(&table, h[i], violation[i], h[i] * h[i] * SB_REG05_G,
                          sb_reg05_loss(r, shown) / (shown - swing)));
    }
    SB_TRY(sb_bench_save(bench, &table, "reg05_zero.csv"));
    SB_TRY(save_curves(bench, runs));
    SB_TRY(sb_bench_plot(bench, "reg05_zero"));
    SB_TRY(record_smooth(bench, &runs[2]));
    const sb_slope slope = sb_bench_slope(STEPS, h, violation);
    SB_TRY(sb_bench_measure(bench, "reg05-f610/power", slope.value, slope.se));
    SB_TRY(sb_bench_measure(bench, "reg05-f610/kept", kept, 0.0));
    return record_safe(bench);
}

SB_DEFINE_EXPERIMENT(reg05_zero) = {
    .entry = {"reg05_zero",
              "Regularized stepper with c = 0: the pendulum's trajectory, its violation against the step, and other "
              "problems.",
              "reg05 Figs. 6.9-6.10", NULL, 0},
    .files = SB_LIST("reg05_zero.csv", "reg05_zero_curves.csv", SB_FIGURE("reg05_zero")),
    .run = run,
};
