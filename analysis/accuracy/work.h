/* Work of a run: evaluations of the problem's terms, factorizations and Newton iterations. */
#ifndef STEPBENCH_ANALYSIS_ACCURACY_WORK_H
#define STEPBENCH_ANALYSIS_ACCURACY_WORK_H

#include "analysis/analysis.h"
#include "core/run/counting.h"

typedef struct sb_work {
    sb_counts counts;
    long factorizations, iters;
    long substeps, rejected; /* accepted and rejected steps of a stepper with error control, else 0 */
} sb_work;

/* Counts the work of `steps` steps of length h from the pair's initial state; the start and the reports are not
 * counted. */
int sb_work_measure(sb_context *ctx, const sb_pair *pair, double h, long steps, sb_work *out);

/* Returns the sum of the evaluations of forces, second derivatives, constraints and M, and of the factorizations, each
 * times its weight. */
enum { SB_WORK_KINDS = 5 };
double sb_work_weighted(const sb_work *work, const double weights[SB_WORK_KINDS]);

#endif
