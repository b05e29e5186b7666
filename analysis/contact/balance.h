/* Balance: the energy a run loses against the work of what may take it. reg05 2.8. */
#ifndef STEPBENCH_ANALYSIS_CONTACT_BALANCE_H
#define STEPBENCH_ANALYSIS_CONTACT_BALANCE_H

#include "analysis/analysis.h"

typedef struct sb_balance_config {
    sb_reals h;
    double t_end, at;
} sb_balance_config;

/* All in J. A step from v0 to v1 changes T by the impulses times (v0 + v1)/2, exactly where M is constant and the terms are taken where
 * the method takes them, at q0 + at h v0; V by more or less than the potential's impulse, h/2 V_q (v1 - v0) at most to first order. So
 * `defect` is O(h). */
typedef struct sb_balance {
    double lost;        /* energy at the start less that at the end */
    double friction;    /* work done against dry friction */
    double contacts;    /* taken by normal forces: impacts */
    double constraints; /* taken by bilateral rows: relaxation, less what drivers put in */
    double forces;      /* taken by forces that are no potential's */
    double defect;      /* lost, less the four */
    double size;        /* largest |T| + |V| */
} sb_balance;

int sb_balance_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, double at, sb_balance *out);

#endif
