/* The solution of a step's equations that continues the motion. */
#include <string.h>

#include <stepbench/numerics/continuation.h>

/* Smallest step in s; a solution that ends within it has come to its end. */
static const sb_scalar smallest = 1.0 / 4096.0;

/* Takes Newton steps at s until a correction is below the root of round-off of the size of the motion, or of q where
 * that is larger. `alike`: each was at most a quarter of the one before. */
static int converge(int (*correct)(void *arg, sb_scalar s, sb_scalar *change, sb_scalar *scale), void *arg, sb_scalar s,
                    sb_scalar length, bool *alike) {
    sb_scalar last = INFINITY, change, scale, small = 0.0;
    for (*alike = true; *alike && last > small; last = change) {
        SB_TRY(correct(arg, s, &change, &scale));
        small = sqrt(SB_EPSILON) * fmax(length, scale);
        *alike = change <= 0.25 * last || change <= small;
    }
    return SB_OK;
}

int sb_continue(sb_context *ctx, int n, sb_scalar *q, sb_scalar *last, sb_scalar length,
                int (*correct)(void *arg, sb_scalar s, sb_scalar *change, sb_scalar *scale), void *arg) {
    sb_scalar s = 0.0, change, scale;
    for (sb_scalar ds = 1.0; s < 1.0; ds *= 2.0) {
        bool alike = false;
        SB_TRY(sb_poll(ctx));
        memcpy(last, q, (size_t)n * sizeof *q);
        for (;; ds *= 0.5) {
            const int status = converge(correct, arg, fmin(s + ds, 1.0), length, &alike);
            if (status < 0) {
                return status;
            }
            if (status == SB_OK && alike) {
                break;
            }
            memcpy(q, last, (size_t)n * sizeof *q);
            if (ds <= smallest) {
                return sb_fail(ctx, SB_NOT_CONVERGED,
                               "the solution that continues the motion ends within the step, at %.3g of its length; "
                               "try a smaller step",
                               (double)s);
            }
        }
        s = fmin(s + ds, 1.0);
    }
    return correct(arg, 1.0, &change, &scale); /* from the root of round-off to round-off */
}
