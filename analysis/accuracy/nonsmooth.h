/* Errors that make sense for motions with impacts, where velocities jump and a jump that comes late is an error as large as itself at an
 * instant: in the mean over time, as a distance of graphs, and in the times of the impacts. acary08. */
#ifndef STEPBENCH_ANALYSIS_ACCURACY_NONSMOOTH_H
#define STEPBENCH_ANALYSIS_ACCURACY_NONSMOOTH_H

#include "analysis/accuracy/reference.h"

/* Is the motion of the system one of these? */
static inline bool sb_nonsmooth(const sb_system *sys) {
    return sys->contact.m + sys->contact.k > 0;
}

/* The errors of a run against a finer reference, over the time they both cover from the system's initial state; between their samples both
 * are taken as straight lines.
 *   SB_ERR_Q, SB_ERR_V, SB_ERR_ENERGY   mean over time of |.|_2 of the error: its L1 norm over the length of time;
 *   SB_ERR_LAMBDA                       NaN: an impulse is no number at an instant;
 *   SB_ERR_GRAPH                        Hausdorff distance of the graphs (t/T, q/Q, v/V), jumps included, with T the time scale and Q and V
 * the largest |q| and |v| of the reference; SB_ERR_IMPACT                       mean over the impacts of |error of its time|, s; NaN where
 * there is none, or the run has fewer. An impact is where a gap that closes stops to: the kink of xi, where the straight lines before and
 * after it meet. Those of a gap count as long as they lie `apart` seconds or more from the next, from the one before and from either end.
 */
int sb_nonsmooth_errors(sb_arena *arena, const sb_system *sys, const sb_reference *run, const sb_reference *ref, double apart,
                        double error[SB_ERR_COUNT]);

#endif
