/* The static plan of an LDL' elimination: the order, the pattern of L and the target of every update. */
#ifndef STEPBENCH_CORE_LINEAR_STATIC_LDL_SYMBOLIC_H
#define STEPBENCH_CORE_LINEAR_STATIC_LDL_SYMBOLIC_H

#include <stepbench/pattern.h>

/* What the elimination of one pivot does, in numbers relative to the pivot and to the one before it, so that like bodies of a mechanism share it:
 *
 *   a head of SB_SHAPE_HEAD numbers,
 *   the rows below the diagonal, as places in y minus the pivot's,
 *   the entries of A in the column: for a leaf, where each sits minus where the cross cursor is; else for each where it sits minus where its cursor is,
 *     and where it goes in the column,
 *   up to SB_SHAPE_PLANNED rows, for every product of two of them (column by column of the lower triangle) the place of its target in X minus
 *     that of the pivot. Longer columns find their targets as they go, or the plan would be larger than the factor.
 *
 * A leaf is a coordinate that no other has been taken from before its turn: its column of L is A's own over the pivot, so that it is read in A whenever it is
 * wanted and kept nowhere. Only the others, `inner` ones, have a place in y and a column of X. */
typedef int sb_shape;

enum {
    SB_SHAPE_KIND,        /* of the kinds below */
    SB_SHAPE_PAIR,        /* of the roles below */
    SB_SHAPE_ENTRIES,     /* rows below the diagonal */
    SB_SHAPE_ROW_ENTRIES, /* entries of L in the pivot's row */
    SB_SHAPE_ROW,         /* step of the row: from the last pivot of the same block */
    SB_SHAPE_OWN,         /* step of the own cursor, where the diagonal is in A: from the last pivot of the same block */
    SB_SHAPE_CROSS,       /* step of the cross cursor, where A's first entry between the blocks is: from the last pivot that has one */
    SB_SHAPE_OWN_ENTRIES, /* of A, the diagonal and below, in the pivot's own block; */
    SB_SHAPE_ENTRIES_OF_A, /* and with those between the blocks, which follow */
    SB_SHAPE_HEAD
};

/* Blocks of a quasi-definite matrix: coordinates and constraints. */
enum { SB_SHAPE_COORDINATE, SB_SHAPE_CONSTRAINT, SB_SHAPE_LEAF };

/* Two inner pivots in a row with the same rows below them, but for the second itself: a supernode of two, whose updates go together. */
enum { SB_SHAPE_SINGLE, SB_SHAPE_FIRST, SB_SHAPE_SECOND };

enum {
    SB_SHAPE_SHORT = 8,    /* columns of no more entries are eliminated by code of their own, and in pairs: most of a mechanism's */
    SB_SHAPE_PLANNED = 24, /* half a column of targets to an entry of L at this length */
    SB_PLAN_BLOCK = 64     /* pivots between two clearings of X: few enough to stay in the nearest cache */
};

/* Where a pass over the pivots is. */
typedef struct sb_plan_cursor {
    int row[2], own[2], cross; /* of coordinates and of constraints */
} sb_plan_cursor;

typedef struct sb_elimination_plan {
    int n;
    int inner;              /* pivots that are no leaves */
    int *order;             /* order[k]: the row eliminated k-th */
    int *which;             /* which of the shapes pivot k has */
    const sb_shape **shapes;
    sb_plan_cursor first, last; /* before the first pivot, and at the last */
    int *number;            /* of row i among the inner pivots; -1 for a leaf */
    int *pivot;             /* of an inner pivot: which one of all */
    size_t *begin;          /* where its column of X begins */
    size_t *cleared;        /* how far X has to be clear before the pivots of block b, */
    int *reached;           /* and y */
    size_t size;            /* of X, inner column by inner column: 1/D, then L's values */
    int *diagonal;          /* where the diagonal of coordinate i is in A */
} sb_elimination_plan;

/* The plan of a symmetric matrix whose upper triangle A holds, for the order of sb_elimination_order. The value of entry e is the at[e]-th of those given (NULL:
 * the e-th). `scratch` is not needed afterwards. */
int sb_elimination_plan_make(sb_arena *arena, sb_arena *scratch, const sb_pattern *A, const int *at, int positive, sb_elimination_plan *out);

#endif
