/* Registers the steppers of integrators/list.def. */
#include <stepbench/stepper.h>

#include "integrators/register.h"

#define SB_STEPPER(name) extern const sb_stepper sb_stepper_##name;
#include "integrators/list.def"
#undef SB_STEPPER

int sb_register_steppers(sb_registry *registry) {
#define SB_STEPPER(name) SB_TRY(sb_registry_add(registry, SB_KIND_STEPPER, &sb_stepper_##name.entry));
#include "integrators/list.def"
#undef SB_STEPPER
    return SB_OK;
}
