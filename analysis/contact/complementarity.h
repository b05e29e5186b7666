/* Residuals of the contact law and of Coulomb's law of friction over a run. reg05 (2.8), (2.10). */
#ifndef STEPBENCH_ANALYSIS_CONTACT_COMPLEMENTARITY_H
#define STEPBENCH_ANALYSIS_CONTACT_COMPLEMENTARITY_H

#include "analysis/analysis.h"

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

#endif
