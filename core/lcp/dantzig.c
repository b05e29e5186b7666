/* Box linear complementarity by the principal pivoting method of Dantzig and Cottle (cottle92 4.3) with dense matrices:
 * a check of the other solvers.
 *
 * The rows are satisfied one after the other. The unknown of the current row increases while its w is negative and
 * decreases while it is positive. The free unknowns change so that their w stay 0. A move ends when the row is
 * satisfied or another row would be violated: a free row that reaches a bound becomes a bounded row, a bounded row
 * whose w reaches 0 becomes free. Every move factors the matrix of the free rows anew. A row that reaches its bound
 * while w of the current row does not change stays there until that w changes: otherwise round-off would move nearly
 * dependent rows back and forth without end. */
#include <string.h>

#include <lapacke.h>

#include <stepbench/numerics/norm.h>
#include <stepbench/plugin.h>

#include "core/lcp/internal.h"

typedef struct config {
    long maxit;
} config;

/* Further sides: a row that is not yet satisfied; one between its bounds with w = 0 that is not an equation, because it
 * may depend on the free rows. */
enum { UNSATISFIED = 2, HELD = 3 };

typedef struct dantzig_work {
    sb_scalar *A, *L; /* n x n; the free block's Cholesky factor */
    sb_scalar *w, *size, *dz, *dw, *dw_size;
    int *free; /* the free rows */
    int count;
    signed char *side;
    bool *fixed; /* at a bound until w of the current row changes */
} dantzig_work;

/* A residual below this fraction of its terms counts as zero (ten times the round-off of a sum of 1000 terms). */
static const sb_scalar noise = SB_RESOLVED(1e-12);

static int analyse(sb_lcp *me, sb_arena *arena) {
    const size_t n = (size_t)me->A.cols;
    dantzig_work *w;
    SB_NEW(arena, w, 1);
    me->work = w;
    SB_TRY(SB_VECTORS(arena, n * n, &w->A, &w->L));
    SB_NEW(arena, w->w, n);
    SB_TRY(SB_VECTORS(arena, n, &w->size, &w->dz, &w->dw, &w->dw_size));
    SB_NEW(arena, w->free, n);
    SB_NEW(arena, w->side, n);
    SB_NEW(arena, w->fixed, n);
    return SB_OK;
}

static inline size_t at(int rows, int i, int j) { return (size_t)j * (size_t)rows + (size_t)i; }

/* Returns sum_j A_ij x_j, and adds the absolute values of its terms to *size. */
static sb_scalar row_times(int n, const sb_scalar *A, int i, const sb_scalar *x, sb_scalar *size) {
    sb_scalar sum = 0.0;
    for (int j = 0; j < n; j++) {
        const sb_scalar term = A[at(n, i, j)] * x[j];
        sum += term;
        *size += fabs(term);
    }
    return sum;
}

static void set_w(const sb_lcp *me, const sb_lcp_problem *p, const sb_scalar *z) {
    dantzig_work *w = me->work;
    for (int i = 0; i < me->A.cols; i++) {
        w->size[i] = fabs(p->b[i]);
        w->w[i] = p->b[i] + row_times(me->A.cols, w->A, i, z, &w->size[i]);
    }
}

/* Computes the changes dz of all unknowns and dw of w per change of z_i in the direction `sign`. */
static int set_direction(sb_lcp *me, int i, sb_scalar sign, sb_lcp_report *report) {
    dantzig_work *w = me->work;
    const int n = me->A.cols;
    w->count = 0;
    for (int j = 0; j < n; j++) {
        w->dz[j] = 0.0;
        if (w->side[j] == SB_LCP_FREE) {
            w->free[w->count++] = j;
        }
    }
    const int count = w->count;
    sb_scalar *const x = w->dw; /* as scratch */
    for (int b = 0; b < count; b++) {
        for (int a = 0; a < count; a++) {
            w->L[at(count, a, b)] = w->A[at(n, w->free[a], w->free[b])];
        }
        x[b] = -sign * w->A[at(n, w->free[b], i)];
    }
    report->factorizations += count > 0;
    if (count > 0 && LAPACKE_dposv_work(LAPACK_COL_MAJOR, 'L', count, 1, w->L, count, x, count) != 0) {
        return sb_fail(me->ctx, SB_SINGULAR, "dantzig: the equations of the %d free of %d rows depend on each other",
                       count, n);
    }
    for (int b = 0; b < count; b++) {
        w->dz[w->free[b]] = x[b];
    }
    w->dz[i] = sign;
    for (int j = 0; j < n; j++) {
        w->dw_size[j] = 0.0;
        w->dw[j] = row_times(n, w->A, j, w->dz, &w->dw_size[j]);
    }
    return SB_OK;
}

/* The end of a move: row `row` changes to `side` after `length`. */
typedef struct stop {
    sb_scalar length;
    int row;
    signed char side;
} stop;

/* Replaces the end of a move by an earlier one. */
static void take_earlier(stop *s, sb_scalar length, int row, signed char side) {
    if (length < s->length) {
        *s = (stop){fmax(length, 0.0), row, side};
    }
}

/* Returns whether the change of w of row j exceeds its round-off. */
static bool changes(const dantzig_work *w, int j) { return fabs(w->dw[j]) > noise * w->dw_size[j]; }

static stop find_stop(const sb_lcp *me, const sb_lcp_problem *p, const sb_scalar *z, int i, sb_scalar sign) {
    const dantzig_work *w = me->work;
    stop s = {(sb_scalar)INFINITY, -1, 0};
    if (changes(w, i)) {
        take_earlier(&s, -w->w[i] / w->dw[i], i, SB_LCP_FREE);
    }
    for (int j = 0; j < me->A.cols; j++) {
        const bool bound = w->side[j] == SB_LCP_LO || w->side[j] == SB_LCP_HI;
        if (j == i || w->side[j] == SB_LCP_FREE) {
            const bool up = j == i ? sign > 0.0 : w->dz[j] > 0.0;
            if (w->dz[j] != 0.0) {
                take_earlier(&s, ((up ? p->hi[j] : p->lo[j]) - z[j]) / w->dz[j], j, up ? SB_LCP_HI : SB_LCP_LO);
            }
        } else if (w->side[j] == HELD && changes(w, j)) {
            take_earlier(&s, 0.0, j, SB_LCP_FREE);
        } else if (bound && !w->fixed[j] && p->lo[j] < p->hi[j] && changes(w, j) &&
                   (w->dw[j] < 0.0) == (w->side[j] == SB_LCP_LO)) {
            take_earlier(&s, -w->w[j] / w->dw[j], j, SB_LCP_FREE);
        }
    }
    return s;
}

/* Returns the side on which row i is satisfied, or UNSATISFIED. */
static signed char satisfied_side(const dantzig_work *w, const sb_lcp_problem *p, const sb_scalar *z, int i) {
    const sb_scalar slack = noise * w->size[i];
    if (z[i] == p->lo[i] && (w->w[i] >= -slack || p->lo[i] == p->hi[i])) {
        return SB_LCP_LO;
    }
    if (z[i] == p->hi[i] && w->w[i] <= slack) {
        return SB_LCP_HI;
    }
    return fabs(w->w[i]) <= slack ? HELD : UNSATISFIED;
}

/* Moves the unknown of row i until the row is satisfied. */
static int satisfy(sb_lcp *me, const sb_lcp_problem *p, sb_scalar *z, int i, sb_lcp_report *report) {
    const config *c = me->config;
    dantzig_work *w = me->work;
    const int n = me->A.cols;
    w->side[i] = satisfied_side(w, p, z, i);
    memset(w->fixed, 0, (size_t)n * sizeof *w->fixed);
    while (w->side[i] == UNSATISFIED) {
        SB_TRY(sb_poll(me->ctx));
        const sb_scalar sign = w->w[i] < 0.0 ? 1.0 : -1.0;
        if (++report->iterations > c->maxit) {
            return sb_fail(me->ctx, SB_NOT_CONVERGED,
                           "dantzig: not solved in %ld pivots: row %d of %d, %d free; increase maxit", c->maxit, i, n,
                           w->count);
        }
        SB_TRY(set_direction(me, i, sign, report));
        const stop s = find_stop(me, p, z, i, sign);
        if (s.row < 0) {
            return sb_fail(me->ctx, SB_NOT_CONVERGED,
                           "dantzig: no solution: row %d of %d depends on the %d free ones and contradicts them", i, n,
                           w->count);
        }
        sb_axpy(n, s.length, w->dz, z);
        if (s.side != SB_LCP_FREE) {
            z[s.row] = s.side == SB_LCP_LO ? p->lo[s.row] : p->hi[s.row];
        }
        w->side[s.row] = s.side;
        report->changes++;
        if (s.length * fabs(w->dw[i]) > noise * w->size[i]) {
            memset(w->fixed, 0, (size_t)n * sizeof *w->fixed);
        } else {
            w->fixed[s.row] = s.side != SB_LCP_FREE;
        }
        set_w(me, p, z);
    }
    return SB_OK;
}

static int solve(sb_lcp *me, const sb_lcp_problem *p, sb_scalar *z, signed char *side, sb_lcp_report *report) {
    dantzig_work *w = me->work;
    const int n = me->A.cols;
    for (int j = 0; j < n; j++) {
        for (int k = me->A.p[j]; k < me->A.p[j + 1]; k++) {
            w->A[at(n, me->A.i[k], j)] = p->Ax[k];
        }
        z[j] = sb_lcp_clamp(0.0, p->lo[j], p->hi[j]);
        w->side[j] = UNSATISFIED;
    }
    set_w(me, p, z);
    for (int i = 0; i < n; i++) {
        SB_TRY(satisfy(me, p, z, i, report));
    }
    sb_lcp_set_sides(me, p, z, side);
    return SB_OK;
}

static const sb_param params[] = {
    SB_PARAM_INT(config, maxit, "100000", 1.0, 1e9, "most pivots"),
    {.name = NULL},
};

SB_DEFINE_LCP_SOLVER(dantzig) = {
    .entry =
        {"dantzig",
         "principal pivoting row by row, with dense matrices and always from the beginning: a check for small problems",
         "cottle92 4.3", params, sizeof(config)},
    .counts = "pivots",
    .direct = true,
    .analyse = analyse,
    .solve = solve,
};
