/* Work of a run: evaluations of the problem's terms, factorizations and Newton iterations. */
#ifndef STEPBENCH_ANALYSIS_ACCURACY_WORK_H
#define STEPBENCH_ANALYSIS_ACCURACY_WORK_H

#include "analysis/analysis.h"
#include "core/run/counting.h"

typedef struct sb_work {
    sb_counts counts;
    long factorizations, iters;
} sb_work;

/* Counts the work of `steps` steps of length h from the pair's initial state; the start and the reports are not
 * counted. */
int sb_work_measure(sb_context *ctx, const sb_pair *pair, double h, long steps, sb_work *out);

/* Returns the number of evaluations of all kinds: M, forces, constraints, second derivatives. */
long sb_work_evaluations(const sb_work *work);

#endif
