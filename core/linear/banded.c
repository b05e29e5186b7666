/* Band Cholesky factorization of a symmetric positive definite matrix by LAPACK, in the narrower of two numberings. */
#include <string.h>

#include <lapacke.h>

#include <stepbench/numerics/solve.h>

#include "core/linear/ordering.h"

typedef struct band_work {
    int bandwidth;
    int *order;    /* order[k]: the row numbered k */
    int *at;       /* where each entry of A is in the band; -1: above the diagonal */
    int *diagonal; /* where the diagonal of row i is in A */
    size_t size;
    double *band; /* lower band, a column of bandwidth + 1 numbers a row */
    double *x;
} band_work;

static int analyse_with(sb_linear *me, sb_arena *arena, sb_arena *scratch) {
    const sb_pattern *A = &me->A;
    const int n = A->cols;
    band_work *w = me->work;
    int *number;
    SB_NEW(arena, w->order, n);
    SB_TRY(sb_band_order(scratch, A, w->order, &w->bandwidth));
    SB_NEW(scratch, number, n);
    for (int k = 0; k < n; k++) {
        number[w->order[k]] = k;
    }
    const int height = w->bandwidth + 1;
    w->size = (size_t)height * (size_t)n;
    if (w->size > INT32_MAX) {
        return sb_fail(me->ctx, SB_NO_MEMORY, "the band of %d unknowns is %d wide in the best numbering found: too wide for the linear solver banded; plan may do", n, height);
    }
    SB_NEW(arena, w->at, sb_pattern_nnz(A));
    SB_NEW(arena, w->diagonal, n);
    SB_NEW(arena, w->band, w->size);
    SB_NEW(arena, w->x, n);
    for (int j = 0; j < n; j++) {
        for (int e = A->p[j]; e < A->p[j + 1]; e++) {
            const int below = number[A->i[e]] - number[j];
            w->at[e] = below >= 0 ? number[j] * height + below : -1;
            if (A->i[e] == j) {
                w->diagonal[j] = e;
            }
        }
    }
    return SB_OK;
}

static int analyse(sb_linear *me, sb_arena *arena) {
    band_work *w;
    SB_NEW(arena, w, 1);
    me->work = w;
    sb_arena scratch;
    sb_arena_init(&scratch, me->ctx);
    const int status = analyse_with(me, arena, &scratch);
    sb_arena_free(&scratch);
    return status;
}

static int factor(sb_linear *me, const double *Ax) {
    const band_work *w = me->work;
    const int n = me->A.cols, nnz = sb_pattern_nnz(&me->A), height = w->bandwidth + 1;
    memset(w->band, 0, w->size * sizeof(double));
    for (int e = 0; e < nnz; e++) {
        if (w->at[e] >= 0) {
            w->band[w->at[e]] = Ax[e];
        }
    }
    const int info = (int)LAPACKE_dpbtrf_work(LAPACK_COL_MAJOR, 'L', n, w->bandwidth, w->band, height);
    for (int k = 0; k < (info == 0 ? n : info); k++) { /* pivots are the squares of L's diagonal; the last one of a failure stands itself */
        const double l = w->band[(size_t)k * (size_t)height], pivot = k == info - 1 ? l : l * l;
        const int row = w->order[k];
        if (k == info - 1 || !(pivot > me->singular_below * fabs(Ax[w->diagonal[row]]))) {
            return sb_linear_bad_pivot(me, row, pivot);
        }
    }
    return SB_OK;
}

static int solve(const sb_linear *me, double *b) {
    const band_work *w = me->work;
    const int n = me->A.cols;
    for (int k = 0; k < n; k++) {
        w->x[k] = b[w->order[k]];
    }
    if (LAPACKE_dpbtrs_work(LAPACK_COL_MAJOR, 'L', n, w->bandwidth, 1, w->band, w->bandwidth + 1, w->x, n) != 0) {
        return sb_fail(me->ctx, SB_SINGULAR, "LAPACK cannot solve with the band factorization of %d unknowns", n);
    }
    for (int k = 0; k < n; k++) {
        b[w->order[k]] = w->x[k];
    }
    return SB_OK;
}

static void stats(const sb_linear *me, sb_linear_stats *out) {
    const band_work *w = me->work;
    out->nnz_factor = (long)w->size;
}

extern const sb_solver sb_solver_banded;
const sb_solver sb_solver_banded = {
    .entry = {"banded", "LAPACK's band Cholesky factorization of the Schur complement", "cuthill69; lapack99", NULL, 0},
    .symmetric = true,
    .definite = true,
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .stats = stats,
};
