/* The problems of `ranking`: error against processor time. */
#include "bench/card/pareto.h"
#include "bench/card/workprec_time.h"
#include "bench/experiments/general/problem_classes.h"

static int run(sb_bench *bench) {
    const sb_specs plain = {0};
    sb_table points, times;
    SB_TRY(sb_bench_problem_classes(bench, &points));
    SB_TRY(sb_workprec_time(bench, &points, &plain, 0.004, &times));
    return sb_pareto_draw(bench, &times, "time", "processor time (ms)", NULL, "ranking_times");
}

SB_DEFINE_EXPERIMENT(ranking_times) = {
    .entry = {"ranking_times",
              "Nine problems, from an orbit to multibody systems: the Pareto front of error and processor time.",
              "hnw93 II.10", NULL, 0},
    .files = SB_LIST("times/ranking_times.csv", SB_FIGURE("times/ranking_times")),
    .timed = true,
    .run = run,
};
