/* A pair with one parameter set to another number: the axis of a map. */
#ifndef STEPBENCH_ANALYSIS_VARY_H
#define STEPBENCH_ANALYSIS_VARY_H

#include "analysis/analysis.h"

/* `out` is the pair with parameter `name` set to x: the stepper's if it has one of the name, else the problem's, which is built anew in the
 * arena. The name shown stays. SB_BAD_USAGE when neither has it, x is out of its range, or the problem is reformulated. */
int sb_pair_vary(sb_context *ctx, sb_arena *arena, const sb_pair *pair, const char *name, double x, sb_pair *out);

/* Whether sb_pair_vary would find the parameter. */
bool sb_pair_has(sb_context *ctx, const sb_pair *pair, const char *name);

#endif
