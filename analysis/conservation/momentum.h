/* Momentum: continuous and discrete momentum maps of a run. */
#ifndef STEPBENCH_ANALYSIS_CONSERVATION_MOMENTUM_H
#define STEPBENCH_ANALYSIS_CONSERVATION_MOMENTUM_H

#include "analysis/analysis.h"

/* How the run gets its first state: from (q, v), by the discrete Legendre transform where the method has two points; or from two points of
 * the continuous motion, as in wm96 4.6, which needs a two-step method. */
typedef enum sb_momentum_start { SB_START_LEGENDRE, SB_START_PAIR } sb_momentum_start;

/* One momentum over one run: M v . xi(q) with the reported v, and p . xi(q) with the method's own p, wm96 (3.19). */
typedef struct sb_momentum {
    const char *name;
    double continuous;           /* of the initial state */
    double discrete;             /* of the first sample */
    double continuous_deviation; /* largest over all samples, from the first one's */
    double discrete_deviation;
    double rounding; /* what accumulated round-off may amount to */
    bool conserved;  /* discrete_deviation <= rounding */
} sb_momentum;

/* Runs the pair and sets `momenta` (from the arena) for every symmetry of the system. */
int sb_momentum_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, sb_momentum_start start, double h, long steps,
                        sb_momentum **momenta, int *count);

#endif
