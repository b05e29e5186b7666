/* Measures of runs with contacts and dry friction: energy balance, residuals of the laws, creep. reg05. */
#pragma once

#include "analysis/analysis.h"

/* ---- The energy that a run loses, and the work of the forces that dissipate it. reg05 2.8. ---- */

/* Energies in J. A step from v0 to v1 changes T by the impulses times (v0 + v1)/2, exactly if M is constant and the
 * terms are evaluated where the method evaluates them, at q0 + at h v0. It changes V by the impulse of the potential
 * times the same mean, up to h/2 V_q (v1 - v0) to first order. Therefore `defect` is O(h). */
typedef struct sb_balance {
    double lost;        /* initial minus final energy */
    double friction;    /* work done against dry friction */
    double contacts;    /* energy taken by normal forces: impacts */
    double constraints; /* energy taken by bilateral constraints: stabilization, minus the work of drivers */
    double forces;      /* energy taken by forces without a potential */
    double defect;      /* lost minus the four */
    double size;        /* largest |T| + |V| */
} sb_balance;

/* Runs the pair for `steps` steps of length h and computes the balance. */
int sb_balance_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, double at,
                       sb_balance *out);

/* ---- Residuals of the contact law and of Coulomb's law of friction. reg05 (2.8), (2.10). ---- */

/* Largest values over all steps and rows; 0 if the laws hold. */
typedef struct sb_complementarity {
    double penetration; /* -xi at the end of a step, m */
    double adhesion;    /* -nu, N */
    double product;     /* h nu times the gap that is open at the end of the step, N s m */
    double cone;        /* |beta| beyond its bound limit + mu |lambda_of|, N */
    double driving;     /* power of friction along the slip, W */
    double normal;      /* largest nu, N, for comparison */
} sb_complementarity;

/* Runs the pair for `steps` steps of length h and computes the residuals. Fails with SB_UNSUPPORTED if the system has
 * no contacts and no dry friction. */
int sb_complementarity_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps,
                               sb_complementarity *out);

/* ---- Creep: the slip velocity of a body held by regularized dry friction. reg05 3.3, 4.1. ---- */

/* Means, over the second half of a run, of the friction row that slides fastest. With the regularization gamma a
 * sticking row obeys D v + gamma beta = 0, reg05 (4.4): its slip velocity is gamma |beta|, independent of the step. */
typedef struct sb_creep {
    double speed; /* m/s */
    double force; /* |beta|, N */
} sb_creep;

/* Runs the pair for `steps` steps of length h and computes the means. */
int sb_creep_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, sb_creep *out);
