/* Compressed sparse columns: the pattern is fixed at init, values are in arrays of their own. */
#ifndef STEPBENCH_PATTERN_H
#define STEPBENCH_PATTERN_H

#include <stepbench/context.h>

/* Column j holds the row indices i[p[j]] < ... < i[p[j+1]-1]. A full pattern is a dense column-major matrix. */
typedef struct sb_pattern {
    int rows, cols;
    const int *p; /* cols + 1 */
    const int *i; /* p[cols] */
} sb_pattern;

static inline int sb_pattern_nnz(const sb_pattern *a) { return a->p == NULL ? 0 : a->p[a->cols]; }

/* Builders; the arrays come from the arena. */
int sb_pattern_full(sb_arena *arena, int rows, int cols, sb_pattern *out);
int sb_pattern_diagonal(sb_arena *arena, int n, sb_pattern *out);
/* Builds a pattern from `nnz` coordinates in any order; duplicates are merged. */
int sb_pattern_from_pairs(sb_arena *arena, int rows, int cols, int nnz, const int *row, const int *col,
                          sb_pattern *out);
/* Builds the pattern of A'; its entry e is entry at[e] of A. */
int sb_pattern_transpose(sb_arena *arena, const sb_pattern *A, sb_pattern *out, int **at);

/* Returns the position of entry (row, col) in the value array, or -1. */
int sb_pattern_find(const sb_pattern *a, int row, int col);

/* Adds c A x to y. x has cols, y has rows entries. */
static inline void sb_csc_mult_add(const sb_pattern *a, const sb_scalar *ax, sb_scalar c, const sb_scalar *x,
                                   sb_scalar *y) {
    for (int j = 0; j < a->cols; j++) {
        const sb_scalar xj = c * x[j];
        for (int k = a->p[j]; k < a->p[j + 1]; k++) {
            y[a->i[k]] += ax[k] * xj;
        }
    }
}

/* Sets y = A' x. x has rows, y has cols entries. */
static inline void sb_csc_mult_t(const sb_pattern *a, const sb_scalar *ax, const sb_scalar *x, sb_scalar *y) {
    for (int j = 0; j < a->cols; j++) {
        sb_scalar sum = 0.0;
        for (int k = a->p[j]; k < a->p[j + 1]; k++) {
            sum += ax[k] * x[a->i[k]];
        }
        y[j] = sum;
    }
}

#endif
