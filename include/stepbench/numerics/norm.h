/* Sums of vectors, and maximum norms that keep a NaN. */
#ifndef STEPBENCH_NUMERICS_NORM_H
#define STEPBENCH_NUMERICS_NORM_H

#include <stepbench/scalar.h>

/* The larger of the two; NaN when either is. (`if (!(d <= m)) m = d` forgets a NaN in m at the next d.) */
static inline sb_scalar sb_larger(sb_scalar m, sb_scalar d) { return d > m || isnan(d) ? d : m; }

/* max |x_i| that is NaN when any x_i is. */
static inline sb_scalar sb_norm_max(int n, const sb_scalar *x) {
    sb_scalar m = 0.0, sum = 0.0; /* the sum keeps a NaN, and costs less than a comparison for it */
    for (int i = 0; i < n; i++) {
        const sb_scalar d = fabs(x[i]);
        m = d > m ? d : m;
        sum += d;
    }
    return isnan(sum) ? sum : m;
}

/* max |x_i - y_i| that is NaN when any difference is. */
static inline sb_scalar sb_distance_max(int n, const sb_scalar *x, const sb_scalar *y) {
    sb_scalar m = 0.0;
    for (int i = 0; i < n; i++) {
        m = sb_larger(m, fabs(x[i] - y[i]));
    }
    return m;
}

/* Returns x . y. */
static inline sb_scalar sb_dot(int n, const sb_scalar *x, const sb_scalar *y) {
    sb_scalar sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

/* Adds a x to y. */
static inline void sb_axpy(int n, sb_scalar a, const sb_scalar *x, sb_scalar *y) {
    for (int i = 0; i < n; i++) {
        y[i] += a * x[i];
    }
}

#endif
