/* spook07 1, 4 and 6: the energy of variational methods over long runs, the violation on a pendulum beside that on a
 * ladder, and bodies whose mass depends on the position. */
#include <math.h>
#include <string.h>

#include <stepbench/numerics/norm.h>

#include "bench/experiments/spook07/rods_runs.h"
#include "bench/runner/verdicts.h"

/* ---- The energy over 100 000 steps. ---- */

static const char *const pairs[][2] = {
    {"kepler", "verlet"}, {"pendulum", "shake"}, {"dsp", "shake"}, {"spherical_pendulum", "del"}};
enum { PAIRS = sizeof pairs / sizeof pairs[0], LEVELS = 4, BLOCKS = 10 };

/* The largest deviations of a pair at every step of the table: of the whole run, of its first and of its last tenth. */
static int deviations(const sb_table *rows, double h[LEVELS], double all[LEVELS], double first[LEVELS],
                      double last[LEVELS]) {
    for (int k = 0; k < LEVELS; k++) {
        all[k] = 0.0;
        for (int i = 0; i < BLOCKS; i++) {
            const int row = k * BLOCKS + i;
            const double low = sb_table_real(rows, row, "low"), high = sb_table_real(rows, row, "high");
            const double most = sb_larger(fabs(low), fabs(high));
            h[k] = sb_table_real(rows, row, "h");
            all[k] = sb_larger(all[k], most);
            first[k] = i == 0 ? most : first[k];
            last[k] = most;
        }
    }
    return SB_OK;
}

static int record_energy(sb_bench *bench) {
    static const char *const claim = "spook07-energy";
    sb_table table = {0};
    for (int i = 0; i < PAIRS; i++) {
        const char *const problem[] = {pairs[i][0], NULL}, *const stepper[] = {pairs[i][1], NULL};
        double h[LEVELS], all[LEVELS], first[LEVELS], last[LEVELS], growth = 0.0;
        sb_table rows;
        SB_TRY(sb_bench_analyse(bench, "energy", "h=[0.02,0.01,0.005,0.0025],steps=100000,blocks=10", problem, stepper,
                                &rows));
        if (rows.nrows != LEVELS * BLOCKS) {
            return sb_fail(bench->ctx, SB_NOT_CONVERGED, "%s by %s: a run ended early", problem[0], stepper[0]);
        }
        SB_TRY(deviations(&rows, h, all, first, last));
        for (int k = 0; k < LEVELS; k++) {
            growth = sb_larger(growth, last[k] / first[k]);
        }
        const sb_slope slope = sb_bench_slope(LEVELS, h, all);
        const char *pair = sb_bench_format(bench, "%s by %s", problem[0], stepper[0]);
        SB_TRY(SB_RECORD(bench, claim, SB_PRINTED,
                         sb_bench_format(bench, "%s: power of h in the largest |E - E(0)| of 100 000 steps", pair),
                         .measured = slope.value, .uncertainty = slope.se, .expected = 2.0, .tolerance = 0.1,
                         .published = "2", .from = "the next term of the error at the largest step"));
        SB_TRY(SB_RECORD(bench, claim, SB_PRINTED,
                         sb_bench_format(bench, "%s: largest |E - E(0)|, last tenth of the steps over the first", pair),
                         SB_AT_MOST, .measured = growth, .expected = 1.5, .published = "for all steps",
                         .from = "a drift of one bound per run would make it ten"));
        if (i == 0) {
            table = rows;
        } else {
            SB_TRY(sb_bench_append(&table, &rows));
        }
    }
    return sb_bench_save(bench, &table, "spook07_energy.csv");
}

/* ---- A pendulum and a ladder. ---- */

static const double h = 1.0 / 60.0;

typedef struct mean {
    const sb_system *sys;
    double sum;
} mean;

static int observe(void *arg, const sb_sample *sample) {
    mean *m = arg;
    double g;
    SB_TRY(m->sys->holonomic.value(m->sys->holonomic.self, sample->q, &g, NULL));
    m->sum += sample->step > 0 ? fabs(g) : 0.0;
    return SB_OK;
}

static int pendulum(sb_bench *bench, double t_end, double *violation) {
    sb_system sys;
    sb_method me;
    sb_run run = {.h = h, .steps = lround(t_end / h), .every = 1};
    mean m = {.sys = &sys};
    SB_TRY(sb_system_build(bench->ctx, &bench->arena,
                           "pendulum:m=10,l=1,g=9.81,theta0=1.5707963267948966,constraint=square", 0, NULL, &sys));
    SB_TRY(sb_method_build(bench->ctx, &bench->arena, "spook:start=full", &sys, &me));
    SB_TRY(sb_run_method(&me, &run, observe, &m));
    *violation = m.sum / (double)run.steps;
    return SB_OK;
}

static int ladder(sb_bench *bench, double t_end, double violation[SB_RODS_STARTS]) {
    for (int i = 0; i < SB_RODS_STARTS; i++) {
        sb_rods_run run;
        const sb_rods_task task = {.problem = sb_rods_start(bench, "ladder:N=20", i),
                                   .stepper = "spook",
                                   .h = h,
                                   .t_end = t_end,
                                   .every = 1,
                                   .paper = true};
        SB_TRY(sb_rods_follow(bench, &task, &run));
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
        SB_TRY(
            SB_RECORD(bench, "spook07-pendulum", SB_REPORTED,
                      sb_bench_format(bench, "mean violation over %g s, pendulum over ladder of 20 squares", ends[k]),
                      .measured = s.median, .uncertainty = s.spread));
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
            const bool full = sb_table_is(&rows, i, "stepper", starts[0]);
            SB_TRY(SB_RECORD(
                bench, "spook07-mass", SB_REPORTED,
                sb_bench_format(bench, "%s with M itself, %s: order in q", sb_table_text(&rows, i, "problem"),
                                full ? "first step with v(0)" : "started half a step earlier"),
                .measured = sb_table_real(&rows, i, "slope_q"), .uncertainty = sb_table_real(&rows, i, "se_q")));
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
    .claims = SB_LIST("spook07-energy", "spook07-pendulum", "spook07-mass"),
    .files = SB_LIST("spook07_energy.csv"),
    .run = run,
};
