/* The terms of unilateral contacts and dry friction: reg05 2.7, 2.8. */
#ifndef STEPBENCH_TERMS_CONTACT_H
#define STEPBENCH_TERMS_CONTACT_H

#include <stepbench/pattern.h>

/* 0 <= xi(q) _|_ nu >= 0: column i of N (n x m) is the gradient of the gap xi_i; nu_i >= 0 pushes it open, and only
 * while it is closed. Column j of D (n x k) is a tangential direction: the force D_j beta_j opposes the slip
 * D_j' v - w_j(t) and is bounded by |beta_j| <= limit_j + mu_j |lambda_of(j)|. lambda_of(j) is any row of lambda but
 * one of friction: a normal force, or the multiplier of a bilateral constraint, so that a guide or a joint rubs as a
 * contact does. Two rows of one contact with equal bounds, perpendicular in space, bound their force together if `with`
 * says so, |(beta_j, beta_with(j))| <= bound, which is Coulomb's cone; else they make a box of it, reg05 (2.10). */
typedef struct sb_contact {
    const void *self;
    int m, k;     /* gaps; friction rows */
    sb_pattern N; /* n x m */
    sb_pattern D; /* n x k */
    /* Sets xi (m) and the values of N; each may be NULL. */
    int (*gap)(const void *self, const sb_scalar *q, sb_scalar *xi, sb_scalar *Nx);
    /* Sets the values of D and w (k), the speed of a moving surface; each may be NULL. */
    int (*slip)(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Dx, sb_scalar *w);
    /* The row of lambda that bounds each friction row, counted over all of lambda; -1: limit alone (k). */
    const int *of;
    /* Coefficients of friction, and the constant part of the bounds (k each), not negative; NULL: 0. */
    const sb_scalar *mu, *limit;
    /* The other row of each row of a cone; -1: the row is bounded by itself (k); NULL: all are. */
    const int *with;
    /* Of each gap, in [0, 1]: an impact ends with N v >= -restitution N v before (m); NULL: 0. */
    const sb_scalar *restitution;
    /* A gap's own regularization and relaxation time over h (m each); NULL: the stepper's. */
    const sb_scalar *eps, *tau;
    /* A friction row's own regularization, the inverse of a viscous drag (k); NULL: the stepper's. */
    const sb_scalar *gamma;
} sb_contact;

#endif
