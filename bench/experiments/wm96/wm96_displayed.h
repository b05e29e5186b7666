/* The methods of wm96 5.2 for the double spherical pendulum as displayed: DVP with 8 unknowns (positions and
 * multipliers) and EM with 14 (also momenta), both by Newton's iteration with a dense matrix. */
#ifndef STEPBENCH_BENCH_EXPERIMENTS_WM96_WM96_DISPLAYED_H
#define STEPBENCH_BENCH_EXPERIMENTS_WM96_WM96_DISPLAYED_H

#include "bench/experiments/wm96/wm96_times.h"

/* Measures the CPU times of both methods for 30 s with the steps h, alternately, SB_WM96_REPEATS times. Sets the
 * quartiles of the ratio DVP/EM per step, and the largest distance of their last positions from those of the steppers
 * shake and em. */
int sb_wm96_displayed(sb_wm96 *set, int nsteps, const double *h, sb_quartiles *ratio, double *distance);

#endif
