/* LAPACKE's functions in the precision of sb_scalar: the header that the core, the steppers and the problems include
 * in a build with SB_QUAD, for which LAPACK has no precision. Arguments and return values are LAPACK's (lapack99). */
#pragma once

#include <stepbench/scalar.h>

typedef int lapack_int;

enum { LAPACK_COL_MAJOR = 102, LAPACK_WORK_MEMORY_ERROR = -1010, LAPACK_TRANSPOSE_MEMORY_ERROR = -1011 };

/* LU with partial pivoting, and solutions with it; pivots count from 1. */
int LAPACKE_dgetrf_work(int layout, int m, int n, sb_scalar *a, int lda, int *pivot);
int LAPACKE_dgetrs_work(int layout, char trans, int n, int columns, const sb_scalar *a, int lda, const int *pivot,
                        sb_scalar *b, int ldb);
/* Cholesky's factorization of the lower triangle, the inverse with it, and solutions. */
int LAPACKE_dpotrf_work(int layout, char uplo, int n, sb_scalar *a, int lda);
int LAPACKE_dpotri_work(int layout, char uplo, int n, sb_scalar *a, int lda);
int LAPACKE_dposv_work(int layout, char uplo, int n, int columns, sb_scalar *a, int lda, sb_scalar *b, int ldb);
/* Least squares of a matrix of full column rank. */
int LAPACKE_dgels_work(int layout, char trans, int m, int n, int columns, sb_scalar *a, int lda, sb_scalar *b, int ldb,
                       sb_scalar *work, int lwork);
/* Eigenvectors and the functions they need do not exist in this precision: these return 1, a failure. */
int LAPACKE_dgeqrf(int layout, int m, int n, sb_scalar *a, int lda, sb_scalar *tau);
int LAPACKE_dormqr(int layout, char side, char trans, int m, int n, int k, const sb_scalar *a, int lda,
                   const sb_scalar *tau, sb_scalar *c, int ldc);
int LAPACKE_dsyevr(int layout, char jobz, char range, char uplo, int n, sb_scalar *a, int lda, sb_scalar vl,
                   sb_scalar vu, int il, int iu, sb_scalar abstol, int *m, sb_scalar *w, sb_scalar *z, int ldz,
                   int *support);
