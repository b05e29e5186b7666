/* Steps of a run between two states that are looked at. */
#pragma once

#include <stepbench/method.h>

/* A run at *now, after `step` steps of length h from t0. */
typedef struct sb_steps_at {
    sb_scalar t0, h;
    long step;
    sb_state *now, *next; /* next: scratch; the two are exchanged by every step */
    sb_state *first;      /* scratch: the state at which a block began */
} sb_steps_at;

/* Takes the steps up to the number `last`. Fails like sb_method_step, with the run at the state before the step that
 * failed. The state is checked, and an interruption looked for, once per block of steps; a block that fails is taken
 * again step by step, because a step is a pure map. */
int sb_method_steps(const sb_method *me, sb_steps_at *at, long last);
