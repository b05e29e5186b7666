/* Newton's method for the nonlinear equations of a regularized variational step: spook07 (26), and (24) for
 * nonholonomic rows. */
#pragma once

#include <stepbench/numerics/newton.h>

#include "integrators/shared/constraint_hessian.h"
#include "integrators/shared/velocity_step.h"

/* The unknowns are the impulses z and v1 = (q1 - q0)/h. spook07 (26) is multiplied by (4/h) Upsilon, so that both
 * blocks of the matrix are constraint gradients:
 *
 *   M (v1 - v0) - h T_q(q0, v1) - G(q0)' z_g - A(q0)' z_a = h F + p0 - M v0
 *   (Upsilon/h) [g(q1) + 2 g(q0) + g(q0 - h v0)] + (1 - Upsilon) dg/dt(q1, v1) + Sigma z_g = 0
 *   A(q1) v1 - w(t1) + (gamma/h) z_a = 0 as in (24),  or A(q0) v1 - w(t0) + (gamma/h) z_a = 0 as in (29)
 *
 * with g(q1) and dg/dt = G v1 + g_t at t + h and g(q0 - h v0) at t - h. The second row is g(q1)/h = 0 for (13). p0 = M
 * v0 for a constant mass. Newton's matrix is
 *
 *   [ M - h T_qv   -C(q0)' ]   D_i = G_i(q1) + (1 - Upsilon_i) h (Hess g_i v1 + (G_i)_t),  or G_i(q1) for (13)
 *   [ D             Sigma  ]   D_i = A_i(q1) + h (A_i v1)_q for (24),  or A_i(q0) for (29) */
typedef struct regularized_newton {
    const sb_system *sys;
    const sb_velocity_step *linear; /* the linear step, whose result is the guess */
    sb_saddle saddle;
    constraint_hessian hessian;
    sb_scalar *C0x, *C1x, *Dx, *g0, *g1, *g_before, *gt, *x, *q;
    sb_scalar *impulse; /* h F + p0 - M v0 */
    bool pointwise;     /* holonomic rows g(q1) = 0: spook07 (13) */
    sb_scalar length;   /* sb_system_length */
    /* the step being solved */
    sb_scalar t, h;
    const sb_scalar *q0, *v0, *sigma; /* the last: one entry per row */
    sb_scalar *q1, *v1, *z;
} regularized_newton;

/* The work of these methods. It begins with that of the linear step, whose operations they share. */
typedef struct regularized_work {
    sb_velocity_step linear;
    regularized_newton newton;
} regularized_work;

/* Initializes me->work. implicit_rows: nonholonomic rows as in (24); pointwise: holonomic rows as in (13). */
int sb_regularized_init(sb_method *me, sb_row_rule rule, bool implicit_rows, bool pointwise);
/* Takes the linear step, and then `updates` Newton updates; with `newton`, updates until the iteration has converged.
 */
int sb_regularized_step(const sb_method *me, const sb_newton *newton, long updates, const sb_state *in, sb_scalar h,
                        sb_state *out);
