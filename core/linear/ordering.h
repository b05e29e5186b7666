/* In which order to eliminate the unknowns of a symmetric quasi-definite matrix. */
#ifndef STEPBENCH_CORE_LINEAR_ORDERING_H
#define STEPBENCH_CORE_LINEAR_ORDERING_H

#include <math.h>
#include <stdbool.h>

#include <stepbench/pattern.h>

/* order[k] becomes the row eliminated k-th: the cheapest of a few candidates, each with every row from `positive` on (a
 * constraint) behind all rows before `positive` (coordinates) that it touches. Its pivot is then -(E + c M^-1 c' -
 * ...), never the bare, perhaps vanishing, E. `scratch` is not needed afterwards. SB_NO_MEMORY with a sentence when
 * each of them fills L in beyond use. */
int sb_elimination_order(sb_arena *scratch, const sb_pattern *A, int positive, int *order);

/* Whether a factorization in one of these orders takes at most `most` products. Counting stops there: cheap however
 * dense L would be. */
int sb_elimination_within(sb_arena *scratch, const sb_pattern *A, int positive, double most, bool *within);

/* column_counts[k] becomes the number of entries of L below the diagonal in column k (for `order`), row_counts[k] (may
 * be NULL) in row k, *products what a factorization takes; counting stops when they exceed `most`. */
int sb_elimination_counts(sb_arena *scratch, const sb_pattern *A, const int *order, double most, int *column_counts,
                          int *row_counts, double *products);

/* Size of the terms that make up the pivot of `row`: of the diagonal entry, or for a constraint of what its coordinates
 * add (what other constraints take away again is no larger when little is left). inverse[i] is 1/D of coordinate i;
 * diagonal[i] its place in A. */
static inline double sb_pivot_terms(const sb_pattern *A, int positive, const double *Ax, const double *inverse,
                                    const int *diagonal, int row) {
    if (row < positive) {
        return fabs(Ax[diagonal[row]]);
    }
    double size = 0.0;
    const int end = A->p[row + 1];
    for (int e = A->p[row]; e < end && A->i[e] < positive; e++) {
        size += Ax[e] * Ax[e] * inverse[A->i[e]];
    }
    return size;
}

#endif
