/* Newmark's formulas with averaged accelerations, shared by newmark, hht and generalized_alpha: chung93, arnold07.
 *
 *   q1 = q0 + h v0 + h^2 ((1/2 - beta) a0 + beta a1),  v1 = v0 + h ((1 - gamma) a0 + gamma a1),
 *   (1 - alpha_m) a1 + alpha_m a0 = (1 - alpha_f) q1'' + alpha_f q0'',
 *   M(q1) q1'' = F(t1, q1, v1) + G(q1)' lambda1,  g(t1, q1) = 0. */
#ifndef STEPBENCH_INTEGRATORS_SHARED_ALPHA_METHOD_H
#define STEPBENCH_INTEGRATORS_SHARED_ALPHA_METHOD_H

#include <stepbench/numerics/newton.h>
#include <stepbench/plugin.h>

typedef struct alpha_coefficients {
    sb_scalar alpha_m, alpha_f, beta, gamma;
} alpha_coefficients;

/* Initializes me->work. The state's aux holds a, then q''. */
int alpha_method_init(sb_method *me, const alpha_coefficients *c, const sb_newton *newton);
/* The stepper's `start` and `step`. */
int alpha_method_start(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar h,
                       sb_state *out);
int alpha_method_step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out);

#endif
