/* Linear solvers bound to a pattern. */
#include <stepbench/solve.h>

int sb_linear_init(sb_context *ctx, sb_arena *arena, const sb_solver *type, const sb_pattern *A, sb_linear *out) {
    *out = (sb_linear){.type = type, .ctx = ctx, .A = *A};
    return type->analyse(out, arena);
}

void sb_linear_fini(sb_linear *me) {
    if (me->type != NULL && me->type->fini != NULL) {
        me->type->fini(me);
    }
}
