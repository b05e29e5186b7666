/* Violation: how far a run leaves its constraints, at position and at velocity level. */
#ifndef STEPBENCH_ANALYSIS_CONSERVATION_CONSTRAINTS_H
#define STEPBENCH_ANALYSIS_CONSERVATION_CONSTRAINTS_H

#include "analysis/analysis.h"

typedef struct sb_constraint_residuals {
    double g, gv;                   /* largest |g_i|; largest |G_i v| or |A_i v - w_i| of the reported velocity */
    double relative_g, relative_gv; /* the same over sum |G_ik| times the largest |q| of the run (|v|, or |q| a time scale), the size of the row's terms */
    bool position, tangency;        /* both within some roundings of those terms: 8 of g's, 16 of G v's */
} sb_constraint_residuals;

/* Over every step of a run. */
int sb_constraint_residuals_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps, sb_constraint_residuals *out);

#endif
