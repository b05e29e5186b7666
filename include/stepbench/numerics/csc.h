/* Products and searches on compressed sparse columns (pattern.h). */
#ifndef STEPBENCH_NUMERICS_CSC_H
#define STEPBENCH_NUMERICS_CSC_H

#include <stepbench/numerics/sizes.h>
#include <stepbench/pattern.h>

/* Builds the pattern of A'; its entry e is entry at[e] of A. */
int sb_pattern_transpose(sb_arena *arena, const sb_pattern *A, sb_pattern *out, int **at);

/* Returns the position of entry (row, col) in the value array, or -1. */
int sb_pattern_find(const sb_pattern *a, int row, int col);

/* Adds c A x to y. x has m = cols, y has rows entries. */
SB_INLINED void sb_csc_mult_add_sized(const sb_pattern *a, const sb_scalar *ax, sb_scalar c, const sb_scalar *x,
                                      sb_scalar *y, const int m) {
    for (int j = 0; j < m; j++) {
        const sb_scalar xj = c * x[j];
        for (int k = a->p[j]; k < a->p[j + 1]; k++) {
            y[a->i[k]] += ax[k] * xj;
        }
    }
}

static inline void sb_csc_mult_add(const sb_pattern *a, const sb_scalar *ax, sb_scalar c, const sb_scalar *x,
                                   sb_scalar *y) {
    sb_csc_mult_add_sized(a, ax, c, x, y, a->cols);
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
