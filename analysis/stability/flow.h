/* Growth of a perturbation in the motion itself: chaos, unstable equilibria and branches, which no step can avoid. */
#ifndef STEPBENCH_ANALYSIS_STABILITY_FLOW_H
#define STEPBENCH_ANALYSIS_STABILITY_FLOW_H

#include <float.h>
#include <math.h>

#include "analysis/stability/deviation.h"

/* Returns the growth (a logarithm of an energy) up to which a motion can be predicted: with 1/epsilon^2, round-off has
 * grown to the size of the motion, and runs with other steps are other motions with the same exponent. */
static inline double sb_flow_predictable(void) { return -2.0 * log(DBL_EPSILON); }

/* The deviation of runs with a small step, continued on demand. */
typedef struct sb_flow {
    const sb_pair *pair;
    double kick, growth; /* as in sb_blowup_config */
    double resolved;     /* step that resolves the motion, s; 0: unknown */
    sb_arena *arena;
    sb_deviation runs;
    double h;              /* step of the runs, s; 0: not started */
    double most;           /* largest growth so far, a logarithm */
    long samples;          /* taken every 4 steps */
    double *largest, *own; /* of the samples: largest growth up to then; growth of the motion up to then */
    double end;            /* time at which a run failed, s; else infinite */
    const char *cause;     /* message of that failure */
    double rate;           /* largest exponent of `own` so far, 1/s */
} sb_flow;

/* Sets up a flow without running it. The memory is the arena's. */
void sb_flow_init(sb_arena *arena, const sb_pair *pair, double kick, double growth, double resolved, sb_flow *out);

/* Returns whether perturbations may have grown to the limit of predictability, after which only the exponent of the
 * growth is needed. It follows from 18 e-foldings to about 1/sqrt(18) = 24 %, where a factor of 2 is allowed. */
bool sb_flow_is_settled(const sb_flow *flow);

/* Computes the part of a growth (a logarithm of an energy) up to the time t (s) that is the motion's: twice the growth
 * of runs with a step of at most h/4, if that is exponential, else 0. Infinite if these runs fail before.
 *
 * The growth of a run is exponential where it exceeds sqrt(`growth`) and has risen by a factor of 10 in the last half
 * of the time: a regular motion has growth t^2 by shear, a factor of 4; bounded motion none. Once found it counts for
 * all later times. The factor 2 is for the exponents of chaotic runs with different steps, which differ although the
 * motion is the same. The runs are followed to 1.25 t: at h omega = 1.8 the phase of Verlet and similar methods is
 * ahead by this factor. They end when the flow is settled, after which the exponent counts; with `far`, at twice that
 * growth, because a motion that ends in finite time grows faster than with any exponent. Verdicts of instability use
 * `far`; using it for every motion took up to half of the time of `blowup`. */
int sb_flow_growth(sb_flow *flow, double t, double h, bool far, double *own);

#endif
