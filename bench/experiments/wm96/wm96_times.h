/* CPU times of the runs of wm96 5: medians of interleaved repeats. */
#ifndef STEPBENCH_BENCH_EXPERIMENTS_WM96_WM96_TIMES_H
#define STEPBENCH_BENCH_EXPERIMENTS_WM96_WM96_TIMES_H

#include "analysis/accuracy/fit.h"
#include "bench/experiments/wm96/wm96_runs.h"

#define SB_WM96_REPEATS 5

/* time[stepper][step][repeat]: CPU seconds of a run of 30 s, its start not counted. */
typedef struct sb_wm96_times {
    int nsteppers, nsteps;
    double *time;
    double *iters; /* [stepper][step]: Newton iterations per step, on average */
} sb_wm96_times;

/* A repeat goes once through all steps and steppers, so that a slow spell of the machine falls on all alike; short runs
 * are repeated within a repeat until the clock has something to count. */
int sb_wm96_times_measure(sb_wm96 *set, int nsteppers, const char *const *steppers, int nsteps, const double *h,
                          sb_wm96_times *out);

typedef struct sb_quartiles {
    double lo, median, hi;
} sb_quartiles;

/* Sorts SB_WM96_REPEATS values and returns their quartiles. */
sb_quartiles sb_wm96_quartiles(double *values);

sb_quartiles sb_wm96_times_of(const sb_wm96_times *times, int stepper, int step);
/* Of the ratio of two steppers' times in the same repeat. */
sb_quartiles sb_wm96_times_ratio(const sb_wm96_times *times, int stepper, int to, int step);

/* How the CPU time of a method goes with the step. */
typedef struct sb_wm96_trend {
    const char *who;
    sb_slope slope; /* exponent of h */
} sb_wm96_trend;

/* Writes the exponents of 1/h with their standard errors to out/NAME. */
int sb_wm96_times_save(sb_bench *bench, const char *name, int n, const sb_wm96_trend *trends);

#endif
