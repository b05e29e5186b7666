/* Registration of the steppers and the compounds. */
#pragma once

#include "core/base/registry.h"

/* Adds the steppers and the compounds to the registry; SB_BAD_USAGE if a name is taken. */
int sb_register_steppers(sb_registry *registry);
