/* The motion linearized at a state and frozen there: its matrices, its exponents, and a system of its own on which a
 * stepper's roots are computed. tisseur01. */
#pragma once

#include <complex.h>

#include "analysis/modes/spectra.h"

/* Displacements u = X y that the constraints allow obey
 *
 *   M y'' + C y' + K y = 0,     M = X' M X,   K = -X' R_q X - sum_i lambda_i X' Hess g_i X,   C = -X' R_v X,
 *   R(q, v) = T_q - T_vq v - V_q + f - M(q) a,
 *
 * with the multipliers lambda and the acceleration a of the state: V, forces of position and velocity, drag, Coriolis
 * and centrifugal terms, and the stiffness of the constraints. X spans the tangent space, column by column; where that
 * has more than 500 coordinates, the fastest modes without forces. An exponent is a solution of
 * (M lambda^2 + C lambda + K) x = 0: y = exp(lambda t) x.
 *
 * Left out: the turning of the tangent space along the motion, the change of the matrices with time, and the motion
 * off the constraints. */
typedef struct sb_linear_motion {
    const sb_system *sys;
    int k;                  /* columns of X */
    double *X;              /* n x k */
    double *M, *C, *K;      /* k x k, column-major */
    double *geometric;      /* k x k: the part of K that is due to the constraints */
    bool by_differences;    /* C and K are in part differences */
    bool undamped;          /* C = 0, and K is symmetric */
    double largest;         /* bound of the stiffness per mass: its round-off is n eps of it, 1/s^2 */
    double growth;          /* largest real part of an exponent, 1/s; 0: nothing grows */
    int count;              /* exponents; of a pair only the one with positive imaginary or, undamped, real part */
    double complex *lambda; /* count: the fastest first, 1/s; 0 if lambda^2 is round-off */
    double complex *modes;  /* k x count */
} sb_linear_motion;

/* Linearizes at (t, q, v), with arrays from the arena; `count` is the number of modes for sparse matrices. inertial:
 * with T_q - T_vq v - M(q) a in R, the forces of inertia that depend on the state. Sets *spectra (NULL: none), too.
 * Fails like sb_spectra_at. */
int sb_linear_motion_at(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_matrices matrices, int count,
                        bool inertial, double t, const double *q, const double *v, sb_linear_motion *out,
                        sb_spectra *spectra);

/* Removes what makes the linearized motion grow, if it grows: the negative part of the symmetric parts of K and C, and
 * the antisymmetric part of K. A frozen state does not decide whether the motion grows: a planet falls towards its sun,
 * and returns. What is left is bounded, so that growth is a stepper's. Sets the exponents again, but not `growth`. */
int sb_linear_motion_settle(sb_context *ctx, sb_arena *arena, sb_linear_motion *motion);

/* Sets shape (n) to the size of each coordinate in mode i. */
void sb_linear_motion_shape(const sb_linear_motion *motion, int i, double *shape);

/* Builds the motion as a system at rest in its equilibrium y = 0: at most `most` coordinates, the fastest modes if
 * there are more. The stiffness of the constraints is that of one constraint z - 1 + y' W y/2 = 0 with the force w, so
 * that a stepper treats it as it treats constraints. forces: with C and the antisymmetric part of K. */
int sb_linear_motion_system(sb_context *ctx, sb_arena *arena, const sb_linear_motion *motion, int most, bool forces,
                            sb_system *out);
