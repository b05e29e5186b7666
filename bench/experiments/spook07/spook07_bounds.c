/* spook07 1 and 6: the violation on a pendulum over that on a ladder, and the shadowing property. */

#include "bench/experiments/spook07/rods_runs.h"
#include "bench/runner/experiment_tools.h"

/* ---- A pendulum and a ladder. ---- */

static const double h = 1.0 / 60.0;

/* Computes the mean violation of a pendulum. */
static int pendulum(sb_bench *bench, double t_end, double *violation) {
    const sb_run run = {.h = h, .steps = lround(t_end / h), .every = 1};
    sb_path path;
    double sum = 0.0;
    SB_TRY(sb_bench_whole_path(bench, "pendulum:m=10,l=1,g=9.81,theta0=1.5707963267948966,constraint=square", "",
                               "spook:start=full", &run, &path));
    for (long k = 1; k < path.count; k++) {
        double g;
        SB_TRY(sb_holonomic_value(&path.sys, 0.0, path.q + k * path.n, &g, NULL));
        sum += fabs(g);
    }
    *violation = sum / (double)run.steps;
    return SB_OK;
}

/* Computes the mean violation of the ladder from every start. */
static int ladder(sb_bench *bench, double t_end, double violation[SB_RODS_STARTS]) {
    for (int i = 0; i < SB_RODS_STARTS; i++) {
        sb_rods_run run;
        SB_TRY(sb_rods_follow_start(bench, "ladder:N=20", i, "spook", h, t_end, &run));
        violation[i] = 0.0;
        for (int k = 1; k < run.count; k++) {
            violation[i] += run.at[k].g_all / (run.count - 1);
        }
    }
    return SB_OK;
}

static int record_pendulum(sb_bench *bench) {
    static const double ends[2] = {2.0, 20.0};
    sb_table table;
    SB_TRY(sb_bench_table(bench, "spook07_pendulum", &table));
    for (int k = 0; k < 2; k++) {
        double one, many[SB_RODS_STARTS];
        SB_TRY(pendulum(bench, ends[k], &one));
        SB_TRY(ladder(bench, ends[k], many));
        for (int i = 0; i < SB_RODS_STARTS; i++) {
            SB_TRY(SB_NUMBERS(&table, ends[k], i, one, many[i]));
        }
    }
    return sb_bench_save(bench, &table, "spook07_pendulum.csv");
}

/* ---- Shadowing. ---- */

/* Integrates the oscillator of frequency 1 by Verlet's method, which follows from (12). Sets *met to the share of the
 * steps in which the line between the points meets cos t, and *distance to the largest distance of the points from
 * cos(W t), W = (2/h) asin(h/2) with the step h. Sets *orbits to the largest |A - 1| of the amplitudes A of the exact
 * motions through each pair of successive points. */
static int shadow(sb_bench *bench, double step, long steps, double *met, double *distance, double *orbits) {
    enum { PARTS = 32 };
    sb_path path;
    long count = 0;
    const double nearby = 2.0 / step * asin(0.5 * step);
    SB_TRY(sb_bench_path(bench, "oscillator:m=1,omega=1,x0=1,v0=0", "verlet", step, steps, 1, &path));
    *distance = *orbits = path.failure == NULL ? 0.0 : (double)NAN;
    for (long k = 0; k + 1 < path.count; k++) {
        const double x0 = path.q[k], x1 = path.q[k + 1];
        bool above = false, below = false;
        for (int i = 0; i <= PARTS; i++) {
            const double part = (double)i / PARTS, off = x0 + part * (x1 - x0) - cos(step * ((double)k + part));
            above = above || off >= 0.0;
            below = below || off <= 0.0;
        }
        count += above && below;
        *orbits = sb_larger(*orbits, fabs(sqrt(x0 * x0 + x1 * x1 - 2.0 * x0 * x1 * cos(step)) / sin(step) - 1.0));
        *distance = sb_larger(*distance, fabs(x1 - cos(nearby * step * (double)(k + 1))));
    }
    *met = (double)count / (double)steps;
    return SB_OK;
}

static int measure_shadow(sb_bench *bench) {
    const double step = 0.1;
    double met, distance, orbits;
    SB_TRY(shadow(bench, step, lround(20.0 * 2.0 * M_PI / step), &met, &distance, &orbits));
    SB_TRY(sb_bench_measure(bench, "spook07-shadow/orbits", orbits, 0.0));
    SB_TRY(sb_bench_measure(bench, "spook07-shadow/met", met, 0.0));
    return sb_bench_measure(bench, "spook07-shadow/distance", distance, 0.0);
}

SB_DEFINE_EXPERIMENT(spook07_bounds) {
    SB_TRY(record_pendulum(bench));
    return measure_shadow(bench);
}
