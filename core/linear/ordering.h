/* Orders of elimination of the unknowns of a symmetric quasi-definite matrix, and the pattern of its factor L. */
#pragma once

#include <stepbench/context.h>
#include <stepbench/numerics/csc.h>

/* Sets order[k] to the row eliminated k-th: the cheapest of a few candidates, each with every row from `positive` on (a
 * constraint) after all rows before `positive` (coordinates) that it touches. The pivot of a constraint is then -(E +
 * c M^-1 c' - ...), never E alone, which may vanish. `scratch` is not needed afterwards. Fails with SB_NO_MEMORY when
 * every candidate fills L beyond use. */
int sb_elimination_order(sb_arena *scratch, const sb_pattern *A, int positive, int *order);

/* Sets *within to whether a factorization in one of these orders takes at most `most` products. The count ends there,
 * so that it is cheap however dense L would be. */
int sb_elimination_within(sb_arena *scratch, const sb_pattern *A, int positive, double most, bool *within);

/* Sets column_counts[k] to the number of entries of L below the diagonal in column k (for `order`), row_counts[k] (may
 * be NULL) to that in row k, parent[k] (may be NULL) to the parent of k in the elimination tree, -1 if it has none, and
 * *products to the number of products of a factorization; the count ends when they exceed `most`. */
int sb_elimination_counts(sb_context *ctx, const sb_pattern *A, const int *order, double most, int *column_counts,
                          int *row_counts, int *parent, double *products);

/* The pattern of L in a given order; pivots, rows and columns below are numbered in that order. */
typedef struct sb_elimination {
    const int *number;     /* position of row i of A in the order: its inverse */
    const int *Ap;         /* column k of A has the rows Ai[Ap[k]] ... below the diagonal, unsorted, */
    const int *Ai, *entry; /* which are the entries entry[Ap[k]] ... of A */
    const int *row_counts; /* entries of L in row k */
    const int *Lp;         /* column k of L has the rows Li[Lp[k]] ... below the diagonal, unsorted */
    int *Li;
} sb_elimination;

/* Finds the pattern of L. Only the entries of A above the diagonal, in the order of elimination, are read. */
int sb_elimination_pattern(sb_arena *arena, const sb_pattern *A, const int *order, sb_elimination *out);
