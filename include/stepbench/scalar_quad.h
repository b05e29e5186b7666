/* The number type of a build with SB_QUAD: binary128 with 113 bits, by glibc's functions. Included by scalar.h. */
#ifndef STEPBENCH_SCALAR_QUAD_H
#define STEPBENCH_SCALAR_QUAD_H

#include <stdio.h>

#define SB_PRECISION 2
#define SB_PLUGIN_ABI (2 * SB_ABI)
#define SB_SCALAR_TEXT 64
/* 33 digits survive decimal -> binary128 -> decimal, and 36 always suffice. */
#define SB_SCALAR_DIGITS 33

/* Where long double is binary128 (aarch64), its functions and literals end in l; elsewhere those of __float128
 * end in f128 and Q. */
#if LDBL_MANT_DIG == 113
typedef long double sb_scalar;
#define SB_R(literal) literal##L
#define SB_FUNCTION(function) function##l
#define sb_strtod strtold
#define sb_print_scalar(text, digits, x) snprintf((text), SB_SCALAR_TEXT, "%.*Lg", (digits), (x))
#else
typedef __float128 sb_scalar;
#define SB_R(literal) literal##Q
#define SB_FUNCTION(function) function##f128
#define sb_strtod strtof128
sb_scalar strtof128(const char *text, char **end);
int strfromf128(char *text, size_t size, const char *format, sb_scalar x);
/* Writes x with this many significant digits. */
static inline void sb_print_scalar(char text[SB_SCALAR_TEXT], int digits, sb_scalar x) {
    char format[8];
    snprintf(format, sizeof format, "%%.%dg", digits);
    strfromf128(text, SB_SCALAR_TEXT, format, x);
}
#endif

#define SB_EPSILON SB_R(0x1p-112)
#define SB_MAX SB_R(0x1.ffffffffffffffffffffffffffffp16383)
/* sqrt(SB_EPSILON) is 1.4e-17. */
#define SB_NEWTON_TOL 1e-19
#define SB_NEWTON_TOL_TEXT "1e-19"
#define SB_GIVEN_TOL 1e-9

/* glibc declares these for _Float128 and for gcc alone. */
#define SB_QUAD_1(function) sb_scalar SB_FUNCTION(function)(sb_scalar x);
#define SB_QUAD_2(function) sb_scalar SB_FUNCTION(function)(sb_scalar x, sb_scalar y);
SB_QUAD_1(acos)
SB_QUAD_1(asin)
SB_QUAD_1(asinh)
SB_QUAD_1(atan)
SB_QUAD_1(cbrt)
SB_QUAD_1(ceil)
SB_QUAD_1(cos)
SB_QUAD_1(cosh)
SB_QUAD_1(exp)
SB_QUAD_1(expm1)
SB_QUAD_1(fabs)
SB_QUAD_1(floor)
SB_QUAD_1(log)
SB_QUAD_1(log10)
SB_QUAD_1(log1p)
SB_QUAD_1(nearbyint)
SB_QUAD_1(round)
SB_QUAD_1(sin)
SB_QUAD_1(sinh)
SB_QUAD_1(sqrt)
SB_QUAD_1(tan)
SB_QUAD_1(tanh)
SB_QUAD_2(atan2)
SB_QUAD_2(copysign)
SB_QUAD_2(fmax)
SB_QUAD_2(fmin)
SB_QUAD_2(fmod)
SB_QUAD_2(hypot)
SB_QUAD_2(pow)
SB_QUAD_2(remainder)
sb_scalar SB_FUNCTION(fma)(sb_scalar x, sb_scalar y, sb_scalar z);
#undef SB_QUAD_1
#undef SB_QUAD_2

#include <stepbench/scalar_functions.h>

#endif
