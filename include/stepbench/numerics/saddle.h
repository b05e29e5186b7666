/* The saddle system [a H, b C0; d C1', E]: H n x n on a pattern of its own; C0, C1 n x r on the pattern C = [G A] of
 * all constraints, holonomic ones first; E diagonal, zero unless set. */
#ifndef STEPBENCH_NUMERICS_SADDLE_H
#define STEPBENCH_NUMERICS_SADDLE_H

#include <stepbench/numerics/linear.h>
#include <stepbench/system.h>

/* Builds the pattern C = [G A] (n x r); its values are those of G, then those of A. */
int sb_system_constraints(sb_arena *arena, const sb_system *sys, sb_pattern *C);
/* Builds the pattern [G A N D] of every row of lambda; its values are those of G, A, N and D in turn. */
int sb_system_rows(sb_arena *arena, const sb_system *sys, sb_pattern *C);

typedef struct sb_saddle {
    const sb_system *sys;
    int rows; /* r: constraints */
    int size; /* n + r */
    sb_pattern H, C;
    sb_linear linear;
    sb_scalar *Ax;
    const int *at_H, *at_C0, *at_C1,
        *at_E;     /* position of each entry in Ax; at_C1 is NULL where the solver is symmetric */
    sb_scalar *Hx; /* values on H, for the caller to set */
} sb_saddle;

/* Initialize with the upper left block on sys->H and the general solver for its size, or with the caller's choices. */
int sb_saddle_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_saddle *out);
int sb_saddle_init_with(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_pattern *H,
                        const sb_solver *solver, sb_saddle *out);
/* Builds the pattern *A and the positions of its entries, and settles *solver for it. Ax, Hx and the linear solver are
 * left to the caller. */
int sb_saddle_layout(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_pattern *H,
                     const sb_solver **solver, sb_pattern *A, sb_saddle *out);
/* Assembles from saddle->Hx. C0x and C1x hold the values of G, then those of A; unused when r = 0. */
void sb_saddle_assemble(sb_saddle *saddle, sb_scalar a, sb_scalar b, const sb_scalar *C0x, sb_scalar d,
                        const sb_scalar *C1x);
/* Sets E (r); assembling does not touch it. */
void sb_saddle_set_diagonal(sb_saddle *saddle, const sb_scalar *E);
int sb_saddle_factor(sb_saddle *saddle);
/* Solves in place: x (n + r) holds the right-hand side and becomes the solution. */
int sb_saddle_solve(const sb_saddle *saddle, sb_scalar *x);
/* Factors and solves, in one pass where the solver can. */
int sb_saddle_factor_solve(sb_saddle *saddle, sb_scalar *x);

#endif
