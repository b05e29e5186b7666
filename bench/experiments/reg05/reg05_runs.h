/* The pendulum of reg05 6.1, released at rest at (1, 0), with g = 10, m = l = 1 and Phi = |x| - 1: runs of the paper's
 * two steppers and of three for comparison. */
#pragma once

#include "bench/runner/experiment.h"

#define SB_REG05_G 10.0
#define SB_REG05_PENDULUM "pendulum:m=1,l=1,g=10,theta0=1.5707963267948966,constraint=norm"
/* The paper's step, s. */
#define SB_REG05_H (1.0 / 60.0)
/* The duration of the figures, s. */
#define SB_REG05_SHOWN 20.0
/* The period of the exact motion, 4 K(1/sqrt 2) sqrt(l/g), s. */
#define SB_REG05_SWING (4.0 * 1.8540746773013719 / 3.1622776601683795)

typedef enum sb_reg05_method {
    SB_REG05_IMPLICIT, /* (6.3): linearly implicit Euler on the springs */
    SB_REG05_NEWTON,   /* implicit Euler on the same springs, Newton's iteration converged */
    SB_REG05_REG,      /* (4.4), started as in the paper: with the initial velocity */
    SB_REG05_HALF,     /* (4.4), started half a step earlier */
    SB_REG05_DAMPED,   /* (4.4), started as in the paper, with the relaxation time c b = 2 h; not for c = 0 */
    SB_REG05_METHODS
} sb_reg05_method;

/* Samples after every step, the initial state first. A run that fails ends early. */
typedef struct sb_reg05_run {
    double h;
    long steps;
    double *t, *q, *v;              /* q and v: pairs */
    double *energy, *violation, *x; /* v.v/2 + 10 y, without the springs (J); | |x| - 1 | (m); |x| of the mass (m) */
    const char *failure;            /* message of the failure; NULL: none */
    double fall;                    /* time when x first becomes negative, interpolated (s); NaN: it does not */
} sb_reg05_run;

/* Runs a method with the compliance c and the step h to t_end. c = 0 is for the regularized stepper only. */
int sb_reg05_pendulum(sb_bench *bench, sb_reg05_method method, double c, double h, double t_end, sb_reg05_run *out);

/* Returns the largest of the samples with t in [from, to]. */
double sb_reg05_max(const sb_reg05_run *run, const double *samples, double from, double to);
/* Returns the loss of the mean energy of a swing between the first swing and the one that ends at t, J. */
double sb_reg05_loss(const sb_reg05_run *run, double t);

/* Returns the energy that the regularized stepper takes in the first swing, J, by the power
 *
 *   (3/2) m h^3 (v a)^2 + h c lambda'^2,   a = v',
 *
 * for l = 1. c = 0: a step goes along the tangent, so that theta' = theta + atan(h v), and
 *
 *   v' = v cos atan(h v) + |Phi| sin atan(h v)/h + h a' = v + h a' - h^3 a v^2 + h^4 v a^2/2 + O(h^5),
 *
 * since Phi = (h v)^2/2 - (h v)^4/8 of the step before. About the middle of the kick, a and v are a - h v a_theta and v
 * + h a/2; the part of the power that is even in time is h^3 (v^4 a_theta + (3/2) v^2 a^2), whose mean is that of
 * -(3/2) h^3 v^2 a^2. c > 0: the spring's force belongs to the end of the step, lambda = -(Phi + h Phi')/c, which is a
 * damper h/c; Phi' = -c lambda'. From rest at the horizontal v^2 = 2 g cos(theta), a = -g sin(theta), lambda' = 3 v a,
 * and the integral of (v a)^2 over a swing is 4 g^2 sqrt(2 g) B(3/2, 3/4)/2. */
double sb_reg05_swing_loss(double h, double c);

/* Returns the time after which the energy above `rest` stays below half of its initial value, s; NaN: none. */
double sb_reg05_half_life(const sb_reg05_run *run, double rest);

/* Writes positions, energies and violations of the runs of the first three methods, with equal steps, to t =
 * SB_REG05_SHOWN as CSV. */
int sb_reg05_save(sb_bench *bench, const sb_reg05_run *runs, const char *name);
