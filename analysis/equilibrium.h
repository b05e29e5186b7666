/* Equilibrium of a system: f(t, q, 0) - V_q + G lambda = 0, g = 0. All matrices are sparse. */
#pragma once

#include <stepbench/system.h>

/* Computes an equilibrium near the given q by Newton's iteration with a shift that makes V decrease or, if forces act
 * at rest, the acceleration. Fails with SB_UNSUPPORTED unless all constraints are holonomic and neither they nor V
 * depend on time, with SB_NOT_CONVERGED if no equilibrium is found, where q is then the last position, and with
 * SB_SINGULAR if the constraints are dependent there. */
int sb_equilibrium_find(sb_context *ctx, const sb_system *sys, double t, double *q);

/* Sets the values on sys->H to c K, K = sum_i lambda_i Hess g_i - V_qq at (t, q). */
int sb_equilibrium_stiffness(const sb_system *sys, double t, const double *q, const double *lambda, double c,
                             double *Hx);

/* Computes a bound of |omega^2| by Gershgorin's theorem, for a diagonal M with the values Mx, as if every multiplier
 * were as large as the largest: eps times it is the round-off of an omega^2, also where multipliers cancel. Hx (values
 * on sys->H) and work (holonomic.m) are scratch. */
int sb_equilibrium_bound(const sb_system *sys, double t, const double *q, const double *lambda, const double *Mx,
                         double *Hx, double *work, double *bound);
