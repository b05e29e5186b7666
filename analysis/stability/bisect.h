/* The search for a limit of stability. */
#ifndef STEPBENCH_ANALYSIS_STABILITY_BISECT_H
#define STEPBENCH_ANALYSIS_STABILITY_BISECT_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <stepbench/context.h>

/* Sets *stable for the step h. A failure ends the bisection. */
typedef int (*sb_stable_at)(void *arg, double h, bool *stable);

/* Increases the step from *hi, which has not been tried, by factors of `factor` up to `end` until it is unstable. Sets
 * *lo to the last stable step, if there is one, and *hi to the unstable one, or to 0 if there is none. */
static inline int sb_raise_to_unstable(sb_stable_at stable_at, void *arg, double factor, double end, double *lo,
                                       double *hi) {
    bool stable;
    SB_TRY(stable_at(arg, *hi, &stable));
    while (stable && *hi < end) {
        *lo = *hi;
        *hi = fmin(factor * *hi, end);
        SB_TRY(stable_at(arg, *hi, &stable));
    }
    if (stable) {
        *lo = *hi;
        *hi = 0.0;
    }
    return SB_OK;
}

/* Decreases the step from the unstable *hi by factors of 2 down to `end` until it is stable. Sets *lo to the stable
 * step, if there is one, and *hi to the last unstable one. */
static inline int sb_lower_to_stable(sb_stable_at stable_at, void *arg, double end, double *lo, double *hi) {
    bool stable = false;
    for (double h = 0.5 * *hi; !stable && h >= end; h *= 0.5) {
        SB_TRY(stable_at(arg, h, &stable));
        *(stable ? lo : hi) = h;
    }
    return SB_OK;
}

/* Bisects between the stable *lo and the unstable *hi until *hi - *lo <= tol *hi. */
static inline int sb_bisect_stable(sb_stable_at stable_at, void *arg, double tol, double *lo, double *hi) {
    while (*hi - *lo > tol * *hi) {
        const double middle = 0.5 * (*lo + *hi);
        bool stable = false;
        SB_TRY(stable_at(arg, middle, &stable));
        *(stable ? lo : hi) = middle;
    }
    return SB_OK;
}

/* Bisects like sb_bisect_stable where a verdict may be open: `undecided_at` sets whether a step is not unstable. Where
 * roots meet on the unit circle they cannot be distinguished (amplification.h), and the verdicts of steps from *hi on
 * are open: *hi then becomes the first unstable step, or 0 if there is none within 1 %. */
static inline int sb_bisect_decided(sb_stable_at stable_at, sb_stable_at undecided_at, void *arg, double tol,
                                    double *lo, double *hi) {
    bool undecided;
    SB_TRY(sb_bisect_stable(stable_at, arg, tol, lo, hi));
    SB_TRY(undecided_at(arg, *hi, &undecided));
    double inside = *hi, outside = *hi;
    for (double wide = *hi - *lo; undecided && wide < 0.01 * *hi; wide *= 2.0) {
        outside = *hi + wide;
        SB_TRY(undecided_at(arg, outside, &undecided));
        inside = undecided ? outside : inside;
    }
    SB_TRY(!undecided && outside > *hi ? sb_bisect_stable(undecided_at, arg, tol, &inside, &outside) : SB_OK);
    *hi = undecided ? 0.0 : outside;
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

#endif
