/* Sparse products P = A B on fixed patterns. The terms of every entry are listed once; a product is one pass over the
 * list. */
#include <stepbench/numerics/sparse_product.h>

/* The terms in the order of B's columns: term k is A[a[k]] B[b[k]] and belongs to entry (row[k], col[k]) of P. */
typedef struct terms {
    int count, *row, *col, *a, *b;
} terms;

/* Lists the terms; row and col have room for `extra` more. */
static int list_terms(sb_arena *scratch, const sb_pattern *A, const int *at, const sb_pattern *B, int extra,
                      terms *out) {
    for (int b = 0; b < sb_pattern_nnz(B); b++) {
        out->count += A->p[B->i[b] + 1] - A->p[B->i[b]];
    }
    SB_NEW(scratch, out->row, out->count + extra);
    SB_NEW(scratch, out->col, out->count + extra);
    SB_NEW(scratch, out->a, out->count);
    SB_NEW(scratch, out->b, out->count);
    for (int j = 0, k = 0; j < B->cols; j++) {
        for (int b = B->p[j]; b < B->p[j + 1]; b++) {
            for (int a = A->p[B->i[b]]; a < A->p[B->i[b] + 1]; a++, k++) {
                out->row[k] = A->i[a];
                out->col[k] = j;
                out->a[k] = at != NULL ? at[a] : a;
                out->b[k] = b;
            }
        }
    }
    return SB_OK;
}

/* Sorts the terms by the entries of P; those of one entry stay in their order. */
static int sort_terms(sb_arena *arena, terms *list, sb_sparse_product *out) {
    const int nnz = sb_pattern_nnz(&out->P);
    int *p, *a, *b, *const entry = list->row;
    SB_NEW(arena, p, nnz + 2);
    SB_NEW(arena, a, list->count);
    SB_NEW(arena, b, list->count);
    for (int k = 0; k < list->count; k++) {
        entry[k] = sb_pattern_find(&out->P, list->row[k], list->col[k]);
        p[entry[k] + 2]++;
    }
    for (int e = 0; e < nnz; e++) { /* p[e + 1]: where the next term of entry e goes; at last the end of entry e */
        p[e + 2] += p[e + 1];
    }
    for (int k = 0; k < list->count; k++) {
        const int to = p[entry[k] + 1]++;
        a[to] = list->a[k];
        b[to] = list->b[k];
    }
    out->p = p;
    out->a = a;
    out->b = b;
    return SB_OK;
}

static int init_with(sb_arena *arena, sb_arena *scratch, const sb_pattern *A, const int *at, const sb_pattern *B,
                     sb_sparse_product_entries entries, sb_sparse_product *out) {
    const int extra = entries == SB_PRODUCT_WITH_DIAGONAL ? B->cols : 0;
    terms list = {0};
    SB_TRY(list_terms(scratch, A, at, B, extra, &list));
    for (int j = 0; j < extra; j++) {
        list.row[list.count + j] = list.col[list.count + j] = j;
    }
    SB_TRY(entries == SB_PRODUCT_FULL
               ? sb_pattern_full(arena, A->rows, B->cols, &out->P)
               : sb_pattern_from_pairs(arena, A->rows, B->cols, list.count + extra, list.row, list.col, &out->P));
    return sort_terms(arena, &list, out);
}

int sb_sparse_product_init(sb_arena *arena, const sb_pattern *A, const int *at, const sb_pattern *B,
                           sb_sparse_product_entries entries, sb_sparse_product *out) {
    SB_SCRATCH(scratch, arena->ctx);
    return init_with(arena, &scratch, A, at, B, entries, out);
}
