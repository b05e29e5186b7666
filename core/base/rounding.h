/* Sets the rounding mode of floating-point operations. Numbers and texts are converted with rounding to nearest, also
 * during a computation that rounds upward or downward (bench/runner/ensemble.h). */
#pragma once

#include <fenv.h>

/* Sets rounding to nearest and returns the mode before, for sb_rounding_restore. */
static inline int sb_rounding_nearest(void) {
    const int before = fegetround();
    fesetround(FE_TONEAREST);
    return before;
}

static inline void sb_rounding_restore(int before) { fesetround(before); }
