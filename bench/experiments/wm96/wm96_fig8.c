/* wm96 Fig. 8: position errors of the double spherical pendulum by DVP and EM against the step. */
#include "bench/experiments/wm96/wm96_published.h"

SB_DEFINE_EXPERIMENT(wm96_fig8) {
    sb_wm96 set;
    sb_wm96_run standard;
    sb_table table;
    SB_TRY(sb_wm96_dsp(bench, "printed", &set));
    SB_TRY(sb_wm96_run_stepper(&set, "em", SB_WM96_STANDARD_H, &standard));
    SB_TRY(sb_bench_table(bench, "wm96_fig8", &table));
    for (int i = 0; i < SB_WM96_FIGURE_STEPS; i++) {
        sb_wm96_run by_dvp, by_em;
        const double step = sb_wm96_figure_steps[i];
        SB_TRY(sb_wm96_run_stepper(&set, "shake", step, &by_dvp));
        SB_TRY(sb_wm96_run_stepper(&set, "em", step, &by_em));
        const double dvp = sb_wm96_error_of(&set, SB_WM96_POSITION, &by_dvp, &standard, true),
                     em = sb_wm96_error_of(&set, SB_WM96_POSITION, &by_em, &standard, true);
        const bool standard_step = em == 0.0; /* the run is the standard */
        SB_TRY(SB_NUMBERS(&table, step, dvp, standard_step ? NAN : em,
                          sb_wm96_published(sb_wm96_table2[SB_WM96_DVP_POSITION].published, step),
                          sb_wm96_published(sb_wm96_table2[SB_WM96_EM_POSITION].published, step),
                          standard_step ? NAN : em / dvp));
    }
    return sb_bench_save(bench, &table, "wm96_fig8.csv");
}
