/* notes11 10: the implicit midpoint rule on a pendulum with a strong spring as rod: the force of the spring as it
 * stiffens, with and without damping, and its spectrum. */
#include <gsl/gsl_fft_real.h>
#include <gsl/gsl_statistics_double.h>

#include "bench/runner/experiment_tools.h"

enum { STEPS = 512, STARTS = 8, LEVELS = 7, CASES = 3, DRAWN = 4 };
static const double h = 1.0 / 60.0, weight = 10.0; /* s, N */
/* The tension of a rigid rod is largest at the lowest point, 3 m g. */
static const double rigid = 30.0;
/* The first level of the papers' compliance, 1e-8, and smaller ones. */
enum { STIFFEST = 4 };

static const struct {
    const char *name;
    double along, damping; /* initial speed along the rod (m/s), gamma (s) */
} cases[CASES] = {{"rest", 0.0, 0.0}, {"thrown", 0.1, 0.0}, {"damped", 0.1, 2.0 / 60.0}};

/* The force of the spring in the middle of every step, where the rule evaluates it (N, tension positive), and the
 * largest kinetic energy (J). A run that ends early has an infinite force. */
typedef struct record {
    double force[STEPS], kinetic;
} record;

/* Runs from start i: at the angle pi/2 - i/100 from the vertical. */
static int swing(sb_bench *bench, double eps, int which, int i, record *out) {
    const double angle = M_PI / 2.0 - 0.01 * i, q0[2] = {sin(angle), -cos(angle)}, along = cases[which].along,
                 v0[2] = {along * q0[0], along * q0[1]}, damping = cases[which].damping;
    const char *penalty = sb_bench_format(bench, "penalty:eps=%.17g,gamma=%.17g", eps, damping);
    const sb_run run = {.h = h, .steps = STEPS, .every = 1, .q0 = q0, .v0 = v0};
    sb_path path;
    SB_TRY(
        sb_bench_path_of(bench, "pendulum:m=1,l=1,g=10,constraint=norm", penalty, "midpoint:tol=1e-13", &run, &path));
    out->kinetic = 0.0;
    for (long k = 1; k <= STEPS; k++) {
        const double *a = path.q + 2 * k - 2, *b = path.q + 2 * k, *v = path.v + 2 * k;
        if (k >= path.count) {
            out->force[k - 1] = INFINITY;
            continue;
        }
        const double x = 0.5 * (a[0] + b[0]), y = 0.5 * (a[1] + b[1]), length = hypot(x, y);
        const double rate = (x * (b[0] - a[0]) + y * (b[1] - a[1])) / (h * length);
        out->force[k - 1] = (length - 1.0 + damping * rate) / eps;
        out->kinetic = sb_larger(out->kinetic, 0.5 * (v[0] * v[0] + v[1] * v[1]));
    }
    return SB_OK;
}

/* Computes the power at the frequencies k/(STEPS h), k < STEPS/2, with the window of Hann, and returns the flatness
 * above a quarter of them, where there is nothing of the swing: exp(-0.577) for white noise, whose powers are
 * exponentially distributed. */
static double spectrum(const double *force, double power[STEPS / 2]) {
    double x[STEPS], logs = 0.0, sum = 0.0;
    for (int k = 0; k < STEPS; k++) {
        x[k] = force[k] * (1.0 - cos(2.0 * M_PI * (k + 0.5) / STEPS)) / STEPS;
    }
    gsl_fft_real_radix2_transform(x, 1, STEPS);
    for (int k = 1; k < STEPS / 2; k++) {
        power[k] = x[k] * x[k] + x[STEPS - k] * x[STEPS - k];
        if (k >= STEPS / 8) {
            logs += log(power[k]) / (3 * STEPS / 8);
            sum += power[k] / (3 * STEPS / 8);
        }
    }
    return exp(logs) / sum;
}

/* Numbers of one compliance and case, over the starts. */
typedef struct level {
    double force[STARTS], kinetic[STARTS], flat[STARTS];
} level;

static int measure(sb_bench *bench, double eps, int which, level *out, double power[STEPS / 2]) {
    for (int i = 0; i < STARTS; i++) {
        double one[STEPS / 2];
        record r;
        SB_SCRATCH_BENCH(scratch, bench);
        SB_TRY(swing(&scratch, eps, which, i, &r));
        out->force[i] = sb_norm_max(STEPS, r.force);
        out->kinetic[i] = r.kinetic;
        out->flat[i] = spectrum(r.force, one);
        for (int k = 1; k < STEPS / 2; k++) {
            power[k] = (i > 0 ? power[k] : 0.0) + one[k] / STARTS;
        }
    }
    return SB_OK;
}

SB_DEFINE_EXPERIMENT(notes11_penalty) {
    double least = INFINITY, most = 0.0, decades = INFINITY, independent[LEVELS] = {0.0}, damped = INFINITY;
    sb_table table, curves;
    SB_TRY(sb_bench_table(bench, "notes11_penalty", &table));
    SB_TRY(sb_bench_table(bench, "notes11_penalty_spectrum", &curves));
    for (int i = 0; i < CASES * LEVELS; i++) {
        const int which = i / LEVELS, k = i % LEVELS;
        const double eps = pow(10.0, -4 - k);
        double power[STEPS / 2], logs[STARTS];
        level l;
        SB_TRY(measure(bench, eps, which, &l, power));
        const double lowest = gsl_stats_min(l.force, 1, STARTS), highest = gsl_stats_max(l.force, 1, STARTS);
        for (int j = 0; j < STARTS; j++) {
            logs[j] = log(l.force[j]);
        }
        const double effective = sb_bench_effective(STARTS, 1, logs);
        const double flat = gsl_stats_mean(l.flat, 1, STARTS), scatter = gsl_stats_sd(l.flat, 1, STARTS);
        if (cases[which].damping > 0.0) {
            most = sb_larger(most, highest / rigid);
            damped = fmin(damped, effective);
        } else if (k >= STIFFEST) {
            least = fmin(least, lowest / rigid);
            decades = fmin(decades, log10(gsl_stats_min(l.kinetic, 1, STARTS) / weight));
            independent[k] += effective;
        }
        if (which == 0 && k % 2 == 0) {
            SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "notes11-white/flat-%g", eps), flat, scatter));
            for (int f = 1; f < STEPS / 2; f++) {
                SB_TRY(SB_NUMBERS(&curves, eps, f / (STEPS * h), power[f]));
            }
        }
        SB_TRY(SB_TABLE_ROW(&table, sb_text(cases[which].name), sb_real(eps),
                            sb_real(gsl_stats_median(l.force, 1, STARTS)), sb_real(lowest), sb_real(highest),
                            sb_real(gsl_stats_median(l.kinetic, 1, STARTS)), sb_real(flat)));
    }
    SB_TRY(sb_bench_measure(bench, "notes11-penalty/undamped", least, 0.0));
    SB_TRY(sb_bench_measure(bench, "notes11-penalty/effective",
                            gsl_stats_min(independent + STIFFEST, 1, LEVELS - STIFFEST), 0.0));
    SB_TRY(sb_bench_measure(bench, "notes11-penalty/effective-damped", damped, 0.0));
    SB_TRY(sb_bench_measure(bench, "notes11-penalty/damped", most, 0.0));
    SB_TRY(sb_bench_measure(bench, "notes11-penalty/decades", decades, 0.0));
    SB_TRY(sb_bench_save(bench, &table, "notes11_penalty.csv"));
    return sb_bench_save_curves(bench, &curves, "notes11_penalty_spectrum.csv");
}
