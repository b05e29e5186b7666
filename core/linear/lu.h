/* LU with partial pivoting of a small full matrix, inlined. */
#pragma once

#include <lapacke.h>

#include <stepbench/scalar.h>

/* Eliminates in place with row pivoting; rows of L are swapped as in LAPACK, so that sb_lu_solve serves both. Returns
 * n, or the first column without a pivot. */
static inline int sb_lu_factor(int n, sb_scalar *a, lapack_int *pivot) {
    for (int k = 0; k < n; k++) {
        int best = k;
        sb_scalar most = fabs(a[k + k * n]);
        for (int i = k + 1; i < n; i++) {
            const sb_scalar size = fabs(a[i + k * n]);
            if (size > most) {
                most = size;
                best = i;
            }
        }
        if (!(most > 0.0)) { /* zero or NaN */
            return k;
        }
        pivot[k] = best;
        if (best != k) {
            for (int j = 0; j < n; j++) {
                const sb_scalar swap = a[k + j * n];
                a[k + j * n] = a[best + j * n];
                a[best + j * n] = swap;
            }
        }
        const sb_scalar inverse = 1.0 / a[k + k * n];
        for (int i = k + 1; i < n; i++) {
            a[i + k * n] *= inverse;
        }
        for (int j = k + 1; j < n; j++) {
            const sb_scalar c = a[k + j * n];
            for (int i = k + 1; i < n; i++) {
                a[i + j * n] -= a[i + k * n] * c;
            }
        }
    }
    return n;
}

/* Solves in place with the factors. */
static inline void sb_lu_solve(int n, const sb_scalar *a, const lapack_int *pivot, sb_scalar *b) {
    for (int k = 0; k < n; k++) {
        const sb_scalar swap = b[pivot[k]];
        b[pivot[k]] = b[k];
        b[k] = swap;
    }
    for (int k = 0; k < n; k++) {
        for (int i = k + 1; i < n; i++) {
            b[i] -= a[i + k * n] * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        b[k] /= a[k + k * n];
        for (int i = 0; i < k; i++) {
            b[i] -= a[i + k * n] * b[k];
        }
    }
}
