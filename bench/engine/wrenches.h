/* The multipliers of a mechanism from the forces and torques of its joints on the bodies. */
#pragma once

#include <stepbench/method.h>
#include <stepbench/numerics/dynamics.h>

#include "bench/engine/world.h"

typedef struct sb_wrenches {
    bool known; /* the multipliers follow from wrenches */
    const sb_world *world;
    sb_dynamics dyn;
    sb_scalar *wrench; /* of all bodies, which the caller sets */
    sb_scalar *q, *unit, *p, *v, *mu, *pose, *twist;
} sb_wrenches;

/* Prepares for the system of the method. Systems with contacts, whose forces are others, with quaternions, whose
 * lengths have multipliers that are no forces, and with coordinates that deform bodies are not known. */
int sb_wrenches_init(const sb_method *method, const sb_world_start *start, sb_wrenches *out);

/* Computes the multipliers of the bilateral rows at a state from the wrenches. */
int sb_wrenches_solve(sb_wrenches *me, const sb_state *at, sb_scalar *lambda);
