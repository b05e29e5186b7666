/* Jitter: energy of velocities that alternate from step to step, tangent and orthogonal to the constraint manifold.
 * transv18. */
#pragma once

#include <stepbench/numerics/dynamics.h>

typedef struct sb_jitter {
    double constraint, transversal; /* J; orthogonal and tangential part */
} sb_jitter;

/* Computes J = s' M s/2 with s = (v2 - 2 v1 + v0)/4 from the velocities of three successive steps. For velocities a +
 * (-1)^k b it is the kinetic energy of b; for a smooth motion it is of fourth order in h. s is the sum of its
 * tangential part at (t, q), M s_t = M s + G mu with G' s_t = 0, and the rest; the two are orthogonal in M, so that
 * their energies add up. `work` has room for 3 n doubles. */
int sb_jitter_measure(sb_dynamics *dyn, double t, const double *q, const double *v0, const double *v1, const double *v2,
                      double *work, sb_jitter *out);
