/* Dense LU with partial pivoting: an inlined kernel up to 16 unknowns, where the call of LAPACK costs more than the
 * arithmetic, and LAPACK above. */
#include <string.h>

#include <lapacke.h>

#include <stepbench/numerics/linear.h>
#include <stepbench/numerics/norm.h>
#include <stepbench/plugin.h>

#include "core/linear/lu.h"

enum { INLINE_MAX = 16 };

typedef struct dense_work {
    sb_scalar *LU;
    lapack_int *pivot;
} dense_work;

static int analyse(sb_linear *me, sb_arena *arena) {
    const size_t n = (size_t)me->A.cols;
    dense_work *work;
    SB_NEW(arena, work, 1);
    SB_NEW(arena, work->LU, n * n);
    SB_NEW(arena, work->pivot, n);
    me->work = work;
    return SB_OK;
}

/* Returns SB_SINGULAR unless each of the first `done` pivots is larger than `singular_below` times its column of U. A
 * pivot of NaN is not. */
static int check_pivots(const sb_linear *me, int done, const sb_scalar *U) {
    const size_t n = (size_t)me->A.cols;
    for (int k = 0; k < done; k++) {
        const sb_scalar *const column = U + (size_t)k * n;
        if (!(fabs(column[k]) > me->singular_below * sb_norm_max(k + 1, column))) {
            return sb_linear_bad_pivot(me, k, column[k]);
        }
    }
    return SB_OK;
}

static int factor(sb_linear *me, const sb_scalar *Ax) {
    const dense_work *work = me->work;
    const int n = me->A.cols;
    memcpy(work->LU, Ax, (size_t)n * (size_t)n * sizeof *Ax);
    int done = n; /* columns before the first without a pivot */
    if (n <= INLINE_MAX) {
        done = sb_lu_factor(n, work->LU, work->pivot);
    } else {
        const lapack_int info = LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, work->LU, n, work->pivot);
        done = info == 0 ? n : (int)info - 1;
    }
    if (me->singular_below > 0.0) {
        SB_TRY(check_pivots(me, done, work->LU));
    }
    return done == n ? SB_OK : sb_linear_bad_pivot(me, done, work->LU[(size_t)done * (size_t)(n + 1)]);
}

static int solve(const sb_linear *me, sb_scalar *b) {
    const dense_work *work = me->work;
    const int n = me->A.cols;
    const sb_scalar *a = work->LU;
    if (n > INLINE_MAX) {
        const lapack_int info = LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, 1, a, n, work->pivot, b, n);
        return info == 0 ? SB_OK : SB_SINGULAR;
    }
    sb_lu_solve(n, a, work->pivot, b);
    return SB_OK;
}

static void stats(const sb_linear *me, sb_linear_stats *out) { out->nnz_factor = (long)me->A.cols * me->A.cols; }

SB_DEFINE_SOLVER(dense) = {
    .entry = {"dense", "LU with partial pivoting of the full matrix", "lapack99", NULL, 0},
    .full = true,
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .stats = stats,
};
