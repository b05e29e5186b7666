/* stepbench: a bench for mechanical time-steppers. Includes the binary interface; what a stepper is written with stands
 * in stepbench/numerics/. */
#ifndef STEPBENCH_STEPBENCH_H
#define STEPBENCH_STEPBENCH_H

#include <stepbench/context.h>
#include <stepbench/plugin.h>

#endif
