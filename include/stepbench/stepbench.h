/* stepbench: a bench for mechanical time-steppers. Includes the binary interface; what a stepper is written with stands
 * in stepbench/numerics/. */
#ifndef STEPBENCH_STEPBENCH_H
#define STEPBENCH_STEPBENCH_H

#include <stepbench/context.h>
#include <stepbench/entry.h>
#include <stepbench/pattern.h>
#include <stepbench/plugin.h>
#include <stepbench/status.h>
#include <stepbench/stepper.h>
#include <stepbench/system.h>

#endif
