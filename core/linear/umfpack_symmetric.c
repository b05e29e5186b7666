/* SuiteSparse's UMFPACK with its strategy for symmetric patterns: pivots from the diagonal where they are large enough
 * (davis04). */
#include <stepbench/plugin.h>

#include "core/linear/umfpack.h"

#ifdef SB_HAVE_SUITESPARSE

#include <suitesparse/umfpack.h>

static int analyse(sb_linear *me, sb_arena *arena) { return sb_umfpack_analyse(me, arena, UMFPACK_STRATEGY_SYMMETRIC); }

#define PHASES .analyse = analyse, .factor = sb_umfpack_factor, .solve = sb_umfpack_solve, .stats = sb_umfpack_stats
#else
#define PHASES .analyse = NULL
#endif

SB_DEFINE_SOLVER(umfpack_symmetric) = {
    .entry = {"umfpack_symmetric", "UMFPACK's multifrontal LU, symmetric strategy", "davis04", NULL, 0},
    .package = "libsuitesparse-dev",
    PHASES,
};
