/* The number type of a build with SB_SINGLE: binary32 with 24 bits. Included by scalar.h. */
#ifndef STEPBENCH_SCALAR_SINGLE_H
#define STEPBENCH_SCALAR_SINGLE_H

#include <stdio.h>

typedef float sb_scalar;

#define SB_PRECISION 1
#define SB_PLUGIN_ABI (3 * SB_ABI)
#define SB_R(literal) literal##F
#define SB_SCALAR_TEXT 32
/* 6 digits survive decimal -> binary32 -> decimal, and 9 always suffice. */
#define SB_SCALAR_DIGITS 6
#define sb_strtod strtof
#define sb_print_scalar(text, digits, x) snprintf((text), SB_SCALAR_TEXT, "%.*g", (digits), (double)(x))
#define SB_EPSILON FLT_EPSILON
#define SB_MAX FLT_MAX
/* sqrt(SB_EPSILON) is 3.5e-4; the curvature is allowed a factor of 1e3. */
#define SB_NEWTON_TOL 1e-5F
#define SB_NEWTON_TOL_TEXT "1e-5"
/* Some forty roundings. */
#define SB_GIVEN_TOL 5e-6F

#define SB_FUNCTION(function) function##f
#include <stepbench/scalar_functions.h>

#endif
