/* Errors of motions with impacts. Velocities jump, and near a jump that is late the error is as large as the jump; so
 * errors are taken in the mean over time, as a distance of graphs, and in the times of the impacts. acary08. */
#ifndef STEPBENCH_ANALYSIS_ACCURACY_NONSMOOTH_H
#define STEPBENCH_ANALYSIS_ACCURACY_NONSMOOTH_H

#include "analysis/accuracy/reference.h"

/* Returns whether the motions of a system have impacts or dry friction. */
static inline bool sb_nonsmooth(const sb_system *sys) {
    return sys->contact.m + sys->contact.k > 0;
}

/* Computes the errors of a run against a finer reference, over the time that both cover from the system's initial
 * state; between samples both are interpolated linearly. SB_ERR_Q, SB_ERR_V, SB_ERR_ENERGY   mean over time of |.|_2 of
 * the error: its L1 norm divided by the time; SB_ERR_LAMBDA                       NaN: an impulse has no value at an
 * instant; SB_ERR_GRAPH                        Hausdorff distance of the graphs (t/T, q/Q, v/V), jumps included, with
 * the time scale T and the largest |q| and |v| of the reference, Q and V; SB_ERR_IMPACT                       mean over
 * the impacts of |error of its time|, s; NaN if there is none, or if the run has fewer. An impact is where a closing
 * gap stops closing: the kink of xi, where the straight lines before and after it meet. Impacts of a gap count up to
 * the first one that is less than `apart` seconds from the next, from the previous one or from either end. */
int sb_nonsmooth_errors(sb_arena *arena, const sb_system *sys, const sb_reference *run, const sb_reference *ref,
                        double apart, double error[SB_ERR_COUNT]);

#endif
