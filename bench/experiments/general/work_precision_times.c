/* Work-precision of every stepper on a pendulum, an orbit and the double spherical pendulum: error against processor
 * time. */
#include "bench/card/pareto.h"
#include "bench/card/workprec_time.h"
#include "bench/runner/verdicts.h"

static int run(sb_bench *bench) {
    static const char *const problems[] = {"pendulum", "kepler", "dsp", NULL}, *const steppers[] = {"*", NULL};
    sb_table table, times;
    SB_TRY(sb_bench_analyse(bench, "workprec", "", problems, steppers, &table));
    const sb_specs plain = {0};
    SB_TRY(sb_workprec_time(bench, &table, &plain, 0.01, &times));
    return sb_pareto_draw(bench, &times, "time", "processor time (ms)", NULL, "work_precision_times");
}

SB_DEFINE_EXPERIMENT(work_precision_times) = {
    .entry = {"work_precision_times",
              "Work-precision of every stepper on a pendulum, an orbit and the double spherical pendulum: error "
              "against processor time.",
              "hnw93 II.10", NULL, 0},
    .files = SB_LIST("times/work_precision_times.csv", SB_FIGURE("times/work_precision_times")),
    .timed = true,
    .run = run,
};
