/* Counts a system's evaluations: the callbacks of every group count and call the callbacks of the inner system. */
#include "core/run/counting.h"
#include "core/run/callbacks.h"

typedef struct counting {
    sb_system inner;
    sb_counts *counts;
    sb_embedding embedding;
    sb_system ambient;
} counting;

#define COUNT_NONE (void)0
#define COUNT_MASS me->counts->mass++
#define COUNT_HESSIAN me->counts->hessian++
#define COUNT_CONSTRAINT me->counts->constraint++
#define COUNT_FORCE me->counts->force++
/* With a potential V_q and f together are one evaluation, which V_q counts. */
#define COUNT_FORCE_ALONE me->counts->force += me->inner.potential.value == NULL

#define COUNTED(group, callback, work, how, parameters, out, ...)                                                      \
    static int counted_##group##_##callback parameters {                                                               \
        const counting *me = self;                                                                                     \
        COUNT_##work;                                                                                                  \
        return me->inner.group.callback(me->inner.group.self, __VA_ARGS__, out);                                       \
    }
SB_CALLBACKS(COUNTED)

#define WRAP(group, callback, ...) SB_WRAP(counted, group, callback, &out->group)

/* Steppers that average in the embedding space evaluate the ambient system: its terms count as well. */
int sb_system_counting(sb_context *ctx, sb_arena *arena, const sb_system *inner, sb_counts *counts, sb_system *out) {
    counting *me;
    SB_NEW(arena, me, 1);
    me->inner = *inner;
    me->counts = counts;
    *out = *inner;
    out->inertia.self = out->potential.self = out->force.self = out->holonomic.self = out->nonholonomic.self = me;
    SB_CALLBACKS(WRAP)
    if (inner->embedding != NULL) {
        SB_TRY(sb_system_counting(ctx, arena, inner->embedding->ambient, counts, &me->ambient));
        me->embedding = (sb_embedding){&me->ambient, inner->embedding->chart};
        out->embedding = &me->embedding;
    }
    return SB_OK;
}
