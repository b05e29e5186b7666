/* Newton's iteration: parameters and loop. */
#ifndef STEPBENCH_NUMERICS_NEWTON_H
#define STEPBENCH_NUMERICS_NEWTON_H

#include <stepbench/context.h>
#include <stepbench/entry.h>
#include <stepbench/numerics/sizes.h>

typedef struct sb_newton {
    sb_scalar tol;
    long maxit;
} sb_newton;

/* The two rows of a parameter table for a member `newton` of the configuration. The iteration is Newton's with a fresh
 * Jacobian: after a correction of relative size d the error left is of size C d^2, C the curvature of the
 * equations in units of the step (of order one when the step resolves the motion), so that SB_NEWTON_TOL leaves less
 * than round-off. */
#define SB_NEWTON_PARAMS(type)                                                                                         \
    SB_PARAM(                                                                                                          \
        "tol", SB_REAL, offsetof(type, newton.tol), SB_NEWTON_TOL_TEXT, 0.0, 1e-2, SB_OPEN_LO, NULL, "",               \
        "Newton's method stops after a correction of this relative size; the remaining error is of the order of its "  \
        "square"),                                                                                                     \
        SB_PARAM("maxit", SB_INT, offsetof(type, newton.maxit), "50", 1.0, 10000.0, SB_CLOSED, NULL, "",               \
                 "largest number of Newton iterations per step")

/* How fast the corrections shrink. */
typedef enum sb_newton_order {
    SB_NEWTON_QUADRATIC, /* complete derivatives: a correction of relative size d leaves an error of size d^2 */
    SB_NEWTON_LINEAR     /* a term's derivative is left out: it leaves rate * d, with the rate of the last two */
} sb_newton_order;

/* A loop of corrections, whose function is inlined with the sizes of a small system as constants:
 *
 *   sb_newton_loop loop = {0};
 *   while (sb_newton_again(ctx, newton, order, length, &loop)) {
 *       loop.status = correct(..., &loop.change, &loop.scale);
 *   }
 *
 * corrects the unknowns by `change` where they have the size `scale`, until
 *
 *   the error left, d^2 or rate * d for d = change/scale, is at most tol^2, or
 *   change is at most sqrt(eps) times the larger of `scale` and `length`, and not smaller than the change before, or
 *   after maxit corrections the error left is at most eps scale.
 *
 * The second is round-off of the terms of the equations, which may be larger than that of the unknowns: at an
 * equilibrium next to the origin, where numbers underflow, near a singular pose. Newton's method is nowhere else so
 * slow that near a solution; where there is none and the residual has a minimum r, its corrections are no smaller than
 * sqrt(r) in units of `length`, the size of the motion: sb_system_length. The third is a linear iteration that is slow
 * but done: at a rate of 0.45 it needs 46 corrections to eps and 58 to tol^2 = 1e-20. Afterwards loop.iters is the
 * number of corrections, and loop.status SB_NOT_CONVERGED (sentence in ctx) when maxit is reached, a change is not
 * finite, or `correct` returned SB_NOT_FINITE after the first iteration; else what `correct` returned. */
typedef struct sb_newton_loop {
    long iters;
    int status;
    sb_scalar change, scale, last; /* last: the change before; 0 at first */
} sb_newton_loop;

/* Returns SB_NOT_CONVERGED with the sentence for a loop that has not converged. */
int sb_newton_failed(sb_context *ctx, const sb_newton *newton, const sb_newton_loop *loop);

/* Returns whether another correction is due. */
SB_INLINED bool sb_newton_again(sb_context *ctx, const sb_newton *newton, sb_newton_order order, sb_scalar length,
                                sb_newton_loop *loop) {
    const sb_scalar change = loop->change, scale = loop->scale, last = loop->last;
    if (loop->iters > 0) {
        const sb_scalar left = (change < last ? change / last : 1.0) * change;
        if (loop->status != SB_OK) {
            loop->status =
                loop->status == SB_NOT_FINITE && loop->iters > 1 ? sb_newton_failed(ctx, newton, loop) : loop->status;
            return false;
        }
        if (order == SB_NEWTON_QUADRATIC ? change <= newton->tol * scale : left <= newton->tol * newton->tol * scale) {
            return false;
        }
        if (loop->iters > 1 && change >= last && change <= sqrt(SB_EPSILON) * fmax(scale, length)) {
            ctx->stalled++;
            return false;
        }
        if (!isfinite(change) || loop->iters >= newton->maxit) {
            loop->status = isfinite(change) && order == SB_NEWTON_LINEAR && left <= SB_EPSILON * scale
                               ? SB_OK
                               : sb_newton_failed(ctx, newton, loop);
            return false;
        }
        loop->last = change;
    }
    loop->status = sb_poll(ctx);
    loop->iters++;
    return loop->status == SB_OK;
}

/* Runs the loop with the corrections correct(arg, &change, &scale). Sets *iters and returns the status. */
static inline int sb_newton_iterate(sb_context *ctx, const sb_newton *newton, sb_newton_order order, sb_scalar length,
                                    int (*correct)(void *arg, sb_scalar *change, sb_scalar *scale), void *arg,
                                    long *iters) {
    sb_newton_loop loop = {0};
    while (sb_newton_again(ctx, newton, order, length, &loop)) {
        loop.status = correct(arg, &loop.change, &loop.scale);
    }
    *iters = loop.iters;
    return loop.status;
}

#endif
