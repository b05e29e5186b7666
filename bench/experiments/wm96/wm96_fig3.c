/* wm96 Fig. 3: error of the quaternion against the step. */
#include "bench/experiments/wm96/wm96_published.h"

/* Computes the exact attitude at all samples. */
static int exact_attitudes(sb_wm96 *set, double **out) {
    const int n = set->sys.n;
    SB_NEW(&set->bench->arena, *out, SB_WM96_SAMPLES * n);
    for (int i = 0; i < SB_WM96_SAMPLES; i++) {
        SB_TRY(set->sys.exact(set->sys.self, i * SB_WM96_T_END / (SB_WM96_SAMPLES - 1), *out + i * n, NULL, NULL));
    }
    return SB_OK;
}

SB_DEFINE_EXPERIMENT(wm96_fig3) {
    sb_wm96 set;
    sb_wm96_run standard, other;
    sb_table table;
    double *exact;
    SB_TRY(sb_wm96_rigid(bench, &set));
    SB_TRY(exact_attitudes(&set, &exact));
    SB_TRY(sb_wm96_run_stepper(&set, "dvp", SB_WM96_STANDARD_H, &standard));
    SB_TRY(sb_bench_table(bench, "wm96_fig3", &table));
    for (int i = 0; i < SB_WM96_FIGURE_STEPS; i++) {
        const double step = sb_wm96_figure_steps[i];
        SB_TRY(sb_wm96_run_stepper(&set, "dvp", step, &other));
        const double e = sb_wm96_error(4, other.q, standard.q, false, true);
        SB_TRY(SB_NUMBERS(&table, step, e > 0.0 ? e : NAN, sb_wm96_error(4, other.q, exact, false, false),
                          sb_wm96_published(sb_wm96_table1[SB_WM96_DVP_QUATERNION].published, step)));
    }
    return sb_bench_save(bench, &table, "wm96_fig3.csv");
}
