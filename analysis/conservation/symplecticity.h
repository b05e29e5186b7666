/* Symplecticity: change of the symplectic form under the step map, on the tangent bundle of the constraint manifold. */
#ifndef STEPBENCH_ANALYSIS_CONSERVATION_SYMPLECTICITY_H
#define STEPBENCH_ANALYSIS_CONSERVATION_SYMPLECTICITY_H

#include "analysis/conservation/decision.h"

typedef struct sb_symplecticity {
    double defect; /* max_ij |Omega_N - Omega_0|_ij / sqrt(s_i s_j), s_i = max_j |Omega_0|_ij */
    double noise;  /* its uncertainty due to the numerical differentiation */
    sb_decision symplectic;
} sb_symplecticity;

/* Initial data about the system's initial state are parametrized by z in R^{2(n-m)} (tangent_bundle.h), started with
 * the step h and advanced by `steps` steps. With q(z) and the conjugate momentum p(z) (sb_method_momentum) the
 * pulled-back form is
 *
 *   Omega_ij = dq/dz_i . dp/dz_j - dq/dz_j . dp/dz_i,                  wm96 (3.7)
 *
 * once after the start and once after the steps. A row of it is proportional to the mass that its displacement moves:
 * the defect is relative to the rows, so that a light body counts as much as a heavy one. p is determined only up to
 * G(q) mu. This does not change the form: q(z) stays on g = 0, so dq/dz_i . G dmu/dz_j = 0, and the rest of the change,
 * dq/dz_i . (sum mu_a Hess g_a) dq/dz_j, is symmetric and cancels. Nor does a singular mass matrix, whose kernel is
 * normal to the manifold.
 *
 * Derivatives are central differences of eighth order with spacings d and d/2, d = 0.004 of the size of the motion.
 * With a singularity of the motion at distance rho, truncation is 9!/630 (d/rho)^8, 1e-14 at half the size; round-off
 * is eps size/d = 6e-14. `noise` is the larger of the difference between the two defects and that round-off,
 * accumulated over the steps as sqrt(steps); `symplectic` compares the defect with 10 noise (sb_decide). */
int sb_symplecticity_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps,
                             sb_symplecticity *out);

#endif
