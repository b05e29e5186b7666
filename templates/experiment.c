/* new_experiment: errors of two steppers on one problem against the step. Replace what it runs, and this line, by your
 * own.
 *
 * An experiment writes tables and figures into the results folder. What decides a claim of a paper is a row of
 * bench/claims.csv, its id in `claims` below, and one SB_RECORD per measured quantity (bench/runner/claims.h). */
#include "bench/runner/verdicts.h"

static int run(sb_bench *bench) {
    static const char *const problems[] = {"oscillator", NULL}, *const steppers[] = {"verlet", "midpoint", NULL};
    sb_table table;
    SB_TRY(sb_bench_analyse(bench, "order", "levels=5", problems, steppers, &table));
    SB_TRY(sb_bench_save(bench, &table, "new_experiment.csv"));
    return sb_bench_plot(bench, "new_experiment"); /* bench/plots/new_experiment.gp */
}

SB_DEFINE_EXPERIMENT(new_experiment) = {
    .entry = {"new_experiment", "Errors of two steppers on the oscillator against the step.", "hlw06 I", NULL, 0},
    .claims = (const char *const[]){NULL},
    .files = (const char *const[]){"new_experiment.csv", "new_experiment.svg", "new_experiment.png", NULL},
    .run = run,
};
