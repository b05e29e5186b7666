/* S = C1' M^-1 C0 + E (r x r): for Newton's method on the multipliers alone, and for SPOOK's Schur form. Row numbers in
 * messages are constraints. */
#ifndef STEPBENCH_NUMERICS_SCHUR_H
#define STEPBENCH_NUMERICS_SCHUR_H

#include <stepbench/numerics/linear.h>
#include <stepbench/numerics/mass.h>
#include <stepbench/numerics/sparse_product.h>

typedef struct sb_schur {
    int m;                /* constraints */
    sb_sparse_product B;  /* C1' M^-1 */
    sb_sparse_product BC; /* S without E */
    sb_pattern S;
    sb_linear linear;
    sb_scalar *Bx, *Sx;
    const int *at_E; /* where each entry of E sits in Sx */
} sb_schur;

int sb_schur_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_mass *mass, sb_schur *out);
int sb_schur_init_with(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_mass *mass,
                       const sb_solver *solver, sb_schur *out);
/* Without a solver: build the pattern S of C' M^-1 C for any rows C (n x r), dense if `full`; compute its values. */
int sb_schur_layout(sb_arena *arena, const sb_pattern *C, const sb_mass *mass, bool full, sb_schur *out);
void sb_schur_assemble(sb_schur *schur, const sb_mass *mass, const sb_scalar *C1x, const sb_scalar *C0x,
                       const sb_scalar *E);
/* E (r) may be NULL for zero. */
int sb_schur_factor(sb_schur *schur, const sb_mass *mass, const sb_scalar *C1x, const sb_scalar *C0x,
                    const sb_scalar *E);
int sb_schur_solve(const sb_schur *schur, sb_scalar *b);

#endif
