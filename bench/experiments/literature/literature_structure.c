/* Structure: RATTLE has the positions of SHAKE; a stepper that conserves both the energy and the symplectic form has
 * the exact motion but for its clock. leimkuhler94, ge88. */
#include "bench/runner/experiment_tools.h"

/* RATTLE is Lobatto IIIA-IIIB with two stages, jay96; that code solves for the stages and shares nothing with SHAKE. */
static int same_positions(sb_bench *bench) {
    static const char *const problems[] = {"dsp", "pendulum", "four_bar"};
    for (int i = 0; i < 3; i++) {
        sb_path shake, rattle;
        SB_TRY(sb_bench_path(bench, problems[i], "shake", 0.01, 200, 1, &shake));
        SB_TRY(sb_bench_path(bench, problems[i], "lobatto_iiia_b:stages=2", 0.01, 200, 1, &rattle));
        SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "literature-shake/%s", problems[i]),
                                sb_path_distance(&shake, &rattle), 0.0));
    }
    return SB_OK;
}

/* Counts the steppers that are symplectic and keep the energy of a problem, and those that do one of the two. */
static int exclusive(sb_bench *bench, const char *problem, sb_table *form) {
    const char *const *steppers =
        SB_LIST("verlet", "midpoint", "del", "em", "gauss:stages=2", "yoshida4(verlet)", "newmark", "rk4", "avf");
    sb_table rows, energy;
    int both = 0, either = 0;
    SB_TRY(sb_bench_analyse(bench, "symplecticity", "", SB_LIST(problem), steppers, &rows));
    SB_TRY(sb_bench_analyse(bench, "drift", "h=[1/10],t_end=100", SB_LIST(problem), steppers, &energy));
    for (int i = 0; i < rows.nrows && rows.nrows == energy.nrows; i++) {
        const bool symplectic = sb_table_is(&rows, i, "symplectic", "yes"),
                   kept = sb_table_real(&energy, i, "max_dev") <= sb_table_real(&energy, i, "rounding");
        both += symplectic && kept;
        either += symplectic != kept;
    }
    SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "literature-ge/both-%s", problem), both, 0.0));
    SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "literature-ge/one-%s", problem), either, 0.0));
    return form->ncolumns == 0 ? (*form = rows, SB_OK) : sb_bench_append(form, &rows);
}

/* Measures how far the midpoint rule advances the phase of the oscillator x'' = -x per step: 2 atan(h/2) in place of h.
 */
static int phase(sb_bench *bench) {
    const double h = 0.5, exact = 2.0 * atan(0.5 * h);
    double worst = 0.0;
    sb_path path;
    SB_TRY(sb_bench_path(bench, "oscillator", "midpoint", h, 200, 1, &path));
    for (long k = 0; k + 1 < path.count; k++) {
        const double *q = path.q + k, *v = path.v + k;
        worst = sb_larger(worst, fabs(atan2(q[1] * v[0] - q[0] * v[1], q[0] * q[1] + v[0] * v[1]) - exact));
    }
    return sb_bench_measure(bench, "literature-ge/phase", path.failure == NULL ? worst : NAN, 0.0);
}

SB_DEFINE_EXPERIMENT(literature_structure) {
    sb_table form = {0};
    SB_TRY(same_positions(bench));
    SB_TRY(exclusive(bench, "henon_heiles", &form));
    SB_TRY(exclusive(bench, "oscillator", &form));
    SB_TRY(phase(bench));
    return sb_bench_save(bench, &form, "literature_symplectic.csv");
}
