/* The digits of wm96 Tables 1 and 2, and rows that put ours beside them. */
#ifndef STEPBENCH_BENCH_WM96_PUBLISHED_H
#define STEPBENCH_BENCH_WM96_PUBLISHED_H

#include "bench/wm96_runs.h"

/* In the order of sb_wm96_table_steps. */
typedef struct sb_wm96_column {
    const char *method, *quantity;
    double published[SB_WM96_TABLE_STEPS];
} sb_wm96_column;

enum { SB_WM96_QUATERNION, SB_WM96_ENERGY, SB_WM96_MOMENTUM, SB_WM96_TABLE1_COLUMNS };
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

/* How far our rounded value may be from the printed one, relative to it. Both sides are means of values known to 9 decimals, so each
 * differs from its unrounded value by up to 0.5e-9 a sample; two runs that round the same motion agree far better, unless
 * their unrounded values differ by the round-off of the original's 3e5 steps at h = 1e-4: there 1 % is all there is. */
double sb_wm96_tolerance(double h, double published);

/* The published value for step h in the column, NaN if the table has none. */
double sb_wm96_published(const sb_wm96_column *column, double h);

#endif
