/* SuiteSparse's CHOLMOD: simplicial LL' of a symmetric positive definite matrix, analysed once (chen08). */
#include <stepbench/numerics/linear.h>
#include <stepbench/plugin.h>

#ifdef SB_HAVE_SUITESPARSE

#include <suitesparse/cholmod.h>

typedef struct cholmod_work {
    cholmod_common common;
    cholmod_sparse A;
    cholmod_dense b, *x, *y, *e;
    cholmod_factor *L;
    int *diagonal; /* where the diagonal of row i is in A */
} cholmod_work;

static int out_of_memory(const sb_linear *me) {
    return sb_fail(me->ctx, SB_NO_MEMORY, "out of memory: CHOLMOD on %d unknowns; try the linear solver static_ldl",
                   me->A.cols);
}

static void destroy(void *work) {
    cholmod_work *w = work;
    cholmod_free_factor(&w->L, &w->common);
    cholmod_free_dense(&w->x, &w->common);
    cholmod_free_dense(&w->y, &w->common);
    cholmod_free_dense(&w->e, &w->common);
    cholmod_finish(&w->common);
}

static int analyse(sb_linear *me, sb_arena *arena) {
    const int n = me->A.cols;
    cholmod_work *w;
    SB_NEW(arena, w, 1);
    me->work = w;
    SB_NEW(arena, w->diagonal, n);
    for (int j = 0; j < n; j++) {
        w->diagonal[j] = sb_pattern_find(&me->A, j, j);
    }
    cholmod_start(&w->common);
    SB_TRY(sb_arena_own(arena, w, destroy));
    w->common.supernodal = CHOLMOD_SIMPLICIAL;
    w->common.final_ll = 1;
    w->common.print = 0;
    w->common.nmethods = 1;
    w->common.method[0].ordering = CHOLMOD_AMD;
    w->A = (cholmod_sparse){.nrow = (size_t)n,
                            .ncol = (size_t)n,
                            .nzmax = (size_t)sb_pattern_nnz(&me->A),
                            .p = (int *)me->A.p,
                            .i = (int *)me->A.i,
                            .stype = -1,
                            .itype = CHOLMOD_INT,
                            .xtype = CHOLMOD_PATTERN,
                            .dtype = CHOLMOD_DOUBLE,
                            .sorted = 1,
                            .packed = 1};
    w->b = (cholmod_dense){.nrow = (size_t)n,
                           .ncol = 1,
                           .nzmax = (size_t)n,
                           .d = (size_t)n,
                           .xtype = CHOLMOD_REAL,
                           .dtype = CHOLMOD_DOUBLE};
    w->L = cholmod_analyze(&w->A, &w->common);
    w->A.xtype = CHOLMOD_REAL;
    return w->L != NULL ? SB_OK : out_of_memory(me);
}

static int factor(sb_linear *me, const double *Ax) {
    cholmod_work *w = me->work;
    w->A.x = (double *)Ax;
    if (!cholmod_factorize(&w->A, w->L, &w->common)) {
        return out_of_memory(me);
    }
    const int *order = w->L->Perm, *Lp = w->L->p;
    const double *Lx = w->L->x;
    for (size_t k = 0; k < w->L->n; k++) {
        const double l = Lx[Lp[k]], pivot = l * l;
        if (k >= w->L->minor || !(pivot > me->singular_below * fabs(Ax[w->diagonal[order[k]]]))) {
            return sb_linear_bad_pivot(me, order[k], k >= w->L->minor ? l : pivot);
        }
    }
    return SB_OK;
}

static int solve(const sb_linear *me, double *b) {
    cholmod_work *w = me->work;
    w->b.x = b;
    if (!cholmod_solve2(CHOLMOD_A, w->L, &w->b, NULL, &w->x, NULL, &w->y, &w->e, &w->common)) {
        return out_of_memory(me);
    }
    const double *x = w->x->x;
    for (int i = 0; i < me->A.cols; i++) {
        b[i] = x[i];
    }
    return SB_OK;
}

static void stats(const sb_linear *me, sb_linear_stats *out) {
    const cholmod_work *w = me->work;
    out->nnz_factor = (long)w->common.lnz;
}

#define PHASES .analyse = analyse, .factor = factor, .solve = solve, .stats = stats
#else
#define PHASES .analyse = NULL
#endif

SB_DEFINE_SOLVER(cholmod) = {
    .entry = {"cholmod", "CHOLMOD's simplicial LL' of the Schur complement", "chen08", NULL, 0},
    .package = "libsuitesparse-dev",
    .symmetric = true,
    .definite = true,
    PHASES,
};
