/* Products of vectors and matrices in space, and of quaternions, scalar first. */
#ifndef STEPBENCH_NUMERICS_QUATERNION_H
#define STEPBENCH_NUMERICS_QUATERNION_H

#include <stepbench/scalar.h>

/* Sets out = a x b. */
static inline void sb_cross(const sb_scalar a[3], const sb_scalar b[3], sb_scalar out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Sets out = X x. */
static inline void sb_multiply_3x3(sb_scalar X[3][3], const sb_scalar x[3], sb_scalar out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = X[i][0] * x[0] + X[i][1] * x[1] + X[i][2] * x[2];
    }
}

/* Sets out = a b. */
static inline void sb_quaternion_product(const sb_scalar a[4], const sb_scalar b[4], sb_scalar out[4]) {
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

/* Sets out = conj(a) b. */
static inline void sb_quaternion_ratio(const sb_scalar a[4], const sb_scalar b[4], sb_scalar out[4]) {
    sb_quaternion_product((sb_scalar[4]){a[0], -a[1], -a[2], -a[3]}, b, out);
}

/* Sets out = a f for unit quaternions, with length 1. The length of a product is 1 up to round-off, which would
 * accumulate over many products: one Newton step for 1/|out| removes it. The step is written as an addition, because a
 * factor near 1 has finer rounding below 1 than above. */
static inline void sb_quaternion_compose(const sb_scalar a[4], const sb_scalar f[4], sb_scalar out[4]) {
    sb_quaternion_product(a, f, out);
    const sb_scalar excess = out[0] * out[0] + out[1] * out[1] + out[2] * out[2] + out[3] * out[3] - 1.0;
    for (int i = 0; i < 4; i++) {
        out[i] -= 0.5 * excess * out[i];
    }
}

/* Sets out to the vector part of a d conj(b), which is symmetric and bilinear in a and b. For a = b = e it is the
 * body's vector d in space. */
static inline void sb_quaternion_rotate(const sb_scalar a[4], const sb_scalar b[4], const sb_scalar d[3],
                                        sb_scalar out[3]) {
    sb_scalar ad[4], all[4];
    sb_quaternion_product(a, (sb_scalar[4]){0.0, d[0], d[1], d[2]}, ad);
    sb_quaternion_product(ad, (sb_scalar[4]){b[0], -b[1], -b[2], -b[3]}, all);
    for (int i = 0; i < 3; i++) {
        out[i] = all[1 + i];
    }
}

/* Sets out to unit quaternion j: 1, i, j, k. */
static inline void sb_quaternion_unit(int j, sb_scalar out[4]) {
    for (int i = 0; i < 4; i++) {
        out[i] = i == j;
    }
}

#endif
