/* Multipliers of the equations of motion of index 1 at (q, v): the first ones of a run, and those that are reported by
 * methods whose own are of a lower order. */
#pragma once

#include <stepbench/method.h>
#include <stepbench/numerics/dynamics.h>

/* The first member of the work of a stepper that has one of the functions below. */
typedef struct multipliers {
    sb_dynamics dyn;
    sb_scalar *a; /* n */
} multipliers;

int sb_multipliers_init(const sb_method *me, multipliers *out);
/* The stepper's `start`: sets the multipliers of the start. */
int sb_multipliers_start(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar h,
                         sb_state *out);
/* The stepper's `report`: the velocity of the state, and these multipliers. */
int sb_multipliers_report(const sb_method *me, const sb_state *in, const sb_state *next, sb_scalar *v,
                          sb_scalar *lambda);
