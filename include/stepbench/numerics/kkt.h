/* The linear system of a regularized step: spook07 (29) and its Schur complement (30), by any solver. */
#ifndef STEPBENCH_NUMERICS_KKT_H
#define STEPBENCH_NUMERICS_KKT_H

#include <stepbench/numerics/linear.h>
#include <stepbench/numerics/mass.h>

struct sb_kkt_work;

/* M v - C lambda = r, C' v + Sigma lambda = s, with Sigma diagonal and not negative. */
typedef struct sb_kkt {
    const sb_system *sys;
    sb_pattern C;
    sb_mass mass;
    sb_scalar *Cx; /* values of G, then of A; for the caller to set before a factorization */
    struct sb_kkt_work *work;
} sb_kkt;

/* `form`: SB_FORM_SADDLE or SB_FORM_SCHUR. `solver`: from sb_solver_choose for the same form. */
int sb_kkt_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_form form, const sb_solver *solver,
                sb_kkt *out);
/* Sets Sigma (r) of the following factorizations; initially zero. */
void sb_kkt_set_sigma(sb_kkt *kkt, const sb_scalar *Sigma);
/* Factors at q with the values in kkt->Cx, which must not change before the last solution. Returns SB_SINGULAR with the
 * name of a constraint that depends on the others to working precision and whose Sigma does not regularize it. */
int sb_kkt_factor(sb_kkt *kkt, const sb_scalar *q);
/* Computes v (n) and lambda (r) from r (n) and s (r); outputs must not overlap inputs. */
int sb_kkt_solve(sb_kkt *kkt, const sb_scalar *r, const sb_scalar *s, sb_scalar *v, sb_scalar *lambda);
/* Factors at q and solves, in one pass over memory where the linear solver has one. */
int sb_kkt_factor_solve(sb_kkt *kkt, const sb_scalar *q, const sb_scalar *r, const sb_scalar *s, sb_scalar *v,
                        sb_scalar *lambda);
/* Returns the larger relative residual of the two blocks for any v and lambda: the largest residual over the size of
 * its terms. */
sb_scalar sb_kkt_residual(sb_kkt *kkt, const sb_scalar *r, const sb_scalar *s, const sb_scalar *v,
                          const sb_scalar *lambda);
/* Returns the linear solver, and sets *Ax to the values that it has factored. NULL without rows. */
sb_linear *sb_kkt_linear(sb_kkt *kkt, const sb_scalar **Ax);

#endif
