/* Checks that a step depends only on its input state and writes only its output state. */
#pragma once

#include "analysis/analysis.h"

/* Returns how many numbers of q, v, lambda and aux differ in any bit. */
int sb_state_differences(const sb_method *me, const sb_state *a, const sb_state *b);
/* Counts the numbers that differ when one step from `in` is repeated: into a state full of NaN, after a step from
 * another state, and by a new method. `a` becomes the result, and `b` is overwritten. */
int sb_step_repeat(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, sb_method *me, const sb_state *in,
                   sb_state *a, sb_state *b, int *count);
/* Takes a step between arrays that are surrounded by NaN. Sets *count to how many of the surrounding numbers the step
 * wrote, plus how many numbers of its result differ from `plain`, the result without NaN around. A step that fails
 * counts as one; only negative statuses are returned. */
int sb_step_fenced(sb_arena *arena, double h, const sb_method *me, const sb_state *in, const sb_state *plain,
                   int *count);
