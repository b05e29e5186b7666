/* Registration of the steppers. */
#ifndef STEPBENCH_INTEGRATORS_REGISTER_H
#define STEPBENCH_INTEGRATORS_REGISTER_H

#include "core/base/registry.h"

/* Adds the steppers to the registry; SB_BAD_USAGE if a name is taken. */
int sb_register_steppers(sb_registry *registry);

#endif
