/* The numbers of wm96 Tables 1 and 2, and errors and ranges of the invariants. */
#pragma once

#include "bench/experiments/wm96/wm96_runs.h"
#include "bench/runner/experiment_tools.h"

/* A column of a table, in the order of sb_wm96_table_steps. */
typedef struct sb_wm96_column {
    const char *method, *quantity; /* method: the stepper */
    sb_wm96_kind kind;
    double published[SB_WM96_TABLE_STEPS];
    double noise, smallest; /* absolute noise of the printed errors at h >= 1e-3; at h = 1e-4 */
} sb_wm96_column;

enum { SB_WM96_DVP_QUATERNION, SB_WM96_RIGID_ENERGY, SB_WM96_RIGID_MOMENTUM, SB_WM96_TABLE1_COLUMNS };
extern const sb_wm96_column sb_wm96_table1[SB_WM96_TABLE1_COLUMNS];

enum {
    SB_WM96_DVP_POSITION,
    SB_WM96_DVP_ENERGY,
    SB_WM96_DVP_JZ,
    SB_WM96_EM_POSITION,
    SB_WM96_EM_ENERGY,
    SB_WM96_EM_JZ,
    SB_WM96_TABLE2_COLUMNS
};
extern const sb_wm96_column sb_wm96_table2[SB_WM96_TABLE2_COLUMNS];

/* Returns the largest allowed relative difference of our rounded value from the printed one: the round-off of the
 * original program. The reasons are those of the quantities of Tables 1 and 2 in quantities.csv. */
double sb_wm96_tolerance(const sb_wm96_column *column, int step);

/* Returns the published value for the step h; NaN if the table has none or 0 there. */
double sb_wm96_published(const double published[SB_WM96_TABLE_STEPS], double h);

/* Runs the stepper of a column with each of sb_wm96_figure_steps, and writes the errors and the ranges of its energy or
 * momentum to out/NAME as CSV. */
int sb_wm96_invariant_run(sb_wm96 *set, const sb_wm96_column *column, const char *name);
