/* Structure: RATTLE has the positions of SHAKE, and no stepper conserves both the energy and the symplectic form.
 * leimkuhler94, ge88, quispel08. */
#include "bench/runner/experiment_tools.h"

static int same_positions(sb_bench *bench) {
    static const char *const problems[] = {"dsp", "pendulum", "four_bar"};
    for (int i = 0; i < 3; i++) {
        sb_path shake, rattle;
        SB_TRY(sb_bench_path(bench, problems[i], "shake", 0.01, 200, 1, &shake));
        SB_TRY(sb_bench_path(bench, problems[i], "rattle", 0.01, 200, 1, &rattle));
        SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "literature-shake/%s", problems[i]),
                                sb_path_distance(&shake, &rattle), 0.0));
    }
    return SB_OK;
}

/* Counts the steppers that are symplectic, that keep the energy, and that do both. */
static int exclusive(sb_bench *bench) {
    const char *const *problem = SB_LIST("henon_heiles"), *const *steppers = SB_LIST(
                                                              "verlet", "midpoint", "del", "em", "gauss:stages=2",
                                                              "yoshida4(verlet)", "newmark", "rk4", "avf");
    sb_table form, energy;
    int both = 0, either = 0;
    SB_TRY(sb_bench_analyse(bench, "symplecticity", "", problem, steppers, &form));
    SB_TRY(sb_bench_analyse(bench, "drift", "h=[1/10],t_end=100", problem, steppers, &energy));
    for (int i = 0; i < form.nrows && form.nrows == energy.nrows; i++) {
        const bool symplectic = sb_table_is(&form, i, "symplectic", "yes");
        const bool kept = sb_table_real(&energy, i, "max_dev") <= sb_table_real(&energy, i, "rounding");
        both += symplectic && kept;
        either += symplectic != kept;
    }
    const int avf = energy.nrows - 1; /* V is of degree 3, which two nodes integrate exactly */
    SB_TRY(sb_bench_measure(bench, "literature-avf/change",
                            sb_table_real(&energy, avf, "max_dev") / sb_table_real(&energy, avf, "rounding"), 0.0));
    SB_TRY(sb_bench_measure(bench, "literature-ge/both", both, 0.0));
    SB_TRY(sb_bench_measure(bench, "literature-ge/one", either, 0.0));
    return sb_bench_save(bench, &form, "literature_symplectic.csv");
}

static int run(sb_bench *bench) {
    SB_TRY(same_positions(bench));
    return exclusive(bench);
}

SB_DEFINE_EXPERIMENT(literature_structure) = {
    .entry = {"literature_structure", "SHAKE against RATTLE, and the energy against the symplectic form.",
              "leimkuhler94; ge88", NULL, 0},
    .files = SB_LIST("literature_symplectic.csv"),
    .run = run,
};
