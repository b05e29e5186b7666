/* Drift: what a long run does to the energy and the other invariants. */
#ifndef STEPBENCH_ANALYSIS_CONSERVATION_DRIFT_H
#define STEPBENCH_ANALYSIS_CONSERVATION_DRIFT_H

#include "analysis/analysis.h"
#include "analysis/accuracy/fit.h"

/* The options of the analysis. */
typedef struct sb_drift_config {
    sb_reals h;   /* s; empty: time_scale/10 */
    double t_end; /* s; 0: 1000 time scales */
    long batches;
} sb_drift_config;

typedef enum sb_drift_verdict { SB_DRIFT_NONE, SB_DRIFT_ROUNDOFF, SB_DRIFT_YES } sb_drift_verdict;
extern const char *const sb_drift_verdict_name[];

/* One quantity over one run. */
typedef struct sb_drift {
    const char *quantity;
    double initial;  /* at the first sample */
    double max, rms; /* of the deviation from `initial` */
    sb_slope slope;  /* secular, per s */
    double rounding; /* what accumulated round-off may amount to by the end */
    sb_drift_verdict verdict;
} sb_drift;

/* Runs the pair with step h for `steps` steps and judges every quantity of the system (sb_quantities): `drifts` and *count are set, from
 * the arena. Storage does not grow with the steps. */
int sb_drift_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, int batches, sb_drift **drifts,
                     int *count);

#endif
