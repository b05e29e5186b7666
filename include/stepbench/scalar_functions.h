/* The names of <math.h> in a precision whose functions SB_FUNCTION(name) names; isfinite, isnan and isinf take every
 * type. Included by scalar_quad.h and scalar_single.h. */
#ifndef STEPBENCH_SCALAR_FUNCTIONS_H
#define STEPBENCH_SCALAR_FUNCTIONS_H

#define acos(x) SB_FUNCTION(acos)(x)
#define asin(x) SB_FUNCTION(asin)(x)
#define asinh(x) SB_FUNCTION(asinh)(x)
#define atan(x) SB_FUNCTION(atan)(x)
#define cbrt(x) SB_FUNCTION(cbrt)(x)
#define ceil(x) SB_FUNCTION(ceil)(x)
#define cos(x) SB_FUNCTION(cos)(x)
#define cosh(x) SB_FUNCTION(cosh)(x)
#define exp(x) SB_FUNCTION(exp)(x)
#define expm1(x) SB_FUNCTION(expm1)(x)
#define fabs(x) SB_FUNCTION(fabs)(x)
#define floor(x) SB_FUNCTION(floor)(x)
#define log(x) SB_FUNCTION(log)(x)
#define log10(x) SB_FUNCTION(log10)(x)
#define log1p(x) SB_FUNCTION(log1p)(x)
#define nearbyint(x) SB_FUNCTION(nearbyint)(x)
#define round(x) SB_FUNCTION(round)(x)
#define sin(x) SB_FUNCTION(sin)(x)
#define sinh(x) SB_FUNCTION(sinh)(x)
#define sqrt(x) SB_FUNCTION(sqrt)(x)
#define tan(x) SB_FUNCTION(tan)(x)
#define tanh(x) SB_FUNCTION(tanh)(x)
#define atan2(x, y) SB_FUNCTION(atan2)(x, y)
#define copysign(x, y) SB_FUNCTION(copysign)(x, y)
#define fma(x, y, z) SB_FUNCTION(fma)(x, y, z)
#define fmax(x, y) SB_FUNCTION(fmax)(x, y)
#define fmin(x, y) SB_FUNCTION(fmin)(x, y)
#define fmod(x, y) SB_FUNCTION(fmod)(x, y)
#define hypot(x, y) SB_FUNCTION(hypot)(x, y)
#define pow(x, y) SB_FUNCTION(pow)(x, y)
#define remainder(x, y) SB_FUNCTION(remainder)(x, y)

#endif
