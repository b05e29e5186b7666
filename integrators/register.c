/* Registers the steppers of integrators/list.def and the compounds of integrators/compounds.def. */
#include "integrators/register.h"

#define SB_STEPPER(name) extern const sb_stepper sb_stepper_##name;
#include "integrators/list.def"
#undef SB_STEPPER
#define SB_COMPOUND(name) extern const sb_compound sb_compound_##name;
#define SB_COMPOSITION(name, ...) SB_COMPOUND(name)
#include "integrators/compounds.def"
#undef SB_COMPOSITION
#undef SB_COMPOUND

int sb_register_steppers(sb_registry *registry) {
#define SB_STEPPER(name) SB_TRY(sb_registry_add(registry, SB_KIND_STEPPER, &sb_stepper_##name.entry));
#include "integrators/list.def"
#undef SB_STEPPER
#define SB_COMPOUND(name) SB_TRY(sb_registry_add(registry, SB_KIND_COMPOUND, &sb_compound_##name.entry));
#define SB_COMPOSITION(name, ...) SB_COMPOUND(name)
#include "integrators/compounds.def"
#undef SB_COMPOSITION
#undef SB_COMPOUND
    return SB_OK;
}
