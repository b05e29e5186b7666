/* The rounding mode of floating-point operations: numbers become text, and texts numbers, in rounding to nearest also
 * where a computation rounds otherwise (bench/runner/ensemble.h). */
#ifndef STEPBENCH_CORE_BASE_ROUNDING_H
#define STEPBENCH_CORE_BASE_ROUNDING_H

#include <fenv.h>

/* Sets rounding to nearest and returns the mode before, for sb_rounding_restore. */
static inline int sb_rounding_nearest(void) {
    const int before = fegetround();
    fesetround(FE_TONEAREST);
    return before;
}

static inline void sb_rounding_restore(int before) { fesetround(before); }

#endif
