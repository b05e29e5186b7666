/* The static plan of an LDL' elimination: the order, the pattern of L and the target of every update. */
#ifndef STEPBENCH_CORE_ELIMINATION_PLAN_H
#define STEPBENCH_CORE_ELIMINATION_PLAN_H

#include <stepbench/pattern.h>

/* What the elimination of one pivot does, in numbers relative to the pivot, so that like bodies of a mechanism share it:
 * the number of entries below the diagonal, the number of entries of L in the pivot's row, and the rows below minus the pivot's; then, up to
 * SB_SHAPE_PLANNED entries, for every product of two of them (column by column of the lower triangle) the place of its target in X minus the place of
 * the pivot. Longer columns find their targets as they go, or the plan would be larger than the factor. */
typedef int sb_shape;

enum { SB_SHAPE_ENTRIES, SB_SHAPE_ROW_ENTRIES, SB_SHAPE_HEAD }; /* what comes before the rows */

enum {
    SB_SHAPE_PLANNED = 24, /* half a column of targets to an entry of L at this length */
    SB_PLAN_BLOCK = 64     /* pivots between two fillings of X: few enough to stay in the nearest cache */
};

typedef struct sb_elimination_plan {
    int n;
    int *order;           /* order[k]: the row eliminated k-th */
    int *number;          /* the inverse of it */
    int *which;           /* which of the shapes pivot k has */
    const sb_shape **shapes;
    size_t *begin;        /* where column k of X begins */
    int *from, *to;       /* X[to] = A[from]: the upper triangle of A in elimination order is the lower one of L */
    int *copies;          /* how many of these have to be made before the pivots of block b */
    size_t *filled;       /* which makes X valid up to here, */
    int *reached;         /* and y */
    size_t size;          /* of X, column by column: 1/D, then L's values */
    int *diagonal;        /* where the diagonal of coordinate i is in A */
} sb_elimination_plan;

/* The plan of a symmetric matrix whose upper triangle A holds, for the order of sb_elimination_order; `scratch` is not needed afterwards. */
int sb_elimination_plan_make(sb_arena *arena, sb_arena *scratch, const sb_pattern *A, int positive, sb_elimination_plan *out);

#endif
