/* The static plan of an LDL' elimination (vanderbei95): everything about it that does not depend on numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/elimination_plan.h"

#include "core/elimination.h"

static int compare_ints(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Entries of A above the diagonal in elimination order, by their row: rows of L below pivot k are row[p[k]] ..., in no order, at entry[...] of A. */
typedef struct upper {
    int *p, *row, *entry;
} upper;

static int find_upper(sb_arena *scratch, const sb_pattern *A, const int *inverse, upper *out) {
    const int n = A->cols;
    int *next;
    SB_NEW(scratch, out->p, n + 1);
    SB_NEW(scratch, next, n);
    for (int pass = 0; pass < 2; pass++) { /* counts, then entries */
        for (int j = 0; j < n; j++) {
            for (int e = A->p[j]; e < A->p[j + 1]; e++) {
                const int k = inverse[A->i[e]];
                if (k < inverse[j] && pass == 0) {
                    out->p[k + 1]++;
                } else if (k < inverse[j]) {
                    out->row[next[k]] = inverse[j];
                    out->entry[next[k]++] = e;
                }
            }
        }
        if (pass == 0) {
            for (int k = 0; k < n; k++) {
                next[k] = out->p[k];
                out->p[k + 1] += out->p[k];
            }
            SB_NEW(scratch, out->row, out->p[n]);
            SB_NEW(scratch, out->entry, out->p[n]);
        }
    }
    return SB_OK;
}

/* L's pattern: column k is A's, joined with the columns whose first row below the diagonal is k. */
static int find_factor(sb_arena *scratch, int n, const upper *U, const int *counts, int **Lp_out, int **Li_out) {
    int *mark, *head, *next, *Lp, *Li;
    SB_NEW(scratch, Lp, n + 1);
    for (int k = 0; k < n; k++) {
        Lp[k + 1] = Lp[k] + counts[k];
    }
    SB_NEW(scratch, Li, Lp[n]);
    SB_NEW(scratch, mark, n);
    SB_NEW(scratch, head, n);
    SB_NEW(scratch, next, n);
    for (int k = 0; k < n; k++) {
        mark[k] = head[k] = -1;
    }
    for (int k = 0; k < n; k++) {
        int end = Lp[k];
        mark[k] = k;
        for (int e = U->p[k]; e < U->p[k + 1]; e++) {
            mark[U->row[e]] = k;
            Li[end++] = U->row[e];
        }
        for (int child = head[k]; child >= 0; child = next[child]) {
            for (int e = Lp[child]; e < Lp[child + 1]; e++) {
                const int i = Li[e];
                if (mark[i] != k) {
                    mark[i] = k;
                    Li[end++] = i;
                }
            }
        }
        qsort(Li + Lp[k], (size_t)counts[k], sizeof(int), compare_ints);
        if (counts[k] > 0) {
            const int up = Li[Lp[k]];
            next[k] = head[up];
            head[up] = k;
        }
    }
    *Lp_out = Lp;
    *Li_out = Li;
    return SB_OK;
}

/* Where entry (i, j), i >= j in elimination numbers, sits in X: column j begins at Lp[j] + j with its pivot. */
static int slot(const int *Lp, const int *Li, int i, int j) {
    if (i == j) {
        return Lp[j] + j;
    }
    int lo = Lp[j], hi = Lp[j + 1] - 1;
    while (lo < hi) {
        const int mid = lo + (hi - lo) / 2;
        if (Li[mid] < i) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo + j + 1;
}

static size_t shape_length(int entries) {
    const size_t n = (size_t)entries;
    return SB_SHAPE_HEAD + n + (entries <= SB_SHAPE_PLANNED ? n * (n + 1) / 2 : 0);
}

static void describe(const int *Lp, const int *Li, int k, int row_entries, sb_shape *out) {
    const int begin = Lp[k], end = Lp[k + 1];
    *out++ = end - begin;
    *out++ = row_entries;
    for (int a = begin; a < end; a++) {
        *out++ = Li[a] - k;
    }
    for (int a = begin; a < end && end - begin <= SB_SHAPE_PLANNED; a++) {
        for (int b = a; b < end; b++) {
            *out++ = slot(Lp, Li, Li[b], Li[a]) - (begin + k);
        }
    }
}

static size_t hash_of(const sb_shape *s, size_t length) {
    size_t hash = 14695981039346656037u; /* FNV-1a, a word at a time */
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (size_t)(unsigned)s[i]) * 1099511628211u;
    }
    return hash ^ (hash >> 29);
}

/* Every pivot's shape, equal ones once. */
static int find_shapes(sb_arena *arena, sb_arena *scratch, const int *Lp, const int *Li, const int *row_counts, sb_elimination_plan *w) {
    const int n = w->n;
    int count = 0;
    size_t most = 0; /* of the longest shape, which need not be that of the longest column */
    for (int k = 0; k < n; k++) {
        const size_t length = shape_length(Lp[k + 1] - Lp[k]);
        most = length > most ? length : most;
    }
    size_t room = 64;
    while (room < 2 * (size_t)n) {
        room *= 2;
    }
    sb_shape *candidate;
    const sb_shape **found;
    int *table; /* 1 + the number of a shape, at its hash */
    SB_NEW(scratch, candidate, most);
    SB_NEW(scratch, table, room);
    SB_NEW(scratch, found, n);
    SB_NEW(arena, w->which, n);
    for (int k = 0; k < n; k++) {
        const size_t length = shape_length(Lp[k + 1] - Lp[k]);
        describe(Lp, Li, k, row_counts[k], candidate);
        size_t at = hash_of(candidate, length) & (room - 1);
        while (table[at] != 0 && (found[table[at] - 1][SB_SHAPE_ENTRIES] != candidate[SB_SHAPE_ENTRIES] || memcmp(found[table[at] - 1], candidate, length * sizeof(sb_shape)) != 0)) {
            at = (at + 1) & (room - 1);
        }
        if (table[at] == 0) {
            sb_shape *kept;
            SB_NEW(arena, kept, length);
            memcpy(kept, candidate, length * sizeof(sb_shape));
            found[count] = kept;
            table[at] = ++count;
        }
        w->which[k] = table[at] - 1;
    }
    SB_NEW(arena, w->shapes, count);
    memcpy(w->shapes, found, (size_t)count * sizeof *found);
    return SB_OK;
}

/* The copies from A to X column by column, and how far they have to be before each block of pivots. */
static int find_copies(sb_arena *arena, const sb_pattern *A, const upper *U, const int *Lp, const int *Li, sb_elimination_plan *w) {
    const int blocks = w->n / SB_PLAN_BLOCK + 1;
    SB_NEW(arena, w->from, U->p[w->n] + w->n);
    SB_NEW(arena, w->to, U->p[w->n] + w->n);
    SB_NEW(arena, w->copies, blocks);
    SB_NEW(arena, w->filled, blocks);
    SB_NEW(arena, w->reached, blocks);
    int reach = 0, copies = 0, column = 0; /* `column` is the next to be copied */
    for (int k = 0; k < w->n; k++) {
        const int last = Lp[k + 1] > Lp[k] ? Li[Lp[k + 1] - 1] : k;
        reach = last > reach ? last : reach;
        for (; column <= reach; column++) {
            const int diagonal = sb_pattern_find(A, w->order[column], w->order[column]);
            if (diagonal >= 0) {
                w->from[copies] = diagonal;
                w->to[copies++] = slot(Lp, Li, column, column);
            }
            for (int e = U->p[column]; e < U->p[column + 1]; e++) {
                w->from[copies] = U->entry[e];
                w->to[copies++] = slot(Lp, Li, U->row[e], column);
            }
        }
        w->copies[k / SB_PLAN_BLOCK] = copies;
        w->reached[k / SB_PLAN_BLOCK] = reach + 1;
        w->filled[k / SB_PLAN_BLOCK] = (size_t)Lp[reach + 1] + (size_t)reach + 1;
    }
    return SB_OK;
}

int sb_elimination_plan_make(sb_arena *arena, sb_arena *scratch, const sb_pattern *A, int positive, sb_elimination_plan *out) {
    const int n = A->cols;
    int *counts, *row_counts, *Lp, *Li;
    double products;
    upper U;
    out->n = n;
    SB_NEW(arena, out->order, n);
    SB_NEW(arena, out->number, n);
    SB_NEW(scratch, counts, n);
    SB_NEW(scratch, row_counts, n);
    SB_TRY(sb_elimination_order(scratch, A, positive, out->order));
    SB_TRY(sb_elimination_counts(scratch, A, out->order, (double)INFINITY, counts, row_counts, &products));
    for (int k = 0; k < n; k++) {
        out->number[out->order[k]] = k;
    }
    SB_TRY(find_upper(scratch, A, out->number, &U));
    SB_TRY(find_factor(scratch, n, &U, counts, &Lp, &Li));
    SB_TRY(find_shapes(arena, scratch, Lp, Li, row_counts, out));
    SB_TRY(find_copies(arena, A, &U, Lp, Li, out));
    SB_NEW(arena, out->diagonal, positive);
    for (int j = 0; j < positive; j++) {
        out->diagonal[j] = sb_pattern_find(A, j, j);
    }
    SB_NEW(arena, out->begin, n);
    for (int k = 0; k < n; k++) {
        out->begin[k] = (size_t)Lp[k] + (size_t)k;
    }
    out->size = (size_t)n + (size_t)Lp[n];
    return SB_OK;
}
