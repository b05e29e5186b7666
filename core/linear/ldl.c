/* SuiteSparse's LDL: up-looking LDL' of a symmetric quasi-definite matrix (davis05), constraints after their
 * coordinates. */
#include <stepbench/numerics/linear.h>
#include <stepbench/plugin.h>

#ifdef SB_HAVE_SUITESPARSE

#include <suitesparse/ldl.h>

#include "core/linear/ordering.h"

typedef struct ldl_work {
    int *order, *number, *Lp, *parent, *Lnz, *Li, *pattern, *flag;
    int *diagonal; /* where the diagonal of row i is in A */
    double *Lx, *D, *y;
    double *inverse; /* 1/D of coordinate i */
} ldl_work;

static int analyse(sb_linear *me, sb_arena *arena) {
    const sb_pattern *A = &me->A;
    const int n = A->cols;
    ldl_work *w;
    SB_NEW(arena, w, 1);
    me->work = w;
    SB_NEW(arena, w->order, n);
    SB_NEW(arena, w->number, n);
    SB_NEW(arena, w->Lp, n + 1);
    SB_NEW(arena, w->parent, n);
    SB_NEW(arena, w->Lnz, n);
    SB_NEW(arena, w->pattern, n);
    SB_NEW(arena, w->flag, n);
    SB_TRY(SB_VECTORS(arena, n, &w->D, &w->y));
    SB_NEW(arena, w->inverse, me->positive);
    SB_NEW(arena, w->diagonal, me->positive);
    for (int j = 0; j < me->positive; j++) {
        w->diagonal[j] = sb_pattern_find(A, j, j);
    }
    SB_SCRATCH(scratch, me->ctx);
    SB_TRY(sb_elimination_order(&scratch, A, me->positive, w->order));
    ldl_symbolic(n, (int *)A->p, (int *)A->i, w->Lp, w->parent, w->Lnz, w->flag, w->order, w->number);
    SB_NEW(arena, w->Li, w->Lp[n]);
    SB_NEW(arena, w->Lx, w->Lp[n]);
    return SB_OK;
}

/* Returns the size of the terms in the pivot of `row`: that of the diagonal entry, or for a constraint the sum of what
 * its coordinates contribute. (What other constraints subtract is no larger when little is left.) */
static double pivot_terms(const sb_linear *me, const double *Ax, int row) {
    const ldl_work *w = me->work;
    if (row < me->positive) {
        return fabs(Ax[w->diagonal[row]]);
    }
    double size = 0.0;
    for (int e = me->A.p[row]; e < me->A.p[row + 1] && me->A.i[e] < me->positive; e++) {
        size += Ax[e] * Ax[e] * w->inverse[me->A.i[e]];
    }
    return size;
}

static int factor(sb_linear *me, const double *Ax) {
    const ldl_work *w = me->work;
    const sb_pattern *A = &me->A;
    const int n = A->cols;
    const int done = ldl_numeric(n, (int *)A->p, (int *)A->i, (double *)Ax, w->Lp, w->parent, w->Lnz, w->Li, w->Lx,
                                 w->D, w->y, w->pattern, w->flag, w->order, w->number);
    for (int k = 0; k < n; k++) {
        const int row = w->order[k];
        const bool primal = row < me->positive;
        const double round_off = me->singular_below * pivot_terms(me, Ax, row);
        if (k == done || !((primal ? w->D[k] : -w->D[k]) > round_off)) {
            return sb_linear_bad_pivot(me, row, w->D[k]);
        }
        if (primal) {
            w->inverse[row] = 1.0 / w->D[k];
        }
    }
    return SB_OK;
}

static int solve(const sb_linear *me, double *b) {
    const ldl_work *w = me->work;
    const int n = me->A.cols;
    ldl_perm(n, w->y, b, w->order);
    ldl_lsolve(n, w->y, w->Lp, w->Li, w->Lx);
    ldl_dsolve(n, w->y, w->D);
    ldl_ltsolve(n, w->y, w->Lp, w->Li, w->Lx);
    ldl_permt(n, b, w->y, w->order);
    return SB_OK;
}

static void stats(const sb_linear *me, sb_linear_stats *out) {
    const ldl_work *w = me->work;
    out->nnz_factor = (long)me->A.cols + w->Lp[me->A.cols];
}

#define PHASES .analyse = analyse, .factor = factor, .solve = solve, .stats = stats
#else
#define PHASES .analyse = NULL
#endif

SB_DEFINE_SOLVER(ldl) = {
    .entry = {"ldl", "SuiteSparse's LDL: LDL' of a symmetric quasi-definite matrix", "davis05", NULL, 0},
    .package = "libsuitesparse-dev",
    .symmetric = true,
    PHASES,
};
