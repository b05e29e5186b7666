/* Registers the linear solvers of core/linear/list.def and the LCP solvers of core/lcp/list.def. */
#include <stepbench/numerics/lcp.h>
#include <stepbench/numerics/linear.h>

#include "core/run/register.h"

#define SB_SOLVER(name) extern const sb_solver sb_solver_##name;
#define SB_LCP(name) extern const sb_lcp_solver sb_lcp_solver_##name;
#include "core/lcp/list.def"
#include "core/linear/list.def"
#undef SB_SOLVER
#undef SB_LCP

int sb_register_numerics(sb_registry *registry) {
#define SB_SOLVER(name) SB_TRY(sb_registry_add(registry, SB_KIND_SOLVER, &sb_solver_##name.entry));
#define SB_LCP(name) SB_TRY(sb_registry_add(registry, SB_KIND_LCP_SOLVER, &sb_lcp_solver_##name.entry));
#include "core/lcp/list.def"
#include "core/linear/list.def"
#undef SB_SOLVER
#undef SB_LCP
    return SB_OK;
}
