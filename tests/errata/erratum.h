/* One erratum, one case: the printed form fails by a margin, the corrected one holds to round-off. */
#ifndef STEPBENCH_TESTS_ERRATUM_H
#define STEPBENCH_TESTS_ERRATUM_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include <gsl/gsl_test.h>

/* Errors of the two forms against the truth. The margin is well above what the corrected form is allowed, so that the
 * two cannot trade places; NaN fails either. */
static inline void erratum(const char *where, double printed, double margin, double corrected, double allowed) {
    gsl_test(!(margin > 5.0 * allowed), "%s: the margin %.1e separates the forms (corrected is allowed %.1e)", where,
             margin, allowed);
    gsl_test(!(fabs(printed) > margin), "%s: the printed form fails, by %.3g > %.3g", where, fabs(printed), margin);
    gsl_test(!(fabs(corrected) <= allowed), "%s: the corrected form holds, to %.3g <= %.3g", where, fabs(corrected),
             allowed);
}

/* Numbers in (-1, 1) that look random and are the same everywhere: a linear congruential generator modulo 2^31. */
static inline double scatter(unsigned long *seed) {
    *seed = (*seed * 1103515245UL + 12345UL) & 0x7fffffffUL;
    return (double)*seed / 1073741824.0 - 1.0;
}

#endif
