/* A pair with one parameter set to another number. */
#ifndef STEPBENCH_ANALYSIS_VARY_H
#define STEPBENCH_ANALYSIS_VARY_H

#include "analysis/analysis.h"

/* Sets `out` to the pair with parameter `name` set to x: a parameter of the stepper if it has one of this name, else of
 * the problem, which is built anew in the arena. The names shown in rows do not change. Fails with SB_BAD_USAGE if
 * neither has the parameter, x is out of its range, or the problem is under a formulation. */
int sb_pair_vary(sb_context *ctx, sb_arena *arena, const sb_pair *pair, const char *name, double x, sb_pair *out);

/* Returns whether the stepper or the problem has the parameter. */
bool sb_pair_has(sb_context *ctx, const sb_pair *pair, const char *name);

#endif
