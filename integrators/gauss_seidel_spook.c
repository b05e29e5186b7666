/* SPOOK with its linear system solved by a number of Gauss-Seidel sweeps, as interactive simulations do: spook07 (30),
 * reg05 5. */
#include <stdio.h>

#include "integrators/spook.h"

/*   S z = b,   S = G M^-1 G' + Sigma,   z_i -= (S z - b)_i/S_ii   for each row i in turn,
 *
 * on the Schur complement of spook.c, with the impulses of contacts and dry friction clamped to their bounds, which for
 * friction are those of the last step's normal forces. Then M v1 = M v + h F + G' z and q1 = q + h v1. Without contacts
 * and friction the start is that of spook, by a direct solver. As the sweeps become many, the steps tend to those of
 * spook with the same eps, tau and gamma, and friction=box. */
typedef struct config {
    spook_config rows;
    long sweeps;
    int start;
} config;

static const char *const starts[] = {"zero", "warm"};

/* Makes this the spook with pgs that it is. */
static int init(sb_method *me) {
    enum { SIZE = 64 };
    config *c;
    char *lcp;
    SB_NEW(me->arena, c, 1);
    SB_NEW(me->arena, lcp, SIZE);
    *c = *(const config *)me->config;
    snprintf(lcp, SIZE, "pgs:sweeps=%ld,tol=0,start=%s", c->sweeps, starts[c->start]);
    c->rows.common = (sb_velocity_config){
        .form = SB_VELOCITY_FORM_BOX,
        .solver = "auto",
        .contact = {.lcp = lcp, .friction = SB_FRICTION_BOX, .maxit = 1},
    };
    me->config = c;
    return sb_velocity_step_new(me, spook_rows);
}

static const sb_param params[] = {
    SB_PARAM_INT(config, sweeps, "10", 1.0, 1e6, "Gauss-Seidel sweeps per step"),
    SB_PARAM_CHOICE(config, start, "zero", "zero|warm",
                    "sweeps begin at zero, or at the impulses of the last step, which few sweeps do not keep bounded"),
    SPOOK_PARAMS(config, "0"),
    {.name = NULL},
};

SB_DEFINE_STEPPER(gauss_seidel_spook) = {
    .entry = {"gauss_seidel_spook", "SPOOK with Gauss-Seidel sweeps in place of a direct solver",
              "spook07 (30); reg05 5", params, sizeof(config)},
    .order = 2,
    .lower = {{SB_HAS_FORCE | SB_HAS_NONHOLONOMIC, 1}},
    .supports = SB_HAS_REDUNDANT | SB_HAS_FORCE | SB_HAS_HOLONOMIC | SB_HAS_CURVED_HOLONOMIC | SB_HAS_NONHOLONOMIC |
                SB_VELOCITY_STEP_CONTACTS | SB_HAS_RHEONOMIC | SB_HAS_TIME_POTENTIAL,
    .keeps = SB_KEEPS_MOMENTA,
    .compliance = "eps",
    .init = init,
    .start = sb_velocity_step_start,
    .step = sb_velocity_step_step,
    .report = sb_velocity_step_report,
    .momentum = sb_velocity_step_momentum,
};
