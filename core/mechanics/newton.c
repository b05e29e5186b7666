/* Why Newton's iteration ended. */
#include <stepbench/numerics/newton.h>

int sb_newton_failed(sb_context *ctx, const sb_newton *newton, const sb_newton_loop *loop) {
    if (loop->status == SB_NOT_FINITE) {
        return sb_fail(ctx, SB_NOT_CONVERGED,
                       "Newton's iteration diverged: its equations were not finite at iteration %ld; try a smaller "
                       "step",
                       loop->iters);
    }
    if (!isfinite(loop->change)) {
        return sb_fail(ctx, SB_NOT_CONVERGED,
                       "Newton's iteration left the finite numbers at iteration %ld; try a smaller step", loop->iters);
    }
    return sb_fail(ctx, SB_NOT_CONVERGED,
                   "Newton's iteration did not converge in %ld iterations: last correction %.3g, asked for tol=%.3g; "
                   "try a smaller step, or increase tol or maxit",
                   newton->maxit, (double)(loop->change / loop->scale), (double)newton->tol);
}
