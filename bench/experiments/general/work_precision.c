/* Work-precision of every stepper on a pendulum, an orbit and the double spherical pendulum: error against evaluations,
 * and against processor time. */
#include "bench/card/pareto.h"
#include "bench/card/workprec_time.h"
#include "bench/runner/experiment_tools.h"

static int run_problems(sb_bench *bench, const char *options, const sb_ensemble *starts, sb_table *out) {
    return sb_bench_analyse_members(bench, "workprec", options, SB_LIST("pendulum", "kepler", "dsp"), SB_LIST("*"),
                                    starts, out);
}

SB_DEFINE_EXPERIMENT(work_precision) {
    /* The median and the quartiles of five members are members. The eighth level would take half of the time. */
    static const sb_ensemble starts = {.members = 5, .width = 0.1};
    sb_table table;
    SB_TRY(run_problems(bench, "levels=7", &starts, &table));
    return sb_pareto_draw(bench, &table, "evaluations", "evaluations of terms", NULL, "work_precision");
}

SB_DEFINE_EXPERIMENT(work_precision_times) {
    const sb_specs plain = {0};
    sb_table table, times;
    SB_TRY(run_problems(bench, "", NULL, &table));
    SB_TRY(sb_workprec_time(bench, &table, &plain, 0.004, &times));
    return sb_pareto_draw(bench, &times, "time", "processor time (ms)", NULL, "work_precision_times");
}
