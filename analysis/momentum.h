/* Momentum: continuous and discrete momentum maps of a run. */
#ifndef STEPBENCH_ANALYSIS_MOMENTUM_H
#define STEPBENCH_ANALYSIS_MOMENTUM_H

#include "analysis/analysis.h"

/* One momentum over one run: J = M v . xi(q) with the reported v, and p . xi(q) with the method's own p, wm96 (3.19). */
typedef struct sb_momentum {
    const char *name;
    double continuous, discrete;                      /* at the start */
    double continuous_deviation, discrete_deviation;  /* largest, over all steps */
    double rounding;                                  /* what accumulated round-off may amount to */
    bool conserved;                                   /* discrete_deviation <= rounding */
} sb_momentum;

/* Runs the pair and sets `momenta` (from the arena) for every symmetry of the system. */
int sb_momentum_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, sb_momentum **momenta, int *count);

#endif
