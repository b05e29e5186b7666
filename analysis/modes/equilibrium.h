/* A state of rest: where the forces f(t, q, 0) - V_q and the constraints' balance. Sparse throughout. */
#ifndef STEPBENCH_ANALYSIS_MODES_EQUILIBRIUM_H
#define STEPBENCH_ANALYSIS_MODES_EQUILIBRIUM_H

#include <stepbench/system.h>

/* q (entry value: where to look from) becomes an equilibrium, by Newton's iteration with a shift that makes V fall; for systems with holonomic
 * constraints. SB_NOT_CONVERGED when none is found. */
int sb_equilibrium_find(sb_context *ctx, const sb_system *sys, double t, double *q);

/* values on sys->H = c K, K = sum_i lambda_i Hess g_i - V_qq. */
int sb_equilibrium_stiffness(const sb_system *sys, const double *q, const double *lambda, double c, double *Hx);

#endif
