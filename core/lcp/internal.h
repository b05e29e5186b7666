/* What the solvers of box linear complementarity problems share. */
#ifndef STEPBENCH_CORE_LCP_INTERNAL_H
#define STEPBENCH_CORE_LCP_INTERNAL_H

#include <math.h>

#include <stepbench/numerics/lcp.h>

/* A_ii, or 1 for a row that is empty: any positive number will do there. */
static inline double sb_lcp_diagonal(const sb_pattern *A, const double *Ax, int i) {
    const double a = Ax[sb_pattern_find(A, i, i)];
    return a == 0.0 ? 1.0 : a;
}

/* x, or the bound it is beyond. */
static inline double sb_lcp_clamp(double x, double lo, double hi) { return x < lo ? lo : x > hi ? hi : x; }

/* Which bound z is at or beyond. */
static inline signed char sb_lcp_side(double z, double lo, double hi) {
    return z <= lo ? SB_LCP_LO : z >= hi ? SB_LCP_HI : SB_LCP_FREE;
}

#endif
