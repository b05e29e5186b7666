/* Dense output: the motion between two states of a run by Hermite interpolation. hnw93 II.6. */
#ifndef STEPBENCH_ANALYSIS_DENSE_H
#define STEPBENCH_ANALYSIS_DENSE_H

#include <stepbench/numerics/dynamics.h>

enum { SB_DENSE_DEGREE = 5 };

/* The polynomial q(theta) = sum_k c_k theta^k, theta = (t - t0)/h, through position, velocity and acceleration at both
 * ends. The accelerations are those of the equations of motion, whatever the stepper. The interpolant differs from a
 * smooth motion by O(h^6) in q and by O(h^5) in v = q'; with errors O(h^p) of the states these become O(h^min(p,6)) and
 * O(h^min(p,5)). Cubics through (q, v) and (v, a) would give h^4 in both.
 *
 * Without accelerations the polynomial is the cubic through (q, v), O(h^4) and O(h^3): with contacts and dry friction,
 * whose forces are impulses, and where redundant constraints make the saddle matrix singular. */
typedef struct sb_dense {
    const sb_system *sys;
    sb_dynamics dyn;
    double h;
    double *c[SB_DENSE_DEGREE + 1]; /* n each */
    double *a[2];                   /* scratch */
} sb_dense;

/* Allocates from the arena. */
int sb_dense_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_dense *out);

/* Sets the polynomial between (t0, q0, v0) and (t1, q1, v1). */
int sb_dense_set(sb_dense *me, double t0, const double *q0, const double *v0, double t1, const double *q1,
                 const double *v1);

/* Computes q and v at theta in [0, 1]. */
void sb_dense_at(const sb_dense *me, double theta, double *q, double *v);

#endif
