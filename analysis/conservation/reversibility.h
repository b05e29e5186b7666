/* Time reversibility: steps forward and as many back. */
#ifndef STEPBENCH_ANALYSIS_CONSERVATION_REVERSIBILITY_H
#define STEPBENCH_ANALYSIS_CONSERVATION_REVERSIBILITY_H

#include "analysis/conservation/decision.h"

typedef struct sb_reversibility {
    double q, v;          /* largest difference of a coordinate and of a reported velocity from the initial state */
    double path;          /* largest difference of a coordinate from the initial state after the steps forward */
    bool moves;           /* path exceeds rounding */
    double rounding;      /* estimate of the accumulated round-off in q; in v it is rounding/h */
    sb_decision reverses; /* by q and rounding, and by v and rounding/h; unclear if nothing moves */
} sb_reversibility;

/* Takes `steps` steps of length h from the initial state and as many of length -h. A rounding error eps |q| of a
 * position causes an error eps |q|/h of the velocity, which moves every later position by eps |q| per step: over 2
 * steps steps this adds up to (2 steps)^2/2 eps |q|, times a few roundings per step. */
int sb_reversibility_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps,
                             sb_reversibility *out);

#endif
