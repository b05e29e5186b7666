/* Computes the defaults of --h and of the end of a run, and its number of steps. */
#include "bench/cli/horizon.h"

#include "analysis/row.h"

int cli_horizon(sb_context *ctx, double time_scale, double period, double t_end, long count, double *h, long *steps) {
    const double h0 = sb_default_step(time_scale);
    if (*h == 0.0) {
        *h = t_end > 0.0 ? t_end / sb_round_number(fmax(1.0, t_end / h0)) : h0;
    }
    if (count > 0) {
        *steps = count;
        return SB_OK;
    }
    if (t_end > 0.0) {
        return sb_steps(ctx, t_end, *h, SB_STEPS_EXACT, steps);
    }
    const double end = fmax(40.0 * time_scale, period), number = sb_round_number(fmax(1.0, end / *h)),
                 most = 1e5; /* takes some seconds */
    *steps = (long)fmin(number, most);
    return number <= most ? SB_OK
                          : sb_fail(ctx, SB_BAD_USAGE,
                                    "--h=%g: the default end, %.3g s, takes %g steps of it; give --t-end, or a longer "
                                    "step",
                                    *h, end, number);
}
