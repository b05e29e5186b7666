/* wm96 Table 2: errors of the double spherical pendulum by DVP and EM, and the printed ones, for the printed initial
 * conditions and for the unrounded ones recovered from the paper's numbers. */
#include "bench/experiments/wm96/wm96_published.h"

static const sb_column columns[] = {
    {"ic", SB_COL_KEY, "",
     "initial conditions: as printed (three decimals), or recovered by a fit to the paper's numbers"},
    {"method", SB_COL_KEY, "", "stepper: shake is the paper's DVP"},
    {"quantity", SB_COL_KEY, "", "what the error is of"},
    {"h", SB_COL_KEY, "s", "step"},
    {"published", SB_COL_EXACT, "", "as printed in wm96 Table 2"},
    {"rounded9", SB_COL_EXACT, "", "ours, outputs rounded to 9 decimals as the paper's were"},
    {"unrounded", SB_COL_EXACT, "", "ours, outputs as computed"},
    {"relative_difference", SB_COL_ERROR, "",
     "relative difference of rounded9 from published; empty where published is 0"},
    {"tolerance", SB_COL_ERROR, "", "largest allowed relative_difference; empty where published is 0"},
};
enum { SETS = 2 };

static const char *const initial[SETS] = {"recovered", "printed"};

/* The claims on the columns that are not zero. */
static const char *const claims[SB_WM96_TABLE2_COLUMNS] = {"wm96-t2-dvp-x", "wm96-t2-dvp-e", "wm96-t2-dvp-j",
                                                           "wm96-t2-em-x"};

/* Runs one set, records its columns, and sets the largest error of each. */
static int fill(sb_bench *bench, int s, double largest[SB_WM96_TABLE2_COLUMNS], sb_table *table) {
    sb_wm96 set;
    sb_wm96_run dvp[SB_WM96_TABLE_STEPS], em[SB_WM96_TABLE_STEPS];
    SB_TRY(sb_wm96_dsp(bench, initial[s], &set));
    for (int i = 0; i < SB_WM96_TABLE_STEPS; i++) {
        SB_TRY(sb_wm96_run_stepper(&set, "shake", sb_wm96_table_steps[i], &dvp[i]));
        SB_TRY(sb_wm96_run_stepper(&set, "em", sb_wm96_table_steps[i], &em[i]));
    }
    for (int c = 0; c < SB_WM96_TABLE2_COLUMNS; c++) {
        const sb_wm96_column *column = &sb_wm96_table2[c];
        largest[c] = 0.0;
        for (int i = 0; i < SB_WM96_TABLE_STEPS; i++) {
            const double published = column->published[i];
            const sb_wm96_run *run = c < SB_WM96_EM_POSITION ? &dvp[i] : &em[i];
            const double rounded = sb_wm96_error_of(&set, column->kind, run, &em[0], true),
                         unrounded = sb_wm96_error_of(&set, column->kind, run, &em[0], false);
            const bool zero = published == 0.0;
            largest[c] = sb_larger(largest[c], rounded);
            if (claims[c] != NULL && !zero) {
                SB_TRY(sb_wm96_record(bench, claims[c], s == 0 ? "-recovered" : "-printed", i, rounded));
            }
            SB_TRY(SB_ROW(&table->sink, sb_text(initial[s]), sb_text(column->method), sb_text(column->quantity),
                          sb_real(sb_wm96_table_steps[i]), sb_real(published), sb_real(rounded), sb_real(unrounded),
                          zero ? sb_empty() : sb_real(sb_relative(rounded, published)),
                          zero ? sb_empty() : sb_real(sb_wm96_tolerance(column, i))));
        }
    }
    return SB_OK;
}

static int run(sb_bench *bench) {
    sb_table table;
    double largest[SETS][SB_WM96_TABLE2_COLUMNS];
    SB_TRY(SB_TABLE(bench, columns, &table));
    for (int s = 0; s < SETS; s++) {
        SB_TRY(fill(bench, s, largest[s], &table));
    }
    SB_TRY(sb_bench_save(bench, &table, "wm96_table2.csv"));
    for (int set = 0; set < SETS; set++) {
        for (int c = SB_WM96_EM_ENERGY; c <= SB_WM96_EM_JZ; c++) {
            SB_TRY(sb_bench_measure(
                bench, sb_bench_format(bench, "wm96-t2-em-inv/%s-%s", sb_wm96_table2[c].quantity, initial[set]),
                largest[set][c], 0.0));
        }
    }
    return SB_OK;
}

SB_DEFINE_EXPERIMENT(wm96_table2) = {
    .entry = {"wm96_table2",
              "Errors of the double spherical pendulum over 30 s by DVP and EM, published beside measured.",
              "wm96 Table 2", NULL, 0},
    .files = SB_LIST("wm96_table2.csv"),
    .run = run,
};
