/* The tolerance of a stepper with error control. */
#ifndef STEPBENCH_ANALYSIS_ACCURACY_TOLERANCE_H
#define STEPBENCH_ANALYSIS_ACCURACY_TOLERANCE_H

#include "analysis/analysis.h"

/* Returns the tolerance of a configuration; 0 for a stepper without error control. */
double sb_tolerance_of(const sb_stepper *stepper, const void *config);

/* Sets *out to a copy of the configuration with another tolerance. Fails with SB_BAD_USAGE if it is out of range. */
int sb_tolerance_set(sb_context *ctx, sb_arena *arena, const sb_stepper *stepper, const void *config, double tolerance,
                     const void **out);

/* Returns the exponent that a stepper claims for the errors of q and v as powers of the tolerance, or of the step if it
 * has no error control. */
double sb_claimed_power(const sb_pair *pair);

#endif
