/* wm96 Table 1: errors of the quaternion, the energy and the momentum of the free rigid body, beside the printed
 * digits. */
#include "bench/experiments/wm96/wm96_published.h"
#include "bench/runner/verdicts.h"

static const sb_column columns[] = {
    {"quantity", SB_COL_KEY, "", "what the error is of"},
    {"h", SB_COL_KEY, "s", "step"},
    {"published", SB_COL_EXACT, "", "as printed in wm96 Table 1"},
    {"rounded9", SB_COL_EXACT, "", "ours, outputs rounded to 9 decimals as the paper's were"},
    {"unrounded", SB_COL_EXACT, "", "ours, outputs as computed"},
    {"relative_difference", SB_COL_ERROR, "", "of rounded9 from published"},
    {"tolerance", SB_COL_ERROR, "", "what relative_difference may be"},
    {"raw_start", SB_COL_EXACT, "", "rounded9 with standards from the Euler step as printed, not normalised"},
};

typedef struct entry {
    double rounded, unrounded, raw;
} entry;

static entry measure(const sb_wm96 *set, const sb_wm96_run *run, const sb_wm96_run *standard, int column) {
    switch (column) {
    case SB_WM96_QUATERNION: {
        const double rounded = sb_wm96_error(4, run->q, standard->q, false, true);
        return (entry){rounded, sb_wm96_error(4, run->q, standard->q, false, false), rounded};
    }
    case SB_WM96_ENERGY:
        return (entry){sb_wm96_error(1, run->energy, &set->energy, true, true),
                       sb_wm96_error(1, run->energy, &set->energy, true, false),
                       sb_wm96_error(1, run->energy, &set->raw_energy, true, true)};
    default:
        return (entry){sb_wm96_error(3, run->momentum, set->momentum, true, true),
                       sb_wm96_error(3, run->momentum, set->momentum, true, false),
                       sb_wm96_error(3, run->momentum, set->raw_momentum, true, true)};
    }
}

static int run(sb_bench *bench) {
    sb_wm96 set;
    sb_wm96_run runs[SB_WM96_TABLE_STEPS];
    SB_TRY(sb_wm96_rigid(bench, &set));
    for (int i = 0; i < SB_WM96_TABLE_STEPS; i++) {
        SB_TRY(sb_wm96_run_stepper(&set, "dvp", sb_wm96_table_steps[i], &runs[i]));
    }
    static const char *const claims[] = {"wm96-t1-q", "wm96-t1-e", "wm96-t1-m"};
    sb_table table;
    SB_TRY(SB_TABLE(bench, columns, &table));
    for (int c = 0; c < SB_WM96_TABLE1_COLUMNS; c++) {
        const sb_wm96_column *column = &sb_wm96_table1[c];
        const int first = c == SB_WM96_QUATERNION ? 1 : 0; /* the run at h = 1e-4 is the standard itself */
        for (int i = first; i < SB_WM96_TABLE_STEPS; i++) {
            const double h = sb_wm96_table_steps[i], published = column->published[i],
                         tolerance = sb_wm96_tolerance(column, i);
            const entry e = measure(&set, &runs[i], &runs[0], c);
            if (c == SB_WM96_QUATERNION) {
                SB_TRY(sb_wm96_record(bench, claims[c], SB_PRINTED, "", column, i, e.rounded));
            } else {
                SB_TRY(sb_wm96_record(bench, claims[c], SB_PRINTED, ", Euler step as printed", column, i, e.raw));
                SB_TRY(sb_wm96_record(bench, claims[c], SB_CORRECTED_FORM, ", q_1 normalised", column, i, e.rounded));
            }
            SB_TRY(SB_ROW(&table.sink, sb_text(column->quantity), sb_real(h), sb_real(published), sb_real(e.rounded),
                          sb_real(e.unrounded), sb_real(sb_relative(e.rounded, published)), sb_real(tolerance),
                          sb_real(e.raw)));
        }
    }
    return sb_bench_save(bench, &table, "wm96_table1.csv");
}

SB_DEFINE_EXPERIMENT(wm96_table1) = {
    .entry = {"wm96_table1", "Errors of the free rigid body over 30 s, published beside measured.", "wm96 Table 1",
              NULL, 0},
    .claims = SB_LIST("wm96-t1-q", "wm96-t1-e", "wm96-t1-m"),
    .files = SB_LIST("wm96_table1.csv"),
    .run = run,
};
