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
    double size;          /* largest sum of the magnitudes of its terms */
    double max, rms;      /* of the deviation from `initial` */
    sb_slope slope;       /* secular, per s */
    double irreversible;  /* of the energy at the end, see below; NaN of other quantities */
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
 * The energy has a second criterion, as that standard error is large where the run is short against slow components.
 * After every step a step back is taken, and the change of the energy by both, E(Phi_-h Phi_h x) - E(x), is twice the
 * change by the irreversible part of the step: zero for a reversible method, and O(h^(p+2)) for another one of even
 * order p, so that the O(h^p) oscillations drop out. Half their sum is the irreversible change up to a sample. If it is
 * a function of the state, it returns as often as the motion does; that of a dissipative method has one direction. The
 * motion turns k times if the total variation of the p_i v_i is k times their range, all coordinates together; steps
 * back count where k >= 4, two periods.
 *
 *   one way      The irreversible change is at least 0.7 of its total variation (a function of the state would have
 *                1/4; in the ensemble of the tests it has up to 0.62, in dissipative methods 0.75 or more), exceeds
 *                round-off, and the change of the energy at the end differs from it by at most half of it. The energy
 *                does not follow that of a symplectic method that is not reversible, which is the difference of two
 *                functions of the state and may grow.
 *   follows      The irreversible change is secular, beyond 5 standard errors (scatter and slow components, as above)
 * and beyond one rounding of the terms per step, all of one sign; and the slope changes the energy by the same, to
 * within half of it. With 3 standard errors, and agreement to within 3 of the energy's, the method may drift: rk4's
 * oscillation of order h^4 hides its drift of order h^5 in a short run, but not from steps back. reversible   The
 * irreversible change and the round-off are below a hundredth of h/T_s of the root mean square deviation, T_s the time
 * scale; and the slope changes the energy by at most half of that deviation over the run, where a line would change it
 * by sqrt(3) of it. The energy of a reversible method can drift where the motion has no symmetry: faou04.
 *
 * The verdict, with T the length of the run and z = |slope| over its standard error, to which the round-off over T is
 * added in quadrature, since round-off is nearly a line where it is biased, as that of a fixed-point iteration:
 *   none     the largest deviation is within round-off, and the slope within 50 standard errors without that; or
 *            z <= 3, and either slope + 3 standard errors change the quantity over the run by at most a fifth of its
 *            root mean square deviation and it does not follow, by 3 standard errors, or the method is reversible;
 *   drift    z > 5 (the standard errors rest on few degrees of freedom: 2, 8, and 3 per coordinate), or the
 *            irreversible change goes one way, or the energy follows it, or the quantity leaves its range (trend.h) by
 *            a tenth of the size of its terms, which the oscillations of a method whose errors are small do not do;
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
