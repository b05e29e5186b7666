/* Products of vectors and matrices in space, and of quaternions, scalar first. */
#ifndef STEPBENCH_INTEGRATORS_SHARED_QUATERNION_H
#define STEPBENCH_INTEGRATORS_SHARED_QUATERNION_H

#include <stepbench/scalar.h>

/* Computes out = a x b. */
static inline void cross(const sb_scalar *a, const sb_scalar *b, sb_scalar *out) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Computes out = X x. */
static inline void multiply_3x3(sb_scalar X[3][3], const sb_scalar *x, sb_scalar *out) {
    for (int i = 0; i < 3; i++) {
        out[i] = X[i][0] * x[0] + X[i][1] * x[1] + X[i][2] * x[2];
    }
}

/* Computes out = a b. */
static inline void quaternion_product(const sb_scalar *a, const sb_scalar *b, sb_scalar *out) {
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out[2] = a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3];
    out[3] = a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1];
}

/* Computes out = conj(a) b. */
static inline void quaternion_ratio(const sb_scalar *a, const sb_scalar *b, sb_scalar *out) {
    const sb_scalar conj[4] = {a[0], -a[1], -a[2], -a[3]};
    quaternion_product(conj, b, out);
}

/* Computes out = a f for unit quaternions, with length 1. The length of a product is 1 up to round-off, which would
 * accumulate over many products: one Newton step for 1/|out| removes it. The step is written as an addition, because a
 * factor near 1 has finer rounding below 1 than above. */
static inline void quaternion_turn(const sb_scalar *a, const sb_scalar *f, sb_scalar *out) {
    quaternion_product(a, f, out);
    const sb_scalar excess = out[0] * out[0] + out[1] * out[1] + out[2] * out[2] + out[3] * out[3] - 1.0;
    for (int i = 0; i < 4; i++) {
        out[i] -= 0.5 * excess * out[i];
    }
}

#endif
