/* Energy or momentum of the runs of wm96 5 for all steps of the figures: error, and range in time. */
#ifndef STEPBENCH_BENCH_EXPERIMENTS_WM96_WM96_INVARIANT_H
#define STEPBENCH_BENCH_EXPERIMENTS_WM96_WM96_INVARIANT_H

#include "analysis/accuracy/fit.h"
#include "bench/experiments/wm96/wm96_published.h"

/* One number for each of sb_wm96_figure_steps. For a momentum with several components, lo, second and hi belong to the
 * component that is largest at the start, and spread is the largest range of any component. */
typedef struct sb_wm96_invariant {
    double error[SB_WM96_FIGURE_STEPS]; /* (5.10), outputs rounded to 9 decimals */
    double lo[SB_WM96_FIGURE_STEPS], second[SB_WM96_FIGURE_STEPS], hi[SB_WM96_FIGURE_STEPS];
    double spread[SB_WM96_FIGURE_STEPS];
} sb_wm96_invariant;

/* Runs the stepper of a column, measures its energy or momentum, and writes out/NAME as CSV. */
int sb_wm96_invariant_run(sb_wm96 *set, const sb_wm96_column *column, const char *name, sb_wm96_invariant *out);

/* Returns the exponent of h in the error for h = 1e-3 to 0.1. */
sb_slope sb_wm96_invariant_slope(const sb_wm96_invariant *invariant);

/* Returns the index of the step h in sb_wm96_figure_steps. */
int sb_wm96_figure_step(double h);

#endif
