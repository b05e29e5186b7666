/* Steps of a run between two states that are looked at. */
#pragma once

#include <stepbench/method.h>
#include <stepbench/numerics/steps.h>

/* Takes the steps up to the number `last`. Fails like sb_method_step, with the run at the state before the step that
 * failed. The state is checked, and an interruption looked for, once per block of steps; a block that fails is taken
 * again step by step, because a step is a pure map. */
int sb_method_steps(const sb_method *me, sb_steps_at *at, long last);
