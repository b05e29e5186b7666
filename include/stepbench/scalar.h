/* The number type of the core, the steppers and the problems: double, or with SB_QUAD a type of 113 bits.
 *
 * The same sources are compiled for both precisions. In these layers every physical quantity is an sb_scalar; `double`
 * remains where a number is one by nature: in output formats, in the interfaces of libraries, in estimates of cost and
 * in the ranges of parameter tables. A plug-in is always compiled for double, where both are the same type, and may
 * write either. */
#ifndef STEPBENCH_SCALAR_H
#define STEPBENCH_SCALAR_H

#include <float.h>
#include <math.h>

typedef double sb_scalar;

/* The unit of round-off: the distance from 1 to the next number. */
#define SB_EPSILON DBL_EPSILON
/* The largest finite number. */
#define SB_MAX DBL_MAX

#endif
