/* spook07 abstract and 1: SPOOK's order from either start, its momenta, and the shadowing property. */
#include <math.h>
#include <string.h>

#include <stepbench/numerics/norm.h>

#include "bench/runner/experiment_tools.h"
#include "bench/runner/trajectory.h"

static const char *const with_order[] = {"pendulum", "dsp", NULL};
static const char *const starts[] = {"spook:start=full", "spook:start=half", NULL};
static const char *const with_momenta[] = {"spherical_pendulum", "dsp", "heavy_top", "kepler", "plane", NULL};
static const char *const relaxed[] = {"spook", "spook:eps=1e-2", NULL};

static int record_order(sb_bench *bench) {
    sb_table rows;
    SB_TRY(sb_bench_analyse(bench, "order", "levels=6,scales=4", with_order, starts, &rows));
    for (int i = 0; i < rows.nrows; i++) {
        if (!sb_table_is(&rows, i, "status", "fit")) {
            continue;
        }
        SB_TRY(sb_bench_measure(bench,
                                sb_bench_format(bench, "spook07-order/%s-%s", sb_table_text(&rows, i, "problem"),
                                                sb_table_text(&rows, i, "stepper")),
                                sb_table_real(&rows, i, "slope_q"), sb_table_real(&rows, i, "se_q")));
    }
    return sb_bench_save(bench, &rows, "spook07_order.csv");
}

static int record_symmetry(sb_bench *bench) {
    sb_table rows;
    int conserved = 0;
    SB_TRY(sb_bench_analyse(bench, "momentum", "", with_momenta, relaxed, &rows));
    for (int i = 0; i < rows.nrows; i++) {
        conserved += sb_table_is(&rows, i, "conserved", "yes");
    }
    SB_TRY(sb_bench_measure(bench, "spook07-symmetry/runs", conserved, 0.0));
    return sb_bench_save(bench, &rows, "spook07_symmetry.csv");
}

/* Integrates the oscillator of frequency 1 by Verlet's method, which follows from (12). Sets *met to the share of the
 * steps in which the line between the points meets cos t, and *distance to the largest distance of the points from
 * cos(W t), W = (2/h) asin(h/2). */
static int shadow(sb_bench *bench, double h, long steps, double *met, double *distance) {
    enum { PARTS = 32 };
    sb_path path;
    long count = 0;
    const double nearby = 2.0 / h * asin(0.5 * h);
    SB_TRY(sb_bench_path(bench, "oscillator:m=1,omega=1,x0=1,v0=0", "verlet", h, steps, 1, &path));
    *distance = path.failure == NULL ? 0.0 : (double)NAN;
    for (long k = 0; k + 1 < path.count; k++) {
        const double x0 = path.q[k], x1 = path.q[k + 1];
        bool above = false, below = false;
        for (int i = 0; i <= PARTS; i++) {
            const double part = (double)i / PARTS, off = x0 + part * (x1 - x0) - cos(h * ((double)k + part));
            above = above || off >= 0.0;
            below = below || off <= 0.0;
        }
        count += above && below;
        *distance = sb_larger(*distance, fabs(x1 - cos(nearby * h * (double)(k + 1))));
    }
    *met = (double)count / (double)steps;
    return SB_OK;
}

static int record_shadow(sb_bench *bench) {
    const double h = 0.1;
    double met, distance;
    SB_TRY(shadow(bench, h, lround(20.0 * 2.0 * M_PI / h), &met, &distance));
    SB_TRY(sb_bench_measure(bench, "spook07-shadow/met", met, 0.0));
    return sb_bench_measure(bench, "spook07-shadow/distance", distance, 0.0);
}

static int run(sb_bench *bench) {
    SB_TRY(record_order(bench));
    SB_TRY(record_symmetry(bench));
    return record_shadow(bench);
}

SB_DEFINE_EXPERIMENT(spook07_order) = {
    .entry = {"spook07_order", "SPOOK's order from either start, its momenta, and the shadowing property.", "spook07 1",
              NULL, 0},
    .files = SB_LIST("spook07_order.csv", "spook07_symmetry.csv"),
    .run = run,
};
