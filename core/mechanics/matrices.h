/* The matrices of the systems of stepbench/numerics/, for who examines or counts what a stepper only solves. */
#pragma once

#include <stepbench/numerics/contact.h>
#include <stepbench/numerics/saddle.h>
#include <stepbench/numerics/schur.h>
#include <stepbench/numerics/sparse_product.h>

/* Builds the pattern [G A N D] of every row of lambda; its values are those of G, A, N and D in turn. */
int sb_system_rows(sb_arena *arena, const sb_system *sys, sb_pattern *C);

struct sb_schur_work {
    sb_sparse_product B; /* C1' M^-1 */
    sb_sparse_product S; /* B C0 */
    sb_scalar *Bx, *Sx;  /* values; Sx with E */
    const int *at_E;     /* position of each entry of E in Sx */
    sb_linear linear;
};

/* Builds the pattern of C' M^-1 C for the columns of C (n x r); dense if `full`. The linear solver is left to the
 * caller. */
int sb_schur_layout(sb_arena *arena, const sb_pattern *C, sb_mass *mass, bool full, sb_schur *out);

/* The complementarity problem w = S z + b of a contact step. */
typedef struct sb_contact_problem {
    sb_pattern S; /* C' M^-1 C + Sigma */
    const sb_scalar *Sx;
    const int *diagonal;    /* position of each diagonal entry in Sx */
    sb_scalar *b, *lo, *hi; /* right-hand side and bounds of the last solution (rows) */
} sb_contact_problem;

const sb_contact_problem *sb_contact_step_problem(const sb_contact_step *step);
