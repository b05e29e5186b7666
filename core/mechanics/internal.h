/* Members and functions of the systems of stepbench/numerics/ that core/mechanics alone uses. */
#pragma once

#include <stepbench/numerics/norm.h>
#include <stepbench/numerics/sizes.h>

#include "core/mechanics/matrices.h"

/* Sets p = a M v + c r; p may be r. */
SB_INLINED void sb_mass_blend(const sb_mass *mass, sb_scalar a, const sb_scalar *v, sb_scalar c, const sb_scalar *r,
                              sb_scalar *p, const int n) {
    if (mass->diagonal) {
        for (int i = 0; i < n; i++) {
            p[i] = a * (mass->Mx[i] * v[i]) + c * r[i];
        }
        return;
    }
    for (int i = 0; i < n; i++) {
        p[i] = c * r[i];
    }
    sb_csc_mult_add(&mass->M, mass->Mx, a, v, p);
}

/* Adds c (T_q + f) to p. Inlined: most systems have neither. */
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

/* Computes Wx = M^-1 from Mx, block by block, or factors M. */
int sb_mass_invert(sb_mass *mass);

/* Builds the pattern *A and the positions of its entries, and replaces *solver by sb_solver_choose_by_pattern. Ax, Hx
 * and the linear solver are left to the caller. */
int sb_saddle_layout(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_pattern *H,
                     const sb_solver **solver, sb_pattern *A, sb_saddle *out);

/* Binds the solver to the pattern A of sb_saddle_layout, with the positions `at` of sb_linear_init_at in `values`, or
 * with values of its own where they are NULL. */
int sb_saddle_bind(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_solver *solver, const sb_pattern *A,
                   const int *at, sb_scalar *values, sb_saddle *out);

/* The same as sb_saddle_init with the pattern H of the upper left block. */
int sb_saddle_init_on(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_pattern *H, sb_saddle *out);

int sb_schur_init_with(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_mass *mass, const sb_solver *solver,
                       sb_schur *out);
/* Computes the values of S. */
void sb_schur_assemble(sb_schur *schur, const sb_mass *mass, const sb_scalar *C1x, const sb_scalar *C0x,
                       const sb_scalar *E);
