/* Drift: deviation and secular slope of the energy and the other invariants over a long run. */
#ifndef STEPBENCH_ANALYSIS_CONSERVATION_DRIFT_H
#define STEPBENCH_ANALYSIS_CONSERVATION_DRIFT_H

#include "analysis/accuracy/fit.h"
#include "analysis/analysis.h"

typedef enum sb_drift_verdict { SB_DRIFT_NONE, SB_DRIFT_ROUNDOFF, SB_DRIFT_YES } sb_drift_verdict;
extern const char *const sb_drift_verdict_name[];

/* One quantity over one run. */
typedef struct sb_drift {
    const char *quantity;
    double initial;  /* at the first sample */
    double max, rms; /* of the deviation from `initial` */
    sb_slope slope;  /* secular, per s */
    double rounding; /* estimate of the accumulated round-off at the end */
    sb_drift_verdict verdict;
} sb_drift;

/* Runs the pair for `steps` steps of length h and evaluates every quantity of the system (sb_quantities). Sets
 * `drifts`, from the arena, and *count. The storage does not grow with the number of steps. Fails with SB_BAD_USAGE if
 * there are too few steps for the batches. */
int sb_drift_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, int batches,
                     sb_drift **drifts, int *count);

#endif
