/* Whether the step of a method is a pure map: its result depends on the state before it alone, and it writes nothing
 * else. */
#ifndef STEPBENCH_ANALYSIS_PURE_STEP_H
#define STEPBENCH_ANALYSIS_PURE_STEP_H

#include "analysis/analysis.h"

/* Returns how many numbers of q, v, lambda and aux differ in any bit. */
int sb_state_differences(const sb_method *me, const sb_state *a, const sb_state *b);
/* Counts the numbers that differ when one step from `in` is repeated: into a state full of NaN, after a step from
 * another state, and by a new method. `a` becomes the result, and `b` is overwritten. */
int sb_step_repeat(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, sb_method *me, const sb_state *in,
                   sb_state *a, sb_state *b, int *count);
/* Sets *count to the numbers beside the arrays that a step wrote, and those of its result `plain` that are others when
 * the numbers beside its arrays are NaN. Returns an error only if memory is missing or the call is wrong: a step that
 * fails counts as one. */
int sb_step_fenced(sb_arena *arena, double h, const sb_method *me, const sb_state *in, const sb_state *plain,
                   int *count);

#endif
