/* Nodes and weights of collocation methods, with twice the digits of sb_scalar: hlw06 II.1.2. */
#pragma once

#include "integrators/shared/twofold.h"

enum { COLLOCATION_MAX = 6 };

/* Returns the zero next to `near` of the polynomial with these integer coefficients of 1, x, x^2, ..., where `near` is
 * the zero rounded to an sb_scalar. */
twofold sb_collocation_node(int degree, const int *coefficients, sb_scalar near);

/* Sets hi[j] + lo[j] to the integral of the j-th Lagrange polynomial of the nodes c from 0 to x: the row a_i for
 * x = c_i, and b for x = 1. */
void sb_collocation_weights(int s, const twofold *c, twofold x, sb_scalar *hi, sb_scalar *lo);
