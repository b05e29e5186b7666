/* Implicit Euler in (q, p), solved by Newton's method: notes11 (27) as corrected, for a constant mass. */
#include "integrators/shared/implicit_one_step.h"

static int init(sb_method *me) { return one_step_init(me, 1.0, 1.0); }

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    return one_step(me, &((const one_step_config *)me->config)->newton, in, h, out);
}

static const sb_param params[] = {
    SB_NEWTON_PARAMS(one_step_config),
    {.name = NULL},
};

SB_DEFINE_STEPPER(euler_implicit) = {
    .entry = {"euler_implicit", "implicit Euler: everything at the end of the step, by Newton's method", "notes11 (27)",
              params, sizeof(one_step_config)},
    .order = 1,
    .supports = SB_HAS_FORCE | SB_HAS_VARIABLE_MASS | SB_HAS_TIME_POTENTIAL,
    .init = init,
    .step = step,
};
