/* Orbit: the successive states of a method, one step at a time. */
#pragma once

#include <stepbench/method.h>

typedef struct sb_orbit {
    const sb_method *method;
    sb_state now, next; /* the current state; the one before it, which the next step overwrites */
} sb_orbit;

/* Allocates an orbit of `method` from the arena. */
int sb_orbit_init(const sb_method *method, sb_arena *arena, sb_orbit *out);

/* Starts from (t, q, v), or from the system's initial state if q is NULL, with the step h. */
int sb_orbit_start(sb_orbit *orbit, double t, const double *q, const double *v, double h);

/* Advances orbit->now by `steps` steps of length h, which may be negative. Fails like sb_method_step; orbit->now is
 * then the state before the step that failed. */
int sb_orbit_advance(sb_orbit *orbit, double h, long steps);
