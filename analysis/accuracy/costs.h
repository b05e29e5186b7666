/* What an evaluation of each kind costs on a problem, measured. */
#ifndef STEPBENCH_ANALYSIS_ACCURACY_COSTS_H
#define STEPBENCH_ANALYSIS_ACCURACY_COSTS_H

#include "analysis/accuracy/work.h"

/* Measures the processor time of one evaluation of each kind at the initial state, as sb_work_weighted counts them,
 * relative to one evaluation of the force, or of M if the system has no force, with two digits. A kind that the system
 * lacks costs 0. Takes about 0.1 s, and longer if one evaluation takes milliseconds. */
int sb_costs_measure(sb_context *ctx, const sb_system *sys, double costs[SB_WORK_KINDS]);

#endif
