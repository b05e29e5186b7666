/* Bisection for the limit of stability. */
#ifndef STEPBENCH_ANALYSIS_STABILITY_BISECT_H
#define STEPBENCH_ANALYSIS_STABILITY_BISECT_H

#include <stdbool.h>

#include <stepbench/context.h>

/* Sets *stable for the step h. A failure ends the bisection. */
typedef int (*sb_stable_at)(void *arg, double h, bool *stable);

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

#endif
