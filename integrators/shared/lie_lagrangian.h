/* The midpoint Lagrangian on a group in momentum form: the equations are in integrators/lie_variational.c. */
#pragma once

#include <stepbench/numerics/mass.h>

#include "integrators/shared/lie_system.h"

struct lie_quaternion_terms;

typedef struct lie_lagrangian {
    lie L;
    lie_map map;
    sb_mass mass;
    sb_scalar *q, *v;   /* q_m and v_m = B(q_m) xi of the last evaluation (n) */
    lie_blocks P, Q;    /* their derivatives in s; set by sb_lie_lagrangian_jacobian */
    lie_blocks left[2]; /* parts from the derivatives of T_v and F in the derivative of pi_minus */
    sb_scalar *Tv, *F, *tmp, *Hx;
    struct lie_quaternion_terms *terms; /* one per quaternion */
} lie_lagrangian;

int sb_lie_lagrangian_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, lie_map map, lie_lagrangian *out);
/* Computes pi_minus and pi_plus (k); the latter may be NULL. */
int sb_lie_lagrangian_momenta(lie_lagrangian *Ld, sb_scalar t, sb_scalar h, const sb_scalar *q0, const sb_scalar *s,
                              sb_scalar *pi_minus, sb_scalar *pi_plus);
/* Sets values on L.algebra.H to d(pi_minus)/ds, at the point of the last momenta, whose t, h and s are given again. */
int sb_lie_lagrangian_jacobian(lie_lagrangian *Ld, sb_scalar t, sb_scalar h, const sb_scalar *s, sb_scalar *Kx);
