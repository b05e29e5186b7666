/* Registers the problems of problems/list.def and the formulations of problems/formulations/list.def. */
#include "problems/register.h"

#define SB_PROBLEM(name) extern const sb_problem sb_problem_##name;
#define SB_FORMULATION(name) extern const sb_formulation sb_formulation_##name;
#include "problems/formulations/list.def"
#include "problems/list.def"
#undef SB_PROBLEM
#undef SB_FORMULATION

int sb_register_problems(sb_registry *registry) {
#define SB_PROBLEM(name) SB_TRY(sb_registry_add(registry, SB_KIND_PROBLEM, &sb_problem_##name.entry));
#define SB_FORMULATION(name) SB_TRY(sb_registry_add(registry, SB_KIND_FORMULATION, &sb_formulation_##name.entry));
#include "problems/formulations/list.def"
#include "problems/list.def"
#undef SB_PROBLEM
#undef SB_FORMULATION
    return SB_OK;
}
