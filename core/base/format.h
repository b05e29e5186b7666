/* Converts numbers to texts. */
#ifndef STEPBENCH_CORE_BASE_FORMAT_H
#define STEPBENCH_CORE_BASE_FORMAT_H

#include <stepbench/scalar.h>

/* Writes the shortest text that reads back as the same double: "0.1", "1e-05", "nan", "inf". `out` has room for 32. */
void sb_format_real(double x, char out[32]);
/* Writes the shortest text that reads back as the same sb_scalar. */
void sb_format_scalar(sb_scalar x, char out[SB_SCALAR_TEXT]);

#endif
