/* Momentum: the continuous and the discrete momentum map of a run. */
#ifndef STEPBENCH_ANALYSIS_CONSERVATION_MOMENTUM_H
#define STEPBENCH_ANALYSIS_CONSERVATION_MOMENTUM_H

#include "analysis/conservation/decision.h"

/* First state of the run: from (q, v), by the discrete Legendre transform if the method is a two-step method; or from
 * two points of the continuous motion as in wm96 4.6, for two-step methods only. */
typedef enum sb_momentum_start { SB_START_LEGENDRE, SB_START_PAIR } sb_momentum_start;

/* One momentum over one run: M v . xi(q) with the reported v, and p . xi(q) with the momentum p defined by the method,
 * wm96 (3.19). */
typedef struct sb_momentum {
    const char *name;
    double continuous;           /* of the initial state */
    double discrete;             /* of the first sample */
    double continuous_deviation; /* largest deviation of a sample from the first */
    double discrete_deviation;
    double impulse; /* of forces and drivers along the symmetry; subtracted before the deviations are taken */

    double rounding;       /* estimate of the accumulated round-off */
    const char *excluded;  /* why the system does not conserve it; NULL: it does */
    sb_decision conserved; /* by discrete_deviation and rounding */
} sb_momentum;

/* Runs the pair and sets `momenta` (from the arena), one for every symmetry of the system. Fails with SB_UNSUPPORTED
 * for SB_START_PAIR and a one-step method. */
int sb_momentum_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, sb_momentum_start start, double h,
                        long steps, sb_momentum **momenta, int *count);

#endif
