/* Numeric part of the static LDL' factorization of a symmetric quasi-definite matrix (vanderbei95, davis06): one pass
 * over the columns that static_ldl_symbolic.c has described, without searches, sorting or pivoting. An example is in
 * static_ldl_symbolic.h. */
#include <string.h>

#include <stepbench/numerics/linear.h>
#include <stepbench/plugin.h>

#include "core/linear/static_ldl_kernels.h"

typedef struct ldl_work {
    sb_ldl_symbolic symbolic;
    const sb_scalar *Ax; /* values of the last factorization; holds the diagonal pivots */
    sb_scalar *Lx;       /* interior columns: 1/D, then L's values */
    sb_scalar *y;        /* scratch: one number per interior pivot */
} ldl_work;

static int analyse(sb_linear *me, sb_arena *arena) {
    ldl_work *w;
    SB_NEW(arena, w, 1);
    me->work = w;
    SB_SCRATCH(scratch, me->ctx);
    SB_TRY(sb_ldl_analyse(arena, &scratch, &me->A, me->at, me->positive, &w->symbolic));
    SB_NEW(arena, w->Lx, w->symbolic.Lx_size);
    SB_NEW(arena, w->y, w->symbolic.interior);
    return SB_OK;
}

/* ---- The position of a pass in A. ---- */

static inline bool is_constraint(const sb_ldl_column *s) { return s->kind == SB_LDL_CONSTRAINT; }

/* The functions below have a branch instead of an index, so that the position stays in registers. */
static inline int row_of(const sb_ldl_position *c, const sb_ldl_column *s) {
    return is_constraint(s) ? c->row[SB_LDL_CONSTRAINT] : c->row[SB_LDL_COORDINATE];
}

static inline int own_of(const sb_ldl_position *c, const sb_ldl_column *s) {
    return is_constraint(s) ? c->own[SB_LDL_CONSTRAINT] : c->own[SB_LDL_COORDINATE];
}

static inline void move(sb_ldl_position *c, const sb_ldl_column *s, int sign) {
    if (is_constraint(s)) {
        c->row[SB_LDL_CONSTRAINT] += sign * s->row_step;
        c->own[SB_LDL_CONSTRAINT] += sign * s->own_step;
    } else {
        c->row[SB_LDL_COORDINATE] += sign * s->row_step;
        c->own[SB_LDL_COORDINATE] += sign * s->own_step;
    }
    c->cross += sign * s->cross_step;
}

static inline void move_forward(sb_ldl_position *c, const sb_ldl_column *s) { move(c, s, 1); }

static inline void move_back(sb_ldl_position *c, const sb_ldl_column *s) { move(c, s, -1); }

static inline const sb_ldl_column *column_of(const ldl_work *w, int k) {
    return &w->symbolic.columns[w->symbolic.column_of[k]];
}

/* ---- The passes. ---- */

/* Clears the part of Lx and y that the pivots of block b are the first to change. */
static void clear_block(const ldl_work *w, int b) {
    const size_t begin = b > 0 ? w->symbolic.Lx_end[b - 1] : 0;
    const int reached = b > 0 ? w->symbolic.y_end[b - 1] : 0;
    memset(w->Lx + begin, 0, (w->symbolic.Lx_end[b] - begin) * sizeof(sb_scalar));
    memset(w->y + reached, 0, (size_t)(w->symbolic.y_end[b] - reached) * sizeof(sb_scalar));
}

/* Adds the entries of A to an interior column, from which the previous pivots have subtracted. Returns the pivot. It is
 * not stored in the column, because the processor would wait for it when it is read. */
static inline sb_scalar add_entries(const sb_scalar *A, const sb_ldl_position *c, const sb_ldl_column *s,
                                    sb_scalar *column) {
    const int *entry = s->in_A, *const cross = entry + 2 * s->own_entries, *const end = entry + 2 * s->entries;
    const sb_scalar *own = A + own_of(c, s);
    sb_scalar pivot = column[0];
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

/* Returns the round-off of the pivot of `row`: twice that of a sum of as many terms as its row has entries, each of the
 * size of the diagonal entry, or for a constraint of the sum of what its coordinates contribute. (What other
 * constraints subtract is no larger when little is left.) */
static sb_scalar pivot_round_off(const sb_linear *me, const ldl_work *w, const sb_scalar *Ax, int row, int entries) {
    const sb_ldl_symbolic *p = &w->symbolic;
    sb_scalar size = 0.0;
    if (row < me->positive) {
        size = p->diagonal[row] < 0 ? 0.0 : fabs(Ax[p->diagonal[row]]);
    } else {
        const int end = me->A.p[row + 1];
        for (int e = me->A.p[row]; e < end && me->A.i[e] < me->positive; e++) {
            const int i = me->A.i[e];
            const sb_scalar entry = Ax[me->at != NULL ? me->at[e] : e];
            size +=
                entry * entry *
                (p->interior_of[i] < 0 ? 1.0 / Ax[p->diagonal[i]] : w->Lx[p->Lp[p->interior_of[i]]] /* where 1/D is */);
        }
    }
    return 2.0 * SB_EPSILON * entries * size;
}

/* Checks the pivot of an interior column against its round-off. `most` bounds the round-off per term: it suffices for
 * nearly every pivot of a constraint. */
static inline int check_pivot(const sb_linear *me, const ldl_work *w, const sb_scalar *Ax, const sb_ldl_column *s,
                              int row, sb_scalar pivot, sb_scalar most) {
    const bool primal = s->kind == SB_LDL_COORDINATE;
    const sb_scalar size = primal ? pivot : -pivot, entries = s->row_length;
    const bool clear =
        primal ? entries == 0.0 && size > 0.0 : size > 2.0 * SB_EPSILON * entries * entries * most && size > 0.0;
    return clear || size > pivot_round_off(me, w, Ax, row, s->row_length) ? SB_OK : sb_linear_bad_pivot(me, row, pivot);
}

/* Factors, and substitutes b (NULL: zero) forward into y in the same pass. The ladder's step at N = 1000
 * takes 1.25 times as long in two passes. */
static int factor_and_substitute(sb_linear *me, const sb_scalar *Ax, const sb_scalar *b) {
    ldl_work *w = me->work;
    sb_ldl_position c = w->symbolic.first;
    sb_scalar *column = w->Lx, *y = w->y, most = 0.0; /* the largest term of any coordinate in any pivot */
    w->Ax = Ax;
    for (int k = 0; k < w->symbolic.n; k++) {
        if (k % SB_LDL_BLOCK == 0) {
            clear_block(w, k / SB_LDL_BLOCK);
        }
        const sb_ldl_column *s = column_of(w, k);
        move_forward(&c, s);
        const int row = row_of(&c, s);
        const sb_scalar right = b != NULL ? b[row] : 0.0;
        if (s->kind == SB_LDL_DIAGONAL) { /* an entry of A has no round-off */
            const sb_scalar pivot = Ax[c.own[SB_LDL_COORDINATE]];
            if (!(pivot > 0.0)) {
                return sb_linear_bad_pivot(me, row, pivot);
            }
            const sb_scalar inverse = 1.0 / pivot,
                            size = eliminate_in_place(Ax + c.cross, s, column, y, right, inverse),
                            term = size * size * inverse;
            most = !(term <= most) ? term : most;
            continue;
        }
        const sb_scalar pivot = add_entries(Ax, &c, s, column);
        SB_TRY(check_pivot(me, w, Ax, s, row, pivot, most));
        const sb_scalar inverse = 1.0 / pivot;
        column[0] = inverse;
        *y += right;
        if (s->role == SB_LDL_FIRST) {
            sb_scalar *const first = column;
            const sb_scalar entry = first[1], l = entry * inverse;
            column += 1 + s->length;
            s = column_of(w, ++k);
            move_forward(&c, s);
            const int other = row_of(&c, s);
            const sb_scalar second = add_entries(Ax, &c, s, column) - entry * l;
            SB_TRY(check_pivot(me, w, Ax, s, other, second, most));
            first[1] = l;
            column[0] = 1.0 / second;
            const sb_scalar left = y[1] - l * y[0];
            *++y = left + (b != NULL ? b[other] : 0.0);
            eliminate_both(s, first, column, y);
        } else {
            const sb_scalar size = s->kind == SB_LDL_COORDINATE ? largest(column + 1, s->length) : 0.0,
                            term = size * size * inverse;
            most = !(term <= most) ? term : most;
            eliminate_interior(&w->symbolic, w->Lx, s, column, y, (int)(y - w->y), inverse);
        }
        column += 1 + s->length;
        y++;
    }
    return SB_OK;
}

/* Substitutes forward with the last factorization. */
static void substitute_forward(const ldl_work *w, const sb_scalar *b) {
    const sb_scalar *const A = w->Ax, *column = w->Lx;
    sb_ldl_position c = w->symbolic.first;
    sb_scalar *y = w->y;
    memset(y, 0, (size_t)w->symbolic.interior * sizeof *y);
    for (int k = 0; k < w->symbolic.n; k++) {
        const sb_ldl_column *s = column_of(w, k);
        const int *rows = s->rows, *in_A = s->in_A;
        const int length = s->length;
        move_forward(&c, s);
        const sb_scalar right = b[row_of(&c, s)];
        if (s->kind == SB_LDL_DIAGONAL) {
            const sb_scalar inverse = 1.0 / A[c.own[SB_LDL_COORDINATE]];
            for (int a = 0; a < length; a++) {
                y[rows[a]] -= A[c.cross + in_A[a]] * inverse * right;
            }
            continue;
        }
        *y += right;
        substitute(column, y, rows, length);
        column += 1 + length;
        y++;
    }
}

/* Replaces b by the solution, after the forward substitution; b still holds the right-hand sides of the diagonal
 * pivots. */
static void substitute_back(const ldl_work *w, sb_scalar *b) {
    const sb_scalar *const A = w->Ax, *column = w->Lx + w->symbolic.Lx_size;
    sb_ldl_position c = w->symbolic.last;
    sb_scalar *y = w->y + w->symbolic.interior;
    for (int k = w->symbolic.n - 1; k >= 0; k--) {
        const sb_ldl_column *s = column_of(w, k);
        const int *rows = s->rows, *in_A = s->in_A;
        const int length = s->length, row = row_of(&c, s);
        if (s->kind == SB_LDL_DIAGONAL) {
            sb_scalar sum = b[row];
            /* The row that was computed last is used last, because its value becomes available last. */
            for (int a = length - 1; a >= 0; a--) {
                sum -= A[c.cross + in_A[a]] * y[rows[a]];
            }
            b[row] = sum / A[c.own[SB_LDL_COORDINATE]];
        } else {
            column -= 1 + length;
            y--;
            sb_scalar sum = y[0] * column[0];
            for (int a = length - 1; a >= 0; a--) {
                sum -= column[1 + a] * y[rows[a]];
            }
            y[0] = b[row] = sum;
        }
        move_back(&c, s);
    }
}

static int factor(sb_linear *me, const sb_scalar *Ax) { return factor_and_substitute(me, Ax, NULL); }

static int solve(const sb_linear *me, sb_scalar *b) {
    substitute_forward(me->work, b);
    substitute_back(me->work, b);
    return SB_OK;
}

static int factor_solve(sb_linear *me, const sb_scalar *Ax, sb_scalar *b) {
    SB_TRY(factor_and_substitute(me, Ax, b));
    substitute_back(me->work, b);
    return SB_OK;
}

static void stats(const sb_linear *me, sb_linear_stats *out) {
    const ldl_work *w = me->work;
    out->nnz_factor = (long)w->symbolic.Lx_size;
}

SB_DEFINE_SOLVER(static_ldl) = {
    .entry = {"static_ldl", "LDL' of a symmetric quasi-definite matrix with a static order and pattern", "vanderbei95",
              NULL, 0},
    .symmetric = true,
    .in_place = true,
    .analyse = analyse,
    .factor = factor,
    .factor_solve = factor_solve,
    .solve = solve,
    .stats = stats,
};
