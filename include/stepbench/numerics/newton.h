/* Newton's iteration: parameters and loop. */
#ifndef STEPBENCH_NUMERICS_NEWTON_H
#define STEPBENCH_NUMERICS_NEWTON_H

#include <stepbench/entry.h>

typedef struct sb_newton {
    double tol;
    long maxit;
} sb_newton;

/* The two rows of a parameter table for a member `newton` of the configuration. The iteration is Newton's with a fresh
 * Jacobian: after a correction of relative size d the error left is of size C d^2, C the curvature of the
 * equations in units of the step (of order one when the step resolves the motion), so that 1e-10 leaves less than
 * round-off. */
#define SB_NEWTON_PARAMS(type)                                                                                         \
    {"tol",                                                                                                            \
     SB_REAL,                                                                                                          \
     offsetof(type, newton.tol),                                                                                       \
     "1e-10",                                                                                                          \
     0.0,                                                                                                              \
     1e-2,                                                                                                             \
     SB_OPEN_LO,                                                                                                       \
     NULL,                                                                                                             \
     "",                                                                                                               \
     "Newton stops after a correction of this relative size; the error left is of the order of its square"},           \
    {                                                                                                                  \
        "maxit", SB_INT, offsetof(type, newton.maxit), "50", 1.0, 10000.0, SB_CLOSED, NULL, "",                        \
            "most Newton iterations a step"                                                                            \
    }

/* Calls correct(arg, &size) until size <= newton->tol. `correct` applies one correction to the unknowns and sets its
 * relative size. Returns SB_NOT_CONVERGED (sentence in ctx) when maxit is reached or size is not finite, else what
 * `correct` returned; *iters is the number of corrections. Inlined with its callback. */
static inline int sb_newton_iterate(sb_context *ctx, const sb_newton *newton, int (*correct)(void *arg, double *size),
                                    void *arg, long *iters) {
    double size = INFINITY;
    for (long k = 1; k <= newton->maxit; k++) {
        SB_TRY(sb_poll(ctx));
        SB_TRY(correct(arg, &size));
        *iters = k;
        if (size <= newton->tol) {
            return SB_OK;
        }
        if (!isfinite(size)) {
            return sb_fail(ctx, SB_NOT_CONVERGED,
                           "Newton's iteration left the finite numbers at iteration %ld; a smaller step may do", k);
        }
    }
    return sb_fail(ctx, SB_NOT_CONVERGED,
                   "Newton's iteration did not converge in %ld iterations: last correction %.3g, asked for tol=%.3g; a "
                   "smaller step, or a larger tol or maxit, may do",
                   newton->maxit, size, newton->tol);
}

#endif
