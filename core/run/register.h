/* Registration of the linear and LCP solvers. */
#ifndef STEPBENCH_CORE_RUN_REGISTER_H
#define STEPBENCH_CORE_RUN_REGISTER_H

#include "core/base/registry.h"

/* Adds the linear and LCP solvers to the registry; SB_BAD_USAGE if a name is taken. */
int sb_register_numerics(sb_registry *registry);

#endif
