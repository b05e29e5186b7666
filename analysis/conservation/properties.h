/* Properties of a method that a run decides: constraints, momenta, reversibility, symplecticity. */
#pragma once

#include "analysis/decision.h"

/* ---- Constraint residuals, at position and at velocity level. ---- */

/* Round-off of a residual, relative to the size of its terms: see relative_g. */
#define SB_ROUNDING_G (8.0 * DBL_EPSILON)
#define SB_ROUNDING_GV (16.0 * DBL_EPSILON)

typedef struct sb_constraint_residuals {
    double g, gv; /* largest |g_i|; largest |G_i v| or |A_i v - w_i| of the reported velocity */
    /* The same relative to the size of the row's terms: sum |G_ik| times the largest |q| of the run (the largest |v|,
     * at least |q| per time scale). */
    double relative_g, relative_gv;
    bool position, tangency;        /* relative_g is within 8 eps; relative_gv is within 16 eps */
    double rounding_g, rounding_gv; /* round-off of g and gv: 8 and 16 eps of the largest row */
} sb_constraint_residuals;

/* Computes the largest residuals over all states of a run of `steps` steps of length h. */
int sb_constraint_residuals_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps,
                                    sb_constraint_residuals *out);

/* ---- The continuous and the discrete momentum map. ---- */

/* First state of the run: from (q, v), by the discrete Legendre transform if the method is a two-step method; or from
 * two points of the continuous motion as in wm96 4.6, for two-step methods only. */
typedef enum sb_momentum_start { SB_START_LEGENDRE, SB_START_PAIR } sb_momentum_start;

/* One momentum over one run: M v . xi(q) with the reported v, and p . xi(q) with the momentum p defined by the method,
 * wm96 (3.19). */
typedef struct sb_momentum {
    const char *name;
    double continuous;           /* momentum of the initial state */
    double discrete;             /* momentum of the first sample */
    double continuous_deviation; /* largest deviation of a sample from the first */
    double discrete_deviation;
    double impulse; /* impulse of forces and drivers along the symmetry; subtracted before the deviations are taken */

    double rounding;       /* estimate of the accumulated round-off */
    const char *excluded;  /* why the system does not conserve it; NULL: it does */
    sb_decision conserved; /* by discrete_deviation and rounding */
} sb_momentum;

/* Runs the pair and sets `momenta` (from the arena), one for every symmetry of the system. Fails with SB_UNSUPPORTED
 * for SB_START_PAIR and a one-step method. */
int sb_momentum_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, sb_momentum_start start, double h,
                        long steps, sb_momentum **momenta, int *count);

/* ---- Time reversibility: steps forward and as many back. ---- */

typedef struct sb_reversibility {
    double q, v;          /* largest difference of a coordinate and of a reported velocity from the initial state */
    double path;          /* largest difference of a coordinate from the initial state after the steps forward */
    bool moves;           /* path exceeds rounding */
    double rounding;      /* estimate of the accumulated round-off in q; in v it is rounding/h */
    sb_decision reverses; /* by q and rounding, and by v and rounding/h; unclear if nothing moves */
} sb_reversibility;

/* Takes `steps` steps of length h from the initial state and as many of length -h. A rounding error eps |q| of a
 * position causes an error eps |q|/h of the velocity, which moves every later position by eps |q| per step: over 2
 * steps steps this adds up to (2 steps)^2/2 eps |q|, times a few roundings per step. */
int sb_reversibility_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps,
                             sb_reversibility *out);

/* ---- Symplecticity on the tangent bundle of the constraint manifold. ---- */

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
