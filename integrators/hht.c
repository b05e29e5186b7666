/* The method of Hilber, Hughes and Taylor: hilber77. integrators/shared/alpha_method.h with
 *
 *   alpha_m = 0,  alpha_f = alpha,  gamma = 1/2 + alpha,  beta = (1 + alpha)^2/4,  0 <= alpha <= 1/3.
 *
 * alpha is that of chung93; hilber77 write -alpha for it. */
#include "integrators/shared/alpha_method.h"

typedef struct config {
    sb_scalar alpha;
    int start;
    sb_newton newton;
} config;

static int init(sb_method *me) {
    const config *c = me->config;
    const sb_scalar a = c->alpha;
    return sb_alpha_method_init(me, (alpha_coefficients){0.0, a, 0.25 * (1.0 + a) * (1.0 + a), 0.5 + a}, &c->newton,
                                c->start, false);
}

static const sb_param params[] = {
    SB_PARAM_REAL(config, alpha, "0.05", 0.0, 1.0 / 3.0, SB_CLOSED, "",
                  "damping, -alpha of hilber77: 0 is Newmark's method without any"),
    ALPHA_PARAM_START(config, "exact"),
    SB_NEWTON_PARAMS(config),
    {.name = NULL},
};

SB_DEFINE_STEPPER(hht) = {
    .entry = {"hht", "Hilber, Hughes and Taylor's method: Newmark's with damping of high frequencies", "hilber77",
              params, sizeof(config)},
    .order = 2,
    .supports = SB_HAS_FORCE | SB_HAS_VARIABLE_MASS | SB_HAS_TIME_POTENTIAL,
    .init = init,
    .start = sb_alpha_method_start,
    .step = sb_alpha_method_step,
};
