/* Errors of motions with impacts. Where a velocity jumps at a slightly wrong time, its error is as large as the jump.
 * Therefore the errors are means over time, distances of graphs and errors of the times of impacts. acary08. */
#pragma once

#include "analysis/accuracy/reference.h"

/* Returns whether the motions of a system have impacts or dry friction. */
static inline bool sb_nonsmooth(const sb_system *sys) { return sys->contact.m + sys->contact.k > 0; }

/* Computes the errors of a run against a finer reference, from the initial state of the system to the end of the
 * shorter one. Both are interpolated linearly between samples.
 *
 * - SB_ERR_Q, SB_ERR_V, SB_ERR_ENERGY: mean over time of the Euclidean norm of the error.
 * - SB_ERR_LAMBDA: NaN; an impulse has no value at an instant.
 * - SB_ERR_GRAPH: Hausdorff distance of the graphs (t/T, q/Q, v/V), jumps included, with the time scale T and the
 * largest |q| and |v| of the reference, Q and V.
 * - SB_ERR_IMPACT: mean of |error of the time of an impact|, s; NaN if there is none, or if the run has fewer.
 *
 * The time of an impact is where the straight lines of the gap xi before and after it meet. The impacts of a gap are
 * compared up to the first one that is less than `separation` seconds from the next, from the previous one or from
 * either end. */
int sb_nonsmooth_errors(sb_arena *arena, const sb_system *sys, const sb_reference *run, const sb_reference *ref,
                        double separation, double error[SB_ERR_COUNT]);
