/* The terms of d'Alembert's principle for a mechanism, one per parameter of it. */
#pragma once

#include <stepbench/system.h>

enum { SB_PHYSICS_EQUATIONS = 24 };

/* The first parameters. */
enum { SB_PHYSICS_GRAVITY, SB_PHYSICS_GYROSCOPIC, SB_PHYSICS_DRAG };

/* A parameter of the mechanism, and its terms in all equations. */
typedef struct sb_physics_parameter {
    const char *name;
    bool may_vanish; /* a factor of 0 means that it is missing, a negative one another sign; masses are positive */
    bool given;      /* the mechanism has it: its value is not 0 */
    double term[SB_PHYSICS_EQUATIONS];
} sb_physics_parameter;

typedef struct sb_physics_terms {
    const sb_world *world;
    sb_world_parts parts;
    sb_scalar *pose, *twist, *d; /* of all bodies; a virtual displacement */
    int count;
    sb_physics_parameter *parameters;
    double (*fall)[SB_PHYSICS_EQUATIONS]; /* terms of 1 m/s^2 of gravity along each axis */
} sb_physics_terms;

/* Sets the parts of the world, and the names of its parameters. The caller sets pose, twist and d. */
int sb_physics_terms_new(sb_arena *arena, const sb_world *world, sb_physics_terms *out);

/* Sets the terms of all parameters in an equation, for the rates of the twists of all bodies. Returns the sum of those
 * that are forces of the mechanism. */
double sb_physics_terms_set(const sb_physics_terms *m, int equation, const sb_scalar *rate);
