/* A pendulum on a stiff spring by the trapezoidal rule and by the composite method: bathe05. */
#include <stepbench/numerics/dynamics.h>

#include "bench/runner/experiment_tools.h"

enum { STEPPERS = 2, STEPS = 4, STARTS = 6, RUNS = STEPS * STARTS };
static const char *const steppers[STEPPERS] = {"trapezoidal", "bathe"};
static const double steps[STEPS] = {0.01, 0.0125, 0.016, 0.02}; /* s: 16 to 32 periods of the spring */
static const double duration = 40.0;
/* A motion is lost when the energy has changed by that of the swing, m g l (1 - cos 1.5). */
static const double swing = 9.116;

/* Runs from an angle. Sets the time at which the motion is lost, the end of the run if it is not, and the largest
 * change of the energy up to then. */
static int follow(sb_bench *bench, const char *stepper, double h, double angle, double *lost, double *change) {
    const sb_run run = {.h = h, .steps = lround(duration / h), .every = 1};
    sb_dynamics dyn;
    sb_path path;
    double kinetic, energy, first = 0.0;
    SB_SCRATCH_BENCH(scratch, bench);
    SB_TRY(sb_bench_path_of(&scratch, sb_bench_format(&scratch, "pendulum:theta0=%.17g", angle), "penalty:eps=1e-8",
                            stepper, &run, &path));
    SB_TRY(sb_dynamics_init(bench->ctx, &scratch.arena, &path.sys, &dyn));
    *change = 0.0;
    for (long k = 0; k < path.count; k++) {
        SB_TRY(sb_dynamics_energy(&dyn, path.t[k], path.q + k * path.n, path.v + k * path.n, &kinetic, &energy));
        energy += kinetic;
        first = k == 0 ? energy : first;
        *lost = path.t[k];
        if (!(fabs(energy - first) < swing)) {
            return SB_OK;
        }
        *change = sb_larger(*change, fabs(energy - first));
    }
    return SB_OK;
}

static int study(sb_bench *bench, const char *stepper, sb_table *table) {
    double time[RUNS], change[RUNS], independent = 0.0;
    int kept = 0;
    for (int k = 0; k < RUNS; k++) {
        const double h = steps[k / STARTS], angle = 1.4 + 0.03 * (k % STARTS);
        SB_TRY(follow(bench, stepper, h, angle, &time[k], &change[k]));
        kept += time[k] > duration - h;
        SB_TRY(SB_TABLE_ROW(table, sb_text(stepper), sb_real(h), sb_real(angle), sb_real(time[k]), sb_real(change[k])));
    }
    for (int k = 0; k < STEPS; k++) {
        independent += sb_bench_effective(STARTS, 1, (kept < RUNS ? time : change) + k * STARTS);
    }
    return sb_bench_measure(bench, sb_bench_format(bench, "literature-composite/effective-%s", stepper), independent,
                            0.0);
}

SB_DEFINE_EXPERIMENT(literature_composite) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, "literature_composite", &table));
    for (int k = 0; k < STEPPERS; k++) {
        SB_TRY(study(bench, steppers[k], &table));
    }
    return sb_bench_save(bench, &table, "literature_composite.csv");
}
