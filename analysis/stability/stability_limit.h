/* How fast an oscillation a stepper bears: the largest tau = h omega at which it stays bounded, found by stepping models that have one frequency. */
#ifndef STEPBENCH_ANALYSIS_STABILITY_STABILITY_LIMIT_H
#define STEPBENCH_ANALYSIS_STABILITY_STABILITY_LIMIT_H

#include "analysis/analysis.h"

/* Where the stiffness comes from: from a potential, as on the oscillator; or from constraints alone, as on a pendulum near its lowest point. */
typedef enum sb_model { SB_MODEL_OSCILLATOR, SB_MODEL_PENDULUM } sb_model;

/* *stable: at this tau. SB_UNSUPPORTED (sentence in ctx) when the stepper takes no such model. */
int sb_stability_limit_holds(sb_context *ctx, const sb_stepper *type, const void *config, sb_model model, double tau, bool *stable);

/* The largest stable tau; infinite when all up to 64 are, 0 when the smallest tried is not. The oscillator's comes from the roots of the
 * recurrence (recurrence.h), exactly but for round-off; the pendulum's from runs of 1000 steps, to 5e-5. */
int sb_stability_limit_find(sb_context *ctx, const sb_stepper *type, const void *config, sb_model model, double *tau);

/* By what factor the stepper multiplies an oscillation in a period 2 pi/omega, of the oscillator: 1 where it is bounded. NaN where it is no
 * linear map there. */
int sb_stability_limit_growth(sb_context *ctx, const sb_stepper *type, const void *config, double tau, double *factor);

#endif
