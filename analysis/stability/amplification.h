/* Amplification: the eigenvalues of any stepper's step at an equilibrium, constrained systems included. notes11 3, transv18. */
#ifndef STEPBENCH_ANALYSIS_STABILITY_AMPLIFICATION_H
#define STEPBENCH_ANALYSIS_STABILITY_AMPLIFICATION_H

#include "analysis/analysis.h"

/* An eigenvalue of the amplification matrix. */
typedef struct sb_root {
    double re, im, modulus;
    double tolerance;   /* how far the noise of the matrix may have moved it */
    double transversal; /* share of its mode's displacement that is tangent to the constraints, in [0, 1] */
    int multiplicity;   /* roots that are one to within their tolerances, this one included */
    bool defective;     /* of multiplicity above 1 with fewer eigenvectors than that */
} sb_root;

typedef enum sb_bounded { SB_BOUNDED, SB_GROWS_LINEARLY, SB_GROWS, SB_UNCLEAR } sb_bounded;
extern const char *const sb_bounded_name[]; /* "yes", "linear", "no", "unclear" */

typedef struct sb_amplification {
    double h;
    int count;
    sb_root *roots;            /* from the largest modulus to the smallest */
    double radius;             /* largest modulus */
    double transversal_radius; /* largest modulus of the modes that move along the constraints, transversal >= 1/2; 0 if there are none */
    double noise;              /* of the matrix */
    sb_bounded bounded;
} sb_amplification;

/* The Jacobian of the step as a map of its whole state (step_map.h) at its fixed point, and its roots. It has one root for every number the
 * state holds: those of the transversal modes, those of the constraint's own relaxation (0 where a step restores g = 0, 1 where
 * violations stay), and 0 for what a step doesn't read.
 *
 * Tolerance: an error d of the matrix A moves a root by d |y||x|/|y'x|, x and y its right and left eigenvectors. At a defective root of
 * multiplicity k the computed roots are d^(1/k) apart and their computed |y'x| is k d^((k-1)/k), so that this
 * same expression turns into the square root or cube root of d by itself: d^(1/k)/k. Where a block comes out exact, |y'x| = 0, the cube
 * root of d stands for it: no step has longer chains (position, velocity and the momentum or multiplier of the step before). Roots within 8
 * tolerances of each other are one (those of a block of 2 are 4 of its tolerances apart, of 3, 5.2); it is defective when |y'x| is below
 * 0.01, whereas the vectors of a multiple root that has them all are as independent as chance makes them.
 *
 * Verdict: bounded when all roots are in the closed unit disc, to within their tolerances; growing linearly when one on the circle is
 * defective and its mode transversal (Verlet at its limit, and free motion; a state off the constraints that a method never leaves them for
 * does not count); unclear when a tolerance is too large, 1/80, to tell which side of the circle a root is on. */
int sb_amplification_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, sb_amplification *out);

#endif
