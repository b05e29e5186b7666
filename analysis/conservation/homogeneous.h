/* The homogeneous extension of a Hamiltonian system, skeel01: one more coordinate, whose momentum beta makes the energy
 * a bilinear form of the state and its rate. */
#pragma once

#include <stepbench/system.h>

/* With the additional coordinate alpha and its momentum beta,
 *
 *   Hbar(q, alpha, p, beta) = alpha^2 H(q/alpha, p/alpha),   alpha' = 0,   beta' = -Hbar_alpha
 *
 * is homogeneous of degree two, so that at alpha = 1
 *
 *   2 H = q . Hbar_q + p . Hbar_p + alpha Hbar_alpha = p . q' - q . p' - beta'.
 *
 * For H = p' M(q)^-1 p/2 + V(q) and constraints g(q) = 0, Hbar is p' M(q/alpha)^-1 p/2 + alpha^2 V(q/alpha) with alpha
 * g(q/alpha) = 0: a system with the coordinates (q, alpha), the kinetic energy T(q/alpha, v), and p = M v at alpha = 1,
 * in which alpha has no kinetic energy. The large mass
 * SB_HOMOGENEOUS_MASS of alpha replaces an infinite one: alpha - 1 stays below 1e-20 and is neglected, and beta is the
 * mass times the velocity of alpha. Any stepper then integrates beta as it integrates p. The degrees of V and g are
 * those in q, since alpha does not move. */
#define SB_HOMOGENEOUS_MASS 0x1p100

/* Sets `out` to the extension of `sys`; coordinate sys->n is alpha - 1. `sys` must outlive it. */
int sb_homogeneous_new(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_system *out);

/* Returns a sentence that states why a system has no extension; NULL if it has one. */
const char *sb_homogeneous_excluded(const sb_system *sys);
