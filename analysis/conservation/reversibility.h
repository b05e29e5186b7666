/* Reversal: steps forward and as many back. */
#ifndef STEPBENCH_ANALYSIS_CONSERVATION_REVERSIBILITY_H
#define STEPBENCH_ANALYSIS_CONSERVATION_REVERSIBILITY_H

#include "analysis/analysis.h"

typedef struct sb_reversibility {
    double q, v;     /* largest distance of a coordinate, and of a reported velocity, from where the run began */
    double path;     /* largest distance of a coordinate between there and the turning point */
    double rounding; /* what round-off may have made of q; of v rounding/h */
    bool reverses;   /* q <= rounding and v <= rounding/h */
} sb_reversibility;

/* `steps` steps of h from the initial state and as many of -h. A rounding eps |q| of a position is one of eps |q|/h in the velocity and moves every later
 * position by eps |q| a step: 2 steps of them make (2 steps)^2/2; a few roundings a step. */
int sb_reversibility_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, sb_reversibility *out);

#endif
