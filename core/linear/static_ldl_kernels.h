/* Elimination of one pivot of the static LDL': its products are subtracted from Lx and y. For diagonal pivots, interior
 * columns and pairs of them. */
#pragma once

#include <math.h>

#include "core/linear/static_ldl_symbolic.h"

/* Subtracts one column of L times y[0] from y: forward substitution. */
static inline void substitute(const sb_scalar *column, sb_scalar *y, const int *rows, int length) {
    const sb_scalar y0 = y[0];
    for (int a = 0; a < length; a++) {
        y[rows[a]] -= column[1 + a] * y0;
    }
}

static inline sb_scalar largest(const sb_scalar *entry, int length) {
    sb_scalar most = 0.0;
    for (int a = 0; a < length; a++) {
        most = fabs(entry[a]) > most ? fabs(entry[a]) : most;
    }
    return most;
}

/* Subtracts the products of one pivot from Lx, relative to `column`, and from y, with its right-hand side y0. L (NULL:
 * not stored) receives the entries of L and may be `entry`. Inlined with a constant `length` for short columns, so that
 * the entries stay in registers: the ladder's step at N = 1000 takes 1.06 times as long without. */
static inline __attribute__((always_inline)) void update(const sb_scalar *entry, sb_scalar *L, sb_scalar *column,
                                                         sb_scalar *y, sb_scalar y0, const int *rows, const int *target,
                                                         sb_scalar inverse, int length) {
    for (int a = 0; a < length; a++) {
        const sb_scalar l = entry[a] * inverse;
        for (int b = a; b < length; b++) {
            column[*target++] -= entry[b] * l;
        }
        if (L != NULL) {
            L[a] = l;
        }
        y[rows[a]] -= l * y0;
    }
}

static inline __attribute__((always_inline)) sb_scalar eliminate_diagonal(const sb_scalar *A, const sb_ldl_column *s,
                                                                          sb_scalar *column, sb_scalar *y, sb_scalar y0,
                                                                          sb_scalar inverse, int length) {
    const int *const rows = s->rows, *const at = s->in_A;
    sb_scalar entry[SB_LDL_TARGETED];
    for (int a = 0; a < length; a++) {
        entry[a] = A[at[a]];
    }
    update(entry, NULL, column, y, y0, rows, s->targets, inverse, length);
    return largest(entry, length);
}

static inline __attribute__((always_inline)) void eliminate_short(const int *rows, const int *target, sb_scalar *column,
                                                                  sb_scalar *y, sb_scalar inverse, int length) {
    sb_scalar entry[SB_LDL_SHORT];
    for (int a = 0; a < length; a++) {
        entry[a] = column[1 + a];
    }
    update(entry, column + 1, column, y, y[0], rows, target, inverse, length);
}

/* Eliminates a pair with `length` rows below both pivots, first[0] and second[0] their inverses and first[1] = L of the
 * second row. The operations on each number are those of one column after the other, but targets and rows of y are read
 * and written once: the ladder's step at N = 1000 takes 1.15 times as long without. */
static inline __attribute__((always_inline)) void eliminate_pair(const int *rows, const int *target, sb_scalar *first,
                                                                 sb_scalar *second, sb_scalar *y, int length) {
    sb_scalar e[SB_LDL_SHORT], f[SB_LDL_SHORT];
    for (int a = 0; a < length; a++) {
        e[a] = first[2 + a];
        f[a] = second[1 + a] - e[a] * first[1];
    }
    const sb_scalar y0 = y[-1], y1 = y[0];
    for (int a = 0; a < length; a++) {
        const sb_scalar l = e[a] * first[0], m = f[a] * second[0];
        for (int b = a; b < length; b++) {
            const sb_scalar left = second[*target] - e[b] * l;
            second[*target++] = left - f[b] * m;
        }
        const sb_scalar left = y[rows[a]] - l * y0;
        first[2 + a] = l;
        second[1 + a] = m;
        y[rows[a]] = left - m * y1;
    }
}

/* Eliminates interior pivot i without targets: the rows of its column are found among those of each column that it
 * changes, both in ascending order. */
static void eliminate_by_search(const sb_ldl_symbolic *p, sb_scalar *Lx, const int *rows, int i, sb_scalar *column,
                                sb_scalar inverse, int length) {
    for (int a = 0; a < length; a++) {
        const int j = i + rows[a];
        const int *restrict other = p->columns[p->column_of[p->pivot[j]]].rows; /* minus j */
        sb_scalar *restrict to = Lx + p->Lp[j];
        const sb_scalar l = column[1 + a] * inverse;
        to[0] -= column[1 + a] * l;
        to++;
        for (int b = a + 1; b < length; b++) {
            const int row = rows[b] - rows[a];
            while (*other < row) {
                other++;
                to++;
            }
            *to++ -= column[1 + b] * l;
            other++;
        }
        column[1 + a] = l;
    }
}

static __attribute__((noinline)) void eliminate_long(const sb_ldl_symbolic *p, sb_scalar *Lx, const int *rows,
                                                     const int *target, sb_scalar *column, sb_scalar *y, int i,
                                                     sb_scalar inverse, int length) {
    if (length <= SB_LDL_TARGETED) {
        update(column + 1, column + 1, column, y, y[0], rows, target, inverse, length);
        return;
    }
    eliminate_by_search(p, Lx, rows, i, column, inverse, length);
    substitute(column, y, rows, length);
}

/* The lengths for which the functions below call a kernel with a constant length. */
#define SB_FOR_SHORT(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8)

/* Eliminates interior pivot i, with its column of Lx and its place in y; column[0] is 1/D already. */
static void eliminate_interior(const sb_ldl_symbolic *p, sb_scalar *Lx, const sb_ldl_column *s, sb_scalar *column,
                               sb_scalar *y, int i, sb_scalar inverse) {
    const int length = s->length;
    const int *const rows = s->rows, *const target = s->targets;
    switch (length) {
#define SHORT(constant)                                                                                                \
    case constant: eliminate_short(rows, target, column, y, inverse, constant); return;
        SB_FOR_SHORT(SHORT)
#undef SHORT
    default: eliminate_long(p, Lx, rows, target, column, y, i, inverse, length);
    }
}

/* Eliminates a pair; s and y are those of the second. */
static void eliminate_both(const sb_ldl_column *s, sb_scalar *first, sb_scalar *second, sb_scalar *y) {
    const int *const rows = s->rows, *const target = s->targets;
    switch (s->length) {
#define SHORT(constant)                                                                                                \
    case constant: eliminate_pair(rows, target, first, second, y, constant); return;
        SB_FOR_SHORT(SHORT)
#undef SHORT
    default: return; /* no pair is longer */
    }
}

/* Eliminates a diagonal pivot with the right-hand side y0, A from its entries between the blocks on. Returns the
 * largest entry in magnitude. */
static sb_scalar eliminate_in_place(const sb_scalar *A, const sb_ldl_column *s, sb_scalar *column, sb_scalar *y,
                                    sb_scalar y0, sb_scalar inverse) {
    const int length = s->length;
    switch (length) {
#define SHORT(constant)                                                                                                \
    case constant: return eliminate_diagonal(A, s, column, y, y0, inverse, constant);
        SB_FOR_SHORT(SHORT)
#undef SHORT
    default: return eliminate_diagonal(A, s, column, y, y0, inverse, length);
    }
}
