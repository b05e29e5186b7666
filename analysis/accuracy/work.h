/* Work of a run: evaluations of the problem's terms, factorizations and Newton iterations; and what each costs. */
#ifndef STEPBENCH_ANALYSIS_ACCURACY_WORK_H
#define STEPBENCH_ANALYSIS_ACCURACY_WORK_H

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

/* Returns by how much, relative to their size, the counts of iterations and of what each iteration evaluates depend on
 * round-off: two standard deviations. An iteration that ends in round-off takes corrections of random sizes until one
 * is no smaller than that before. k corrections fall one after the other with the probability 1/k!; their number has
 * the mean e - 1 and the standard deviation sqrt(3 e - e^2) = 0.875. */
double sb_work_uncertainty(const sb_work *work);

/* Returns the sum of the evaluations of forces, second derivatives, constraints and M, and of the factorizations, each
 * times its weight. */
enum { SB_WORK_KINDS = 5 };
double sb_work_weighted(const sb_work *work, const double weights[SB_WORK_KINDS]);

/* Measures the processor time of one evaluation of each kind at the initial state, as sb_work_weighted counts them,
 * relative to one evaluation of the force, or of M if the system has no force, with two digits. A kind that the system
 * lacks costs 0. Takes about 0.1 s, and longer if one evaluation takes milliseconds. */
int sb_costs_measure(sb_context *ctx, const sb_system *sys, double costs[SB_WORK_KINDS]);

#endif
