/* LDL' of a symmetric quasi-definite matrix along a static elimination plan (vanderbei95): a factorization is one pass over the plan, without
 * searches, sorting or pivoting. */
#include <float.h>
#include <string.h>

#include <stepbench/solve.h>

#include "core/elimination_plan.h"

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

/* ---- One pivot. ---- */

/* Forward substitution by one pivot. */
static inline void substitute(const double *column, double *y, const sb_shape *rows, int length) {
    const double y0 = y[0];
    for (int a = 0; a < length; a++) {
        y[rows[a]] -= column[1 + a] * y0;
    }
}

static inline double largest(const double *entry, int length) {
    double most = 0.0;
    for (int a = 0; a < length; a++) {
        most = fabs(entry[a]) > most ? fabs(entry[a]) : most;
    }
    return most;
}

/* The updates by one pivot of X, from `column` on, and of y, by its right-hand side y0; L (NULL: kept nowhere) receives the entries of L and may be where
 * they come from. Where this is inlined `length` is a constant for short columns, and the entries stay in registers. */
static inline __attribute__((always_inline)) void update(const double *entry, double *L, double *column, double *y, double y0, const sb_shape *rows, const sb_shape *target,
                                                         double inverse, int length) {
    for (int a = 0; a < length; a++) {
        const double l = entry[a] * inverse;
        for (int b = a; b < length; b++) {
            column[*target++] -= entry[b] * l;
        }
        if (L != NULL) {
            L[a] = l;
        }
        y[rows[a]] -= l * y0;
    }
}

/* Returns the largest entry of the column in magnitude. */
static inline __attribute__((always_inline)) double eliminate_leaf(const double *A, const sb_shape *s, double *column, double *y, double y0, double inverse, int length) {
    const sb_shape *const rows = s + SB_SHAPE_HEAD, *const at = rows + length;
    double entry[SB_SHAPE_PLANNED];
    for (int a = 0; a < length; a++) {
        entry[a] = A[at[a]];
    }
    update(entry, NULL, column, y, y0, rows, at + length, inverse, length);
    return largest(entry, length);
}

static inline __attribute__((always_inline)) void eliminate_short(const sb_shape *rows, const sb_shape *target, double *column, double *y, double inverse, int length) {
    double entry[SB_SHAPE_SHORT];
    for (int a = 0; a < length; a++) {
        entry[a] = column[1 + a];
    }
    update(entry, column + 1, column, y, y[0], rows, target, inverse, length);
}

/* A pair with `length` rows below both pivots, first[0] and second[0] their inverses and first[1] finished already: the same operations on each number as by one
 * after the other, but for every target and every row of y once. */
static inline __attribute__((always_inline)) void eliminate_pair(const sb_shape *rows, const sb_shape *target, double *first, double *second, double *y, int length) {
    double e[SB_SHAPE_SHORT], f[SB_SHAPE_SHORT];
    for (int a = 0; a < length; a++) {
        e[a] = first[2 + a];
        f[a] = second[1 + a] - e[a] * first[1];
    }
    const double y0 = y[-1], y1 = y[0];
    for (int a = 0; a < length; a++) {
        const double l = e[a] * first[0], m = f[a] * second[0];
        for (int b = a; b < length; b++) {
            const double left = second[*target] - e[b] * l;
            second[*target++] = left - f[b] * m;
        }
        const double left = y[rows[a]] - l * y0;
        first[2 + a] = l;
        second[1 + a] = m;
        y[rows[a]] = left - m * y1;
    }
}

/* Without targets: the rows of the column are found among those of each column they are taken from, both in ascending order. */
static void eliminate_unplanned(const plan_work *w, const sb_shape *rows, int i, double *column, double inverse, int length) {
    for (int a = 0; a < length; a++) {
        const int j = i + rows[a];
        const sb_shape *other = shape_of(w, w->plan.pivot[j]) + SB_SHAPE_HEAD;
        double *to = w->X + w->plan.begin[j];
        const double l = column[1 + a] * inverse;
        to[0] -= column[1 + a] * l;
        for (int b = a + 1, at = 0; b < length; b++, at++) {
            while (j + other[at] < i + rows[b]) {
                at++;
            }
            to[1 + at] -= column[1 + b] * l;
        }
        column[1 + a] = l;
    }
}

static __attribute__((noinline)) void eliminate_long(const plan_work *w, const sb_shape *rows, const sb_shape *target, double *column, double *y, double inverse, int length) {
    if (length <= SB_SHAPE_PLANNED) {
        update(column + 1, column + 1, column, y, y[0], rows, target, inverse, length);
        return;
    }
    eliminate_unplanned(w, rows, (int)(y - w->y), column, inverse, length);
    substitute(column, y, rows, length);
}

/* Each with its length as a constant where that is short. */
#define SB_FOR_SHORT(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8)

static inline const sb_shape *targets_of(const sb_shape *s) { return s + SB_SHAPE_HEAD + s[SB_SHAPE_ENTRIES] + 2 * s[SB_SHAPE_ENTRIES_OF_A]; }

static void inner_column(const plan_work *w, const sb_shape *s, double *column, double *y, double inverse) {
    const int length = s[SB_SHAPE_ENTRIES];
    const sb_shape *const rows = s + SB_SHAPE_HEAD, *const target = targets_of(s);
    switch (length) {
#define SHORT(constant)                                                                            \
    case constant:                                                                                 \
        eliminate_short(rows, target, column, y, inverse, constant);                               \
        return;
        SB_FOR_SHORT(SHORT)
#undef SHORT
    default:
        eliminate_long(w, rows, target, column, y, inverse, length);
    }
}

static void pair_of_columns(const sb_shape *s, double *first, double *second, double *y) {
    const sb_shape *const rows = s + SB_SHAPE_HEAD, *const target = targets_of(s);
    switch (s[SB_SHAPE_ENTRIES]) {
#define SHORT(constant)                                                                            \
    case constant:                                                                                 \
        eliminate_pair(rows, target, first, second, y, constant);                                  \
        return;
        SB_FOR_SHORT(SHORT)
#undef SHORT
    default:
        return; /* no pair is longer */
    }
}

static double leaf_column(const double *A, const sb_shape *s, double *column, double *y, double y0, double inverse) {
    const int length = s[SB_SHAPE_ENTRIES];
    switch (length) {
#define SHORT(constant)                                                                            \
    case constant:                                                                                 \
        return eliminate_leaf(A, s, column, y, y0, inverse, constant);
        SB_FOR_SHORT(SHORT)
#undef SHORT
    default:
        return eliminate_leaf(A, s, column, y, y0, inverse, length);
    }
}

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
            inner_column(w, s, column, y, inverse);
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

extern const sb_solver sb_solver_plan;
const sb_solver sb_solver_plan = {
    .entry = {"plan", "LDL' of a symmetric quasi-definite matrix along a static elimination plan", "vanderbei95", NULL, 0},
    .symmetric = true,
    .in_place = true,
    .analyse = analyse,
    .factor = factor,
    .factor_solve = factor_solve,
    .solve = solve,
    .stats = stats,
};
