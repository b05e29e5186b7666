/* Work of a run: evaluations of the problem's terms, factorizations and Newton iterations; and their costs. */
#pragma once

#include "analysis/analysis.h"
#include "core/run/counting.h"

typedef struct sb_work {
    sb_counts counts;
    long factorizations, iters;
    long substeps, rejected; /* accepted and rejected steps of a stepper with error control, else 0 */
    long stalled;            /* iterations of Newton's method that ended in round-off */
} sb_work;

/* Counts the work of `steps` steps of length h from the pair's initial state; the start and the reports are not
 * counted. */
int sb_work_measure(sb_context *ctx, const sb_pair *pair, double h, long steps, sb_work *out);

/* Returns the relative uncertainty, two standard deviations, of the number of iterations due to round-off. An iteration
 * that ends in round-off makes corrections of random sizes until one is not smaller than the one before. k successive
 * corrections decrease with the probability 1/k!; their number has the mean e - 1 and the standard deviation
 * sqrt(3 e - e^2) = 0.875. */
double sb_work_uncertainty(const sb_work *work);

/* Returns the sum of the evaluations of forces, second derivatives, constraints and M, and of the factorizations, each
 * times its weight. */
enum { SB_WORK_KINDS = 5 };
double sb_work_weighted(const sb_work *work, const double weights[SB_WORK_KINDS]);

/* Measures the processor time of one evaluation of each kind that sb_work_weighted counts at the initial state,
 * relative to that of the force, or of M if the system has no force, rounded to two digits. A kind that the system does
 * not have costs 0. Takes about 0.1 s, and longer if one evaluation takes milliseconds. */
int sb_costs_measure(sb_context *ctx, const sb_system *sys, double costs[SB_WORK_KINDS]);
