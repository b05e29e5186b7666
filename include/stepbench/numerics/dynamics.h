/* Forces and accelerations of the continuous equations of motion. */
#ifndef STEPBENCH_NUMERICS_DYNAMICS_H
#define STEPBENCH_NUMERICS_DYNAMICS_H

#include <stepbench/numerics/mass.h>
#include <stepbench/numerics/norm.h>

struct sb_dynamics_work;

typedef struct sb_dynamics {
    const sb_system *sys;
    sb_mass mass;
    sb_pattern C;  /* pattern of the bilateral rows; empty without them */
    sb_scalar *Cx; /* values of G, then of A, of the last factorization */
    struct sb_dynamics_work *work;
    bool by_potential; /* a = -M^-1 V_q with a constant diagonal M, and nothing else acts */
} sb_dynamics;

/* Computes F = T_q - V_q + f at (t, q, v); tmp is scratch of n. */
int sb_system_force(const sb_system *sys, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *F,
                    sb_scalar *tmp);
/* Computes p = a M v + h F, with M as it was evaluated last. */
static inline int sb_system_impulse(const sb_system *sys, const sb_mass *mass, sb_scalar t, const sb_scalar *q,
                                    const sb_scalar *v, sb_scalar a, sb_scalar h, sb_scalar *p, sb_scalar *tmp);
/* Computes F - T_vq v, which is M a - C' lambda; Hx is scratch on sys->H. */
int sb_system_applied_force(const sb_system *sys, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *F,
                            sb_scalar *tmp, sb_scalar *Hx);

/* Sets the size of the motion, the larger of |q| and time_scale |v| of the initial state; of one at rest at the origin,
 * where both are round-off beside it, time_scale^2 |F_i|/M_ii. */
int sb_system_length(sb_context *ctx, const sb_system *sys, sb_scalar *length);

int sb_dynamics_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_dynamics *out);
/* The same for who may compute energies only: the saddle system of the constraints, whose analysis costs most in a
 * large system, is built with its first use. */
int sb_dynamics_init_late(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_dynamics *out);
/* Computes a (n) and the multipliers of the index-1 equations: M a = F + C' lambda, d2g/dt2 = 0, d/dt (A v - w) = 0.
 * lambda may be NULL. */
int sb_dynamics_acceleration(sb_dynamics *dyn, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *a,
                             sb_scalar *lambda);
/* Replaces the multipliers that sb_dynamics_acceleration has computed last by those of least norm that exert the same
 * forces, in the metric of the diagonal of C' D C, D the inverse of the diagonal of M. The multipliers of the lengths
 * of quaternions, which are no forces, do not count. */
int sb_dynamics_least_norm(sb_dynamics *dyn, sb_scalar *lambda);
/* Computes the velocity v with G v + g_t = 0, A v = w(t) and M v = p + C' mu: p mapped to the velocities that the
 * constraints allow. mu may be NULL. */
int sb_dynamics_velocity(sb_dynamics *dyn, sb_scalar t, const sb_scalar *q, const sb_scalar *p, sb_scalar *v,
                         sb_scalar *mu);
/* The same with G v = 0 and A v = 0: the tangent part of a difference of velocities, whatever drives the constraints.
 */
int sb_dynamics_tangent(sb_dynamics *dyn, sb_scalar t, const sb_scalar *q, const sb_scalar *p, sb_scalar *v,
                        sb_scalar *mu);
/* Moves q along M^-1 C' mu onto g(t, q) = 0, to round-off; SB_NOT_CONVERGED where Newton's method does not get there.
 */
int sb_dynamics_position(sb_dynamics *dyn, sb_scalar t, sb_scalar *q);
/* Computes p = M(q) v. */
int sb_dynamics_momentum(sb_dynamics *dyn, const sb_scalar *q, const sb_scalar *v, sb_scalar *p);
/* Computes T and V; each may be NULL. */
int sb_dynamics_energy(sb_dynamics *dyn, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *kinetic,
                       sb_scalar *potential);

/* ---- Definitions: most systems have a part of the terms, and with a few coordinates calls cost as much as the
 * arithmetic. ---- */

/* Adds c (T_q + f) to p. */
SB_INLINED int sb_system_add_forces(const sb_system *sys, sb_scalar t, const sb_scalar *q, const sb_scalar *v,
                                    sb_scalar c, sb_scalar *p, sb_scalar *tmp) {
    if (sys->inertia.gradient != NULL) {
        SB_TRY(sys->inertia.gradient(sys->inertia.self, q, v, tmp));
        sb_axpy(sys->n, c, tmp, p);
    }
    if (sys->force.value != NULL) {
        SB_TRY(sys->force.value(sys->force.self, t, q, v, tmp));
        sb_axpy(sys->n, c, tmp, p);
    }
    return SB_OK;
}

/* Computes sb_system_force for n coordinates. */
SB_INLINED int sb_system_force_sized(const sb_system *sys, sb_scalar t, const sb_scalar *q, const sb_scalar *v,
                                     sb_scalar *F, sb_scalar *tmp, const int n) {
    if (sys->potential.value != NULL) {
        SB_TRY(sb_potential_gradient(sys, t, q, F));
        for (int i = 0; i < n; i++) {
            F[i] = -F[i];
        }
    } else {
        for (int i = 0; i < n; i++) {
            F[i] = 0.0;
        }
    }
    return sb_system_add_forces(sys, t, q, v, 1.0, F, tmp);
}

/* Computes sb_system_impulse for n coordinates. */
SB_INLINED int sb_system_impulse_sized(const sb_system *sys, const sb_mass *mass, sb_scalar t, const sb_scalar *q,
                                       const sb_scalar *v, sb_scalar a, sb_scalar h, sb_scalar *p, sb_scalar *tmp,
                                       const int n) {
    if (sys->potential.value != NULL) {
        SB_TRY(sb_potential_gradient(sys, t, q, p));
    } else {
        for (int i = 0; i < n; i++) {
            p[i] = 0.0;
        }
    }
    sb_mass_blend(mass, a, v, -h, p, p, n);
    return sb_system_add_forces(sys, t, q, v, h, p, tmp);
}

static inline int sb_system_impulse(const sb_system *sys, const sb_mass *mass, sb_scalar t, const sb_scalar *q,
                                    const sb_scalar *v, sb_scalar a, sb_scalar h, sb_scalar *p, sb_scalar *tmp) {
    return sb_system_impulse_sized(sys, mass, t, q, v, a, h, p, tmp, sys->n);
}

/* Computes sb_dynamics_acceleration for n coordinates; `plain`: of a method on a plain system. Sets a_i = -V_qi/M_ii
 * with the inverse of M_ii: a quotient would be the longest operation of a step. */
SB_INLINED int sb_dynamics_acceleration_sized(sb_dynamics *dyn, sb_scalar t, const sb_scalar *q, const sb_scalar *v,
                                              sb_scalar *a, sb_scalar *lambda, const bool plain, const int n) {
    if (!plain && !dyn->by_potential) {
        return sb_dynamics_acceleration(dyn, t, q, v, a, lambda);
    }
    SB_TRY(sb_potential_gradient(dyn->sys, t, q, a));
    for (int i = 0; i < n; i++) {
        a[i] *= -dyn->mass.Wx[i];
    }
    return SB_OK;
}

#endif
