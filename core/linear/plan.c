/* LDL' of a symmetric quasi-definite matrix along a static elimination plan (vanderbei95): a factorization is one pass over the plan, without
 * searches, sorting or pivoting. */
#include <float.h>
#include <string.h>

#include <stepbench/solve.h>

#include "core/elimination_plan.h"

/* Columns up to this length are eliminated by code of their own: most of a mechanism's. */
enum { UNROLLED = 8 };

typedef struct plan_work {
    sb_elimination_plan plan;
    double *X; /* column by column: 1/D, then L's values */
    double *y;
} plan_work;

static int analyse(sb_linear *me, sb_arena *arena) {
    plan_work *w;
    sb_arena scratch;
    SB_NEW(arena, w, 1);
    me->work = w;
    sb_arena_init(&scratch, me->ctx);
    const int status = sb_elimination_plan_make(arena, &scratch, &me->A, me->positive, &w->plan);
    sb_arena_free(&scratch);
    SB_TRY(status);
    SB_NEW(arena, w->X, w->plan.size);
    SB_NEW(arena, w->y, w->plan.n);
    return SB_OK;
}

/* Forward substitution by one pivot. */
static inline void substitute(const double *column, double *y, const sb_shape *rows, int length) {
    const double y0 = y[0];
    for (int a = 0; a < length; a++) {
        y[rows[a]] -= column[1 + a] * y0;
    }
}

/* The updates by one pivot, of the right-hand side y (from the pivot's row on) too; `length`, of the column below it, is a constant where this is inlined
 * for a short one: its entries stay in registers. Returns the largest of them in magnitude. */
static inline __attribute__((always_inline)) double eliminate_short(double *column, double *y, const sb_shape *rows, double inverse, int length) {
    const sb_shape *target = rows + length;
    const double y0 = y[0];
    double entry[UNROLLED], most = 0.0;
    for (int a = 0; a < length; a++) {
        entry[a] = column[1 + a];
        most = fabs(entry[a]) > most ? fabs(entry[a]) : most;
    }
    for (int a = 0; a < length; a++) {
        const double l = entry[a] * inverse;
        for (int b = a; b < length; b++) {
            column[*target++] -= entry[b] * l;
        }
        column[1 + a] = l;
        y[rows[a]] -= l * y0;
    }
    return most;
}

static double eliminate_long(double *column, const sb_shape *target, double inverse, int length) {
    const double most = sb_norm_max(length, column + 1);
    for (int a = 1; a <= length; a++) {
        const double l = column[a] * inverse;
        for (int b = a; b <= length; b++) {
            column[*target++] -= column[b] * l;
        }
        column[a] = l;
    }
    return most;
}

/* Without targets: the rows of the column are found among those of each column they are taken from, both in ascending order. */
static double eliminate_unplanned(const plan_work *w, int k, double inverse) {
    const sb_shape *rows = w->plan.shapes[w->plan.which[k]] + SB_SHAPE_HEAD;
    const int length = rows[SB_SHAPE_ENTRIES - SB_SHAPE_HEAD];
    double *column = w->X + w->plan.begin[k];
    const double most = sb_norm_max(length, column + 1);
    for (int a = 0; a < length; a++) {
        const int j = k + rows[a];
        const sb_shape *other = w->plan.shapes[w->plan.which[j]] + SB_SHAPE_HEAD;
        double *to = w->X + w->plan.begin[j];
        const double l = column[1 + a] * inverse;
        to[0] -= column[1 + a] * l;
        for (int b = a + 1, at = 0; b < length; b++, at++) {
            while (j + other[at] < k + rows[b]) {
                at++;
            }
            to[1 + at] -= column[1 + b] * l;
        }
        column[1 + a] = l;
    }
    return most;
}

static inline double eliminate(const plan_work *w, int k, const sb_shape *s, double *column, double inverse) {
    const int length = s[SB_SHAPE_ENTRIES];
    const sb_shape *rows = s + SB_SHAPE_HEAD;
    double *const y = w->y + k;
#define SHORT(constant)                                                                            \
    case constant:                                                                                 \
        return eliminate_short(column, y, rows, inverse, constant);
    switch (length) {
        SHORT(0) SHORT(1) SHORT(2) SHORT(3) SHORT(4) SHORT(5) SHORT(6) SHORT(7) SHORT(8)
    default:
        break;
    }
#undef SHORT
    const double most = length <= SB_SHAPE_PLANNED ? eliminate_long(column, rows + length, inverse, length) : eliminate_unplanned(w, k, inverse);
    substitute(column, y, rows, length);
    return most;
}

/* Brings A's entries into X, and the right-hand side x (NULL: zero) into y, as far as the pivots of block b reach. */
static void fill(const plan_work *w, int b, const double *Ax, const double *x) {
    const size_t begin = b > 0 ? w->plan.filled[b - 1] : 0;
    memset(w->X + begin, 0, (w->plan.filled[b] - begin) * sizeof(double));
    for (int e = b > 0 ? w->plan.copies[b - 1] : 0; e < w->plan.copies[b]; e++) {
        w->X[w->plan.to[e]] = Ax[w->plan.from[e]];
    }
    for (int k = b > 0 ? w->plan.reached[b - 1] : 0; k < w->plan.reached[b]; k++) {
        w->y[k] = x != NULL ? x[w->plan.order[k]] : 0.0;
    }
}

/* Round-off of pivot k: twice that of a sum of as many terms as its row has entries, of the size of the diagonal entry, or for a constraint of what
 * its coordinates add; what other constraints take away again is no larger when little is left. */
static double noise_of_pivot(const sb_linear *me, const plan_work *w, const double *Ax, int k, int row) {
    double size = 0.0;
    if (row < me->positive) {
        size = fabs(Ax[w->plan.diagonal[row]]);
    } else {
        const int end = me->A.p[row + 1];
        for (int e = me->A.p[row]; e < end && me->A.i[e] < me->positive; e++) {
            size += Ax[e] * Ax[e] * w->X[w->plan.begin[w->plan.number[me->A.i[e]]]]; /* where 1/D is */
        }
    }
    return 2.0 * DBL_EPSILON * w->plan.shapes[w->plan.which[k]][SB_SHAPE_ROW_ENTRIES] * size;
}

/* The factorization, and with it the forward substitution of x (NULL: zero, which costs less than to ask for it at every pivot). */
static int eliminate_all(sb_linear *me, const double *Ax, const double *x) {
    const plan_work *w = me->work;
    double *column = w->X, most = 0.0; /* the largest term that any coordinate has added to any pivot */
    for (int k = 0; k < w->plan.n; k++) {
        if (k % SB_PLAN_BLOCK == 0) {
            fill(w, k / SB_PLAN_BLOCK, Ax, x);
        }
        const sb_shape *s = w->plan.shapes[w->plan.which[k]];
        const double pivot = column[0];
        const int row = w->plan.order[k];
        const bool primal = row < me->positive;
        /* No noise in an entry of A as it stands; a bound of it, `most` a term, is enough to let nearly every pivot of a constraint pass. */
        const double size = primal ? pivot : -pivot, entries = s[SB_SHAPE_ROW_ENTRIES];
        const bool clear = primal ? entries == 0.0 && size > 0.0 : size > 2.0 * DBL_EPSILON * entries * entries * most && size > 0.0;
        if (!clear && !(size > noise_of_pivot(me, w, Ax, k, row))) {
            return sb_linear_bad_pivot(me, row, pivot);
        }
        const double inverse = 1.0 / pivot;
        column[0] = inverse;
        const double largest = eliminate(w, k, s, column, inverse), term = largest * largest * inverse;
        most = primal && !(term <= most) ? term : most;
        column += 1 + s[SB_SHAPE_ENTRIES];
    }
    return SB_OK;
}

/* From y after the forward substitution to the solution in x. */
static void substitute_back(const plan_work *w, double *x) {
    double *const y = w->y;
    const double *column = w->X + w->plan.size;
    for (int k = w->plan.n - 1; k >= 0; k--) {
        const sb_shape *s = w->plan.shapes[w->plan.which[k]], *rows = s + SB_SHAPE_HEAD;
        column -= 1 + s[SB_SHAPE_ENTRIES];
        double sum = y[k] * column[0];
        for (int a = s[SB_SHAPE_ENTRIES] - 1; a >= 0; a--) { /* last the row found last, which is not waited for until then */
            sum -= column[1 + a] * y[k + rows[a]];
        }
        y[k] = x[w->plan.order[k]] = sum;
    }
}

static int factor(sb_linear *me, const double *Ax) { return eliminate_all(me, Ax, NULL); }

static int solve(const sb_linear *me, double *b) {
    const plan_work *w = me->work;
    for (int k = 0; k < w->plan.n; k++) {
        w->y[k] = b[w->plan.order[k]];
    }
    const double *column = w->X;
    for (int k = 0; k < w->plan.n; k++) {
        const sb_shape *s = w->plan.shapes[w->plan.which[k]];
        substitute(column, w->y + k, s + SB_SHAPE_HEAD, s[SB_SHAPE_ENTRIES]);
        column += 1 + s[SB_SHAPE_ENTRIES];
    }
    substitute_back(w, b);
    return SB_OK;
}

static int factor_solve(sb_linear *me, const double *Ax, double *b) {
    SB_TRY(eliminate_all(me, Ax, b));
    substitute_back(me->work, b);
    return SB_OK;
}

static void stats(const sb_linear *me, sb_linear_stats *out) {
    const plan_work *w = me->work;
    out->nnz_factor = (long)w->plan.size;
}

extern const sb_solver sb_solver_plan;
const sb_solver sb_solver_plan = {
    .entry = {"plan", "LDL' of a symmetric quasi-definite matrix along a static elimination plan", "vanderbei95", NULL, 0},
    .symmetric = true,
    .analyse = analyse,
    .factor = factor,
    .factor_solve = factor_solve,
    .solve = solve,
    .stats = stats,
};
