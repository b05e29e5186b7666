/* Recurrence: what a stepper makes of the oscillator, measured by stepping basis vectors. notes11 3-7. */
#ifndef STEPBENCH_ANALYSIS_STABILITY_RECURRENCE_H
#define STEPBENCH_ANALYSIS_STABILITY_RECURRENCE_H

#include "analysis/analysis.h"

/* A stepper on a linear system of one coordinate, m q'' = -m omega^2 q - m gamma q', ready to be asked at any tau = h omega. */
typedef struct sb_recurrence_probe {
    sb_method method;
    sb_state now, next;
    double omega, gamma; /* 1/s, read from the system's terms */
} sb_recurrence_probe;

/* x_{k+1} = -a x_k - b x_{k-1}, notes11 (7). */
typedef struct sb_recurrence {
    double tau;
    double a, b;
    double r;          /* sqrt(b), notes11 (12); NaN when b < 0 */
    double phi;        /* angle of the roots in (0, pi), notes11 (13); NaN when they are real */
    double root[2][2]; /* real and imaginary part */
    double rounding;   /* how far round-off may have moved the discriminant a^2/4 - b */
    bool linear;       /* the reported (q, v) of one step is a linear map, and two steps are its square; else the rest is NaN */
    bool stable;       /* every solution stays bounded */
} sb_recurrence;

/* SB_UNSUPPORTED (sentence in ctx) unless the system has one coordinate, no constraint and omega > 0. */
int sb_recurrence_open(sb_context *ctx, sb_arena *arena, const sb_pair *pair, sb_recurrence_probe *out);
void sb_recurrence_close(sb_recurrence_probe *probe);

/* The amplification matrix is R_1 R_0^-1, where column i of R_k is the reported (q, v/omega) after k steps from start in the i-th unit
 * vector; a is minus its trace, b its determinant. Whatever the method keeps inside (half-step velocities, a cached acceleration, the last
 * point), these are the coefficients of the recurrence its positions obey.
 *
 * Verdict: bounded when both roots lie in the closed unit disc and no double root lies on the circle; there
 * solutions grow linearly, so that (10) and (20) hold with a strict sign. A double root at +1 or -1 splits under round-off d of the
 * discriminant into roots sqrt(d) apart: below that distance two roots count as one. The amplification matrix +-1 itself,
 * whose double root has two eigenvectors, is bounded. */
int sb_recurrence_measure(const sb_recurrence_probe *probe, double tau, sb_recurrence *out);

/* The smallest tau at which the stepper is unstable, by bisection between the first two neighbours of tau = k step, k = 1, 2, ...,
 * up to `end`, of which only the first is stable. 0 when the first is not, infinity when all are. */
int sb_recurrence_limit(const sb_recurrence_probe *probe, double step, double end, double *tau_max);

/* The coefficients notes11 gives for the stepper of this name, with damping g = gamma h worked in where the method takes forces; false
 * where there are none: verlet (19), euler_explicit (26), euler_implicit (30), midpoint (38). */
bool sb_recurrence_exact(const char *stepper, double tau, double g, double *a, double *b);

#endif
