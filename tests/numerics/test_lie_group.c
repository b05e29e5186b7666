/* Local coordinates of unit quaternions against closed forms, matrix exponentials and differences. */
#include <float.h>

#include <gsl/gsl_linalg.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_test.h>

#include <stepbench/numerics/quaternion.h>

#include "integrators/shared/lie_group.h"

typedef double matrix[3][3];

/* The largest number of roundings of a matrix of order one below is some dozens. */
static const double few = 64.0 * DBL_EPSILON;

static double apart(const double *a, const double *b, int n) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        const double d = fabs(a[i] - b[i]);
        most = d <= most ? most : d;
    }
    return most;
}

static void hat(const double *a, matrix X) {
    const matrix all = {{0.0, -a[2], a[1]}, {a[2], 0.0, -a[0]}, {-a[1], a[0], 0.0}};
    for (int i = 0; i < 9; i++) {
        X[i / 3][i % 3] = all[i / 3][i % 3];
    }
}

/* Column j of the rotation is f e_j conj(f). */
static void rotation(const double *f, matrix R) {
    const double back[4] = {f[0], -f[1], -f[2], -f[3]};
    for (int j = 0; j < 3; j++) {
        const double unit[4] = {0.0, j == 0, j == 1, j == 2};
        double turned[4], all[4];
        sb_quaternion_product(f, unit, turned);
        sb_quaternion_product(turned, back, all);
        for (int i = 0; i < 3; i++) {
            R[i][j] = all[1 + i];
        }
    }
}

static void multiply(matrix A, matrix B, matrix out) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out[i][j] = A[i][0] * B[0][j] + A[i][1] * B[1][j] + A[i][2] * B[2][j];
        }
    }
}

/* The rotation of exp is the matrix exponential of [phi], and T(phi) = int_0^1 exp(-s [phi]) ds is the upper right
 * block of exp [-[phi], 1; 0, 0]. GSL scales and squares a series to 1e-13 or better for norms of order one. */
static void check_exponential(const double *phi) {
    matrix X, R, T;
    double f[4];
    gsl_matrix *A = gsl_matrix_calloc(6, 6), *E = gsl_matrix_alloc(6, 6);
    hat(phi, X);
    sb_lie_tau(LIE_EXP, phi, f);
    rotation(f, R);
    sb_lie_tangent(LIE_EXP, phi, T);
    for (size_t i = 0; i < 3; i++) {
        gsl_matrix_set(A, i, 3 + i, 1.0);
        for (size_t j = 0; j < 3; j++) {
            gsl_matrix_set(A, i, j, -X[i][j]);
        }
    }
    gsl_linalg_exponential_ss(A, E, GSL_PREC_DOUBLE);
    double by_rotation = 0.0, by_tangent = 0.0;
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < 3; j++) {
            by_rotation = fmax(by_rotation, fabs(gsl_matrix_get(E, i, j) - R[j][i]));
            by_tangent = fmax(by_tangent, fabs(gsl_matrix_get(E, i, 3 + j) - T[i][j]));
        }
    }
    gsl_test(!(by_rotation <= 1e-12), "exp: the rotation is the matrix exponential, apart by %.2g", by_rotation);
    gsl_test(!(by_tangent <= 1e-12), "exp: T is the integral of matrix exponentials, apart by %.2g", by_tangent);
    gsl_matrix_free(A);
    gsl_matrix_free(E);
}

/* (1 - [phi]/2) R = 1 + [phi]/2. */
static void check_cayley(const double *phi) {
    matrix X, R, left;
    double f[4];
    hat(phi, X);
    sb_lie_tau(LIE_CAYLEY, phi, f);
    rotation(f, R);
    multiply(X, R, left);
    for (int i = 0; i < 9; i++) {
        const int r = i / 3, c = i % 3;
        left[r][c] = R[r][c] - 0.5 * left[r][c];
        X[r][c] = (r == c) + 0.5 * X[r][c];
    }
    gsl_test(!(apart(&left[0][0], &X[0][0], 9) <= few), "cayley: the rotation is (1 - X/2)^-1 (1 + X/2)");
}

/* D is the inverse of T; (0, T d/2) = conj(f) (df/dphi) d and E d = d(D w)/dphi d by differences of order four, whose
 * error is eps/width + width^4, with the fifth derivatives of size ten near the end of a domain. */
static void check_map(lie_map map, const double *phi, const double *w, const double *d) {
    static const double width = 1e-3, weight[2] = {2.0 / 3.0, -1.0 / 12.0}, tolerance = 1e-9;
    matrix T, D, both, E;
    double f[4], df[4] = {0.0}, slope[3] = {0.0}, rate[4], Td[3], Ed[3];
    sb_lie_tau(map, phi, f);
    sb_lie_tangent(map, phi, T);
    sb_lie_inverse_tangent(map, phi, D);
    sb_lie_inverse_tangent_slope(map, phi, w, E);
    multiply(T, D, both);
    const matrix one = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    gsl_test(!(fabs(f[0] * f[0] + f[1] * f[1] + f[2] * f[2] + f[3] * f[3] - 1.0) <= few), "map %d: |f| = 1", map);
    gsl_test(!(apart(&both[0][0], &one[0][0], 9) <= few), "map %d: T D = 1", map);
    for (int k = 0; k < 4; k++) {
        const double s = (k % 2 == 0 ? 1.0 : -1.0) * (k / 2 + 1) * width;
        const double at[3] = {phi[0] + s * d[0], phi[1] + s * d[1], phi[2] + s * d[2]};
        double moved[4];
        matrix Dm;
        sb_lie_tau(map, at, moved);
        sb_lie_inverse_tangent(map, at, Dm);
        for (int i = 0; i < 4; i++) {
            df[i] += (k % 2 == 0 ? 1.0 : -1.0) * weight[k / 2] * moved[i] / width;
        }
        for (int i = 0; i < 3; i++) {
            slope[i] += (k % 2 == 0 ? 1.0 : -1.0) * weight[k / 2] / width *
                        (Dm[i][0] * w[0] + Dm[i][1] * w[1] + Dm[i][2] * w[2]);
        }
    }
    sb_quaternion_ratio(f, df, rate);
    for (int i = 0; i < 3; i++) {
        Td[i] = 0.5 * (T[i][0] * d[0] + T[i][1] * d[1] + T[i][2] * d[2]);
        Ed[i] = E[i][0] * d[0] + E[i][1] * d[1] + E[i][2] * d[2];
    }
    gsl_test(!(apart(rate + 1, Td, 3) <= tolerance), "map %d: T d is the rate, apart by %.2g", map,
             apart(rate + 1, Td, 3));
    gsl_test(!(apart(slope, Ed, 3) <= tolerance), "map %d: E d is the slope of D w, apart by %.2g", map,
             apart(slope, Ed, 3));
}

/* 1e6 products of one quaternion: without the correction the length would be off by up to 1e6 eps/2. */
static void check_length(void) {
    double e[4] = {1.0, 0.0, 0.0, 0.0}, f[4], next[4];
    sb_lie_tau(LIE_EXP, (const double[3]){0.1, -0.2, 0.3}, f);
    for (int k = 0; k < 1000000; k++) {
        sb_quaternion_compose(e, f, next);
        for (int i = 0; i < 4; i++) {
            e[i] = next[i];
        }
    }
    const double off = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] - 1.0;
    gsl_test(!(fabs(off) <= 4.0 * DBL_EPSILON), "the length after a million products is off by %.2g", off);
}

int main(void) {
    static const double sizes[] = {0.0, 1e-12, 1e-8, 1e-4, 1e-2, 0.3, 1.0, 1.7};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int k = 0; k < (int)(sizeof sizes / sizeof *sizes); k++) {
        double phi[3], w[3], d[3];
        gsl_ran_dir_3d(rng, &phi[0], &phi[1], &phi[2]);
        gsl_ran_dir_3d(rng, &w[0], &w[1], &w[2]);
        gsl_ran_dir_3d(rng, &d[0], &d[1], &d[2]);
        for (int i = 0; i < 3; i++) {
            phi[i] *= sizes[k];
        }
        check_exponential(phi);
        check_cayley(phi);
        for (int map = LIE_EXP; map <= LIE_VECTOR; map++) {
            check_map((lie_map)map, phi, w, d);
        }
    }
    gsl_rng_free(rng);
    check_length();
    return gsl_test_summary();
}
