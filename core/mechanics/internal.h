/* Members and functions of the systems of stepbench/numerics/ that core/mechanics alone uses. */
#pragma once

#include <stepbench/numerics/norm.h>

#include "core/mechanics/matrices.h"

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
