/* Nodes and weights of collocation methods. */
#include "integrators/shared/collocation.h"

/* One step of Newton's method, whose correction has the digits of an sb_scalar. */
twofold sb_collocation_node(int degree, const int *coefficients, sb_scalar near) {
    const twofold x = {near, 0.0};
    twofold value = {0.0, 0.0};
    sb_scalar slope = 0.0;
    for (int k = degree; k >= 0; k--) {
        slope = slope * near + value.hi;
        value = twofold_add(twofold_multiply(value, x), (twofold){coefficients[k], 0.0});
    }
    return twofold_sum(near, -value.hi / slope);
}

void sb_collocation_weights(int s, const twofold *c, twofold x, sb_scalar *hi, sb_scalar *lo) {
    for (int j = 0; j < s; j++) {
        twofold l[COLLOCATION_MAX] = {{1.0, 0.0}}, weight = {0.0, 0.0}; /* l: coefficients of 1, x, x^2, ... */
        int degree = 0;
        for (int k = 0; k < s; k++) {
            if (k == j) {
                continue;
            }
            const twofold distance = twofold_add(c[j], twofold_negative(c[k]));
            degree++;
            for (int d = degree; d >= 0; d--) {
                const twofold shifted = d > 0 ? l[d - 1] : (twofold){0.0, 0.0};
                l[d] = twofold_divide(twofold_add(shifted, twofold_negative(twofold_multiply(c[k], l[d]))), distance);
            }
        }
        for (int d = s - 1; d >= 0; d--) {
            const twofold power = twofold_divide(l[d], (twofold){d + 1.0, 0.0});
            weight = twofold_multiply(x, twofold_add(power, weight));
        }
        hi[j] = weight.hi;
        lo[j] = weight.lo;
    }
}
