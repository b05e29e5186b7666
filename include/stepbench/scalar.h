/* The number type of the core, the steppers and the problems: double, with SB_QUAD binary128, or with SB_SINGLE float.
 *
 * The same sources are compiled for all precisions. In these layers every physical quantity is an sb_scalar; `double`
 * remains in output formats, in the interfaces of libraries, in estimates of cost and in the ranges of parameter
 * tables. The C file of a plug-in serves all precisions if it writes sb_scalar, and only double precision if it
 * writes double.
 *
 * A literal has the type double also in an expression with an sb_scalar: 0.5 and 3.0 are exact, 0.1 and 1.0 / 3.0 are
 * not. Write 1.0 / (sb_scalar)3.0, or SB_R(0.1), where the digits matter. In single precision the compiler gives all
 * literals the type float. */
#ifndef STEPBENCH_SCALAR_H
#define STEPBENCH_SCALAR_H

#include <float.h>
#include <math.h>

#if defined SB_QUAD
#include <stepbench/scalar_quad.h>
#elif defined SB_SINGLE
#include <stepbench/scalar_single.h>
#else

typedef double sb_scalar;

/* The number of digits over that of a double, by which numbers of nodes and of terms are multiplied. */
#define SB_PRECISION 1
/* SB_ABI of plugin.h and the precision, by which plug-ins are recognized. */
#define SB_PLUGIN_ABI SB_ABI
/* A literal with all digits of the type. */
#define SB_R(literal) literal
/* The size of a buffer for a number as text. */
#define SB_SCALAR_TEXT 32
/* The unit of round-off: the distance from 1 to the next number. */
#define SB_EPSILON DBL_EPSILON
/* The largest finite number. */
#define SB_MAX DBL_MAX
/* Converts the number at the beginning of a text, as strtod does. */
#define sb_strtod strtod
/* Size of a correction, relative to the unknowns, whose square is below round-off: sqrt(SB_EPSILON) is 1.5e-8, and the
 * curvature of the equations is allowed a factor of 1e4. As text too, for defaults of parameters. */
#define SB_NEWTON_TOL 1e-10
#define SB_NEWTON_TOL_TEXT "1e-10"

/* The relative error allowed to numbers that are given with ten digits. */
#define SB_GIVEN_TOL 1e-9

#endif

/* A tolerance x that was chosen for doubles, or some roundings where x is below them. */
#define SB_RESOLVED(x) ((x) > 16.0 * SB_EPSILON ? (x) : 16.0 * SB_EPSILON)

#define SB_PI SB_R(3.14159265358979323846264338327950288)

#endif
