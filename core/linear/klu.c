/* SuiteSparse's KLU: sparse LU. The pivots are chosen once and kept as long as they are stable (davis10). */
#include <stepbench/numerics/linear.h>
#include <stepbench/plugin.h>

#ifdef SB_HAVE_SUITESPARSE

#include <suitesparse/klu.h>

typedef struct klu_work {
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
} klu_work;

/* Pivots that were chosen for other values may let the factors grow. Below this reciprocal growth new pivots are
 * chosen: it costs three of sixteen digits. */
static const double least_reciprocal_growth = 1e-3;

static int out_of_memory(const sb_linear *me) {
    return sb_fail(me->ctx, SB_NO_MEMORY, "out of memory: KLU on %d unknowns; try the linear solver static_ldl",
                   me->A.cols);
}

static void destroy(void *work) {
    klu_work *w = work;
    klu_free_numeric(&w->numeric, &w->common);
    klu_free_symbolic(&w->symbolic, &w->common);
}

static int analyse(sb_linear *me, sb_arena *arena) {
    klu_work *w;
    SB_NEW(arena, w, 1);
    me->work = w;
    klu_defaults(&w->common);
    SB_TRY(sb_arena_own(arena, w, destroy));
    w->symbolic = klu_analyze(me->A.cols, (int *)me->A.p, (int *)me->A.i, &w->common);
    return w->symbolic != NULL ? SB_OK : out_of_memory(me);
}

/* Returns whether the last refactorization with the old pivots is stable. */
static bool pivots_are_stable(const sb_linear *me, double *Ax) {
    klu_work *w = me->work;
    return w->common.status == KLU_OK && klu_rcond(w->symbolic, w->numeric, &w->common) &&
           w->common.rcond > me->singular_below &&
           klu_rgrowth((int *)me->A.p, (int *)me->A.i, Ax, w->symbolic, w->numeric, &w->common) &&
           w->common.rgrowth > least_reciprocal_growth;
}

/* Returns SB_SINGULAR with the column of the smallest pivot. */
static int report_singular(const sb_linear *me) {
    const klu_work *w = me->work;
    if (w->common.status == KLU_SINGULAR && w->common.singular_col >= 0) {
        return sb_linear_bad_pivot(me, w->common.singular_col, 0.0);
    }
    const double *U = w->numeric->Udiag;
    int worst = 0;
    for (int k = 1; k < me->A.cols; k++) {
        worst = !(fabs(U[k]) >= fabs(U[worst])) ? k : worst;
    }
    return sb_linear_bad_pivot(me, w->symbolic->Q[worst], U[worst]);
}

static int factor(sb_linear *me, const double *values) {
    klu_work *w = me->work;
    int *p = (int *)me->A.p, *i = (int *)me->A.i;
    double *Ax = (double *)values;
    if (w->numeric != NULL && klu_refactor(p, i, Ax, w->symbolic, w->numeric, &w->common) &&
        pivots_are_stable(me, Ax)) {
        return SB_OK;
    }
    klu_free_numeric(&w->numeric, &w->common);
    w->common.halt_if_singular = 1;
    w->numeric = klu_factor(p, i, Ax, w->symbolic, &w->common);
    if (w->numeric == NULL) {
        return w->common.status == KLU_SINGULAR ? report_singular(me) : out_of_memory(me);
    }
    klu_rcond(w->symbolic, w->numeric, &w->common);
    return w->common.rcond > me->singular_below ? SB_OK : report_singular(me);
}

static int solve(const sb_linear *me, double *b) {
    klu_work *w = me->work;
    return klu_solve(w->symbolic, w->numeric, me->A.cols, 1, b, &w->common)
               ? SB_OK
               : sb_fail(me->ctx, SB_SINGULAR, "KLU cannot solve with its factors of %d unknowns", me->A.cols);
}

static void stats(const sb_linear *me, sb_linear_stats *out) {
    const klu_work *w = me->work;
    out->nnz_factor = w->numeric == NULL ? 0 : (long)w->numeric->lnz + w->numeric->unz + w->symbolic->nzoff;
}

#define PHASES .analyse = analyse, .factor = factor, .solve = solve, .stats = stats
#else
#define PHASES .analyse = NULL
#endif

SB_DEFINE_SOLVER(klu) = {
    .entry = {"klu", "KLU's sparse LU; its pivots are kept while they are stable", "davis10", NULL, 0},
    .package = "libsuitesparse-dev",
    PHASES,
};
