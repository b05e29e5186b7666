/* Registration of the steppers and the compounds. */
#ifndef STEPBENCH_INTEGRATORS_REGISTER_H
#define STEPBENCH_INTEGRATORS_REGISTER_H

#include "core/base/registry.h"

/* Adds the steppers and the compounds to the registry; SB_BAD_USAGE if a name is taken. */
int sb_register_steppers(sb_registry *registry);

#endif
