/* Finds the solution of a step's equations that continues the motion. The equations have other solutions, because
 * constraints are not linear: a point on a circle has one on the far side, and a body one that is a turn away. */
#ifndef STEPBENCH_NUMERICS_CONTINUATION_H
#define STEPBENCH_NUMERICS_CONTINUATION_H

#include <math.h>
#include <stdbool.h>

#include <stepbench/context.h>
#include <stepbench/entry.h>

/* Returns whether Newton's method, whose iterates stayed within `apart` of q0 + h v0, cannot have left for another
 * solution: they went no farther than the motion does, `moved`, or no farther than the root of round-off, where
 * Newton's method stops. On a circle with h |v0| = sin(theta) the near solution is 1 - cos(theta) from q0 + h v0 and
 * the far one 1 + cos(theta): `apart` <= `moved` holds for the first and fails for the second, whatever theta < pi/2.
 */
static inline bool sb_continues(sb_scalar apart, sb_scalar moved, sb_scalar length) {
    return apart <= moved || apart <= sqrt(SB_EPSILON) * length;
}

/* Follows the solution q(s) from q = q(0), the present position, to q(1), the end of the step. correct(arg, s, &change,
 * &scale) takes a Newton step on q for the equations of the fraction s of the step. A step in s counts if each of its
 * corrections is at most a quarter of the one before: by Kantorovich's theorem (corrections d, omega d <= 1/2, with
 * omega/2 d^2 the next one) no other solution is as near to its start. `last` is scratch (n), `length` the size of the
 * motion, sb_system_length. Returns SB_NOT_CONVERGED where the solution ends, and negative statuses of `correct`. */
int sb_continue(sb_context *ctx, int n, sb_scalar *q, sb_scalar *last, sb_scalar length,
                int (*correct)(void *arg, sb_scalar s, sb_scalar *change, sb_scalar *scale), void *arg);

#endif
