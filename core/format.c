/* Numbers as text: the shortest decimal that reads back as the same double. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/table.h"

/* Up to 15 digits survive decimal -> double -> decimal for normal numbers, so that %.15g (which drops trailing zeros) is the
 * shortest form whenever one of 15 digits exists; 17 digits always suffice. Subnormals carry fewer digits. */
void sb_format_real(double x, char out[32]) {
    if (!isfinite(x)) {
        snprintf(out, 32, "%s", isnan(x) ? "nan" : x > 0.0 ? "inf" : "-inf");
        return;
    }
    for (int digits = fpclassify(x) == FP_SUBNORMAL ? 1 : 15; digits <= 17; digits++) {
        snprintf(out, 32, "%.*g", digits, x);
        if (strtod(out, NULL) == x) {
            return;
        }
    }
}
