/* Drift: deviation and secular slope of the energy and the other invariants over a long run. */
#pragma once

#include "analysis/accuracy/fit.h"
#include "analysis/analysis.h"

typedef enum sb_drift_verdict {
    SB_DRIFT_NONE,
    SB_DRIFT_UNCLEAR,
    SB_DRIFT_YES,
    SB_DRIFT_LOST,
    SB_DRIFT_VERDICTS /* their number */
} sb_drift_verdict;
extern const char *const sb_drift_verdict_name[];

/* One quantity over one run. */
typedef struct sb_drift {
    const char *quantity;
    const char *excluded; /* why there is no verdict; NULL: there is one */
    double initial;       /* at the first sample */
    double size;          /* largest sum of the magnitudes of its terms */
    double max, rms;      /* maximum and root mean square of the deviation from `initial` */
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
 * Standard error. The energy error of a method without drift is h^p e(q, v) + ..., a function of the state: its slow
 * components are those of the motion. The ratio slow/fast (trend.h) of the products p_i v_i, the largest of all
 * coordinates, is the change by slow components of the motion relative to its oscillations. The same fraction of the
 * oscillations of the quantity is the standard error of its change by slow components, including those slower than the
 * run; it is added in quadrature to the standard error by scatter. A ratio above 1/2 means that the run does not
 * resolve the motion: then the whole deviation counts as slow, even a straight line. For example, the midpoint rule
 * conserves quadratic potentials, so that on a chain of stiff and soft springs its deviation contains no oscillation of
 * the stiff ones, and a fraction of one period of the soft ones is as straight as the drift of rk4.
 *
 * Irreversible change. This second criterion serves the energy in runs that are short compared with its slow
 * components, for which the standard error is large. After every step a step back is taken. The change of the energy by
 * both, E(Phi_-h Phi_h x) - E(x), is twice the change by the irreversible part of the step: zero for a reversible
 * method, and O(h^(p+2)) for another method of even order p, so that the O(h^p) oscillations cancel. Half of the sum of
 * these changes is the irreversible change up to a sample. If it is a function of the state, it returns whenever the
 * motion does; that of a dissipative method has one direction. It is used if the total variation of the p_i v_i is at
 * least 4 times their range, all coordinates together, which takes two periods. There are three cases.
 *
 * - One way: the irreversible change is at least 0.7 of its total variation, exceeds round-off, and differs from the
 * change of the energy at the end by at most half of it. (For a function of the state the fraction would be 1/4; in the
 * ensemble of the tests it is at most 0.62, for dissipative methods at least 0.75.) The energy of a symplectic method
 * that is not reversible does not change by it: its irreversible change is the difference of two functions of the
 * state, which may grow.
 * - Follows: the irreversible change exceeds 5 standard errors (scatter and slow components, as above) and one rounding
 * of the terms per step, all of one sign, and the slope changes the energy by the same to within half of it. With 3
 * standard errors, and agreement to within 3 standard errors of the energy, the verdict is unclear: the oscillation of
 * order h^4 of rk4 hides its drift of order h^5 in a short run, but not from steps back.
 * - Reversible: the irreversible change and the round-off are below a hundredth of h/T_s of the root mean square
 * deviation, T_s the time scale, and the slope changes the energy by at most half of that deviation over the run, where
 * a line would change it by sqrt(3) of it. The energy of a reversible method can drift if the motion has no symmetry:
 * faou04.
 *
 * Verdict, with T the length of the run and z = |slope| over its standard error, in which the round-off over T is
 * included in quadrature, because biased round-off, such as that of a fixed-point iteration, is nearly a line:
 *
 * - none: the largest deviation is within round-off, and the slope within 50 standard errors without round-off; or
 * z <= 3, and either slope + 3 standard errors change the quantity over the run by at most a fifth of its root mean
 * square deviation and it does not follow (with 3 standard errors), or the method is reversible.
 * - drift: z > 5 (the standard errors have few degrees of freedom: 2, 8, and 3 per coordinate); or the irreversible
 * change goes one way, or the energy follows it; or the quantity leaves its range (trend.h) by a tenth of the size of
 * its terms, which oscillations of a method with small errors do not reach.
 * - lost, before all of these, unless the deviation is within round-off: the run is not on the motion any more. The
 * quantity jumps (trend.h) by a tenth of its terms behind the jump: a step was too long for the motion, as at an
 * unresolved pericentre, and the run continues on another orbit. Or the mean deviation of a batch exceeds half of the
 * mean size of the terms, without a drift. (The mean deviation of Verlet's method on an oscillator is h^2 omega^2/8 of
 * the energy, 0.45 at h omega = 1.9.) Or it exceeds a fifth, where one step changes the quantity by more than a tenth
 * of the terms. If the energy is lost, the other quantities are.
 * - unclear: otherwise.
 *
 * Accumulated round-off is a random walk, whose slope over its standard error was at most 26 in 1000 runs. A straighter
 * line within round-off is a drift that the run is too short to measure.
 *
 * `decides`: as long as slow components are slower than the run, their change does not grow with its length, and the
 * change that the standard error allows decreases like its inverse. Where a slope of more than 3 standard errors is
 * unclear, the scatter may be chance, as in a chaotic motion: its change grows like the square root of the length, and
 * z like the square root. Round-off grows like the square root as well. The number of steps is rounded up to a round
 * number (sb_round_number), so that the default step of a run of this length is the same. */
int sb_drift_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, int batches,
                     sb_drift **drifts, int *count);
