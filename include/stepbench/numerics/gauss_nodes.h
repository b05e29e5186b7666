/* Gauss-Legendre quadrature on [-1, 1]: nodes and weights in the precision of sb_scalar. */
#ifndef STEPBENCH_NUMERICS_GAUSS_NODES_H
#define STEPBENCH_NUMERICS_GAUSS_NODES_H

#include <stepbench/scalar.h>

/* Sets the n nodes, ascending, and their weights. Node i is the zero of P_n next to -cos(pi (i + 3/4)/(n + 1/2)) (dlmf
 * 18.16.7), found by Newton's method; its weight is 2/((1 - x^2) P_n'(x)^2). */
static inline void sb_gauss_nodes(int n, sb_scalar *node, sb_scalar *weight) {
    for (int i = 0; 2 * i < n; i++) {
        sb_scalar x = 2 * i + 1 == n ? 0.0 : -cos(SB_PI * (i + 0.75) / (n + 0.5)), slope = 1.0, change = 1.0;
        for (int k = 0; k < 20 && fabs(change) > 0.5 * SB_EPSILON; k++) {
            sb_scalar P = 1.0, before = 0.0; /* P_j and P_j-1 at x */
            for (int j = 1; j <= n; j++) {
                const sb_scalar next = ((2 * j - 1) * x * P - (j - 1) * before) / j;
                before = P;
                P = next;
            }
            slope = n * (x * P - before) / (x * x - 1.0);
            change = 2 * i + 1 == n ? 0.0 : P / slope;
            x -= change;
        }
        node[i] = x;
        node[n - 1 - i] = -x;
        weight[i] = weight[n - 1 - i] = 2.0 / ((1.0 - x * x) * slope * slope);
    }
}

#endif
