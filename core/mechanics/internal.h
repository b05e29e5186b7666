/* Members and functions of the systems of stepbench/numerics/ that the core uses and steppers do not. */
#ifndef STEPBENCH_CORE_MECHANICS_INTERNAL_H
#define STEPBENCH_CORE_MECHANICS_INTERNAL_H

#include <stepbench/numerics/contact.h>
#include <stepbench/numerics/linear.h>
#include <stepbench/numerics/saddle.h>
#include <stepbench/numerics/schur.h>
#include <stepbench/numerics/sparse_product.h>

/* Builds the pattern [G A N D] of every row of lambda; its values are those of G, A, N and D in turn. */
int sb_system_rows(sb_arena *arena, const sb_system *sys, sb_pattern *C);

/* Sets p = a M v + c r; p may be r. */
void sb_mass_blend(const sb_mass *mass, sb_scalar a, const sb_scalar *v, sb_scalar c, const sb_scalar *r, sb_scalar *p);

struct sb_saddle_work {
    sb_linear linear;
    sb_scalar *Ax;
    const int *at_H, *at_C0, *at_C1, *at_E; /* position of each entry in Ax; at_C1: NULL for a symmetric solver */
};

/* Builds the pattern *A and the positions of its entries, and replaces *solver by sb_solver_choose_by_pattern. Ax, Hx
 * and the linear solver are left to the caller. */
int sb_saddle_layout(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_pattern *H,
                     const sb_solver **solver, sb_pattern *A, sb_saddle *out);

struct sb_schur_work {
    sb_sparse_product B; /* C1' M^-1 */
    sb_sparse_product S; /* B C0 */
    sb_scalar *Bx, *Sx;  /* values; Sx with E */
    const int *at_E;     /* position of each entry of E in Sx */
    sb_linear linear;
};

/* Builds the pattern of C' M^-1 C for the columns of C (n x r); dense if `full`. The linear solver is left to the
 * caller. */
int sb_schur_layout(sb_arena *arena, const sb_pattern *C, const sb_mass *mass, bool full, sb_schur *out);
int sb_schur_init_with(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_mass *mass,
                       const sb_solver *solver, sb_schur *out);
/* Computes the values of S. */
void sb_schur_assemble(sb_schur *schur, const sb_mass *mass, const sb_scalar *C1x, const sb_scalar *C0x,
                       const sb_scalar *E);

/* The complementarity problem w = S z + b of a contact step. */
typedef struct sb_contact_problem {
    sb_pattern S; /* C' M^-1 C + Sigma */
    const sb_scalar *Sx;
    const int *diagonal;    /* position of each diagonal entry in Sx */
    sb_scalar *b, *lo, *hi; /* right-hand side and bounds of the last solution (rows) */
} sb_contact_problem;

const sb_contact_problem *sb_contact_step_problem(const sb_contact_step *step);

#endif
