/* Compressed sparse columns: the pattern is fixed at init, values are in arrays of their own. */
#ifndef STEPBENCH_PATTERN_H
#define STEPBENCH_PATTERN_H

#include <stepbench/arena.h>

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

#endif
