/* Sparse products P = A B on fixed patterns. */
#ifndef STEPBENCH_NUMERICS_SPARSE_PRODUCT_H
#define STEPBENCH_NUMERICS_SPARSE_PRODUCT_H

#include <stepbench/context.h>
#include <stepbench/numerics/csc.h>

typedef struct sb_sparse_product {
    sb_pattern P;
    const int *p, *a,
        *b; /* entry e of P is the sum of A[a[k]] B[b[k]] over p[e] <= k < p[e + 1], in the order of B's rows */
} sb_sparse_product;

/* Which entries P has besides those with terms: none, the diagonal, or all. */
typedef enum sb_sparse_product_entries {
    SB_PRODUCT_SPARSE,
    SB_PRODUCT_WITH_DIAGONAL,
    SB_PRODUCT_FULL
} sb_sparse_product_entries;

/* Finds the pattern P and lists the terms. The value of entry e of A is the at[e]-th of those given; NULL: the e-th. */
int sb_sparse_product_init(sb_arena *arena, const sb_pattern *A, const int *at, const sb_pattern *B,
                           sb_sparse_product_entries entries, sb_sparse_product *out);

/* Returns entry e of P. */
static inline sb_scalar sb_sparse_product_entry(const sb_sparse_product *w, int e, const sb_scalar *Ax,
                                                const sb_scalar *Bx) {
    sb_scalar sum = 0.0;
    for (int k = w->p[e]; k < w->p[e + 1]; k++) {
        sum += Ax[w->a[k]] * Bx[w->b[k]];
    }
    return sum;
}

/* Sets the values of P. */
static inline void sb_sparse_product_evaluate(const sb_sparse_product *w, const sb_scalar *Ax, const sb_scalar *Bx,
                                              sb_scalar *Px) {
    const int nnz = w->P.p[w->P.cols];
    for (int e = 0; e < nnz; e++) {
        Px[e] = sb_sparse_product_entry(w, e, Ax, Bx);
    }
}

#endif
