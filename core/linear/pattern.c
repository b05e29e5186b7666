/* Builders of compressed sparse column patterns. */
#include <string.h>

#include <stepbench/context.h>
#include <stepbench/numerics/csc.h>

int sb_pattern_full(sb_arena *arena, int rows, int cols, sb_pattern *out) {
    int *p, *i;
    SB_NEW(arena, p, cols + 1);
    SB_NEW(arena, i, (size_t)rows * (size_t)cols);
    for (int c = 0; c < cols; c++) {
        p[c + 1] = p[c] + rows;
        for (int r = 0; r < rows; r++) {
            i[p[c] + r] = r;
        }
    }
    *out = (sb_pattern){rows, cols, p, i};
    return SB_OK;
}

int sb_pattern_diagonal(sb_arena *arena, int n, sb_pattern *out) {
    int *p, *i;
    SB_NEW(arena, p, n + 1);
    SB_NEW(arena, i, n);
    for (int c = 0; c < n; c++) {
        i[c] = c;
        p[c + 1] = c + 1;
    }
    *out = (sb_pattern){n, n, p, i};
    return SB_OK;
}

/* Sets `order` to the numbers 0 to count - 1 sorted by key[order[k]] < keys, stably, from the order `from` (NULL: as
 * they are), and first[key] to the position of the first of each key (keys + 1). */
static void sort_by_key(int count, int keys, const int *key, const int *from, int *first, int *order) {
    memset(first, 0, ((size_t)keys + 1) * sizeof *first);
    for (int k = 0; k < count; k++) {
        first[key[k]]++;
    }
    for (int c = 0, begin = 0; c <= keys; c++) {
        const int here = c < keys ? first[c] : 0;
        first[c] = begin;
        begin += here;
    }
    for (int k = 0; k < count; k++) {
        const int at = from != NULL ? from[k] : k;
        order[first[key[at]]++] = at;
    }
    for (int c = keys; c > 0; c--) {
        first[c] = first[c - 1];
    }
    first[0] = 0;
}

int sb_pattern_from_pairs(sb_arena *arena, int rows, int cols, int nnz, const int *row, const int *col,
                          sb_pattern *out) {
    int *p, *i, *by_row, *by_col, *first;
    SB_TRY(sb_poll(arena->ctx));
    SB_SCRATCH(scratch, arena->ctx);
    SB_NEW(&scratch, by_row, nnz);
    SB_NEW(&scratch, by_col, nnz);
    SB_NEW(&scratch, first, (rows > cols ? rows : cols) + 1);
    SB_NEW(arena, p, cols + 1);
    sort_by_key(nnz, rows, row, NULL, first, by_row);
    sort_by_key(nnz, cols, col, by_row, first, by_col);
    int end = 0;
    for (int k = 0; k < nnz; k++) { /* the entries of a column come with ascending rows */
        const bool again = k > 0 && row[by_col[k]] == row[by_col[k - 1]] && col[by_col[k]] == col[by_col[k - 1]];
        p[col[by_col[k]] + 1] += !again;
        by_row[end] = row[by_col[k]];
        end += !again;
    }
    for (int c = 0; c < cols; c++) {
        p[c + 1] += p[c];
    }
    SB_NEW(arena, i, end);
    memcpy(i, by_row, (size_t)end * sizeof *i);
    *out = (sb_pattern){rows, cols, p, i};
    return SB_OK;
}

int sb_pattern_transpose(sb_arena *arena, const sb_pattern *A, sb_pattern *out, int **at) {
    int *p, *i, *next;
    SB_NEW(arena, p, A->rows + 1);
    SB_NEW(arena, i, sb_pattern_nnz(A));
    SB_NEW(arena, *at, sb_pattern_nnz(A));
    SB_NEW(arena, next, A->rows + 1);
    for (int k = 0; k < sb_pattern_nnz(A); k++) {
        p[A->i[k] + 1]++;
    }
    for (int r = 0; r < A->rows; r++) {
        p[r + 1] += p[r];
        next[r + 1] = p[r + 1];
    }
    for (int c = 0; c < A->cols; c++) {
        for (int k = A->p[c]; k < A->p[c + 1]; k++) {
            const int to = next[A->i[k]]++;
            i[to] = c;
            (*at)[to] = k;
        }
    }
    *out = (sb_pattern){A->cols, A->rows, p, i};
    return SB_OK;
}

int sb_pattern_find(const sb_pattern *a, int row, int col) {
    int lo = a->p[col], hi = a->p[col + 1] - 1;
    while (lo <= hi) {
        const int mid = lo + (hi - lo) / 2;
        if (a->i[mid] == row) {
            return mid;
        }
        if (a->i[mid] < row) {
            lo = mid + 1;
        } else {
            hi = mid - 1;
        }
    }
    return -1;
}
