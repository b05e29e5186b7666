/* Counts a system's evaluations: the callbacks of every group count and call the callbacks of the inner system. */
#include "core/run/counting.h"

typedef struct counting {
    sb_system inner;
    sb_counts *counts;
    sb_embedding embedding;
    sb_system ambient;
} counting;

/* Defines the callback GROUP_CALLBACK, which counts `what` and calls the same callback of the inner system. */
#define CALLBACK(group, callback, what, parameters, ...)                                                               \
    static int group##_##callback parameters {                                                                         \
        const counting *me = self;                                                                                     \
        what;                                                                                                          \
        return me->inner.group.callback(me->inner.group.self, __VA_ARGS__);                                            \
    }
#define COUNT(counter) me->counts->counter++
#define NOTHING (void)0

CALLBACK(inertia, mass, COUNT(mass), (const void *self, const sb_scalar *q, sb_scalar *Mx), q, Mx)
CALLBACK(inertia, gradient, NOTHING, (const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar *Tq), q, v,
         Tq)
CALLBACK(inertia, hessian, COUNT(hessian),
         (const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar cqq, sb_scalar cqv, sb_scalar cvq,
          sb_scalar *Hx),
         q, v, cqq, cqv, cvq, Hx)
CALLBACK(potential, value, NOTHING, (const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *V), t, q, V)
CALLBACK(potential, gradient, COUNT(force), (const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vq), t, q,
         Vq)
CALLBACK(potential, hessian, COUNT(hessian),
         (const void *self, sb_scalar t, const sb_scalar *q, sb_scalar c, sb_scalar *Hx), t, q, c, Hx)
CALLBACK(potential, stiffness, COUNT(hessian),
         (const void *self, sb_scalar t, const sb_scalar *q, sb_scalar c, sb_scalar *Hx), t, q, c, Hx)
CALLBACK(potential, rate, NOTHING, (const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vt), t, q, Vt)
CALLBACK(potential, springs, NOTHING, (const void *self, sb_scalar c, sb_scalar *Hx), c, Hx)
/* With a potential V_q and f together are one evaluation, which V_q counts. */
CALLBACK(force, value, me->counts->force += me->inner.potential.value == NULL,
         (const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *f), t, q, v, f)
CALLBACK(force, jacobian, COUNT(hessian),
         (const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar cq, sb_scalar cv,
          sb_scalar *Hx),
         t, q, v, cq, cv, Hx)
CALLBACK(holonomic, value, COUNT(constraint),
         (const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *g, sb_scalar *Gx), t, q, g, Gx)
CALLBACK(holonomic, hessian, COUNT(hessian),
         (const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *w, sb_scalar c, sb_scalar *Hx), t, q, w,
         c, Hx)
CALLBACK(holonomic, curvature, COUNT(hessian),
         (const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out), t, q, v, out)
CALLBACK(holonomic, rate, NOTHING, (const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *out), t, q, out)
CALLBACK(nonholonomic, value, COUNT(constraint),
         (const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Ax, sb_scalar *w), t, q, Ax, w)
CALLBACK(nonholonomic, rate, COUNT(hessian),
         (const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out), t, q, v, out)
CALLBACK(nonholonomic, gradient, COUNT(hessian),
         (const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *Ax), t, q, v, Ax)

/* Callbacks that the system lacks stay NULL, because its flags follow from them. */
#define WRAP(group, callback) out->group.callback = inner->group.callback != NULL ? group##_##callback : NULL

static void wrap(const counting *me, const sb_system *inner, sb_system *out) {
    *out = *inner;
    out->inertia.self = me;
    WRAP(inertia, mass);
    WRAP(inertia, gradient);
    WRAP(inertia, hessian);
    out->potential.self = me;
    WRAP(potential, value);
    WRAP(potential, gradient);
    WRAP(potential, hessian);
    WRAP(potential, stiffness);
    WRAP(potential, rate);
    WRAP(potential, springs);
    out->force.self = me;
    WRAP(force, value);
    WRAP(force, jacobian);
    out->holonomic.self = me;
    WRAP(holonomic, value);
    WRAP(holonomic, hessian);
    WRAP(holonomic, curvature);
    WRAP(holonomic, rate);
    out->nonholonomic.self = me;
    WRAP(nonholonomic, value);
    WRAP(nonholonomic, rate);
    WRAP(nonholonomic, gradient);
}

/* Steppers that average in the embedding space evaluate the ambient system: its terms count as well. */
int sb_system_counting(sb_context *ctx, sb_arena *arena, const sb_system *inner, sb_counts *counts, sb_system *out) {
    counting *me;
    SB_NEW(arena, me, 1);
    me->inner = *inner;
    me->counts = counts;
    wrap(me, inner, out);
    if (inner->embedding != NULL) {
        SB_TRY(sb_system_counting(ctx, arena, inner->embedding->ambient, counts, &me->ambient));
        me->embedding = (sb_embedding){&me->ambient, inner->embedding->chart};
        out->embedding = &me->embedding;
    }
    return SB_OK;
}
