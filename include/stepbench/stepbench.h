/* stepbench: a bench for mechanical time-steppers. Includes the whole public interface. */
#ifndef STEPBENCH_STEPBENCH_H
#define STEPBENCH_STEPBENCH_H

#include <stepbench/numerics/consistency.h>
#include <stepbench/numerics/contact.h>
#include <stepbench/context.h>
#include <stepbench/entry.h>
#include <stepbench/numerics/kkt.h>
#include <stepbench/numerics/lagrangian.h>
#include <stepbench/numerics/lcp.h>
#include <stepbench/pattern.h>
#include <stepbench/plugin.h>
#include <stepbench/numerics/solve.h>
#include <stepbench/status.h>
#include <stepbench/stepper.h>
#include <stepbench/system.h>

#endif
