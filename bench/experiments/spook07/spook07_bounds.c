/* spook07 1, 4 and 6: the energy of variational methods over long runs, the violation on a pendulum over that on a
 * ladder, and bodies whose mass depends on the position. */
#include <math.h>
#include <string.h>

#include <stepbench/numerics/norm.h>

#include "bench/experiments/spook07/rods_runs.h"
#include "bench/runner/experiment_tools.h"
#include "bench/runner/trajectory.h"

/* ---- The energy over 100 000 steps. ---- */

static const char *const pairs[][2] = {
    {"kepler", "verlet"}, {"pendulum", "shake"}, {"dsp", "shake"}, {"spherical_pendulum", "del"}};
enum { PAIRS = sizeof pairs / sizeof pairs[0], LEVELS = 4, BLOCKS = 10 };

/* Sets the largest deviations for every h, from row `from` of the table on: of the whole run, its first and its last
 * tenth. */
static void deviations(const sb_table *rows, int from, double h[LEVELS], double all[LEVELS], double first[LEVELS],
                       double last[LEVELS]) {
    for (int k = 0; k < LEVELS; k++) {
        all[k] = 0.0;
        for (int i = 0; i < BLOCKS; i++) {
            const int row = from + k * BLOCKS + i;
            const double low = sb_table_real(rows, row, "low"), high = sb_table_real(rows, row, "high");
            const double most = sb_larger(fabs(low), fabs(high));
            h[k] = sb_table_real(rows, row, "h");
            all[k] = sb_larger(all[k], most);
            first[k] = i == 0 ? most : first[k];
            last[k] = most;
        }
    }
}

static int record_energy(sb_bench *bench) {
    sb_table table = {0};
    for (int i = 0; i < PAIRS; i++) {
        const char *const problem[] = {pairs[i][0], NULL}, *const stepper[] = {pairs[i][1], NULL};
        double h[LEVELS], all[LEVELS], first[LEVELS], last[LEVELS], growth = 0.0;
        SB_TRY(sb_bench_analyse_more(bench, "energy", "h=[0.02,0.01,0.005,0.0025],steps=100000,blocks=10", problem,
                                     stepper, &table));
        if (table.nrows != (i + 1) * LEVELS * BLOCKS) {
            return sb_fail(bench->ctx, SB_NOT_CONVERGED, "%s by %s: a run ended early", problem[0], stepper[0]);
        }
        deviations(&table, i * LEVELS * BLOCKS, h, all, first, last);
        for (int k = 0; k < LEVELS; k++) {
            growth = sb_larger(growth, last[k] / first[k]);
        }
        const sb_slope slope = sb_bench_slope(LEVELS, h, all);
        SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "spook07-energy/slope-%s-%s", problem[0], stepper[0]),
                                slope.value, slope.se));
        SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "spook07-energy/growth-%s-%s", problem[0], stepper[0]),
                                growth, 0.0));
    }
    return sb_bench_save(bench, &table, "spook07_energy.csv");
}

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
    for (int k = 0; k < 2; k++) {
        double one, ratio[SB_RODS_STARTS];
        SB_TRY(pendulum(bench, ends[k], &one));
        SB_TRY(ladder(bench, ends[k], ratio));
        for (int i = 0; i < SB_RODS_STARTS; i++) {
            ratio[i] = one / ratio[i];
        }
        const sb_rods_spread s = sb_rods_ensemble(ratio);
        SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "spook07-pendulum/%gs", ends[k]), s.median, s.spread));
    }
    return SB_OK;
}

/* ---- Bodies in space. ---- */

static int record_mass(sb_bench *bench) {
    static const char *const problems[] = {"heavy_top", "slider_crank_3d", NULL};
    static const char *const starts[] = {"spook:start=full", "spook:start=half", NULL};
    sb_table rows;
    SB_TRY(sb_bench_analyse(bench, "order", "levels=6", problems, starts, &rows));
    for (int i = 0; i < rows.nrows; i++) {
        if (sb_table_is(&rows, i, "status", "fit")) {
            SB_TRY(sb_bench_measure(bench,
                                    sb_bench_format(bench, "spook07-mass/%s-%s", sb_table_text(&rows, i, "problem"),
                                                    sb_table_text(&rows, i, "stepper")),
                                    sb_table_real(&rows, i, "slope_q"), sb_table_real(&rows, i, "se_q")));
        }
    }
    return SB_OK;
}

static int run(sb_bench *bench) {
    SB_TRY(record_energy(bench));
    SB_TRY(record_pendulum(bench));
    return record_mass(bench);
}

SB_DEFINE_EXPERIMENT(spook07_bounds) = {
    .entry = {"spook07_bounds",
              "The energy of variational methods over long runs; the violation on a pendulum; bodies in space.",
              "spook07 1, 4, 6", NULL, 0},
    .files = SB_LIST("spook07_energy.csv"),
    .run = run,
};
