/* Common functions of compounds, steppers that are made from a one-step stepper, their base. */
#pragma once

#include "integrators/shared/multipliers.h"

/* The first member of the work of a compound. */
typedef struct compound_work {
    multipliers motion;
    sb_method base;
} compound_work;

/* Returns the data of the compound, and the configuration of its own parameters. */
const void *sb_compound_data(const sb_method *me);
const void *sb_compound_config(const sb_method *me);

/* Returns whether a stepper takes steps of a given length that may change from step to step. A two-step method does
 * not, because its velocities belong to the length of its step, nor does a multistep method. */
bool sb_compound_takes(const sb_stepper *base);

/* Binds the base to a system, that of the compound or another form of it; sets me->work and me->naux. */
int sb_compound_init(sb_method *me, const sb_system *sys, compound_work *work);

/* Sets init and step to these functions, start and momentum to those of the base, and report to the multipliers of the
 * equations of motion. */
void sb_compound_set(sb_stepper *out, int (*init)(sb_method *me),
                     int (*step)(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out));
