/* The files `stepbench new` begins with, registered like built-ins: every test over the registry holds for them too. */
#ifndef STEPBENCH_TESTS_TEMPLATES_H
#define STEPBENCH_TESTS_TEMPLATES_H

#include "core/base/registry.h"

extern const sb_stepper sb_stepper_new_stepper;
extern const sb_problem sb_problem_new_problem;
extern const sb_formulation sb_formulation_new_formulation;

static inline int templates_add(sb_registry *registry) {
    SB_TRY(sb_registry_add(registry, SB_KIND_STEPPER, &sb_stepper_new_stepper.entry));
    SB_TRY(sb_registry_add(registry, SB_KIND_PROBLEM, &sb_problem_new_problem.entry));
    return sb_registry_add(registry, SB_KIND_FORMULATION, &sb_formulation_new_formulation.entry);
}

#endif
