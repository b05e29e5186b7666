/* Linear solvers bound to a pattern. */
#include <math.h>

#include <stepbench/numerics/linear.h>

int sb_linear_init_at(sb_context *ctx, sb_arena *arena, const sb_solver *type, const sb_pattern *A, const int *at,
                      int positive, int first_constraint, sb_linear *out) {
    *out = (sb_linear){
        .type = type, .ctx = ctx, .A = *A, .at = at, .positive = positive, .first_constraint = first_constraint};
    SB_TRY(sb_poll(ctx));
    return type->analyse(out, arena);
}

int sb_linear_init(sb_context *ctx, sb_arena *arena, const sb_solver *type, const sb_pattern *A, int positive,
                   int first_constraint, sb_linear *out) {
    return sb_linear_init_at(ctx, arena, type, A, NULL, positive, first_constraint, out);
}

int sb_linear_bad_pivot(const sb_linear *me, int row, sb_scalar pivot) {
    const bool constraint = row >= me->first_constraint;
    if (!isfinite(pivot)) {
        return sb_fail(me->ctx, SB_NOT_FINITE,
                       "the matrix of a linear system of %d unknowns is not finite; a smaller step may do", me->A.cols);
    }
    return sb_fail(
        me->ctx, SB_SINGULAR, "the linear system of %d unknowns is singular at %s %d (pivot %.3g)%s", me->A.cols,
        constraint ? "constraint" : "unknown", constraint ? row - me->first_constraint : row, (double)pivot,
        constraint ? "; here this constraint depends on others: in a singular pose a step or a start that misses "
                     "it would do, and for redundant constraints a regularization"
                   : "");
}
