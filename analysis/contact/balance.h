/* Energy balance: the energy that a run loses and the work of the forces that dissipate it. reg05 2.8. */
#ifndef STEPBENCH_ANALYSIS_CONTACT_BALANCE_H
#define STEPBENCH_ANALYSIS_CONTACT_BALANCE_H

#include "analysis/analysis.h"

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

#endif
