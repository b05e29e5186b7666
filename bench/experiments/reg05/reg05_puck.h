/* reg05 2.8 with two tangents: a mass of 1 kg on a plane, mu = 0.5, and friction in a box, |beta_x|, |beta_y| <= mu nu.
 */
#ifndef STEPBENCH_BENCH_EXPERIMENTS_REG05_REG05_PUCK_H
#define STEPBENCH_BENCH_EXPERIMENTS_REG05_REG05_PUCK_H

#include "bench/runner/experiment.h"

/* Sets the largest horizontal force in the direction `angle` (rad) at which the mass stays at rest, over mu m g, by
 * bisection to 1e-8. Friction is iterated: the bounds are those of the same step's normal force. */
int sb_reg05_holding_force(sb_bench *bench, double angle, double *out);
/* Sets the angle (rad) between the friction force and the direction opposite to the slip, for a slip in the direction
 * `angle` (rad). */
int sb_reg05_friction_angle(sb_bench *bench, double angle, double *out);

#endif
