/* wm96 Table 1: errors of the quaternion, the energy and the momentum of the free rigid body, and the printed ones. */
#include <string.h>

#include "bench/experiments/wm96/wm96_published.h"

SB_DEFINE_EXPERIMENT(wm96_table1) {
    sb_wm96 set, raw; /* raw: with the standards of the Euler step as printed */
    sb_wm96_run runs[SB_WM96_TABLE_STEPS];
    SB_TRY(sb_wm96_rigid(bench, &set));
    raw = set;
    raw.energy = set.raw_energy;
    memcpy(raw.momentum, set.raw_momentum, sizeof raw.momentum);
    for (int i = 0; i < SB_WM96_TABLE_STEPS; i++) {
        SB_TRY(sb_wm96_run_stepper(&set, "dvp", sb_wm96_table_steps[i], &runs[i]));
    }
    sb_table table;
    SB_TRY(sb_bench_table(bench, "wm96_table1", &table));
    for (int c = 0; c < SB_WM96_TABLE1_COLUMNS; c++) {
        const sb_wm96_column *column = &sb_wm96_table1[c];
        const int first = c == SB_WM96_DVP_QUATERNION ? 1 : 0; /* the run at h = 1e-4 is the standard itself */
        for (int i = first; i < SB_WM96_TABLE_STEPS; i++) {
            const double published = column->published[i];
            const double rounded = sb_wm96_error_of(&set, column->kind, &runs[i], &runs[0], true),
                         unrounded = sb_wm96_error_of(&set, column->kind, &runs[i], &runs[0], false),
                         printed = sb_wm96_error_of(&raw, column->kind, &runs[i], &runs[0], true);
            SB_TRY(SB_TABLE_ROW(&table, sb_text(column->quantity), sb_real(sb_wm96_table_steps[i]), sb_real(published),
                                sb_real(rounded), sb_real(unrounded), sb_real(sb_relative(rounded, published)),
                                sb_real(sb_wm96_tolerance(column, i)), sb_real(printed)));
        }
    }
    return sb_bench_save(bench, &table, "wm96_table1.csv");
}
