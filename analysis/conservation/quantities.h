/* The quantities a system keeps: its energy, the momenta of its symmetries, the outputs it calls invariant. */
#ifndef STEPBENCH_ANALYSIS_CONSERVATION_QUANTITIES_H
#define STEPBENCH_ANALYSIS_CONSERVATION_QUANTITIES_H

#include <stepbench/numerics/dynamics.h>

typedef struct sb_quantities {
    const sb_system *sys;
    sb_dynamics dyn;
    int count; /* energy first, then the momenta, then the invariant outputs */
    const char **names;
    double *p, *xi, *outputs;
    int *output; /* index of each invariant output */
} sb_quantities;

int sb_quantities_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_quantities *out);
void sb_quantities_fini(sb_quantities *qs);

/* Values at (t, q, v), and (unless NULL) the sizes that round-off is measured by: the sum of the magnitudes of each one's terms. */
int sb_quantities_value(sb_quantities *qs, double t, const double *q, const double *v, double *value, double *size);

/* <p, xi_i(q)> for every momentum i, and the sum of the magnitudes of its terms (each may be NULL). */
int sb_quantities_pair(sb_quantities *qs, const double *q, const double *p, double *momentum, double *size);

/* The largest positions and velocities of a run. */
typedef struct sb_extent {
    double q, v;
} sb_extent;

void sb_extent_add(sb_extent *extent, int n, const double *q, const double *v);

/* What round-off may have done to a quantity whose terms are of the given size after `steps` steps of length h. A rounding is one of eps,
 * or of eps (1 + max|q|/(h max|v|)) when velocities are formed from positions a step apart; a step makes some ten of them, and three
 * standard deviations of a sum of 10 steps independent ones are 10 sqrt(steps). */
double sb_accumulated_rounding(const sb_extent *extent, double size, double h, long steps);

#endif
