/* Terms V(t, q) and g(t, q) = 0 whose functions may or may not depend on time. Those that do not are evaluated at
 * t = 0. */
#ifndef STEPBENCH_PROBLEMS_SHARED_AUTONOMOUS_H
#define STEPBENCH_PROBLEMS_SHARED_AUTONOMOUS_H

#include <stepbench/plugin.h>

static inline int autonomous_potential(const void *self, const sb_scalar *q, sb_scalar *V) {
    const sb_time_potential *p = self;
    return p->value(p->self, 0.0, q, V);
}

static inline int autonomous_potential_gradient(const void *self, const sb_scalar *q, sb_scalar *Vq) {
    const sb_time_potential *p = self;
    return p->gradient(p->self, 0.0, q, Vq);
}

static inline int autonomous_potential_hessian(const void *self, const sb_scalar *q, sb_scalar c, sb_scalar *Hx) {
    const sb_time_potential *p = self;
    return p->hessian(p->self, 0.0, q, c, Hx);
}

static inline int autonomous_potential_stiffness(const void *self, const sb_scalar *q, sb_scalar c, sb_scalar *Hx) {
    const sb_time_potential *p = self;
    return p->stiffness(p->self, 0.0, q, c, Hx);
}

/* Sets the potential V of the given degree in q, as one that depends on time or as one that does not. */
static inline int set_potential(sb_arena *arena, sb_time_potential V, int degree, bool depends_on_time,
                                sb_system *out) {
    sb_time_potential *p;
    out->potential = (sb_potential){.degree = degree};
    out->time_potential = (sb_time_potential){0};
    if (depends_on_time) {
        out->time_potential = V;
        return SB_OK;
    }
    SB_NEW(arena, p, 1);
    *p = V;
    out->potential = (sb_potential){.self = p,
                                    .degree = degree,
                                    .value = autonomous_potential,
                                    .gradient = autonomous_potential_gradient,
                                    .hessian = V.hessian != NULL ? autonomous_potential_hessian : NULL,
                                    .stiffness = V.stiffness != NULL ? autonomous_potential_stiffness : NULL};
    return SB_OK;
}

static inline int autonomous_constraints(const void *self, const sb_scalar *q, sb_scalar *g, sb_scalar *Gx) {
    const sb_rheonomic *p = self;
    return p->value(p->self, 0.0, q, g, Gx);
}

static inline int autonomous_constraints_hessian(const void *self, const sb_scalar *q, const sb_scalar *w, sb_scalar c,
                                                 sb_scalar *Hx) {
    const sb_rheonomic *p = self;
    return p->hessian(p->self, 0.0, q, w, c, Hx);
}

static inline int autonomous_constraints_curvature(const void *self, const sb_scalar *q, const sb_scalar *v,
                                                   sb_scalar *out) {
    const sb_rheonomic *p = self;
    return p->curvature(p->self, 0.0, q, v, out);
}

/* Sets the functions of the holonomic constraints, as constraints that depend on time or as ones that do not. Their
 * number, degree and pattern are set by the caller. */
static inline int set_constraints(sb_arena *arena, sb_rheonomic g, bool depends_on_time, sb_system *out) {
    sb_rheonomic *p;
    out->rheonomic = (sb_rheonomic){0};
    if (depends_on_time) {
        out->rheonomic = g;
        return SB_OK;
    }
    SB_NEW(arena, p, 1);
    *p = g;
    out->holonomic.self = p;
    out->holonomic.value = autonomous_constraints;
    out->holonomic.hessian = autonomous_constraints_hessian;
    out->holonomic.curvature = autonomous_constraints_curvature;
    return SB_OK;
}

#endif
