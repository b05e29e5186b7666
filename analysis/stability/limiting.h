/* The spring, damper or joint of a mechanism that a mode of its motion strains most. */
#pragma once

#include "analysis/modes/linear_motion.h"

/* Sets *name to the part of the world with the largest share of the energy of the fastest mode u exp(lambda t):
 * (stiffness + damping |lambda|) |y'|^2, where y' is the rate of its length, angle or displacement in the motion u. "":
 * the system has no world, or no part has a quarter of |lambda|^2 u' M u; then gravity or the constraints decide. */
int sb_limiting_part(sb_arena *arena, const sb_linear_motion *motion, const double *q, const char **name);
