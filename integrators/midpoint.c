/* The implicit midpoint rule in (q, p), solved by Newton's method: notes11 (32) as corrected for a constant mass. */
#include "integrators/shared/implicit_one_step.h"

/*   p1 = p0 + h F(t + h/2, Q, V),   q1 = q0 + h V,   Q = (q0 + q1)/2,   M(Q) V = (p0 + p1)/2,
 *   p = M(q) v,   F = T_q - V_q + f */
static int init(sb_method *me) { return one_step_init(me, 0.5, 0.5); }

SB_DEFINE_STEPPER(midpoint) = {
    .entry = {"midpoint", "implicit midpoint rule, by Newton's method", "notes11 (32)", one_step_params,
              sizeof(one_step_config)},
    .order = 2,
    .supports = SB_HAS_FORCE | SB_HAS_VARIABLE_MASS | SB_HAS_TIME_POTENTIAL,
    .keeps = SB_KEEPS_MOMENTA | SB_KEEPS_REVERSIBILITY,
    .init = init,
    .step = step,
};
