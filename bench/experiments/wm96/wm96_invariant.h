/* Energy or momentum of the runs of wm96 5 over all steps of the figures: error, range and spread in time. */
#ifndef STEPBENCH_BENCH_EXPERIMENTS_WM96_WM96_INVARIANT_H
#define STEPBENCH_BENCH_EXPERIMENTS_WM96_WM96_INVARIANT_H

#include "analysis/accuracy/fit.h"
#include "bench/experiments/wm96/wm96_published.h"

/* One entry for each of sb_wm96_figure_steps. Of a momentum with several components, lo, second and hi are of the
 * one that is largest at the start, and spread is the range of the one that varies most. */
typedef struct sb_wm96_invariant {
    double error[SB_WM96_FIGURE_STEPS]; /* (5.10), outputs rounded to 9 decimals */
    double lo[SB_WM96_FIGURE_STEPS], second[SB_WM96_FIGURE_STEPS], hi[SB_WM96_FIGURE_STEPS];
    double spread[SB_WM96_FIGURE_STEPS];
} sb_wm96_invariant;

/* Runs `stepper` and keeps energy (`momentum` false) or momentum (true); published numbers from `column`; writes
 * out/NAME as CSV. */
int sb_wm96_invariant_run(sb_wm96 *set, const char *stepper, bool momentum, const sb_wm96_column *column,
                          const char *name, sb_wm96_invariant *out);

/* The exponent of the error over h = 1e-3 to 0.1. */
sb_slope sb_wm96_invariant_slope(const sb_wm96_invariant *invariant);

/* Index of step h among the figures' steps. */
int sb_wm96_figure_step(double h);

#endif
