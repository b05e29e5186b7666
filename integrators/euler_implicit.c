/* Implicit Euler in (q, p), solved by Newton's method: notes11 (27) as corrected for a constant mass. */
#include "integrators/shared/implicit_one_step.h"

/*   M(q1) v1 = M(q0) v0 + h F(t + h, q1, v1),   q1 = q0 + h v1,   F = T_q - V_q + f */
static int init(sb_method *me) { return one_step_init(me, 1.0, 1.0); }

SB_DEFINE_STEPPER(euler_implicit) = {
    .entry = {"euler_implicit", "implicit Euler: everything at the end of the step, by Newton's method", "notes11 (27)",
              one_step_params, sizeof(one_step_config)},
    .order = 1,
    .supports = SB_HAS_FORCE | SB_HAS_VARIABLE_MASS | SB_HAS_TIME_POTENTIAL,
    .init = init,
    .step = step,
};
