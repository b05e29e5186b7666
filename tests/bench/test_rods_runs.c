/* What the rod experiments measure along a run, against the same numbers from the positions and velocities of its
 * samples; and when a run counts as failed. */
#include <float.h>

#include <stepbench/numerics/dynamics.h>

#include "bench/experiments/spook07/rods_runs.h"
#include "bench/runner/bench.h"
#include "bench/runner/experiment_tools.h"
#include "tests/problems/differences.h"
#include "tests/problems/systems.h"

enum { RODS = 3, ROWS = 3 * RODS, COORDINATES = 4 * RODS };

static void samples(fixture *f) {
    static const char *const problem = "rod_chain:n=3,theta0=1";
    const sb_rods_task task = {problem, NULL, "spook:eps=1e-3", 0.01, 0.4, 10, true, false};
    sb_bench bench;
    sb_rods_run run;
    sb_system sys;
    sb_dynamics dyn;
    fixture_build(f, problem, NULL, &sys);
    int status = sb_dynamics_init(&f->ctx, &f->arena, &sys, &dyn) | sb_bench_begin(&f->ctx, "bench", ".", NULL, &bench);
    gsl_test(status != SB_OK || sb_rods_follow(&bench, &task, &run) != SB_OK || run.count != 5 || run.failure != NULL,
             "a chain is followed for 0.4 s: %s", f->ctx.message);
    for (int i = 0; i < run.count; i++) {
        const double *q = run.q + COORDINATES * i, *v = run.v + COORDINATES * i;
        double g[ROWS], sum = 0.0, T, V, spin = 0.0;
        status = sb_holonomic_value(&sys, 0.0, q, g, NULL) | sb_dynamics_energy(&dyn, 0.0, q, v, &T, &V);
        for (int k = 0; k < ROWS; k++) {
            sum += g[k] * g[k];
        }
        for (int k = 0; k < RODS; k++) {
            spin = fmax(spin, hypot(v[4 * k + 2], v[4 * k + 3]));
        }
        gsl_test(status, "sample %d has its terms", i);
        gsl_test(i > 0 && !(sum > 1e-12), "sample %d is off its constraints: |g|^2 = %g", i, sum);
        gsl_test(!close_to(run.at[i].g_all, sqrt(sum / ROWS), 1e-14 * sqrt(sum)), "sample %d: rms of all rows, %g", i,
                 run.at[i].g_all);
        gsl_test(!close_to(run.at[i].energy, T + V, 1e-14 * (T + fabs(V))), "sample %d: energy, %g", i,
                 run.at[i].energy);
        gsl_test(!close_to(run.at[i].spin, spin, 0.0), "sample %d: fastest spin, %g", i, run.at[i].spin);
        gsl_test(!close_to(run.at[i].t, 0.1 * i, 1e-14), "sample %d: time, %g", i, run.at[i].t);
    }
    /* Three rods of 10 kg and 1 m, at the angle of 1 rad to the downward vertical and hanging straight down. */
    const double weight = 9.81 * 10.0 * (0.5 + 1.5 + 2.5);
    gsl_test(!close_to(run.start, -weight * cos(1.0), 1e-13 * weight), "energy at the start, %g", run.start);
    gsl_test(!close_to(run.lowest, -weight, 1e-13 * weight), "lowest energy, %g", run.lowest);
    sb_bench_finish(&bench);
}

/* From rest the first step of spook07 (29) moves a rod by h^2 a, twice the distance of the motion itself, h^2 a/2,
 * which the start half a step earlier reproduces; the rest is of higher order in h. Median and spread of known numbers.
 */
static void starts(fixture *f) {
    sb_bench bench;
    double fall[2];
    int status = sb_bench_begin(&f->ctx, "bench", ".", NULL, &bench);
    for (int paper = 0; paper < 2; paper++) {
        const sb_rods_task task = {"rod_chain:n=1,theta0=1", NULL, "spook:eps=0", 1e-3, 1e-3, 1, false, paper == 1};
        sb_rods_run run;
        status |= sb_rods_follow(&bench, &task, &run);
        fall[paper] = run.at[0].tip_y - run.at[1].tip_y;
    }
    gsl_test(status != SB_OK || !close_to(fall[1] / fall[0], 2.0, 1e-4), "falls of %g m and %g m", fall[0], fall[1]);
    const sb_rods_spread s = sb_rods_ensemble((const double[]){3.0, -1.0, 2.0, 8.0, 4.0, 5.0, 7.0, 1.0});
    gsl_test(s.median != 3.5 || s.spread != 4.5 || s.least != -1.0 || s.largest != 8.0, "median %g +- %g", s.median,
             s.spread);
    /* Neighbours i and i + 2: equal members are one, alternating ones are all independent; for 0, 0, 1, 1, 2, 2, 3, 3
     * the correlation is (1.25/3)/1.25 = 1/3, and 8 (1 - 1/3)/(1 + 1/3) = 4. */
    gsl_test(sb_bench_effective(8, 2, (const double[]){2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0}) != 1.0,
             "equal members");
    gsl_test(sb_bench_effective(8, 2, (const double[]){1.0, 1.0, -1.0, -1.0, 1.0, 1.0, -1.0, -1.0}) != 8.0,
             "alternating ones");
    const double four = sb_bench_effective(8, 2, (const double[]){0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0});
    gsl_test(!close_to(four, 4.0, 1e-14), "correlated ones: %g", four);
    sb_bench_finish(&bench);
}

/* Energies of a motion between 0 and 1: outside by a quarter of that range at the third sample. */
static void failure(void) {
    sb_rods_sample at[4] = {
        {.t = 0.0, .energy = 1.0}, {.t = 1.0, .energy = 0.1}, {.t = 2.0}, {.t = 3.0, .energy = 9.0}};
    const sb_rods_run run = {.count = 4, .at = at, .start = 1.0, .lowest = 0.0, .end = 3.0};
    const sb_rods_run cut = {.count = 2, .at = at, .start = 1.0, .lowest = 0.0, .end = 1.5, .failure = "Newton"};
    bool above = false;
    at[2].energy = 1.25;
    gsl_test(sb_rods_failure(&run, 0.24, &above) != 2.0 || !above, "more than 0.24 of the range too much");
    gsl_test(sb_rods_failure(&run, 0.26, &above) != 3.0, "less than 0.26 of it");
    at[2].energy = -0.25;
    gsl_test(sb_rods_failure(&run, 0.24, &above) != 2.0 || above, "more than 0.24 of the range too little");
    at[2].energy = NAN;
    gsl_test(sb_rods_failure(&run, 0.24, NULL) != 2.0, "no number is a failure");
    gsl_test(sb_rods_failure(&cut, 0.24, NULL) != 1.5, "a run that ended early failed at its end");
    at[2].energy = at[3].energy = 0.5;
    gsl_test(!isinf(sb_rods_failure(&run, 0.24, NULL)), "a run within its range never fails");
}

int main(void) {
    fixture f;
    fixture_open(&f);
    samples(&f);
    starts(&f);
    failure();
    fixture_close(&f);
    return gsl_test_summary();
}
