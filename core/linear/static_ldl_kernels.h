/* What one pivot of an elimination plan does to X and y: leaves, inner columns, and pairs of them. */
#ifndef STEPBENCH_CORE_LINEAR_STATIC_LDL_KERNELS_H
#define STEPBENCH_CORE_LINEAR_STATIC_LDL_KERNELS_H

#include <math.h>

#include "core/linear/static_ldl_symbolic.h"

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
static void eliminate_unplanned(const sb_elimination_plan *p, double *X, const sb_shape *rows, int i, double *column, double inverse, int length) {
    for (int a = 0; a < length; a++) {
        const int j = i + rows[a];
        const sb_shape *other = p->shapes[p->which[p->pivot[j]]] + SB_SHAPE_HEAD;
        double *to = X + p->begin[j];
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

static __attribute__((noinline)) void eliminate_long(const sb_elimination_plan *p, double *X, const sb_shape *rows, const sb_shape *target, double *column, double *y,
                                                     int i, double inverse, int length) {
    if (length <= SB_SHAPE_PLANNED) {
        update(column + 1, column + 1, column, y, y[0], rows, target, inverse, length);
        return;
    }
    eliminate_unplanned(p, X, rows, i, column, inverse, length);
    substitute(column, y, rows, length);
}

/* Each with its length as a constant where that is short. */
#define SB_FOR_SHORT(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8)

static inline const sb_shape *targets_of(const sb_shape *s) { return s + SB_SHAPE_HEAD + s[SB_SHAPE_ENTRIES] + 2 * s[SB_SHAPE_ENTRIES_OF_A]; }

/* Inner pivot i, whose column of X and place in y these are; column[0] is 1/D already. */
static void inner_column(const sb_elimination_plan *p, double *X, const sb_shape *s, double *column, double *y, int i, double inverse) {
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
        eliminate_long(p, X, rows, target, column, y, i, inverse, length);
    }
}

/* s: of the second; y: its place. */
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

/* A: from the cross cursor on; y0: the right-hand side. Returns the largest entry in magnitude. */
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

#endif
