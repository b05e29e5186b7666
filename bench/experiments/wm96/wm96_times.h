/* CPU times of the runs of wm96 5: medians of repeated runs, of steppers and of the methods as displayed. */
#pragma once

#include "analysis/accuracy/fit.h"
#include "bench/experiments/wm96/wm96_runs.h"

#define SB_WM96_REPEATS 5

/* time[stepper][step][repeat]: CPU time (s) of a run of 30 s without its start. */
typedef struct sb_wm96_times {
    int nsteppers, nsteps;
    double *time;
} sb_wm96_times;

/* Measures the times. Each repeat runs all steps and steppers once, so that a slow period of the machine affects all of
 * them. Runs that are short against the resolution of the clock are timed in groups. */
int sb_wm96_times_measure(sb_wm96 *set, int nsteppers, const char *const *steppers, int nsteps, const double *h,
                          sb_wm96_times *out);

typedef struct sb_quartiles {
    double lo, median, hi;
} sb_quartiles;

/* Sorts SB_WM96_REPEATS values and returns their quartiles. */
sb_quartiles sb_wm96_quartiles(double *values);

/* Returns the quartiles of a stepper's times. */
sb_quartiles sb_wm96_times_of(const sb_wm96_times *times, int stepper, int step);
/* Returns the quartiles of the ratio of two steppers' times in the same repeat. */
sb_quartiles sb_wm96_times_ratio(const sb_wm96_times *times, int stepper, int to, int step);

/* Measures the CPU times of the methods of wm96 5.2 as displayed (wm96_displayed.c) for 30 s with the steps h,
 * alternately, SB_WM96_REPEATS times. Sets the quartiles of the ratio DVP/EM per step, and the largest distance of
 * their last positions from those of the steppers shake and em. */
int sb_wm96_displayed(sb_wm96 *set, int nsteps, const double *h, sb_quartiles *ratio, double *distance);
