/* What steppers that are made from a one-step stepper, their base, have in common. */
#ifndef STEPBENCH_INTEGRATORS_SHARED_COMPOUND_H
#define STEPBENCH_INTEGRATORS_SHARED_COMPOUND_H

#include "integrators/shared/multipliers.h"

/* The first member of the work of a compound. */
typedef struct compound_work {
    multipliers motion;
    sb_method base;
} compound_work;

/* Returns the compound, and the stepper that it is made from. */
const sb_compound *compound_of(const sb_method *me);
const sb_stepper *compound_base(const sb_method *me);

/* Returns whether a stepper takes steps of a fixed length that may change from step to step: a two-step method has
 * velocities that belong to its step. */
bool compound_takes(const sb_stepper *base);

/* Binds the base to a system, that of the compound or another form of it; sets me->work and me->naux. */
int compound_init(sb_method *me, const sb_system *sys, compound_work *work);

/* Sets start, report and momentum to those of the base, and lambda of a report to that of the equations of motion. */
void compound_set(sb_stepper *out);

#endif
