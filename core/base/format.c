/* Converts numbers to texts: the shortest decimal that reads back as the same number. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/format.h"
#include "core/base/rounding.h"

/* Up to 15 digits survive decimal -> double -> decimal for normal numbers, so that %.15g (which drops trailing zeros)
 * is the shortest form whenever one of 15 digits exists; 17 digits always suffice. Subnormals carry fewer digits. */
static void shortest(double x, char out[32]) {
    for (int digits = fpclassify(x) == FP_SUBNORMAL ? 1 : 15; digits <= 17; digits++) {
        snprintf(out, 32, "%.*g", digits, x);
        if (strtod(out, NULL) == x) {
            return;
        }
    }
}

void sb_format_real(double x, char out[32]) {
    if (!isfinite(x)) {
        snprintf(out, 32, "%s", isnan(x) ? "nan" : x > 0.0 ? "inf" : "-inf");
        return;
    }
    const int rounding = sb_rounding_nearest();
    shortest(x, out);
    sb_rounding_restore(rounding);
}

#ifdef SB_QUAD

/* 33 digits survive decimal -> binary128 -> decimal, and 36 always suffice. */
void sb_format_scalar(sb_scalar x, char out[SB_SCALAR_TEXT]) {
    if (!isfinite(x)) {
        sb_format_real((double)x, out);
        return;
    }
    for (int digits = 33; digits <= 36; digits++) {
        sb_print_scalar(out, digits, x);
        if (sb_strtod(out, NULL) == x) {
            return;
        }
    }
}

#else

void sb_format_scalar(sb_scalar x, char out[SB_SCALAR_TEXT]) { sb_format_real(x, out); }

#endif
