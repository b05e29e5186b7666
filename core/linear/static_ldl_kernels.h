/* Loops of the static LDL' over the rows of a front, inlined with constants for the lengths that most fronts of a
 * mechanism have, so that they are unrolled. */
#pragma once

#include "core/linear/static_ldl_symbolic.h"

#define SB_LDL_INLINED static inline __attribute__((always_inline))

#ifdef __OPTIMIZE__
#define SB_LDL_UNROLLED _Pragma("GCC unroll 16")
#else
#define SB_LDL_UNROLLED
#endif

/* Two instances of a function, for processors with and without vectors of four numbers. Their results are the same:
 * neither fuses products with sums. The pivots of the ladder take 725 instructions per rod without and 512 with. */
#if defined __x86_64__ && defined __gnu_linux__ && defined __OPTIMIZE__ && !defined __clang__ &&                       \
    !defined __SANITIZE_ADDRESS__
#define SB_LDL_VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define SB_LDL_VECTORS
#endif

/* Calls the macro X(length, stride) with constants where the front has the stride SB_LDL_STRIDE and a short length. */
#define SB_LDL_BY_LENGTH(length, stride, X)                                                                            \
    switch ((stride) == SB_LDL_STRIDE ? (length) : 0) {                                                                \
    case 1: X(1, SB_LDL_STRIDE); break;                                                                                \
    case 2: X(2, SB_LDL_STRIDE); break;                                                                                \
    case 3: X(3, SB_LDL_STRIDE); break;                                                                                \
    case 4: X(4, SB_LDL_STRIDE); break;                                                                                \
    case 5: X(5, SB_LDL_STRIDE); break;                                                                                \
    case 6: X(6, SB_LDL_STRIDE); break;                                                                                \
    case 7: X(7, SB_LDL_STRIDE); break;                                                                                \
    case 8: X(8, SB_LDL_STRIDE); break;                                                                                \
    case 9: X(9, SB_LDL_STRIDE); break;                                                                                \
    case 10: X(10, SB_LDL_STRIDE); break;                                                                              \
    case 11: X(11, SB_LDL_STRIDE); break;                                                                              \
    case 12: X(12, SB_LDL_STRIDE); break;                                                                              \
    default: X(length, stride);                                                                                        \
    }

/* Subtracts the products of a leaf from the front F, whose right-hand side is row `end`. Returns the larger of `most`
 * and the products on the diagonal. */
SB_LDL_INLINED sb_scalar sb_ldl_subtract_leaf(const int *list, const int length, const sb_scalar *A, sb_scalar right,
                                              sb_scalar inverse, sb_scalar *restrict F, const int stride, int end,
                                              sb_scalar most) {
    SB_LDL_UNROLLED
    for (int a = 0; a < length; a++) {
        const sb_scalar e = A[list[2 * a + 1]], l = e * inverse, square = e * l;
        sb_scalar *const column = F + (ptrdiff_t)list[2 * a] * stride;
        most = square > most ? square : most;
        column[list[2 * a]] -= square;
        SB_LDL_UNROLLED
        for (int b = a + 1; b < length; b++) {
            column[list[2 * b]] -= A[list[2 * b + 1]] * l;
        }
        column[end] -= right * l;
    }
    return most;
}

/* Subtracts the products of a leaf with the solution x in the rows of its front from `sum`. */
SB_LDL_INLINED sb_scalar sb_ldl_subtract_from_leaf(const int *list, const int length, const sb_scalar *A,
                                                   const sb_scalar *x, sb_scalar sum) {
    SB_LDL_UNROLLED
    for (int a = length - 1; a >= 0; a--) {
        sum -= A[list[2 * a + 1]] * x[list[2 * a]];
    }
    return sum;
}

/* Returns the larger of `most` and the products on the diagonal of a pivot with the entries e below it. */
static inline sb_scalar sb_ldl_largest(const sb_scalar *e, int length, sb_scalar inverse, sb_scalar most) {
    for (int i = 0; i < length; i++) {
        const sb_scalar square = e[i] * e[i] * inverse;
        most = square > most ? square : most;
    }
    return most;
}

/* Sets L to the first entry e times the inverse pivot, and subtracts its products from the next column. */
SB_LDL_INLINED void sb_ldl_subtract_column(const sb_scalar *restrict e, sb_scalar inverse, sb_scalar *L,
                                           sb_scalar *restrict column, const int length) {
    const sb_scalar l = *L = e[0] * inverse;
    SB_LDL_UNROLLED
    for (int i = 0; i < length; i++) {
        column[i] -= e[i] * l;
    }
}

/* Sets L to e times the inverse pivot, and subtracts the products from the lower triangle of the columns after it. All
 * begin at the first row below the pivot; the last row is the right-hand side, which has no column. */
SB_LDL_INLINED void sb_ldl_subtract_one(const sb_scalar *restrict e, sb_scalar inverse, sb_scalar *restrict L,
                                        sb_scalar *restrict columns, const int stride, const int length) {
    SB_LDL_UNROLLED
    for (int a = 0; a < length; a++) {
        const sb_scalar l = L[a] = e[a] * inverse;
        sb_scalar *restrict const column = columns + (ptrdiff_t)a * stride;
        if (a < length - 1) {
            SB_LDL_UNROLLED
            for (int b = a; b < length; b++) {
                column[b] -= e[b] * l;
            }
        }
    }
}

/* The same for two pivots, whose products are subtracted at once. */
SB_LDL_INLINED void sb_ldl_subtract_two(const sb_scalar *restrict e, const sb_scalar *restrict f,
                                        const sb_scalar *inverse, sb_scalar *restrict L, sb_scalar *restrict M,
                                        sb_scalar *restrict columns, const int stride, const int length) {
    SB_LDL_UNROLLED
    for (int a = 0; a < length; a++) {
        const sb_scalar l = L[a] = e[a] * inverse[0], m = M[a] = f[a] * inverse[1];
        sb_scalar *restrict const column = columns + (ptrdiff_t)a * stride;
        if (a < length - 1) {
            SB_LDL_UNROLLED
            for (int b = a; b < length; b++) {
                column[b] = column[b] - e[b] * l - f[b] * m;
            }
        }
    }
}

/* Adds a lower triangle of `length` rows, and the row of its right-hand sides below, to the given rows of a front. */
SB_LDL_INLINED void sb_ldl_add(const sb_scalar *restrict from, const int stride, const int length,
                               sb_scalar *restrict to, int to_stride, const int *rows, int end) {
    SB_LDL_UNROLLED
    for (int a = 0; a < length; a++) {
        sb_scalar *const column = to + (ptrdiff_t)rows[a] * to_stride;
        SB_LDL_UNROLLED
        for (int i = a; i < length; i++) {
            column[rows[i]] += from[a * stride + i];
        }
        column[end] += from[a * stride + length];
    }
}

/* Returns a row of the solution from the rows x after it: L of its column, then its right-hand side. The row that was
 * computed last is used last, because its value becomes available last. */
SB_LDL_INLINED sb_scalar sb_ldl_subtract_row(const sb_scalar *L, const sb_scalar *x, const int length) {
    sb_scalar sum = L[length];
    SB_LDL_UNROLLED
    for (int i = length - 1; i > 0; i--) {
        sum -= L[i] * x[i];
    }
    return sum;
}
