/* The families of check systems: their parameters, the functions that set their terms, and their exact solutions. */
#pragma once

#include <stepbench/system.h>

typedef enum sb_planar_row {
    SB_PLANAR_FREE,
    SB_PLANAR_CIRCLE,
    SB_PLANAR_CATENARY,
    SB_PLANAR_DRIVEN,
    SB_PLANAR_STEERED
} sb_planar_row;

/* A particle of mass 1 at x in the plane, in oblique coordinates q, with at most one row. With z = x1 + i x2:
 * z'' = -k z - drag z' + i gyro z' + i (curl + torque cos(rate t)) z + push e^(i rate t) + the force of the row. */
typedef struct sb_planar {
    double k, drag, gyro, curl, torque, push, rate;
    sb_planar_row row;
} sb_planar;

/* An isotropic oscillator z'' = -z - drag z' in polar coordinates, free or on the line x2 = 1/2. */
typedef struct sb_polar {
    double drag;
    bool line;
} sb_polar;

/* Set the terms of a system. sb_check_quartic: the oscillator q'' = -q^3; sb_check_knife: a knife edge that turns at a
 * constant rate, its centre of mass slowed by a drag, which is its parameter. Fail with SB_NO_MEMORY. */
int sb_check_planar(sb_arena *arena, const void *parameters, sb_system *out);
int sb_check_polar(sb_arena *arena, const void *parameters, sb_system *out);
int sb_check_quartic(sb_arena *arena, const void *parameters, sb_system *out);
int sb_check_knife(sb_arena *arena, const void *parameters, sb_system *out);

/* Compute the exact solution at time t (s): q, v and, where the system has a row, its multiplier. */
int sb_check_planar_motion(const void *parameters, double t, double *q, double *v, double *lambda);
int sb_check_polar_motion(const void *parameters, double t, double *q, double *v, double *lambda);
int sb_check_quartic_motion(const void *parameters, double t, double *q, double *v, double *lambda);
int sb_check_knife_motion(const void *parameters, double t, double *q, double *v, double *lambda);
