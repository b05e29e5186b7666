/* The work of forces, drivers and terms that depend on time along a run, and their impulse along the symmetries. */
#pragma once

#include <stepbench/numerics/dynamics.h>

/* Along the exact motion the energy and the momenta p . xi_i of the symmetries of T, V and the holonomic constraints
 * satisfy
 *
 *   dE/dt = f(t,q,v) . v + alpha . w(t) - lambda . g_t + V_t,     d(p . xi_i)/dt = xi_i(q) . (f + A(q)' alpha),
 *
 * with the multipliers lambda and alpha of the continuous equations at (t, q, v). Both are integrated along the states
 * of a run, from the interpolant of degree 8 in time that has the positions, velocities and accelerations of three
 * successive states; the accelerations are those of the continuous equations. With an interpolation error e = O(h^9) of
 * q, which vanishes at the states, the work of a step is in error by
 *
 *   int (P_q . e + P_v . e') dt = int (P_q - d/dt P_v) . e dt = O(h^10),     P the power,
 *
 * so that the order is 9, above that of every registered stepper but gauss with more than 4 stages. Five Gauss points
 * per step are of order 10. The work of the first step is of order 6 until the second step is known. */
typedef struct sb_applied_work {
    const sb_system *sys;
    sb_dynamics dyn;
    double h;
    long seen;                   /* states so far */
    double value, size;          /* since the first state: work, J, and the integral of |power| */
    double *impulse, *magnitude; /* for each symmetry: impulse along it, and the integral of its magnitude */
    struct sb_applied_work_scratch *scratch;
} sb_applied_work;

/* Returns whether forces, nonholonomic rows or terms that depend on time may do work. */
bool sb_applied_work_exists(const sb_system *sys);
/* Returns a sentence that states which other terms than forces and drivers change energy and momenta; NULL if there are
 * none. */
const char *sb_applied_work_excluded(const sb_system *sys);

/* Allocates the quadrature for runs with the step h (s). */
int sb_applied_work_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, double h, sb_applied_work *out);
/* Adds the next state, one step after the previous one. The first call sets the integrals to zero. Where the equations
 * of motion have no solution (SB_SINGULAR, SB_DOMAIN), the results are NaN from there on. */
int sb_applied_work_add(sb_applied_work *work, double t, const double *q, const double *v);
