/* Converts numbers to texts. */
#pragma once

#include <stddef.h>

#include <stepbench/scalar.h>

/* Writes the shortest text that reads back as the same double: "0.1", "1e-05", "nan", "inf". `out` has room for 32.
 * Returns the end of the text. */
char *sb_format_real(double x, char out[32]);
/* Writes the shortest text that reads back as the same sb_scalar. */
void sb_format_scalar(sb_scalar x, char out[SB_SCALAR_TEXT]);

/* Returns the unit of the last digit of a number written as the first `length` characters of a text; 0 for a plain
 * zero, a zero with a positive exponent, which has no digit, and a unit beyond the range of numbers. */
double sb_text_unit(const char *text, size_t length);
