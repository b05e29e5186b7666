/* The implicit midpoint rule in (q, p), solved by Newton's method: notes11 (32) as corrected, for a constant mass. */
#include "integrators/shared/implicit_one_step.h"

static int init(sb_method *me) { return one_step_init(me, 0.5, 0.5); }

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    return one_step(me, &((const one_step_config *)me->config)->newton, in, h, out);
}

static const sb_param params[] = {
    SB_NEWTON_PARAMS(one_step_config),
    {.name = NULL},
};

SB_DEFINE_STEPPER(midpoint) = {
    .entry = {"midpoint", "implicit midpoint rule, by Newton's method", "notes11 (32)", params,
              sizeof(one_step_config)},
    .order = 2,
    .supports = SB_HAS_FORCE | SB_HAS_VARIABLE_MASS | SB_HAS_TIME_POTENTIAL,
    .keeps = SB_KEEPS_MOMENTA | SB_KEEPS_REVERSIBILITY,
    .init = init,
    .step = step,
};
