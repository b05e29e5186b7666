/* What steppers that are made from a one-step stepper, their base, have in common. */
#ifndef STEPBENCH_INTEGRATORS_SHARED_COMPOUND_H
#define STEPBENCH_INTEGRATORS_SHARED_COMPOUND_H

#include <stepbench/numerics/dynamics.h>
#include <stepbench/stepper.h>

/* The first member of the work of a compound. */
typedef struct compound_work {
    sb_method base;
    sb_dynamics dyn;
    sb_scalar *a; /* n */
} compound_work;

/* Returns the compound, and the stepper that it is made from. */
const sb_compound *compound_of(const sb_method *me);
const sb_stepper *compound_base(const sb_method *me);

/* Returns whether a stepper takes steps of a fixed length that may change from step to step: a two-step method has
 * velocities that belong to its step. */
bool compound_takes(const sb_stepper *base);

/* Binds the base to the system; me->work and me->naux are set. */
int compound_init(sb_method *me, compound_work *work);

/* Sets start, report and momentum to those of the base, and lambda of a report to that of the equations of motion. */
void compound_set(sb_stepper *out);

#endif
