/* The search for a limit of stability. */
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include <stepbench/context.h>

/* Whether the solutions of a step are bounded, in the order of precedence of the verdicts on its roots
 * (amplification.h). */
typedef enum sb_bounded { SB_BOUNDED, SB_DRIFTS, SB_GROWS_LINEARLY, SB_BOUND_UNCLEAR, SB_GROWS } sb_bounded;
extern const char *const sb_bounded_name[]; /* "yes", "neutral", "linear", "unclear", "no" */

/* Returns whether nothing grows but displacements along which the system itself moves freely. */
static inline bool sb_is_stable(sb_bounded bounded) { return bounded <= SB_DRIFTS; }

/* Sets the verdict on the step h. A failure ends the search. */
typedef int (*sb_step_verdict)(void *arg, double h, sb_bounded *verdict);

/* Increases the step from *hi, which has not been tried, by factors of `factor` up to `end` until it is unstable. Sets
 * *lo to the last stable step, if there is one, and *hi to the unstable one, or to 0 if there is none. */
static inline int sb_raise_to_unstable(sb_step_verdict judge, void *arg, double factor, double end, double *lo,
                                       double *hi) {
    sb_bounded verdict = SB_GROWS;
    SB_TRY(judge(arg, *hi, &verdict));
    while (sb_is_stable(verdict) && *hi < end) {
        *lo = *hi;
        *hi = fmin(factor * *hi, end);
        SB_TRY(judge(arg, *hi, &verdict));
    }
    if (sb_is_stable(verdict)) {
        *lo = *hi;
        *hi = 0.0;
    }
    return SB_OK;
}

/* Decreases the step from the unstable *hi by factors of 2 down to `end` until it is stable. Sets *lo to the stable
 * step, if there is one, and *hi to the last unstable one. */
static inline int sb_lower_to_stable(sb_step_verdict judge, void *arg, double end, double *lo, double *hi) {
    sb_bounded verdict = SB_GROWS;
    for (double h = 0.5 * *hi; !sb_is_stable(verdict) && h >= end; h *= 0.5) {
        SB_TRY(judge(arg, h, &verdict));
        *(sb_is_stable(verdict) ? lo : hi) = h;
    }
    return SB_OK;
}

/* Bisects between *lo with a verdict up to `level` and *hi beyond it until *hi - *lo <= tol *hi. */
static inline int sb_bisect(sb_step_verdict judge, void *arg, sb_bounded level, double tol, double *lo, double *hi) {
    while (*hi - *lo > tol * *hi) {
        const double middle = 0.5 * (*lo + *hi);
        sb_bounded verdict = SB_GROWS;
        SB_TRY(judge(arg, middle, &verdict));
        *(verdict <= level ? lo : hi) = middle;
    }
    return SB_OK;
}

/* Bisects between the stable *lo and *hi. Where roots meet on the unit circle they cannot be distinguished, and the
 * verdicts of steps from *hi on are open: *hi then becomes the first that grows, or 0 if there is none within 1 %. */
static inline int sb_bisect_decided(sb_step_verdict judge, void *arg, double tol, double *lo, double *hi) {
    sb_bounded verdict = SB_GROWS;
    SB_TRY(sb_bisect(judge, arg, SB_DRIFTS, tol, lo, hi));
    SB_TRY(judge(arg, *hi, &verdict));
    double inside = *hi, outside = *hi;
    for (double wide = *hi - *lo; verdict < SB_GROWS && wide < 0.01 * *hi; wide *= 2.0) {
        inside = outside;
        outside = *hi + wide;
        SB_TRY(judge(arg, outside, &verdict));
    }
    SB_TRY(sb_bisect(judge, arg, SB_BOUND_UNCLEAR, tol, &inside, &outside));
    *hi = verdict < SB_GROWS ? 0.0 : outside;
    return SB_OK;
}

/* Returns the middle of a bracket [lo, hi], hi > 0, with as many digits as it determines, and sets *error to a bound of
 * its error: half of the bracket and the digits left out. */
static inline double sb_bracketed(double lo, double hi, double *error) {
    const double middle = 0.5 * (lo + hi);
    char text[40];
    snprintf(text, sizeof text, "%.*e", (int)fmax(0.0, floor(log10(hi / fmax(hi - lo, 1e-16 * hi))) - 1.0), middle);
    const double rounded = strtod(text, NULL);
    *error = 0.5 * (hi - lo) + fabs(rounded - middle);
    return rounded;
}
