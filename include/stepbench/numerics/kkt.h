/* The linear system of a regularized step: spook07 (29) and its Schur complement (30), by any solver. */
#ifndef STEPBENCH_NUMERICS_KKT_H
#define STEPBENCH_NUMERICS_KKT_H

#include <stepbench/numerics/linear.h>
#include <stepbench/numerics/mass.h>

struct sb_kkt_work;

/* M v - C' z = r, C v + Sigma z = s, with C = [G; A] and Sigma diagonal and not negative. */
typedef struct sb_kkt {
    const sb_system *sys;
    sb_pattern C; /* C', a column per constraint */
    sb_mass mass;
    sb_scalar *Cx; /* values of G, then of A; for the caller to set before a factorization */
    struct sb_kkt_work *work;
} sb_kkt;

/* `form`: SB_FORM_SADDLE or SB_FORM_SCHUR. `solver`: from sb_solver_choose for the same form. `added` as for
 * sb_mass_init_with. */
int sb_kkt_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_added_mass *added, sb_form form,
                const sb_solver *solver, sb_kkt *out);
/* Sets Sigma (r) of the following factorizations; initially zero. */
void sb_kkt_set_sigma(sb_kkt *kkt, const sb_scalar *Sigma);
/* Factors at q with the values in kkt->Cx, which must not change before the last solution. Returns SB_SINGULAR for
 * constraints that depend on each other to working precision and that Sigma does not regularize. LDL' and the dense
 * solver name such a constraint. */
int sb_kkt_factor(sb_kkt *kkt, const sb_scalar *q);
/* Computes v (n) and z (r) from r (n) and s (r); outputs must not overlap inputs. */
int sb_kkt_solve(sb_kkt *kkt, const sb_scalar *r, const sb_scalar *s, sb_scalar *v, sb_scalar *z);
/* Solve M v - C' z = r, C v + Sigma z = s + Upsilon C v0 for v and z, where Upsilon (r) is diagonal; the second
 * function factors at q before, in one pass over memory where the linear solver has one.
 *
 * The unknown is u = v - c v0 with c the first entry of Upsilon:
 *
 *   M u - C' z = r - c M v0,   C u + Sigma z = s + (Upsilon - c) C v0
 *
 * The solution is the same for every c. Where all entries of Upsilon are equal, C v0 is not computed: with c = 0 the
 * ladder's step at N = 1000 takes 1.08 times as long. */
int sb_kkt_factor_solve_shifted(sb_kkt *kkt, const sb_scalar *q, const sb_scalar *r, const sb_scalar *s,
                                const sb_scalar *Upsilon, const sb_scalar *v0, sb_scalar *v, sb_scalar *z);
/* Returns the larger relative residual of the two blocks for any v and z: the largest residual over the size of its
 * terms. */
sb_scalar sb_kkt_residual(sb_kkt *kkt, const sb_scalar *r, const sb_scalar *s, const sb_scalar *v, const sb_scalar *z);
/* Returns the linear solver, and sets *Ax to the values that it has factored. NULL without rows. */
sb_linear *sb_kkt_linear(sb_kkt *kkt, const sb_scalar **Ax);

#endif
