/* LDL' of a symmetric quasi-definite matrix along a static elimination plan (vanderbei95): a factorization is one pass over the plan, without
 * searches, sorting or pivoting. */
#include <float.h>
#include <string.h>

#include <stepbench/plugin.h>
#include <stepbench/numerics/linear.h>

#include "core/linear/static_ldl_kernels.h"

typedef struct plan_work {
    sb_elimination_plan plan;
    const double *Ax; /* of the last factorization: leaves are read there */
    double *X;        /* inner column by inner column: 1/D, then L's values */
    double *y;        /* of the inner pivots */
} plan_work;

static int analyse(sb_linear *me, sb_arena *arena) {
    plan_work *w;
    sb_arena scratch;
    SB_NEW(arena, w, 1);
    me->work = w;
    sb_arena_init(&scratch, me->ctx);
    const int status = sb_elimination_plan_make(arena, &scratch, &me->A, me->at, me->positive, &w->plan);
    sb_arena_free(&scratch);
    SB_TRY(status);
    SB_NEW(arena, w->X, w->plan.size);
    SB_NEW(arena, w->y, w->plan.inner);
    return SB_OK;
}

/* ---- Moving over the pivots. ---- */

static inline bool is_constraint(const sb_shape *s) { return s[SB_SHAPE_KIND] == SB_SHAPE_CONSTRAINT; }

/* Never an index that only the shape tells, so that cursors stay in registers. */
static inline int row_of(const sb_plan_cursor *c, const sb_shape *s) { return is_constraint(s) ? c->row[SB_SHAPE_CONSTRAINT] : c->row[SB_SHAPE_COORDINATE]; }

static inline int own_of(const sb_plan_cursor *c, const sb_shape *s) { return is_constraint(s) ? c->own[SB_SHAPE_CONSTRAINT] : c->own[SB_SHAPE_COORDINATE]; }

static inline void move(sb_plan_cursor *c, const sb_shape *s, int sign) {
    if (is_constraint(s)) {
        c->row[SB_SHAPE_CONSTRAINT] += sign * s[SB_SHAPE_ROW];
        c->own[SB_SHAPE_CONSTRAINT] += sign * s[SB_SHAPE_OWN];
    } else {
        c->row[SB_SHAPE_COORDINATE] += sign * s[SB_SHAPE_ROW];
        c->own[SB_SHAPE_COORDINATE] += sign * s[SB_SHAPE_OWN];
    }
    c->cross += sign * s[SB_SHAPE_CROSS];
}

static inline void advance(sb_plan_cursor *c, const sb_shape *s) { move(c, s, 1); }

static inline void retreat(sb_plan_cursor *c, const sb_shape *s) { move(c, s, -1); }

static inline const sb_shape *shape_of(const plan_work *w, int k) { return w->plan.shapes[w->plan.which[k]]; }

/* ---- The passes. ---- */

/* X and y have to be clear as far as the pivots of block b reach. */
static void clear(const plan_work *w, int b) {
    const size_t begin = b > 0 ? w->plan.cleared[b - 1] : 0;
    const int reached = b > 0 ? w->plan.reached[b - 1] : 0;
    memset(w->X + begin, 0, (w->plan.cleared[b] - begin) * sizeof(double));
    memset(w->y + reached, 0, (size_t)(w->plan.reached[b] - reached) * sizeof(double));
}

/* Adds A's entries to what the pivots before have left in an inner column; the pivot is returned instead, so that nothing waits for it to be stored. */
static inline double fetch(const double *A, const sb_plan_cursor *c, const sb_shape *s, double *column) {
    const sb_shape *entry = s + SB_SHAPE_HEAD + s[SB_SHAPE_ENTRIES];
    const sb_shape *const cross = entry + 2 * s[SB_SHAPE_OWN_ENTRIES], *const end = entry + 2 * s[SB_SHAPE_ENTRIES_OF_A];
    const double *own = A + own_of(c, s);
    double pivot = column[0];
    if (entry < cross && entry[1] == 0) {
        pivot += *own;
        entry += 2;
    }
    for (; entry < cross; entry += 2) {
        column[entry[1]] += own[entry[0]];
    }
    for (; entry < end; entry += 2) {
        column[entry[1]] += A[c->cross + entry[0]];
    }
    return pivot;
}

/* Round-off of the pivot of `row`: twice that of a sum of as many terms as its row has entries, of the size of the diagonal entry, or for a constraint of what
 * its coordinates add; what other constraints take away again is no larger when little is left. */
static double noise_of_pivot(const sb_linear *me, const plan_work *w, const double *Ax, int row, int entries) {
    const sb_elimination_plan *p = &w->plan;
    double size = 0.0;
    if (row < me->positive) {
        size = p->diagonal[row] < 0 ? 0.0 : fabs(Ax[p->diagonal[row]]);
    } else {
        const int end = me->A.p[row + 1];
        for (int e = me->A.p[row]; e < end && me->A.i[e] < me->positive; e++) {
            const int i = me->A.i[e];
            const double entry = Ax[me->at != NULL ? me->at[e] : e];
            size += entry * entry * (p->number[i] < 0 ? 1.0 / Ax[p->diagonal[i]] : w->X[p->begin[p->number[i]]] /* where 1/D is */);
        }
    }
    return 2.0 * DBL_EPSILON * entries * size;
}

/* Whether the pivot of an inner column is one. `most` is a bound of its noise a term, enough to let nearly every pivot of a constraint pass. */
static inline int judge(const sb_linear *me, const plan_work *w, const double *Ax, const sb_shape *s, int row, double pivot, double most) {
    const bool primal = s[SB_SHAPE_KIND] == SB_SHAPE_COORDINATE;
    const double size = primal ? pivot : -pivot, entries = s[SB_SHAPE_ROW_ENTRIES];
    const bool clear = primal ? entries == 0.0 && size > 0.0 : size > 2.0 * DBL_EPSILON * entries * entries * most && size > 0.0;
    return clear || size > noise_of_pivot(me, w, Ax, row, s[SB_SHAPE_ROW_ENTRIES]) ? SB_OK : sb_linear_bad_pivot(me, row, pivot);
}

/* The factorization, and with it the forward substitution of b (NULL: zero). */
static int eliminate_all(sb_linear *me, const double *Ax, const double *b) {
    plan_work *w = me->work;
    sb_plan_cursor c = w->plan.first;
    double *column = w->X, *y = w->y, most = 0.0; /* the largest term that any coordinate has added to any pivot */
    w->Ax = Ax;
    for (int k = 0; k < w->plan.n; k++) {
        if (k % SB_PLAN_BLOCK == 0) {
            clear(w, k / SB_PLAN_BLOCK);
        }
        const sb_shape *s = shape_of(w, k);
        advance(&c, s);
        const int row = row_of(&c, s);
        const double right = b != NULL ? b[row] : 0.0;
        if (s[SB_SHAPE_KIND] == SB_SHAPE_LEAF) { /* no noise in an entry of A as it stands */
            const double pivot = Ax[c.own[SB_SHAPE_COORDINATE]];
            if (!(pivot > 0.0)) {
                return sb_linear_bad_pivot(me, row, pivot);
            }
            const double inverse = 1.0 / pivot, size = leaf_column(Ax + c.cross, s, column, y, right, inverse), term = size * size * inverse;
            most = !(term <= most) ? term : most;
            continue;
        }
        const double pivot = fetch(Ax, &c, s, column);
        SB_TRY(judge(me, w, Ax, s, row, pivot, most));
        const double inverse = 1.0 / pivot;
        column[0] = inverse;
        *y += right;
        if (s[SB_SHAPE_PAIR] == SB_SHAPE_FIRST) {
            double *const first = column;
            const double entry = first[1], l = entry * inverse;
            column += 1 + s[SB_SHAPE_ENTRIES];
            s = shape_of(w, ++k);
            advance(&c, s);
            const int other = row_of(&c, s);
            const double second = fetch(Ax, &c, s, column) - entry * l;
            SB_TRY(judge(me, w, Ax, s, other, second, most));
            first[1] = l;
            column[0] = 1.0 / second;
            const double left = y[1] - l * y[0];
            *++y = left + (b != NULL ? b[other] : 0.0);
            pair_of_columns(s, first, column, y);
        } else {
            const double size = s[SB_SHAPE_KIND] == SB_SHAPE_COORDINATE ? largest(column + 1, s[SB_SHAPE_ENTRIES]) : 0.0, term = size * size * inverse;
            most = !(term <= most) ? term : most;
            inner_column(&w->plan, w->X, s, column, y, (int)(y - w->y), inverse);
        }
        column += 1 + s[SB_SHAPE_ENTRIES];
        y++;
    }
    return SB_OK;
}

/* The forward substitution alone. */
static void substitute_forth(const plan_work *w, const double *b) {
    const double *const A = w->Ax, *column = w->X;
    sb_plan_cursor c = w->plan.first;
    double *y = w->y;
    memset(y, 0, (size_t)w->plan.inner * sizeof *y);
    for (int k = 0; k < w->plan.n; k++) {
        const sb_shape *s = shape_of(w, k), *rows = s + SB_SHAPE_HEAD;
        const int length = s[SB_SHAPE_ENTRIES];
        advance(&c, s);
        const double right = b[row_of(&c, s)];
        if (s[SB_SHAPE_KIND] == SB_SHAPE_LEAF) {
            const double inverse = 1.0 / A[c.own[SB_SHAPE_COORDINATE]];
            for (int a = 0; a < length; a++) {
                y[rows[a]] -= A[c.cross + rows[length + a]] * inverse * right;
            }
            continue;
        }
        *y += right;
        substitute(column, y, rows, length);
        column += 1 + length;
        y++;
    }
}

/* After the forward substitution: b, of which leaves have kept their own, becomes the solution. */
static void substitute_back(const plan_work *w, double *b) {
    const double *const A = w->Ax, *column = w->X + w->plan.size;
    sb_plan_cursor c = w->plan.last;
    double *y = w->y + w->plan.inner;
    for (int k = w->plan.n - 1; k >= 0; k--) {
        const sb_shape *s = shape_of(w, k), *rows = s + SB_SHAPE_HEAD;
        const int length = s[SB_SHAPE_ENTRIES], row = row_of(&c, s);
        if (s[SB_SHAPE_KIND] == SB_SHAPE_LEAF) {
            double sum = b[row];
            for (int a = length - 1; a >= 0; a--) { /* last the row found last, which is not waited for until then */
                sum -= A[c.cross + rows[length + a]] * y[rows[a]];
            }
            b[row] = sum / A[c.own[SB_SHAPE_COORDINATE]];
        } else {
            column -= 1 + length;
            y--;
            double sum = y[0] * column[0];
            for (int a = length - 1; a >= 0; a--) {
                sum -= column[1 + a] * y[rows[a]];
            }
            y[0] = b[row] = sum;
        }
        retreat(&c, s);
    }
}

static int factor(sb_linear *me, const double *Ax) { return eliminate_all(me, Ax, NULL); }

static int solve(const sb_linear *me, double *b) {
    substitute_forth(me->work, b);
    substitute_back(me->work, b);
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

SB_DEFINE_SOLVER(plan) = {
    .entry = {"plan", "LDL' of a symmetric quasi-definite matrix along a static elimination plan", "vanderbei95", NULL, 0},
    .symmetric = true,
    .in_place = true,
    .analyse = analyse,
    .factor = factor,
    .factor_solve = factor_solve,
    .solve = solve,
    .stats = stats,
};
