/* Entries of a sparse pattern, collected one by one. */
#pragma once

#include <stepbench/pattern.h>

typedef struct pairs {
    int count, *row, *col;
} pairs;

/* Allocates space for at most `most` entries. */
static inline int pairs_new(sb_arena *arena, int most, pairs *out) {
    out->count = 0;
    SB_NEW(arena, out->row, most);
    SB_NEW(arena, out->col, most);
    return SB_OK;
}

static inline void pairs_add(pairs *p, int row, int col) {
    p->row[p->count] = row;
    p->col[p->count++] = col;
}

/* Adds the full block whose first entry is (row, col), column by column. */
static inline void pairs_add_block(pairs *p, int row, int col, int rows, int cols) {
    for (int k = 0; k < rows * cols; k++) {
        pairs_add(p, row + k % rows, col + k / rows);
    }
}

/* Adds the entries of a pattern. */
static inline void pairs_add_pattern(pairs *p, const sb_pattern *from) {
    for (int j = 0; j < from->cols; j++) {
        for (int k = from->p[j]; k < from->p[j + 1]; k++) {
            pairs_add(p, from->i[k], j);
        }
    }
}

/* Builds the pattern; entries that were added several times are merged. */
static inline int pairs_pattern(sb_arena *arena, const pairs *p, int rows, int cols, sb_pattern *out) {
    return sb_pattern_from_pairs(arena, rows, cols, p->count, p->row, p->col, out);
}
