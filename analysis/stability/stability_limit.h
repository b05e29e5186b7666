/* Stability limit of a stepper: the largest tau = h omega for which an oscillation stays bounded, on models with one
 * frequency. */
#ifndef STEPBENCH_ANALYSIS_STABILITY_STABILITY_LIMIT_H
#define STEPBENCH_ANALYSIS_STABILITY_STABILITY_LIMIT_H

#include "analysis/analysis.h"

/* Origin of the stiffness: a potential, as in the oscillator, or constraints alone, as in a pendulum near its lowest
 * point. */
typedef enum sb_model { SB_MODEL_OSCILLATOR, SB_MODEL_PENDULUM } sb_model;

/* Sets *stable for one tau. Fails with SB_UNSUPPORTED if the stepper does not take the model. */
int sb_stability_limit_holds(sb_context *ctx, const sb_stepper *type, const void *config, sb_model model, double tau,
                             bool *stable);

/* Computes the largest stable tau from the roots of the step (amplification.h), to 1e-7 and rounded: infinite if every
 * tau up to 64 is stable, 0 if the smallest tried, 1/16, is unstable. */
int sb_stability_limit_find(sb_context *ctx, const sb_stepper *type, const void *config, sb_model model, double *tau);

/* Computes the factor by which an oscillation of the oscillator grows per period 2 pi/omega: 1 if it is bounded, NaN if
 * the step fails. */
int sb_stability_limit_growth(sb_context *ctx, const sb_stepper *type, const void *config, double tau, double *factor);

#endif
