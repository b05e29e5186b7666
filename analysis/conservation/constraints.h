/* Constraint residuals of a run, at position and at velocity level. */
#ifndef STEPBENCH_ANALYSIS_CONSERVATION_CONSTRAINTS_H
#define STEPBENCH_ANALYSIS_CONSERVATION_CONSTRAINTS_H

#include "analysis/analysis.h"

typedef struct sb_constraint_residuals {
    double g, gv; /* largest |g_i|; largest |G_i v| or |A_i v - w_i| of the reported velocity */
    /* The same relative to the size of the row's terms: sum |G_ik| times the largest |q| of the run (the largest |v|,
     * at least |q| per time scale). */
    double relative_g, relative_gv;
    bool position, tangency;        /* relative_g is within 8 eps; relative_gv is within 16 eps */
    double rounding_g, rounding_gv; /* of g and gv: 8 and 16 eps of the largest row */
} sb_constraint_residuals;

/* Computes the largest residuals over all states of a run of `steps` steps of length h. */
int sb_constraint_residuals_measure(sb_context *ctx, sb_arena *arena, const sb_pair *pair, double h, long steps,
                                    sb_constraint_residuals *out);

#endif
