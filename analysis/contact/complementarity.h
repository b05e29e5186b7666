/* Complementarity: how far a run is from the laws of contact and dry friction. reg05 (2.8), (2.10). */
#ifndef STEPBENCH_ANALYSIS_CONTACT_COMPLEMENTARITY_H
#define STEPBENCH_ANALYSIS_CONTACT_COMPLEMENTARITY_H

#include "analysis/analysis.h"

typedef struct sb_complementarity_config {
    sb_reals h;
    double t_end;
} sb_complementarity_config;

/* Largest over all steps and rows; 0 where the law holds. */
typedef struct sb_complementarity {
    double penetration; /* -xi at the end of a step, m */
    double adhesion;    /* -nu, N */
    double product;     /* h nu times the gap that is open at the end of the step, N s m */
    double cone;        /* |beta| beyond its bound limit + mu |lambda_of|, N */
    double driving;     /* power of friction along the slip, W */
    double normal;      /* largest nu, N: what the forces are to be compared with */
} sb_complementarity;

int sb_complementarity_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, sb_complementarity *out);

#endif
