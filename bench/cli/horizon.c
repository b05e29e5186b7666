/* Chooses the step and the end of a run that the command line leaves out. */
#include "bench/cli/horizon.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/run/run.h"

/* Returns the smallest number of the form {1, 2, 5} 10^k that is at least x > 0, or the largest that is at most x. The
 * margin is for the rounding of log10 and pow; the result is that of the decimal text. */
static double typed(double x, bool up) {
    static const int digits[] = {1, 2, 5, 10};
    const double margin = 1e-9;
    const int power = (int)floor(log10(x) + margin);
    const double m = x / pow(10.0, power);
    char text[40];
    int k = up ? 0 : 3;
    while (up ? k < 3 && digits[k] < m * (1.0 - margin) : k > 0 && digits[k] > m * (1.0 + margin)) {
        k += up ? 1 : -1;
    }
    snprintf(text, sizeof text, "%de%d", digits[k], power);
    return strtod(text, NULL);
}

int cli_horizon(sb_context *ctx, double time_scale, double t_end, long count, double *h, long *steps) {
    const double per_scale = 10.0, scales = 40.0;
    if (*h == 0.0 && t_end > 0.0) {
        const double number = typed(fmax(1.0, per_scale * t_end / time_scale), true);
        *h = t_end / number;
    } else if (*h == 0.0) {
        *h = typed(time_scale / per_scale, false);
    }
    if (count > 0) {
        *steps = count;
        return SB_OK;
    }
    if (t_end > 0.0) {
        return sb_steps(ctx, t_end, *h, SB_STEPS_EXACT, steps);
    }
    const double number = typed(fmax(1.0, scales * time_scale / *h), true), most = 1e5; /* some seconds */
    *steps = (long)fmin(number, most);
    return number <= most ? SB_OK
                          : sb_fail(ctx, SB_BAD_USAGE,
                                    "--h=%g: %g time scales take %g steps of it; give --t-end, or a longer step", *h,
                                    scales, number);
}
