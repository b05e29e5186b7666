/* Builders of compressed sparse column patterns. */
#include <stdlib.h>
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

static int compare_ints(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int sb_pattern_from_pairs(sb_arena *arena, int rows, int cols, int nnz, const int *row, const int *col,
                          sb_pattern *out) {
    int *p, *i, *next;
    SB_TRY(sb_poll(arena->ctx));
    SB_NEW(arena, p, cols + 1);
    SB_NEW(arena, i, nnz);
    SB_NEW(arena, next, cols + 1);
    for (int k = 0; k < nnz; k++) {
        p[col[k] + 1]++;
    }
    for (int c = 0; c < cols; c++) {
        p[c + 1] += p[c];
    }
    memcpy(next, p, (size_t)cols * sizeof *next);
    for (int k = 0; k < nnz; k++) {
        i[next[col[k]]++] = row[k];
    }
    int end = 0;
    for (int c = 0; c < cols; c++) {
        const int begin = p[c], length = p[c + 1] - begin;
        qsort(i + begin, (size_t)length, sizeof *i, compare_ints);
        p[c] = end;
        for (int k = begin; k < begin + length; k++) {
            if (end == p[c] || i[end - 1] != i[k]) {
                i[end++] = i[k];
            }
        }
    }
    p[cols] = end;
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
