/* Deviation of two runs of a method, from the initial state and from a perturbed initial velocity; and its growth in
 * the motion itself: chaos, unstable equilibria and branches, which no step can avoid. */
#pragma once

#include <stepbench/numerics/dynamics.h>

#include "analysis/analysis.h"
#include "analysis/orbit.h"

/* d is the difference of the positions, w = (d_k - d_{k-1})/h its two-point velocity, so that no report is needed, and
 * w' M w/2 its energy. */
typedef struct sb_deviation {
    sb_method method;
    sb_dynamics dyn;
    sb_orbit orbit[2];               /* unperturbed and perturbed */
    double h;                        /* s */
    long steps;                      /* number of steps taken */
    double growth;                   /* logarithm of the energy over that of the perturbation */
    double scale;                    /* logarithm of the product of the factors of sb_deviation_shrink */
    double first;                    /* energy of the perturbation: a step may reduce it to nothing */
    double *d0, *d1, *w, *p, *q, *v; /* the last two differences, their velocity; scratch */
} sb_deviation;

/* Allocates the runs from the arena. */
int sb_deviation_init(sb_context *ctx, sb_arena *arena, const sb_pair *pair, sb_deviation *out);

/* Sets w (n) to the velocity that impulses on all coordinates at q cause, with the largest component `speed`. Light
 * bodies, which have the stiffest modes, move fastest. The impulses are the fractional parts of the multiples of the
 * golden ratio, which do not repeat in a pattern to which a mode could be orthogonal. p (n) is scratch. Fails with
 * SB_UNSUPPORTED if the constraints leave no degree of freedom. */
int sb_deviation_kick(sb_context *ctx, sb_dynamics *dyn, double t, const double *q, double speed, double *p, double *w);

/* Starts both runs with step h, the second one with a kick of `speed` times the largest coordinate per time scale.
 * Fails like sb_deviation_kick. */
int sb_deviation_start(sb_deviation *d, double speed, double h);

/* Takes a step of both runs and sets d->growth. Fails like the step. */
int sb_deviation_step(sb_deviation *d);

/* Reduces the difference to its size at the last reduction if it has grown by more than 1e4 since then. Differences
 * stay small, and d->growth is not changed. */
void sb_deviation_shrink(sb_deviation *d);

/* Computes the fraction of the energy of w that is tangent to the constraint manifold at the unperturbed position. */
int sb_deviation_transversal(sb_deviation *d, double *share);

/* ---- The growth of the motion itself, from runs with a small step. ---- */

/* Returns the growth (a logarithm of an energy) up to which a motion can be predicted. With a growth of 1/eps^2
 * round-off is as large as the motion, and runs with other steps are other motions with the same exponent. */
static inline double sb_flow_predictable(void) { return -2.0 * log(DBL_EPSILON); }

/* The deviation of runs with a small step, continued on demand. */
typedef struct sb_flow {
    const sb_pair *pair;
    double speed, growth; /* kick and growth of sb_blowup_config */
    double resolved;      /* step that resolves the motion, s; 0: unknown */
    sb_arena *arena;
    sb_deviation runs;
    double h;              /* step of the runs, s; 0: not started */
    double most;           /* largest growth so far, a logarithm */
    long samples;          /* taken every 4 steps */
    double *largest, *own; /* at each sample: largest growth so far; growth of the motion so far */
    double end;            /* time at which a run failed, s; else infinite */
    const char *cause;     /* message of that failure */
    double rate;           /* largest exponent of `own` so far, 1/s */
} sb_flow;

/* Sets up a flow without running it. The memory is the arena's. */
void sb_flow_init(sb_arena *arena, const sb_pair *pair, double speed, double growth, double resolved, sb_flow *out);

/* Returns whether perturbations may have grown to the limit of predictability, after which only the exponent of the
 * growth is needed. 18 e-foldings determine it to about 1/sqrt(18) = 24 %, and a factor of 2 is allowed. */
bool sb_flow_is_settled(const sb_flow *flow);

/* Computes the growth of the motion itself up to the time t (s), a logarithm of an energy: twice the growth of runs
 * with a step of at most h/4 if that is exponential, else 0. Infinite if these runs fail before t.
 *
 * The growth of a run is exponential where it exceeds sqrt(`growth`) and has risen by a factor of 10 in the last half
 * of the time: a regular motion has growth t^2 by shear, a factor of 4; bounded motion none. Once found, exponential
 * growth is assumed at all later times. The factor 2 allows for the exponents of chaotic runs, which differ with the
 * step. The runs are followed to 1.25 t, because at h omega = 1.8 the phase of Verlet and similar methods advances
 * faster by this factor. They end when sb_flow_is_settled, and the growth is extrapolated with its exponent. With `far`
 * they end at twice that growth, because a motion that becomes infinite in finite time grows faster than any
 * exponential. Verdicts of instability use `far`; used for every motion it took up to half of the time of `blowup`. */
int sb_flow_growth(sb_flow *flow, double t, double h, bool far, double *own);
