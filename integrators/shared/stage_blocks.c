/* The transformation of the stage equations to smaller systems: hw96 IV.8. */
#include <string.h>

#include "integrators/shared/stages.h"

typedef sb_scalar vector[3];

static void cross(const vector a, const vector b, vector out) {
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = a[j] * b[k] - a[k] * b[j];
    }
}

static sb_scalar dot(const vector a, const vector b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Returns the zero of p(z) = z^3 - trace z^2 + minors z - det if p is increasing everywhere, else NaN. Newton's method
 * falls monotonically from the trace, which is beyond the zero, to round-off. */
static sb_scalar real_eigenvalue(sb_scalar trace, sb_scalar minors, sb_scalar det) {
    sb_scalar z = trace, last = INFINITY;
    while (z < last) {
        last = z;
        z -= (((z - trace) * z + minors) * z - det) / ((3.0 * z - 2.0 * trace) * z + minors);
    }
    return trace * trace < 3.0 * minors ? last : (sb_scalar)NAN;
}

bool sb_stages_blocks(const stage_table *table, stage_blocks *out) {
    vector A[3], At[3], cofactor[3], T[3], inverse[3], left;
    if (table->s != 3 || memcmp(table->a, table->a_hat, sizeof table->a) != 0) {
        return false;
    }
    for (int i = 0; i < 9; i++) {
        A[i / 3][i % 3] = At[i % 3][i / 3] = table->a[i / 3][i % 3];
    }
    for (int i = 0; i < 3; i++) {
        cross(A[(i + 1) % 3], A[(i + 2) % 3], cofactor[i]);
    }
    const sb_scalar trace = A[0][0] + A[1][1] + A[2][2], det = dot(A[0], cofactor[0]),
                    gamma = real_eigenvalue(trace, cofactor[0][0] + cofactor[1][1] + cofactor[2][2], det),
                    alpha = 0.5 * (trace - gamma), beta = sqrt(det / gamma - alpha * alpha);
    for (int i = 0; i < 3; i++) {
        A[i][i] -= gamma;
        At[i][i] -= gamma;
    }
    cross(A[0], A[1], T[0]); /* (A - gamma) t = 0 */
    cross(At[0], At[1], left);
    cross(left, T[0], T[1]); /* in the plane of the pair, which the left eigenvector is normal to */
    for (int i = 0; i < 3; i++) {
        T[2][i] = (dot(A[i], T[1]) + (gamma - alpha) * T[1][i]) / beta;
    }
    for (int i = 0; i < 3; i++) {
        cross(T[(i + 1) % 3], T[(i + 2) % 3], inverse[i]);
    }
    for (int i = 0; i < 9; i++) {
        out->T[i % 3][i / 3] = T[i / 3][i % 3];
        out->inverse[i / 3][i % 3] = inverse[i / 3][i % 3] / dot(T[0], inverse[0]);
    }
    out->real = stages_single(gamma);
    out->pair = (stage_table){.s = 2, .a = {{alpha, -beta}, {beta, alpha}}, .a_hat = {{alpha, -beta}, {beta, alpha}}};
    return isfinite(gamma);
}
