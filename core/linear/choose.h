/* The choice of a linear solver by the pattern of the matrix, and solvers that read values in place. */
#pragma once

#include <stepbench/numerics/linear.h>

/* The solvers of small.c, which "auto" takes for saddle matrices of at most this size. Instructions per step on dsp
 * with them, and with partial pivoting (spook: static_ldl): del 8166 and 15795, em 5890 and 10209, spook 1839 and 2569.
 */
enum { SB_SMALL_COORDINATES = 16, SB_SMALL_ROWS = 4 };
extern const sb_solver sb_solver_small_lu, sb_solver_small_ldl;

static inline bool sb_solver_is_small(int coordinates, int rows) {
    return coordinates <= SB_SMALL_COORDINATES && rows <= SB_SMALL_ROWS;
}

/* Replaces what "auto" gave for a saddle matrix by the fastest solver for its pattern, of which the lower left block
 * may be missing: small_ldl, static_ldl, or one that stays sparse where that would fill in. Leaves every other solver
 * alone. */
int sb_solver_choose_by_pattern(sb_context *ctx, const sb_pattern *A, int positive, const sb_solver **solver);

/* Initializes a linear solver whose values are at the positions `at` (sb_linear); the solver has to be `in_place`
 * unless `at` is NULL. */
int sb_linear_init_at(sb_context *ctx, sb_arena *arena, const sb_solver *type, const sb_pattern *A, const int *at,
                      int positive, int first_constraint, sb_linear *out);
