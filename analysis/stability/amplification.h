/* Amplification: the eigenvalues of the step of any stepper at an equilibrium, constrained systems included. notes11 3,
 * transv18. */
#pragma once

#include "analysis/analysis.h"
#include "analysis/stability/bisect.h"

/* An eigenvalue of the amplification matrix. */
typedef struct sb_root {
    double re, im, modulus;
    double tolerance;   /* error bound from that of the matrix */
    double transversal; /* fraction of the displacement of its mode that is tangent to the constraint manifold, in [0,
                           1] */
    int multiplicity;   /* number of roots equal to this one within the tolerances, itself included */
    bool defective;     /* a root of multiplicity above 1 with fewer eigenvectors than that */
} sb_root;

typedef struct sb_amplification {
    double h;
    int count;
    sb_root *roots;            /* the largest modulus first */
    double radius;             /* largest modulus */
    double transversal_radius; /* largest modulus of the modes with transversal >= 1/2; 0 if there are none */
    double noise;              /* error bound of an entry of the matrix */
    sb_bounded bounded;
} sb_amplification;

/* Computes the Jacobian of the step as a map of its whole state (step_map.h) at its fixed point, and its eigenvalues.
 * There is one root for every number of the state: those of the tangent modes, those of the stabilization of the
 * constraints (0 if a step restores g = 0, 1 if residuals persist), and 0 for numbers that a step does not use.
 *
 * Tolerance: an error d of the matrix A changes a root by d |y||x|/|y'x|, x and y its right and left eigenvectors. At a
 * defective root of multiplicity k the computed roots are d^(1/k) apart and their computed |y'x| is k d^((k-1)/k), so
 * that the same expression becomes d^(1/k)/k. For an exact Jordan block, |y'x| = 0, the cube root of d is used: no
 * step has longer chains (position, velocity and the momentum or multiplier of the previous step). Roots within 8
 * tolerances of each other are taken as equal; the distance of those of a Jordan block of size 2 is 4 tolerances, of
 * size 3 5.2. A multiple root may be defective if |y'x| is below 30 sqrt(d); for a Jordan block it is at most 2
 * sqrt(d). If the root has all its eigenvectors, |y'x| is of order one, but since these are arbitrary it may be small
 * by chance: a root near the circle is defective only if A - root has fewer singular values below the error of A than
 * the multiplicity.
 *
 * Result: bounded if all roots are in the closed unit disc to within their tolerances; growing linearly if a root on
 * the circle is defective and its mode tangent (Verlet at its limit; a residual of the constraints that a method
 * preserves does not count); drifting if that root is 1 to within 8 sqrt(d), and belongs to a free motion of the
 * system; unclear if the tolerance of a root, above 1/80, is too large to decide on which side of the circle it lies.
 */
int sb_amplification_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, sb_amplification *out);

/* A step in brief, for a search. */
typedef struct sb_step_result {
    sb_bounded bounded;  /* SB_GROWS for a step that fails */
    double radius;       /* NaN for a step that fails */
    bool dissipates;     /* an oscillation decays */
    bool nowhere;        /* the step has no fixed point */
    const char *failure; /* message of a step that failed, from the arena, else NULL */
} sb_step_result;

/* Examines the step; its failure is a result. */
int sb_amplification_examine(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, sb_step_result *out);

/* The search for the largest stable step of a pair, by the roots of its steps. */
typedef struct sb_root_search {
    sb_context *ctx;
    sb_arena *arena; /* holds the messages of failures */
    const sb_pair *pair;
    bool examined;         /* a step had a result */
    sb_step_result beyond; /* the last step that is not stable */
} sb_root_search;

/* The verdict on a step of a search, a sb_step_verdict. */
int sb_root_judge(void *search, double h, sb_bounded *verdict);
