/* The product of quaternions, scalar first. */
#ifndef STEPBENCH_PROBLEMS_SHARED_QUATERNION_H
#define STEPBENCH_PROBLEMS_SHARED_QUATERNION_H

#include <stepbench/scalar.h>

/* out = a * b. */
static inline void quaternion_product(const sb_scalar a[4], const sb_scalar b[4], sb_scalar out[4]) {
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

#endif
