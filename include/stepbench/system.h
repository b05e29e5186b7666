/* A mechanical system as a stepper evaluates it: sizes and terms.
 *
 *   d/dt T_v - T_q = -V_q(t, q) + f(t, q, v) + G(q)' lambda + A(q)' alpha + N(q)' nu + D(q)' beta,   T = v' M(q) v / 2
 *   g(t, q) = 0,   A(q) v = w(t)
 *
 * Matrices have fixed patterns (pattern.h): sys->inertia.M, sys->holonomic.G, sys->nonholonomic.A, and sys->H for every
 * second derivative; only their values are evaluated. sys->n counts coordinates. problem.h defines the groups. */
#ifndef STEPBENCH_SYSTEM_H
#define STEPBENCH_SYSTEM_H

#include <stepbench/problem.h>

/* Returns the system whose constraints the motion is to satisfy: `sys` itself unless a formulation replaced them. */
static inline const sb_system *sb_system_constrained(const sb_system *sys);
/* Returns the number of rows that hold as equations: holonomic ones, then nonholonomic ones. */
static inline int sb_system_bilateral(const sb_system *sys);
/* Returns the number of multipliers: of the bilateral rows, then normal forces nu, then friction beta. */
static inline int sb_system_multipliers(const sb_system *sys);

/* Evaluate a term that the system has. V, V_q (n); the Hessians are added with the factor c to values on H. */
static inline int sb_potential_value(const sb_system *sys, sb_scalar t, const sb_scalar *q, sb_scalar *V);
static inline int sb_potential_gradient(const sb_system *sys, sb_scalar t, const sb_scalar *q, sb_scalar *Vq);
static inline int sb_potential_hessian(const sb_system *sys, sb_scalar t, const sb_scalar *q, sb_scalar c,
                                       sb_scalar *Hx);
static inline int sb_potential_stiffness(const sb_system *sys, sb_scalar t, const sb_scalar *q, sb_scalar c,
                                         sb_scalar *Hx);
/* Sets V_t: zero unless the potential depends on time. */
static inline int sb_potential_rate(const sb_system *sys, sb_scalar t, const sb_scalar *q, sb_scalar *Vt);
/* Sets g (m) and the values of G; each may be NULL. */
static inline int sb_holonomic_value(const sb_system *sys, sb_scalar t, const sb_scalar *q, sb_scalar *g,
                                     sb_scalar *Gx);
static inline int sb_holonomic_hessian(const sb_system *sys, sb_scalar t, const sb_scalar *q, const sb_scalar *w,
                                       sb_scalar c, sb_scalar *Hx);
/* Sets d2g/dt2 at constant v (m). */
static inline int sb_holonomic_curvature(const sb_system *sys, sb_scalar t, const sb_scalar *q, const sb_scalar *v,
                                         sb_scalar *out);
/* Sets g_t (m): zero unless the constraints depend on time. */
static inline int sb_holonomic_rate(const sb_system *sys, sb_scalar t, const sb_scalar *q, sb_scalar *out);
/* Sets g and then w of the bilateral rows, and the values of G and then of A; each may be NULL. */
static inline int sb_bilateral_value(const sb_system *sys, sb_scalar t, const sb_scalar *q, sb_scalar *g,
                                     sb_scalar *Cx);

#include <stepbench/system_inline.h>

#endif
