/* Registration of the linear and LCP solvers. */
#pragma once

#include "core/base/registry.h"

/* Adds the linear and LCP solvers to the registry; SB_BAD_USAGE if a name is taken. */
int sb_register_numerics(sb_registry *registry);
