/* Helpers of the solvers of box linear complementarity problems. */
#pragma once

#include <stepbench/numerics/lcp.h>

/* Returns A_ii, or 1 for an empty row: any positive number is correct there. */
static inline sb_scalar sb_lcp_diagonal(const sb_pattern *A, const sb_scalar *Ax, int i) {
    const sb_scalar a = Ax[sb_pattern_find(A, i, i)];
    return a == 0.0 ? 1.0 : a;
}

/* Returns x, or the bound that it exceeds. */
static inline sb_scalar sb_lcp_clamp(sb_scalar x, sb_scalar lo, sb_scalar hi) { return x < lo ? lo : x > hi ? hi : x; }

/* Returns the bound that z has reached or exceeded, or SB_LCP_FREE. */
static inline signed char sb_lcp_side(sb_scalar z, sb_scalar lo, sb_scalar hi) {
    return z <= lo ? SB_LCP_LO : z >= hi ? SB_LCP_HI : SB_LCP_FREE;
}

/* Sets the sides of the solution z; side may be NULL. */
static inline void sb_lcp_set_sides(const sb_lcp *me, const sb_lcp_problem *p, const sb_scalar *z, signed char *side) {
    for (int i = 0; i < me->A.cols && side != NULL; i++) {
        side[i] = sb_lcp_side(z[i], p->lo[i], p->hi[i]);
    }
}
