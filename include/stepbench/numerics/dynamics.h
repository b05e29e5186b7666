/* Forces and accelerations of the continuous equations of motion. */
#ifndef STEPBENCH_NUMERICS_DYNAMICS_H
#define STEPBENCH_NUMERICS_DYNAMICS_H

#include <stepbench/numerics/mass.h>
#include <stepbench/numerics/saddle.h>

struct sb_dynamics_work;

typedef struct sb_dynamics {
    const sb_system *sys;
    sb_mass mass;
    sb_saddle saddle; /* used when there are constraints */
    double sign;      /* 1, or -1 where the saddle system is the symmetric one, whose multipliers are -lambda */
    double *Cx;       /* values of G, then of A, of the last factorization */
    struct sb_dynamics_work *work;
} sb_dynamics;

/* Computes F = T_q - V_q + f at (t, q, v); tmp is scratch of n. */
int sb_system_force(const sb_system *sys, double t, const double *q, const double *v, double *F, double *tmp);
/* Computes p = a M v + h F, with M as it was evaluated last. */
int sb_system_impulse(const sb_system *sys, const sb_mass *mass, double t, const double *q, const double *v, double a,
                      double h, double *p, double *tmp);
/* Computes F - T_vq v, which is M a - C' lambda; Hx is scratch on sys->H. */
int sb_system_applied_force(const sb_system *sys, double t, const double *q, const double *v, double *F, double *tmp,
                            double *Hx);

/* Sets the size of the motion, the larger of |q| and time_scale |v| of the initial state. */
int sb_system_length(sb_context *ctx, const sb_system *sys, double *length);

int sb_dynamics_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_dynamics *out);
/* Computes a (n) and the multipliers of the index-1 equations: M a = F + C' lambda, d/dt (G v) = 0, d/dt (A v - w) = 0.
 * lambda may be NULL. */
int sb_dynamics_acceleration(sb_dynamics *dyn, double t, const double *q, const double *v, double *a, double *lambda);
/* Computes the velocity v with G v = 0, A v = w(t) and M v = p + C' mu: p mapped to the tangent space. mu may be NULL.
 */
int sb_dynamics_velocity(sb_dynamics *dyn, double t, const double *q, const double *p, double *v, double *mu);
/* Moves q along M^-1 C' mu onto g(q) = 0, to round-off; SB_NOT_CONVERGED where Newton's method does not get there. */
int sb_dynamics_position(sb_dynamics *dyn, double t, double *q);
/* Computes p = M(q) v. */
int sb_dynamics_momentum(sb_dynamics *dyn, const double *q, const double *v, double *p);
/* Computes T and V; each may be NULL. */
int sb_dynamics_energy(sb_dynamics *dyn, const double *q, const double *v, double *kinetic, double *potential);

#endif
