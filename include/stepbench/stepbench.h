/* stepbench: a bench for mechanical time-steppers. Includes the whole public interface. */
#ifndef STEPBENCH_STEPBENCH_H
#define STEPBENCH_STEPBENCH_H

#include <stepbench/consistency.h>
#include <stepbench/contact.h>
#include <stepbench/context.h>
#include <stepbench/entry.h>
#include <stepbench/kkt.h>
#include <stepbench/lagrangian.h>
#include <stepbench/lcp.h>
#include <stepbench/pattern.h>
#include <stepbench/plugin.h>
#include <stepbench/solve.h>
#include <stepbench/status.h>
#include <stepbench/stepper.h>
#include <stepbench/system.h>

#endif
