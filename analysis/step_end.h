/* Checks that a step ends near its start: a step of another length, and coordinates that jump. */
#pragma once

#include "analysis/analysis.h"

/* The largest miss of a right step, which vanishes with h; it is 1 for steps of length 2 h. */
#define SB_STEP_MISS 0.2

/* The coordinates where a run starts. A step from them is like any other; only the first ones are the problem's. A
 * stepper that brings quaternions to one sign or angles into one turn jumps from one of the others. */
typedef enum sb_step_start { SB_STEP_GIVEN, SB_STEP_ANTIPODAL, SB_STEP_TURNED, SB_STEP_STARTS } sb_step_start;

/* Computes the miss of the ends of `steps` steps of length h, relative to their displacements,
 *
 *   miss^2 = sum |q1 - q0 - h v|^2 / sum |h v|^2,   v one of v0, v1 and their mean,
 *
 * from (q, v), (-q, -v), or (q + 2 pi, v) at the start; of a multistep method, at least that of a step of length h/2
 * after steps of length h. Methods whose velocities jump, as those of few sweeps do, end
 * at q0 + h v1. The miss is NaN where nothing moves, where the start is not on the constraints or a step from it fails,
 * and from (-q, -v) where constraints prescribe velocities. */
int sb_step_miss(sb_context *ctx, const sb_pair *pair, sb_step_start start, double h, long steps, double *miss);
