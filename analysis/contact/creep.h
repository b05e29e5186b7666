/* Creep: the slip velocity of a body held by regularized dry friction. reg05 3.3, 4.1. */
#ifndef STEPBENCH_ANALYSIS_CONTACT_CREEP_H
#define STEPBENCH_ANALYSIS_CONTACT_CREEP_H

#include "analysis/accuracy/fit.h"
#include "analysis/analysis.h"

/* Means, over the second half of a run, of the friction row that slides fastest. With the regularization gamma a
 * sticking row obeys D v + gamma beta = 0, reg05 (4.4): its slip velocity is gamma |beta|, independent of the step. */
typedef struct sb_creep {
    double speed; /* m/s */
    double force; /* |beta|, N */
} sb_creep;

/* Runs the pair for `steps` steps of length h and computes the means. */
int sb_creep_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, sb_creep *out);

#endif
