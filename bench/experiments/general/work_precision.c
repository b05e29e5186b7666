/* Work-precision of every stepper on a pendulum, an orbit and the double spherical pendulum: error against evaluations.
 */
#include "bench/card/pareto.h"
#include "bench/runner/verdicts.h"

static int run(sb_bench *bench) {
    static const char *const problems[] = {"pendulum", "kepler", "dsp", NULL}, *const steppers[] = {"*", NULL};
    sb_table table;
    SB_TRY(sb_bench_analyse(bench, "workprec", "", problems, steppers, &table));
    return sb_pareto_draw(bench, &table, "evaluations", "evaluations of terms", NULL, "work_precision");
}

SB_DEFINE_EXPERIMENT(work_precision) = {
    .entry = {"work_precision",
              "Work-precision of every stepper on a pendulum, an orbit and the double spherical pendulum: error "
              "against evaluations.",
              "hnw93 II.10", NULL, 0},
    .files = SB_LIST("work_precision.csv", SB_FIGURE("work_precision")),
    .run = run,
};
