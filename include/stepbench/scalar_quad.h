/* The number type of a build with SB_QUAD: binary128 with 113 bits, by glibc's functions. Included by scalar.h. */
#ifndef STEPBENCH_SCALAR_QUAD_H
#define STEPBENCH_SCALAR_QUAD_H

#include <stdio.h>

#define SB_PRECISION 2
#define SB_SCALAR_TEXT 64

/* Where long double is binary128 (aarch64), its functions and literals end in l; elsewhere those of __float128
 * end in f128 and Q. */
#if LDBL_MANT_DIG == 113
typedef long double sb_scalar;
#define SB_R(literal) literal##L
#define SB_QUAD_NAME(function) function##l
#define sb_strtod strtold
#define sb_print_scalar(text, digits, x) snprintf((text), SB_SCALAR_TEXT, "%.*Lg", (digits), (x))
#else
typedef __float128 sb_scalar;
#define SB_R(literal) literal##Q
#define SB_QUAD_NAME(function) function##f128
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

/* glibc declares these for _Float128 and for gcc alone. */
#define SB_QUAD_1(function) sb_scalar SB_QUAD_NAME(function)(sb_scalar x);
#define SB_QUAD_2(function) sb_scalar SB_QUAD_NAME(function)(sb_scalar x, sb_scalar y);
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
sb_scalar SB_QUAD_NAME(fma)(sb_scalar x, sb_scalar y, sb_scalar z);
#undef SB_QUAD_1
#undef SB_QUAD_2

/* The names of <math.h> in this precision; isfinite, isnan and isinf take every type. */
#define acos(x) SB_QUAD_NAME(acos)(x)
#define asin(x) SB_QUAD_NAME(asin)(x)
#define asinh(x) SB_QUAD_NAME(asinh)(x)
#define atan(x) SB_QUAD_NAME(atan)(x)
#define cbrt(x) SB_QUAD_NAME(cbrt)(x)
#define ceil(x) SB_QUAD_NAME(ceil)(x)
#define cos(x) SB_QUAD_NAME(cos)(x)
#define cosh(x) SB_QUAD_NAME(cosh)(x)
#define exp(x) SB_QUAD_NAME(exp)(x)
#define expm1(x) SB_QUAD_NAME(expm1)(x)
#define fabs(x) SB_QUAD_NAME(fabs)(x)
#define floor(x) SB_QUAD_NAME(floor)(x)
#define log(x) SB_QUAD_NAME(log)(x)
#define log10(x) SB_QUAD_NAME(log10)(x)
#define log1p(x) SB_QUAD_NAME(log1p)(x)
#define nearbyint(x) SB_QUAD_NAME(nearbyint)(x)
#define round(x) SB_QUAD_NAME(round)(x)
#define sin(x) SB_QUAD_NAME(sin)(x)
#define sinh(x) SB_QUAD_NAME(sinh)(x)
#define sqrt(x) SB_QUAD_NAME(sqrt)(x)
#define tan(x) SB_QUAD_NAME(tan)(x)
#define tanh(x) SB_QUAD_NAME(tanh)(x)
#define atan2(x, y) SB_QUAD_NAME(atan2)(x, y)
#define copysign(x, y) SB_QUAD_NAME(copysign)(x, y)
#define fma(x, y, z) SB_QUAD_NAME(fma)(x, y, z)
#define fmax(x, y) SB_QUAD_NAME(fmax)(x, y)
#define fmin(x, y) SB_QUAD_NAME(fmin)(x, y)
#define fmod(x, y) SB_QUAD_NAME(fmod)(x, y)
#define hypot(x, y) SB_QUAD_NAME(hypot)(x, y)
#define pow(x, y) SB_QUAD_NAME(pow)(x, y)
#define remainder(x, y) SB_QUAD_NAME(remainder)(x, y)

#endif
