/* The digits of wm96 Tables 1 and 2, and rows that put ours beside them. */
#ifndef STEPBENCH_BENCH_EXPERIMENTS_WM96_WM96_PUBLISHED_H
#define STEPBENCH_BENCH_EXPERIMENTS_WM96_WM96_PUBLISHED_H

#include "bench/experiments/wm96/wm96_runs.h"
#include "bench/runner/claims.h"

/* In the order of sb_wm96_table_steps. */
typedef struct sb_wm96_column {
    const char *method, *quantity;
    double published[SB_WM96_TABLE_STEPS];
    const char *text[SB_WM96_TABLE_STEPS]; /* the same as printed */
    double noise;                          /* how much of the printed error is noise: absolute, at h >= 1e-3 */
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

/* How far our rounded value may be from the printed one, relative to it. The printed numbers carry the original's
 * rounding:
 *   - outputs of 9 decimals: half a unit in each of value and standard; and one unit for the standard itself;
 *   - round-off, seen in J_z, a constant, which drifts by 14e-9 of 199.8 at h = 1e-4 (text): 7e-11 of every velocity.
 * It moves the kinetic energy, up to 344 J, by 2 x 7e-11 of itself, 5e-8 J, which is 0.75 % of the energy error at h =
 * 1e-4: twice that is allowed there. At h >= 1e-3 it is below a unit, since the drift goes as h^(-3/2);
 *   - over 30 s at up to 14 m/s the same 7e-11 shift the positions of the standard run by 3e-8 m; divided as in (5.10)
 * by m = 6 and times sqrt(6), 1.3e-8. The rigid body's energy drifts by 1e-8 of 33: 1.5e-10 of 5 rad/s over 30 s
 * is 1.1e-8 in the quaternion, 3e-9 when divided by m = 4. */
double sb_wm96_tolerance(const sb_wm96_column *column, int step);

/* Records the measured error of one step of the column beside the printed one; `start` ends the quantity's name. */
int sb_wm96_record(sb_bench *bench, const char *claim, sb_claim_form form, const char *start,
                   const sb_wm96_column *column, int step, double measured);

/* The published value for step h in the column, NaN if the table has none. */
double sb_wm96_published(const sb_wm96_column *column, double h);

#endif
