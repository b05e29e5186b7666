/* wm96 Table 2: errors of the double spherical pendulum by DVP and EM, and the printed ones, for the printed initial
 * conditions and for the unrounded ones recovered from the paper's numbers. */
#include "bench/experiments/wm96/wm96_published.h"

enum { SETS = 2 };

static const char *const initial[SETS] = {"recovered", "printed"};

/* Runs one set and writes its rows. */
static int fill(sb_bench *bench, int s, sb_table *table) {
    sb_wm96 set;
    sb_wm96_run dvp[SB_WM96_TABLE_STEPS], em[SB_WM96_TABLE_STEPS];
    SB_TRY(sb_wm96_dsp(bench, initial[s], &set));
    for (int i = 0; i < SB_WM96_TABLE_STEPS; i++) {
        SB_TRY(sb_wm96_run_stepper(&set, "shake", sb_wm96_table_steps[i], &dvp[i]));
        SB_TRY(sb_wm96_run_stepper(&set, "em", sb_wm96_table_steps[i], &em[i]));
    }
    for (int c = 0; c < SB_WM96_TABLE2_COLUMNS; c++) {
        const sb_wm96_column *column = &sb_wm96_table2[c];
        for (int i = 0; i < SB_WM96_TABLE_STEPS; i++) {
            const double published = column->published[i];
            const sb_wm96_run *run = c < SB_WM96_EM_POSITION ? &dvp[i] : &em[i];
            const double rounded = sb_wm96_error_of(&set, column->kind, run, &em[0], true),
                         unrounded = sb_wm96_error_of(&set, column->kind, run, &em[0], false);
            const bool zero = published == 0.0;
            SB_TRY(SB_TABLE_ROW(table, sb_text(initial[s]), sb_text(column->method), sb_text(column->quantity),
                                sb_real(sb_wm96_table_steps[i]), sb_real(published), sb_real(rounded),
                                sb_real(unrounded), zero ? sb_empty() : sb_real(sb_relative(rounded, published)),
                                zero ? sb_empty() : sb_real(sb_wm96_tolerance(column, i))));
        }
    }
    return SB_OK;
}

SB_DEFINE_EXPERIMENT(wm96_table2) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, "wm96_table2", &table));
    for (int s = 0; s < SETS; s++) {
        SB_TRY(fill(bench, s, &table));
    }
    return sb_bench_save(bench, &table, "wm96_table2.csv");
}
