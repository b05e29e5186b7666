/* Drift: deviation and secular slope of the energy and the other invariants over a long run. */
#ifndef STEPBENCH_ANALYSIS_CONSERVATION_DRIFT_H
#define STEPBENCH_ANALYSIS_CONSERVATION_DRIFT_H

#include "analysis/accuracy/fit.h"
#include "analysis/analysis.h"

typedef enum sb_drift_verdict { SB_DRIFT_NONE, SB_DRIFT_UNCLEAR, SB_DRIFT_YES } sb_drift_verdict;
extern const char *const sb_drift_verdict_name[];

/* One quantity over one run. */
typedef struct sb_drift {
    const char *quantity;
    const char *excluded; /* why there is no verdict; NULL: there is one */
    double initial;       /* at the first sample */
    double max, rms;      /* of the deviation from `initial` */
    sb_slope slope;       /* secular, per s */
    double rounding;      /* estimate of the accumulated round-off at the end */
    sb_drift_verdict verdict;
    double decides; /* length of the run that would decide, s; NaN unless the verdict is unclear */
} sb_drift;

/* Runs the pair for `steps` steps of length h and evaluates every quantity of the system (sb_quantities). Sets
 * `drifts`, from the arena, and *count. The storage does not grow with the number of steps. Fails with SB_BAD_USAGE if
 * there are too few steps for the batches.
 *
 * A method without drift has a deviation h^p e(q, v) + ... that is a function of the state: its slow components are
 * those of the motion. `slow` and `fast` (trend.h) of the products p_i v_i, the largest ratio of all coordinates, say
 * which change the slow components of the motion make relative to its oscillations; the same fraction of the
 * oscillations of the quantity is the standard error of its change due to slow components, slower ones than the run
 * included. Above 1/2 the run does not resolve the motion, and the whole deviation counts as slow, a straight line
 * included: the midpoint rule keeps the energy of quadratic potentials, so that on a chain of stiff and soft springs
 * its deviation shows no oscillation of the stiff ones, and a part of one slow period of the soft ones is as straight
 * as the drift of rk4. It is added in quadrature to the standard error by scatter.
 *
 * The verdict, with T the length of the run and z = |slope| over its standard error, to which the round-off over T is
 * added in quadrature, since round-off is nearly a line where it is biased, as that of a fixed-point iteration:
 *   none     the largest deviation is within round-off, and the slope within 50 standard errors without that; or
 *            z <= 3, and slope + 3 standard errors change the quantity over the run by at most a fifth of its root
 *            mean square deviation;
 *   drift    z > 5 (the standard errors rest on few degrees of freedom: 2, 8, and 3 per coordinate), or the
 *            quantity leaves its range (trend.h) by a tenth of the size of its terms, which the oscillations of a
 *            method whose errors are small do not do;
 *   unclear  else.
 * Accumulated round-off is a random walk, of which that ratio is up to 26 in 1000 runs; a straighter line within it is
 * that of a drift, but not one that the run can measure.
 *
 * `decides`: as long as slow components are slower than the run, their change does not grow with it, so that z grows as
 * the length, and what the standard error leaves possible falls as its inverse. A drift grows as the length, round-off
 * as its square root. */
int sb_drift_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, int batches,
                     sb_drift **drifts, int *count);

#endif
