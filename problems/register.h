/* Registration of the problems and formulations. */
#pragma once

#include "core/base/registry.h"

/* Adds the problems and formulations to the registry; SB_BAD_USAGE if a name is taken. */
int sb_register_problems(sb_registry *registry);
