/* Recurrence: the amplification matrix of a stepper on the oscillator, computed from steps of unit vectors. notes11
 * 3-7. On a linear system these are exact to round-off; the differences of step_map.h would lose three digits. */
#pragma once

#include "analysis/analysis.h"
#include "analysis/orbit.h"

/* A stepper on a linear system with one coordinate, m q'' = -m omega^2 q - m gamma q'. */
typedef struct sb_recurrence_probe {
    sb_method method;
    sb_orbit orbit;
    double omega, gamma; /* 1/s, from the system's terms */
} sb_recurrence_probe;

/* x_{k+1} = -a x_k - b x_{k-1}, notes11 (7). */
typedef struct sb_recurrence {
    double tau;
    double a, b;
    double r;          /* sqrt(b), notes11 (12); NaN if b < 0 */
    double phi;        /* argument of the roots in (0, pi), notes11 (13); NaN if they are real */
    double root[2][2]; /* real and imaginary part */
    double rounding;   /* error bound of the discriminant a^2/4 - b by round-off */
    bool linear;       /* one step is a linear map of the reported (q, v), and two steps are its square; else the other
                          results are NaN */
    bool stable;       /* every solution is bounded */
} sb_recurrence;

/* Sets up a probe. Fails with SB_UNSUPPORTED unless the system has one coordinate, no constraint and omega > 0. */
int sb_recurrence_open(sb_context *ctx, sb_arena *arena, const sb_pair *pair, sb_recurrence_probe *out);

/* Computes the recurrence at tau = h omega. The amplification matrix is R_1 R_0^-1, where column i of R_k is the
 * reported (q, v/omega) after k steps from the i-th unit vector; a is minus its trace, b its determinant. These are the
 * coefficients of the recurrence for the positions, whatever else the state of the method contains (half-step
 * velocities, a stored acceleration, the previous point).
 *
 * The solutions are bounded if both roots lie in the closed unit disc and there is no double root on the circle, for
 * which solutions grow linearly: (10) and (20) hold with strict inequality. A double root at +1 or -1 splits under
 * round-off d of the discriminant into roots sqrt(d) apart; two roots closer than that count as one. The amplification
 * matrix +-1 itself, whose double root has two eigenvectors, is bounded. */
int sb_recurrence_measure(sb_recurrence_probe *probe, double tau, sb_recurrence *out);

/* Computes the smallest unstable tau: bisects between the first two neighbours tau = k step, k = 1, 2, ..., up to
 * `end`, of which only the first is stable. 0 if the first is unstable, infinite if all are stable. Fails with
 * SB_UNSUPPORTED if the step is not linear. */
int sb_recurrence_limit(sb_recurrence_probe *probe, double step, double end, double *tau_max);

/* Sets the coefficients of notes11 for the stepper of this name, with the damping g = gamma h if the method takes
 * forces: verlet (19), euler_explicit (26), euler_implicit (30), midpoint (38). Returns false for other steppers. */
bool sb_recurrence_exact(const char *stepper, double tau, double g, double *a, double *b);
