/* Newmark's formulas with averaged accelerations, shared by newmark, hht, generalized_alpha and lie_generalized_alpha:
 * chung93, arnold07, bruels10. With velocities xi and v = B(q) xi on the group of shared/lie_system.h,
 *
 *   q1 = q0 exp(s),  s = h xi0 + h^2 ((1/2 - beta) a0 + beta a1),  xi1 = xi0 + h ((1 - gamma) a0 + gamma a1),
 *   (1 - alpha_m) a1 + alpha_m a0 = (1 - alpha_f) xi1' + alpha_f xi0',
 *   B1' (M(q1) q1'' - F(t1, q1, v1) - G(q1)' lambda1) = 0,  g(t1, q1) = 0.
 *
 * On a vector space exp is the sum, B = 1 and xi = v. */
#pragma once

#include <stepbench/numerics/newton.h>
#include <stepbench/plugin.h>

typedef struct alpha_coefficients {
    sb_scalar alpha_m, alpha_f, beta, gamma;
} alpha_coefficients;

/* Returns the coefficients of chung93,
 *
 *   alpha_m = (2 rho - 1)/(rho + 1),  alpha_f = rho/(rho + 1),
 *   gamma = 1/2 - alpha_m + alpha_f,  beta = (1 - alpha_m + alpha_f)^2/4,
 *
 * where rho is the spectral radius for steps that are long against the period. */
static inline alpha_coefficients alpha_of_radius(sb_scalar rho) {
    const sb_scalar alpha_m = (2.0 * rho - 1.0) / (rho + 1.0), alpha_f = rho / (rho + 1.0), d = alpha_f - alpha_m;
    return (alpha_coefficients){alpha_m, alpha_f, 0.25 * (1.0 + d) * (1.0 + d), 0.5 + d};
}

/* The radius in a parameter table, and the features that both methods with a radius support. */
#define ALPHA_PARAM_RHO(type)                                                                                          \
    SB_PARAM_REAL(type, rho, "0.8", 0.0, 1.0, SB_OPEN_HI, "",                                                          \
                  "spectral radius at infinite frequency; 1 damps nothing, and multipliers would not be stable")
#define ALPHA_SUPPORTS                                                                                                 \
    (SB_HAS_FORCE | SB_HAS_VARIABLE_MASS | SB_HAS_HOLONOMIC | SB_HAS_CURVED_HOLONOMIC | SB_HAS_SINGULAR_MASS |         \
     SB_HAS_RHEONOMIC | SB_HAS_TIME_POTENTIAL)

/* The first a and xi: a0 = xi'(0) and xi0; or a0 = xi'(delta), delta = (alpha_m - alpha_f) h, and with constraints xi0
 * + u as sb_alpha_method_start computes it. */
enum { ALPHA_EXACT, ALPHA_SHIFTED };
#define ALPHA_PARAM_START(type, initial)                                                                               \
    SB_PARAM_CHOICE(type, start, initial, "exact|shifted",                                                             \
                    "the first a: q'' at the start, or at the time (alpha_m - alpha_f) h to which a belongs, by the "  \
                    "difference over a step; with constraints shifted also takes the first step from a velocity of "   \
                    "h^2 off the constraints, and multipliers are of order two at once")

/* Initializes me->work; start: one of these; on_group: unit quaternions are moved by products, else they are
 * coordinates with a constraint. The state's aux holds a, xi' and, with a shifted start and constraints, u: 0 after the
 * first step. */
int sb_alpha_method_init(sb_method *me, alpha_coefficients c, const sb_newton *newton, int start, bool on_group);
/* The stepper's `start` and `step`. */
int sb_alpha_method_start(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar h,
                          sb_state *out);
int sb_alpha_method_step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out);
