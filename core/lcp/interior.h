/* An interior-point method for the box problem, for the sides of its solution. */
#pragma once

#include <stepbench/numerics/linear.h>

#include "core/lcp/internal.h"

/* The linear solver with its values, whose entry at[k] is entry k of A, and scratch of n numbers each. */
typedef struct sb_lcp_interior {
    sb_linear *linear;
    sb_scalar *Fx;
    const int *at, *diagonal; /* where each entry of A is in Fx; where A_ii is in Ax */
    sb_scalar *x, *y, *s, *t, *w, *dz, *ds, *dt, *d2s, *d2t;
} sb_lcp_interior;

/* Allocates the scratch; the caller sets the other members. */
int sb_lcp_interior_init(sb_arena *arena, int n, sb_lcp_interior *out);

/* Sets z to a point between the bounds, close to the solution, and side to the bounds where the multiplier is larger
 * than A_ii times the distance from the bound. Counts iterations and factorizations. Fails like the linear solver. */
int sb_lcp_interior_sides(const sb_lcp *me, const sb_lcp_problem *p, sb_lcp_interior *m, sb_scalar *z,
                          signed char *side, sb_lcp_report *report);
