/* Products of quaternions, scalar first. */
#ifndef STEPBENCH_PROBLEMS_SHARED_QUATERNION_H
#define STEPBENCH_PROBLEMS_SHARED_QUATERNION_H

#include <string.h>

#include <stepbench/scalar.h>

/* Sets out = a * b. */
static inline void quaternion_product(const sb_scalar a[4], const sb_scalar b[4], sb_scalar out[4]) {
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

/* Sets out = conj(a) * b. */
static inline void quaternion_ratio(const sb_scalar a[4], const sb_scalar b[4], sb_scalar out[4]) {
    quaternion_product((sb_scalar[4]){a[0], -a[1], -a[2], -a[3]}, b, out);
}

/* Sets out to the vector part of a * d * conj(b), which is symmetric and bilinear in a and b. For a = b = e it is the
 * body's vector d in space. */
static inline void quaternion_turn(const sb_scalar a[4], const sb_scalar b[4], const sb_scalar d[3], sb_scalar out[3]) {
    sb_scalar ad[4], all[4];
    quaternion_product(a, (sb_scalar[4]){0.0, d[0], d[1], d[2]}, ad);
    quaternion_product(ad, (sb_scalar[4]){b[0], -b[1], -b[2], -b[3]}, all);
    memcpy(out, all + 1, 3 * sizeof *out);
}

/* Sets out to unit quaternion j: 1, i, j, k. */
static inline void quaternion_unit(int j, sb_scalar out[4]) {
    for (int i = 0; i < 4; i++) {
        out[i] = i == j;
    }
}

#endif
