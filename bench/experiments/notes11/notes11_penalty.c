/* notes11 10: the implicit midpoint rule on a pendulum with a strong spring as rod: whether the force is noise. */
#include <string.h>

#include <gsl/gsl_statistics_double.h>

#include "bench/runner/experiment_tools.h"

enum { STEPS = 600, STARTS = 8 };
static const double h = 1.0 / 60.0, eps = 1e-6, gamma_ = 2.0 / 60.0;

static const sb_column columns[] = {
    {"t", SB_COL_KEY, "s", "middle of a step"},
    {"rest", SB_COL_EXACT, "N", "force of the spring at this time, released at rest"},
    {"thrown", SB_COL_EXACT, "N", "released with 0.1 m/s along the rod"},
    {"damped", SB_COL_EXACT, "N", "the same with damping, gamma = 2 h"},
};

/* The force of the spring in the middle of every step, where the rule evaluates it (N, tension positive), and the
 * largest speed (m/s). */
typedef struct record {
    double force[STEPS], speed;
} record;

/* Runs from start i: at the angle pi/2 - i/100 from the vertical, with the speed `along` (m/s) along the rod. */
static int swing(sb_bench *bench, double stiffness, double damping, double along, int i, record *out) {
    const double angle = M_PI / 2.0 - 0.01 * i, q0[2] = {sin(angle), -cos(angle)};
    const double v0[2] = {along * q0[0], along * q0[1]};
    const char *penalty = sb_bench_format(bench, "penalty:eps=%.17g,gamma=%.17g", stiffness, damping);
    const sb_run run = {.h = h, .steps = STEPS, .every = 1, .q0 = q0, .v0 = v0};
    sb_path path;
    SB_TRY(
        sb_bench_path_of(bench, "pendulum:m=1,l=1,g=10,constraint=norm", penalty, "midpoint:tol=1e-13", &run, &path));
    *out = (record){.speed = hypot(path.v[0], path.v[1])};
    for (long k = 1; k < path.count; k++) {
        const double *a = path.q + 2 * k - 2, *b = path.q + 2 * k;
        const double x = 0.5 * (a[0] + b[0]), y = 0.5 * (a[1] + b[1]), length = hypot(x, y);
        const double rate = (x * (b[0] - a[0]) + y * (b[1] - a[1])) / (h * length);
        out->force[k - 1] = (length - 1.0 + damping * rate) / stiffness;
        out->speed = sb_larger(out->speed, hypot(path.v[2 * k], path.v[2 * k + 1]));
    }
    return SB_OK;
}

/* Returns the autocorrelation at lag 2 of second differences, which remove the slow force of the swing: 1/6 for white
 * noise, 1 for a force that alternates or changes slowly. */
static double correlation(const double *force) {
    double d[STEPS - 2];
    for (int k = 0; k < STEPS - 2; k++) {
        d[k] = force[k] - 2.0 * force[k + 1] + force[k + 2];
    }
    return gsl_stats_correlation(d, 1, d + 2, 1, STEPS - 4);
}

/* Records the mean over the starts, and keeps the force of the first. */
static int over_starts(sb_bench *bench, const char *id, double damping, double along, double first[STEPS]) {
    double found[STARTS];
    record r;
    for (int i = 0; i < STARTS; i++) {
        SB_TRY(swing(bench, eps, damping, along, i, &r));
        found[i] = correlation(r.force);
        if (i == 0) {
            memcpy(first, r.force, sizeof r.force);
        }
    }
    return sb_bench_measure(bench, id, gsl_stats_mean(found, 1, STARTS), gsl_stats_sd(found, 1, STARTS));
}

static int run(sb_bench *bench) {
    double rest[STEPS], thrown[STEPS], damped[STEPS], decades[STARTS];
    sb_table table;
    record r;
    SB_TRY(over_starts(bench, "notes11-penalty/rest", 0.0, 0.0, rest));
    SB_TRY(over_starts(bench, "notes11-penalty/thrown", 0.0, 0.1, thrown));
    SB_TRY(over_starts(bench, "notes11-penalty/damped", gamma_, 0.1, damped));
    for (int i = 0; i < STARTS; i++) {
        SB_TRY(swing(bench, 1e-8, 0.0, 0.0, i, &r));
        decades[i] = 2.0 * log10(r.speed / sqrt(20.0));
    }
    SB_TRY(sb_bench_measure(bench, "notes11-penalty/decades", gsl_stats_mean(decades, 1, STARTS),
                            gsl_stats_sd(decades, 1, STARTS)));
    SB_TRY(SB_TABLE(bench, columns, &table));
    for (int k = 0; k < STEPS; k++) {
        SB_TRY(SB_NUMBERS(&table, (k + 0.5) * h, rest[k], thrown[k], damped[k]));
    }
    SB_TRY(sb_bench_save_curves(bench, &table, "notes11_penalty.csv"));
    return sb_bench_plot(bench, "notes11_penalty");
}

SB_DEFINE_EXPERIMENT(notes11_penalty) = {
    .entry = {"notes11_penalty",
              "Implicit midpoint on a pendulum held by a strong spring: the force of the spring from step to step.",
              "notes11 10", NULL, 0},
    .files = SB_LIST("notes11_penalty.csv", SB_FIGURE("notes11_penalty")),
    .run = run,
};
