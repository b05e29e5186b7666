/* Dense kernels behind LAPACKE's interface in the precision of sb_scalar: column by column, without blocks. */
#include "core/dense/lapacke.h"

#define AT(i, j) ((size_t)(i) + (size_t)(j) * (size_t)lda)

int LAPACKE_dgetrf_work(int layout, int m, int n, sb_scalar *a, int lda, int *pivot) {
    int first_zero = 0;
    for (int k = 0; k < n && k < m; k++) {
        int best = k;
        for (int i = k + 1; i < m; i++) {
            best = fabs(a[AT(i, k)]) > fabs(a[AT(best, k)]) ? i : best;
        }
        pivot[k] = best + 1;
        if (!(fabs(a[AT(best, k)]) > 0.0)) { /* zero or NaN */
            first_zero = first_zero == 0 ? k + 1 : first_zero;
            continue;
        }
        for (int j = 0; j < n; j++) {
            const sb_scalar swap = a[AT(k, j)];
            a[AT(k, j)] = a[AT(best, j)];
            a[AT(best, j)] = swap;
        }
        for (int i = k + 1; i < m; i++) {
            a[AT(i, k)] /= a[AT(k, k)];
        }
        for (int j = k + 1; j < n; j++) {
            for (int i = k + 1; i < m; i++) {
                a[AT(i, j)] -= a[AT(i, k)] * a[AT(k, j)];
            }
        }
    }
    return first_zero;
}

int LAPACKE_dgetrs_work(int layout, char trans, int n, int columns, const sb_scalar *a, int lda, const int *pivot,
                        sb_scalar *b, int ldb) {
    for (int c = 0; c < columns; c++, b += ldb) {
        for (int k = 0; k < n; k++) {
            const sb_scalar swap = b[pivot[k] - 1];
            b[pivot[k] - 1] = b[k];
            b[k] = swap;
        }
        for (int k = 0; k < n; k++) {
            for (int i = k + 1; i < n; i++) {
                b[i] -= a[AT(i, k)] * b[k];
            }
        }
        for (int k = n - 1; k >= 0; k--) {
            b[k] /= a[AT(k, k)];
            for (int i = 0; i < k; i++) {
                b[i] -= a[AT(i, k)] * b[k];
            }
        }
    }
    return 0;
}

int LAPACKE_dpotrf_work(int layout, char uplo, int n, sb_scalar *a, int lda) {
    for (int k = 0; k < n; k++) {
        if (!(a[AT(k, k)] > 0.0)) {
            return k + 1;
        }
        a[AT(k, k)] = sqrt(a[AT(k, k)]);
        for (int i = k + 1; i < n; i++) {
            a[AT(i, k)] /= a[AT(k, k)];
        }
        for (int j = k + 1; j < n; j++) {
            for (int i = j; i < n; i++) {
                a[AT(i, j)] -= a[AT(i, k)] * a[AT(j, k)];
            }
        }
    }
    return 0;
}

/* L^-1 in place, then L^-T L^-1. */
int LAPACKE_dpotri_work(int layout, char uplo, int n, sb_scalar *a, int lda) {
    for (int j = 0; j < n; j++) {
        a[AT(j, j)] = 1.0 / a[AT(j, j)];
        for (int i = j + 1; i < n; i++) {
            sb_scalar sum = 0.0;
            for (int k = j; k < i; k++) {
                sum += a[AT(i, k)] * a[AT(k, j)];
            }
            a[AT(i, j)] = -sum / a[AT(i, i)];
        }
    }
    for (int j = 0; j < n; j++) {
        for (int i = j; i < n; i++) {
            sb_scalar sum = 0.0;
            for (int k = i; k < n; k++) {
                sum += a[AT(k, i)] * a[AT(k, j)];
            }
            a[AT(i, j)] = sum;
        }
    }
    return 0;
}

int LAPACKE_dposv_work(int layout, char uplo, int n, int columns, sb_scalar *a, int lda, sb_scalar *b, int ldb) {
    const int bad = LAPACKE_dpotrf_work(layout, uplo, n, a, lda);
    for (int c = 0; c < columns && bad == 0; c++, b += ldb) {
        for (int k = 0; k < n; k++) {
            b[k] /= a[AT(k, k)];
            for (int i = k + 1; i < n; i++) {
                b[i] -= a[AT(i, k)] * b[k];
            }
        }
        for (int k = n - 1; k >= 0; k--) {
            for (int i = k + 1; i < n; i++) {
                b[k] -= a[AT(i, k)] * b[i];
            }
            b[k] /= a[AT(k, k)];
        }
    }
    return bad;
}

/* QR by Householder's reflections, which are applied to b at once (lapack99). */
int LAPACKE_dgels_work(int layout, char trans, int m, int n, int columns, sb_scalar *a, int lda, sb_scalar *b, int ldb,
                       sb_scalar *work, int lwork) {
    for (int k = 0; k < n; k++) {
        sb_scalar norm = 0.0;
        for (int i = k; i < m; i++) {
            norm = hypot(norm, a[AT(i, k)]);
        }
        if (!(norm > 0.0)) {
            return k + 1;
        }
        const sb_scalar r = a[AT(k, k)] > 0.0 ? -norm : norm;
        a[AT(k, k)] -= r; /* the column is now the vector u of I - 2 u u'/(u'u), with u'u = -2 r u_k */
        const sb_scalar half = -r * a[AT(k, k)];
        for (int j = k + 1; j < n + columns; j++) {
            sb_scalar *const x = j < n ? a + AT(0, j) : b + (size_t)(j - n) * (size_t)ldb;
            sb_scalar dot = 0.0;
            for (int i = k; i < m; i++) {
                dot += a[AT(i, k)] * x[i];
            }
            for (int i = k; i < m; i++) {
                x[i] -= dot / half * a[AT(i, k)];
            }
        }
        work[k] = r;
    }
    for (int c = 0; c < columns; c++, b += ldb) {
        for (int k = n - 1; k >= 0; k--) {
            for (int j = k + 1; j < n; j++) {
                b[k] -= a[AT(k, j)] * b[j];
            }
            b[k] /= work[k];
        }
    }
    return 0;
}

int LAPACKE_dgeqrf(int layout, int m, int n, sb_scalar *a, int lda, sb_scalar *tau) { return 1; }

int LAPACKE_dormqr(int layout, char side, char trans, int m, int n, int k, const sb_scalar *a, int lda,
                   const sb_scalar *tau, sb_scalar *c, int ldc) {
    return 1;
}

int LAPACKE_dsyevr(int layout, char jobz, char range, char uplo, int n, sb_scalar *a, int lda, sb_scalar vl,
                   sb_scalar vu, int il, int iu, sb_scalar abstol, int *m, sb_scalar *w, sb_scalar *z, int ldz,
                   int *support) {
    return 1;
}
