/* Counts a system's evaluations: the callbacks of every group count and call those of the inner system. */
#include "core/run/counting.h"

typedef struct counting {
    sb_system inner;
    sb_counts *counts;
    sb_embedding embedding;
    sb_system ambient;
} counting;

#define INNER(group) ((const counting *)self)->inner.group
#define COUNT(what) ((const counting *)self)->counts->what++

static int mass(const void *self, const sb_scalar *q, sb_scalar *Mx) {
    COUNT(mass);
    return INNER(inertia).mass(INNER(inertia).self, q, Mx);
}

static int kinetic_gradient(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar *Tq) {
    return INNER(inertia).gradient(INNER(inertia).self, q, v, Tq);
}

static int kinetic_hessian(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar cqq, sb_scalar cqv,
                           sb_scalar cvq, sb_scalar *Hx) {
    COUNT(hessian);
    return INNER(inertia).hessian(INNER(inertia).self, q, v, cqq, cqv, cvq, Hx);
}

static int potential_value(const void *self, const sb_scalar *q, sb_scalar *V) {
    return INNER(potential).value(INNER(potential).self, q, V);
}

static int potential_gradient(const void *self, const sb_scalar *q, sb_scalar *Vq) {
    COUNT(force);
    return INNER(potential).gradient(INNER(potential).self, q, Vq);
}

static int potential_hessian(const void *self, const sb_scalar *q, sb_scalar c, sb_scalar *Hx) {
    COUNT(hessian);
    return INNER(potential).hessian(INNER(potential).self, q, c, Hx);
}

static int potential_stiffness(const void *self, const sb_scalar *q, sb_scalar c, sb_scalar *Hx) {
    COUNT(hessian);
    return INNER(potential).stiffness(INNER(potential).self, q, c, Hx);
}

/* With a potential V_q and f together are one evaluation, which V_q counts. */
static int force_value(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *f) {
    if (!sb_has_potential(&((const counting *)self)->inner)) {
        COUNT(force);
    }
    return INNER(force).value(INNER(force).self, t, q, v, f);
}

static int force_jacobian(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar cq,
                          sb_scalar cv, sb_scalar *Hx) {
    COUNT(hessian);
    return INNER(force).jacobian(INNER(force).self, t, q, v, cq, cv, Hx);
}

static int constraint_value(const void *self, const sb_scalar *q, sb_scalar *g, sb_scalar *Gx) {
    COUNT(constraint);
    return INNER(holonomic).value(INNER(holonomic).self, q, g, Gx);
}

static int constraint_hessian(const void *self, const sb_scalar *q, const sb_scalar *w, sb_scalar c, sb_scalar *Hx) {
    COUNT(hessian);
    return INNER(holonomic).hessian(INNER(holonomic).self, q, w, c, Hx);
}

static int constraint_curvature(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    COUNT(hessian);
    return INNER(holonomic).curvature(INNER(holonomic).self, q, v, out);
}

static int time_potential_value(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *V) {
    return INNER(time_potential).value(INNER(time_potential).self, t, q, V);
}

static int time_potential_gradient(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vq) {
    COUNT(force);
    return INNER(time_potential).gradient(INNER(time_potential).self, t, q, Vq);
}

static int time_potential_hessian(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar c, sb_scalar *Hx) {
    COUNT(hessian);
    return INNER(time_potential).hessian(INNER(time_potential).self, t, q, c, Hx);
}

static int time_potential_stiffness(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar c, sb_scalar *Hx) {
    COUNT(hessian);
    return INNER(time_potential).stiffness(INNER(time_potential).self, t, q, c, Hx);
}

static int time_potential_rate(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vt) {
    return INNER(time_potential).rate(INNER(time_potential).self, t, q, Vt);
}

static int rheonomic_value(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *g, sb_scalar *Gx) {
    COUNT(constraint);
    return INNER(rheonomic).value(INNER(rheonomic).self, t, q, g, Gx);
}

static int rheonomic_hessian(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *w, sb_scalar c,
                             sb_scalar *Hx) {
    COUNT(hessian);
    return INNER(rheonomic).hessian(INNER(rheonomic).self, t, q, w, c, Hx);
}

static int rheonomic_curvature(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    COUNT(hessian);
    return INNER(rheonomic).curvature(INNER(rheonomic).self, t, q, v, out);
}

static int rheonomic_rate(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *out) {
    return INNER(rheonomic).rate(INNER(rheonomic).self, t, q, out);
}

static int nonholonomic_value(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Ax, sb_scalar *w) {
    COUNT(constraint);
    return INNER(nonholonomic).value(INNER(nonholonomic).self, t, q, Ax, w);
}

static int nonholonomic_rate(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    COUNT(hessian);
    return INNER(nonholonomic).rate(INNER(nonholonomic).self, t, q, v, out);
}

static int nonholonomic_gradient(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *Ax) {
    COUNT(hessian);
    return INNER(nonholonomic).gradient(INNER(nonholonomic).self, t, q, v, Ax);
}

/* Callbacks that the system lacks stay NULL, because its flags follow from them. */
#define WRAP(group, callback, wrapper) out->group.callback = inner->group.callback != NULL ? (wrapper) : NULL

static void wrap(const counting *me, const sb_system *inner, sb_system *out) {
    *out = *inner;
    out->inertia.self = me;
    WRAP(inertia, mass, mass);
    WRAP(inertia, gradient, kinetic_gradient);
    WRAP(inertia, hessian, kinetic_hessian);
    out->potential.self = me;
    WRAP(potential, value, potential_value);
    WRAP(potential, gradient, potential_gradient);
    WRAP(potential, hessian, potential_hessian);
    WRAP(potential, stiffness, potential_stiffness);
    out->force.self = me;
    WRAP(force, value, force_value);
    WRAP(force, jacobian, force_jacobian);
    out->holonomic.self = me;
    WRAP(holonomic, value, constraint_value);
    WRAP(holonomic, hessian, constraint_hessian);
    WRAP(holonomic, curvature, constraint_curvature);
    out->time_potential.self = me;
    WRAP(time_potential, value, time_potential_value);
    WRAP(time_potential, gradient, time_potential_gradient);
    WRAP(time_potential, hessian, time_potential_hessian);
    WRAP(time_potential, stiffness, time_potential_stiffness);
    WRAP(time_potential, rate, time_potential_rate);
    out->rheonomic.self = me;
    WRAP(rheonomic, value, rheonomic_value);
    WRAP(rheonomic, hessian, rheonomic_hessian);
    WRAP(rheonomic, curvature, rheonomic_curvature);
    WRAP(rheonomic, rate, rheonomic_rate);
    out->nonholonomic.self = me;
    WRAP(nonholonomic, value, nonholonomic_value);
    WRAP(nonholonomic, rate, nonholonomic_rate);
    WRAP(nonholonomic, gradient, nonholonomic_gradient);
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
