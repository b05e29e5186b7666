/* The saddle system [a H, b C0; d C1', E]: H n x n on a pattern of its own; C0, C1 n x r on the pattern C = [G A] of
 * all constraints, holonomic ones first; E diagonal, zero unless set. */
#ifndef STEPBENCH_NUMERICS_SADDLE_H
#define STEPBENCH_NUMERICS_SADDLE_H

#include <stepbench/numerics/linear.h>
#include <stepbench/system.h>

/* Builds the pattern C = [G A] (n x r); its values are the values of G, then of A. */
int sb_system_constraints(sb_arena *arena, const sb_system *sys, sb_pattern *C);

struct sb_saddle_work;

typedef struct sb_saddle {
    int rows; /* r */
    sb_pattern H, C;
    sb_scalar *Hx; /* values on H, for the caller to set */
    struct sb_saddle_work *work;
} sb_saddle;

/* Initialize with the pattern sys->H and the general solver for the size of the system, or with the caller's choices.
 */
int sb_saddle_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_saddle *out);
int sb_saddle_init_with(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_pattern *H,
                        const sb_solver *solver, sb_saddle *out);
/* Assembles from saddle->Hx. C0x and C1x hold the values of G, then those of A; unused when r = 0. */
void sb_saddle_assemble(sb_saddle *saddle, sb_scalar a, sb_scalar b, const sb_scalar *C0x, sb_scalar d,
                        const sb_scalar *C1x);
/* Sets E (r), which sb_saddle_assemble leaves as it is. */
void sb_saddle_set_diagonal(sb_saddle *saddle, const sb_scalar *E);
int sb_saddle_factor(sb_saddle *saddle);
/* Solves in place: x (n + r) holds the right-hand side and becomes the solution. */
int sb_saddle_solve(const sb_saddle *saddle, sb_scalar *x);
/* Factors and solves, in one pass where the solver can. */
int sb_saddle_factor_solve(sb_saddle *saddle, sb_scalar *x);

#endif
