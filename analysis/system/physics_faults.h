/* Faults of a stepper's motion that are no parameter of the mechanism. */
#pragma once

#include "analysis/system/physics_terms.h"

/* Poses and twists of all bodies after a tiny step. */
typedef struct sb_physics_end {
    const sb_scalar *pose, *twist;
} sb_physics_end;

/* Sets *out to a sentence if a body jumps: a step of h and one of h/4 from the terms' pose and twist change it by about
 * the same amount, above `size`/1000 for lengths and above a twentieth of `speed`, that of the motion, or of the
 * fastest body for velocities. */
int sb_physics_find_jump(sb_arena *arena, const sb_physics_terms *terms, double size, double speed,
                         const sb_physics_end *whole, const sb_physics_end *quarter, const char **out);

/* Sets the change of gravity that leaves least of the violation. Returns what is left, as below. */
double sb_physics_fit_gravity(const sb_physics_terms *terms, int equations, const double *violation,
                              const double *scale, double change[3]);

/* Sets *out to a sentence if another gravity leaves at most `most` of the relative violation of d'Alembert's principle,
 * the root of the mean square of violation/scale. A scale of 0 leaves an equation out. */
int sb_physics_find_gravity(sb_arena *arena, const sb_physics_terms *terms, int equations, const double *violation,
                            const double *scale, double most, const char **out);

/* Sets *out to a sentence if another order of the moments of inertia of all bodies leaves at most `most`. */
void sb_physics_find_order(const sb_physics_terms *terms, int equations, const double *violation, const double *scale,
                           double most, const char **out);
