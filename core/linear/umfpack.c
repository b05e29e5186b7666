/* SuiteSparse's UMFPACK: unsymmetric multifrontal LU, analysed once (davis04). spook07 4 and 6 use it on the saddle
 * matrix.
 *
 * The indices have 64 bits. With 32 the counters of umf_create_element grow by n per element and reach their limit
 * every 2^31/n elements, and then all elements are visited. On ladders of 10 000, 30 000 and 100 000 squares the
 * factorization takes 8.7, 14.8 and 222 us per rod with 32 bits, and 11.9, 10.8 and 13.2 us with 64 (UMFPACK 5.7.9). */
#include <stepbench/numerics/linear.h>
#include <stepbench/plugin.h>

#ifdef SB_HAVE_SUITESPARSE

#include <suitesparse/umfpack.h>

typedef struct umfpack_work {
    double control[UMFPACK_CONTROL], info[UMFPACK_INFO];
    void *symbolic, *numeric;
    const double *Ax; /* values of the last factorization */
    double *x, *W;
    int64_t *p, *i, *Wi; /* p, i: the pattern */
} umfpack_work;

static int failure(const sb_linear *me, int64_t status) {
    return status == UMFPACK_ERROR_out_of_memory
               ? sb_fail(me->ctx, SB_NO_MEMORY,
                         "out of memory: UMFPACK on %d unknowns; try the linear solver static_ldl", me->A.cols)
               : sb_fail(me->ctx, SB_SINGULAR, "UMFPACK gives up on %d unknowns with its status %d", me->A.cols,
                         (int)status);
}

static void destroy(void *work) {
    umfpack_work *w = work;
    if (w->numeric != NULL) {
        umfpack_dl_free_numeric(&w->numeric);
    }
    if (w->symbolic != NULL) {
        umfpack_dl_free_symbolic(&w->symbolic);
    }
}

static int analyse(sb_linear *me, sb_arena *arena) {
    const int n = me->A.cols, entries = sb_pattern_nnz(&me->A);
    umfpack_work *w;
    SB_NEW(arena, w, 1);
    me->work = w;
    SB_TRY(SB_VECTORS(arena, n, &w->x, &w->W));
    SB_NEW(arena, w->Wi, n);
    SB_NEW(arena, w->p, n + 1);
    SB_NEW(arena, w->i, entries);
    for (int j = 0; j <= n; j++) {
        w->p[j] = me->A.p[j];
    }
    for (int k = 0; k < entries; k++) {
        w->i[k] = me->A.i[k];
    }
    SB_TRY(sb_arena_own(arena, w, destroy));
    umfpack_dl_defaults(w->control);
    w->control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_UNSYMMETRIC;
    w->control[UMFPACK_IRSTEP] = 0; /* sb_kkt refines */
    const int64_t status = umfpack_dl_symbolic(n, n, w->p, w->i, NULL, &w->symbolic, w->control, w->info);
    return status == UMFPACK_OK ? SB_OK : failure(me, status);
}

/* Returns SB_SINGULAR with the column of the smallest pivot. */
static int report_singular(const sb_linear *me) {
    const umfpack_work *w = me->work;
    int64_t do_recip;
    int worst = 0;
    const int64_t status =
        umfpack_dl_get_numeric(NULL, NULL, NULL, NULL, NULL, NULL, NULL, w->Wi, w->x, &do_recip, NULL, w->numeric);
    if (status != UMFPACK_OK) {
        return failure(me, status);
    }
    for (int k = 1; k < me->A.cols; k++) {
        worst = !(fabs(w->x[k]) >= fabs(w->x[worst])) ? k : worst;
    }
    return sb_linear_bad_pivot(me, (int)w->Wi[worst], w->x[worst]);
}

static int factor(sb_linear *me, const double *Ax) {
    umfpack_work *w = me->work;
    if (w->numeric != NULL) {
        umfpack_dl_free_numeric(&w->numeric);
    }
    w->Ax = Ax;
    const int64_t status = umfpack_dl_numeric(w->p, w->i, Ax, w->symbolic, &w->numeric, w->control, w->info);
    if (status != UMFPACK_OK && status != UMFPACK_WARNING_singular_matrix) {
        return failure(me, status);
    }
    return status == UMFPACK_OK && w->info[UMFPACK_RCOND] > me->singular_below ? SB_OK : report_singular(me);
}

static int solve(const sb_linear *me, double *b) {
    umfpack_work *w = me->work;
    const int64_t status =
        umfpack_dl_wsolve(UMFPACK_A, w->p, w->i, w->Ax, w->x, b, w->numeric, w->control, w->info, w->Wi, w->W);
    if (status != UMFPACK_OK) {
        return failure(me, status);
    }
    for (int i = 0; i < me->A.cols; i++) {
        b[i] = w->x[i];
    }
    return SB_OK;
}

static void stats(const sb_linear *me, sb_linear_stats *out) {
    const umfpack_work *w = me->work;
    out->nnz_factor = w->numeric == NULL ? 0 : (long)(w->info[UMFPACK_LNZ] + w->info[UMFPACK_UNZ]);
}

#define PHASES .analyse = analyse, .factor = factor, .solve = solve, .stats = stats
#else
#define PHASES .analyse = NULL
#endif

SB_DEFINE_SOLVER(umfpack) = {
    .entry = {"umfpack", "UMFPACK's multifrontal LU, unsymmetric strategy", "davis04", NULL, 0},
    .package = "libsuitesparse-dev",
    PHASES,
};
