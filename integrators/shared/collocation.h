/* The coefficients of collocation at given nodes: hlw06 II.1.2. */
#ifndef STEPBENCH_INTEGRATORS_SHARED_COLLOCATION_H
#define STEPBENCH_INTEGRATORS_SHARED_COLLOCATION_H

#include <stepbench/scalar.h>

enum { COLLOCATION_MAX = 4 };

/* Sets weight[j] to the integral of the j-th Lagrange polynomial of the nodes c from 0 to x: the row a_i for x = c_i,
 * and b for x = 1. */
static inline void collocation_weights(int s, const sb_scalar *c, sb_scalar x, sb_scalar *weight) {
    for (int j = 0; j < s; j++) {
        sb_scalar l[COLLOCATION_MAX] = {1.0}; /* coefficients of 1, x, x^2, ... */
        int degree = 0;
        for (int k = 0; k < s; k++) {
            if (k == j) {
                continue;
            }
            degree++;
            for (int d = degree; d >= 0; d--) {
                l[d] = ((d > 0 ? l[d - 1] : 0.0) - c[k] * l[d]) / (c[j] - c[k]);
            }
        }
        weight[j] = 0.0;
        for (int d = s - 1; d >= 0; d--) {
            weight[j] = x * (l[d] / (d + 1.0) + weight[j]);
        }
    }
}

#endif
