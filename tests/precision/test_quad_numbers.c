/* The numbers of the build in quadruple precision: texts, constants of methods, kernels and special functions have all
 * digits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

#include <stepbench/numerics/gauss_nodes.h>
#include <stepbench/numerics/norm.h>

#include "core/base/params.h"
#include "core/output/table.h"
#include "problems/shared/elliptic.h"

static int failures;

/* NaN fails. */
static void expect(const char *what, sb_scalar error, sb_scalar most) {
    if (!(fabs(error) <= most)) {
        printf("%s: %.3g, at most %.3g\n", what, (double)error, (double)most);
        failures++;
    }
}

static void texts(void) {
    sb_scalar tenth = NAN, third = NAN, again = NAN;
    char text[SB_SCALAR_TEXT];
    if (!sb_parse_real("0.1", &tenth) || !sb_parse_real("1/3", &third)) {
        failures++;
    }
    expect("ten times the text 0.1", 10.0 * tenth - 1.0, SB_EPSILON);
    expect("three times the text 1/3", 3.0 * third - 1.0, SB_EPSILON);
    sb_format_scalar(third, text);
    if (!sb_parse_real(text, &again) || again != third || strlen(text) < 33) {
        printf("1/3 is written %s\n", text);
        failures++;
    }
}

/* n nodes integrate x^k exactly for k < 2 n: 2/(k + 1) for even k, else 0. A sum of n terms of size 1/2 or less. */
static void nodes(void) {
    for (int n = 1; n <= 32; n++) {
        sb_scalar x[32], w[32];
        sb_gauss_nodes(n, x, w);
        for (int k = 0; k < 2 * n; k++) {
            sb_scalar sum = 0.0;
            for (int i = 0; i < n; i++) {
                sum += w[i] * pow(x[i], (sb_scalar)k);
            }
            expect("a monomial by Gauss' nodes", sum - (k % 2 == 0 ? 2.0 / (sb_scalar)(k + 1) : 0.0),
                   20.0 * n * SB_EPSILON);
        }
    }
}

/* R_F(0, 1, 2) is half the lemniscate constant: 1.3110287771460599052324197949455597068... (dlmf 19.20.2). sn, cn and
 * dn satisfy the pendulum's equation: here the addition theorem sn(2u) = 2 sn cn dn/(1 - k^2 sn^4), on both sides of
 * the change of algorithms at c^2 = 0.1. */
static void elliptic(void) {
    expect("R_F(0, 1, 2)", sb_carlson_rf(0.0, 1.0, 2.0) - SB_R(1.31102877714605990523241979494555970684),
           8.0 * SB_EPSILON);
    for (int i = 1; i < 40; i++) {
        const sb_scalar c2 = (sb_scalar)i / 40.0, k2 = 1.0 - c2, u = SB_R(0.7);
        const sb_elliptic e = sb_elliptic_new(k2, c2);
        sb_scalar sn, cn, dn, sn2, cn2, dn2;
        sb_elliptic_jacobi(&e, u, &sn, &cn, &dn);
        sb_elliptic_jacobi(&e, 2.0 * u, &sn2, &cn2, &dn2);
        expect("sn(2u)", sn2 - 2.0 * sn * cn * dn / (1.0 - k2 * sn * sn * sn * sn), 200.0 * SB_EPSILON);
        expect("sn^2 + cn^2", sn * sn + cn * cn - 1.0, 200.0 * SB_EPSILON);
        expect("the inverse of sn : cn", sb_elliptic_inverse(&e, sn, cn) - u, 200.0 * SB_EPSILON);
    }
}

/* Hilbert-like matrices with a diagonal: A x = b, the inverse, and least squares with a known solution. */
enum { N = 20 };

static void kernels(void) {
    static sb_scalar A[N * N], LU[N * N], inverse[N * N], tall[2 * N * N], b[2 * N], work[3 * N];
    int pivot[N];
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < N; i++) {
            A[i + N * j] = 1.0 / (sb_scalar)(1 + i + j) + (i == j ? 1.0 : 0.0);
        }
    }
    memcpy(LU, A, sizeof A);
    memcpy(inverse, A, sizeof A);
    for (int i = 0; i < N; i++) {
        b[i] = 0.0;
        for (int j = 0; j < N; j++) {
            b[i] += A[i + N * j] * (j + 1);
        }
    }
    expect("the status of LU", LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, N, N, LU, N, pivot), 0.0);
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', N, 1, LU, N, pivot, b, N);
    for (int i = 0; i < N; i++) {
        expect("a solution by LU", b[i] - (i + 1), 1e4 * SB_EPSILON);
    }
    expect("the status of Cholesky's factorization", LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', N, inverse, N), 0.0);
    LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'L', N, inverse, N);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            sb_scalar sum = i == j ? -1.0 : 0.0;
            for (int k = 0; k < N; k++) {
                sum += A[i + N * k] * inverse[k > j ? k + N * j : j + N * k];
            }
            expect("A times its inverse", sum, 1e3 * SB_EPSILON);
        }
    }
    for (int i = 0; i < 2 * N; i++) {
        b[i] = 0.0;
        for (int j = 0; j < N; j++) {
            tall[i + 2 * N * j] = cos((sb_scalar)(i * (j + 1)));
            b[i] += tall[i + 2 * N * j] * (j + 1);
        }
    }
    LAPACKE_dgels_work(LAPACK_COL_MAJOR, 'N', 2 * N, N, 1, tall, 2 * N, b, 2 * N, work, 3 * N);
    for (int i = 0; i < N; i++) {
        expect("a solution by least squares", b[i] - (i + 1), 1e5 * SB_EPSILON);
    }
}

int main(void) {
    texts();
    nodes();
    elliptic();
    kernels();
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
