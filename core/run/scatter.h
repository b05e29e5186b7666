/* Terms of an inner system on a larger pattern H, for formulations that add entries to the pattern. */
#ifndef STEPBENCH_CORE_RUN_SCATTER_H
#define STEPBENCH_CORE_RUN_SCATTER_H

#include <math.h>
#include <string.h>

#include <stepbench/plugin.h>

typedef struct sb_scatter {
    const sb_system *inner;
    int *at;       /* position of each entry of the inner H on the outer one */
    sb_scalar *Ax; /* scratch on the inner H */
    sb_scalar *g;  /* scratch of the inner constraints */
} sb_scatter;

/* Prepares the terms of `inner` for the pattern H, which contains the inner one. */
static inline int sb_scatter_init(sb_arena *arena, const sb_system *inner, const sb_pattern *H, sb_scatter *out) {
    const int nnz = sb_pattern_nnz(&inner->H);
    out->inner = inner;
    SB_NEW(arena, out->at, nnz);
    SB_NEW(arena, out->Ax, nnz);
    for (int j = 0; j < inner->n; j++) {
        for (int k = inner->H.p[j]; k < inner->H.p[j + 1]; k++) {
            out->at[k] = sb_pattern_find(H, inner->H.i[k], j);
        }
    }
    return SB_OK;
}

/* Returns cleared values on the inner H, to which inner callbacks add. */
static inline sb_scalar *sb_scatter_begin(const sb_scatter *s) {
    memset(s->Ax, 0, (size_t)sb_pattern_nnz(&s->inner->H) * sizeof(sb_scalar));
    return s->Ax;
}

/* Adds these values to values on the outer H. */
static inline void sb_scatter_end(const sb_scatter *s, sb_scalar *Hx) {
    const int nnz = sb_pattern_nnz(&s->inner->H);
    for (int k = 0; k < nnz; k++) {
        Hx[s->at[k]] += s->Ax[k];
    }
}

/* ---- Groups of the inner system that change in their pattern H only; `self` is the sb_scatter. ---- */

static inline int sb_scatter_mass(const void *self, const sb_scalar *q, sb_scalar *Mx) {
    const sb_inertia *inner = &((const sb_scatter *)self)->inner->inertia;
    return inner->mass(inner->self, q, Mx);
}

static inline int sb_scatter_mass_gradient(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar *Tq) {
    const sb_inertia *inner = &((const sb_scatter *)self)->inner->inertia;
    return inner->gradient(inner->self, q, v, Tq);
}

static inline int sb_scatter_mass_hessian(const void *self, const sb_scalar *q, const sb_scalar *v, sb_scalar cqq,
                                          sb_scalar cqv, sb_scalar cvq, sb_scalar *Hx) {
    const sb_scatter *s = self;
    const sb_inertia *inner = &s->inner->inertia;
    SB_TRY(inner->hessian(inner->self, q, v, cqq, cqv, cvq, sb_scatter_begin(s)));
    sb_scatter_end(s, Hx);
    return SB_OK;
}

/* Replaces the group in *io if it has derivatives on H. */
static inline void sb_scatter_inertia(const sb_scatter *s, sb_inertia *io) {
    if (s->inner->inertia.hessian != NULL) {
        *io = (sb_inertia){s, s->inner->inertia.M, sb_scatter_mass, sb_scatter_mass_gradient, sb_scatter_mass_hessian};
    }
}

static inline int sb_scatter_V(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *V) {
    return sb_potential_value(((const sb_scatter *)self)->inner, t, q, V);
}

static inline int sb_scatter_V_gradient(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vq) {
    return sb_potential_gradient(((const sb_scatter *)self)->inner, t, q, Vq);
}

static inline int sb_scatter_V_hessian(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar c, sb_scalar *Hx) {
    const sb_scatter *s = self;
    SB_TRY(sb_potential_hessian(s->inner, t, q, c, sb_scatter_begin(s)));
    sb_scatter_end(s, Hx);
    return SB_OK;
}

static inline int sb_scatter_V_stiffness(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar c,
                                         sb_scalar *Hx) {
    const sb_scatter *s = self;
    SB_TRY(sb_potential_stiffness(s->inner, t, q, c, sb_scatter_begin(s)));
    sb_scatter_end(s, Hx);
    return SB_OK;
}

static inline int sb_scatter_V_springs(const void *self, sb_scalar c, sb_scalar *Hx) {
    const sb_scatter *s = self;
    const sb_potential *inner = &s->inner->potential;
    SB_TRY(inner->springs(inner->self, c, sb_scatter_begin(s)));
    sb_scatter_end(s, Hx);
    return SB_OK;
}

static inline int sb_scatter_V_rate(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vt) {
    return sb_potential_rate(((const sb_scatter *)self)->inner, t, q, Vt);
}

static inline void sb_scatter_potential(const sb_scatter *s, sb_potential *io) {
    const sb_potential *inner = &s->inner->potential;
    if (inner->hessian != NULL) {
        *io = (sb_potential){.self = s,
                             .degree = inner->degree,
                             .value = sb_scatter_V,
                             .gradient = sb_scatter_V_gradient,
                             .hessian = sb_scatter_V_hessian,
                             .stiffness = inner->stiffness != NULL ? sb_scatter_V_stiffness : NULL,
                             .rate = inner->rate != NULL ? sb_scatter_V_rate : NULL,
                             .springs = inner->springs != NULL ? sb_scatter_V_springs : NULL};
    }
}

static inline int sb_scatter_force_value(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v,
                                         sb_scalar *f) {
    const sb_force *inner = &((const sb_scatter *)self)->inner->force;
    return inner->value(inner->self, t, q, v, f);
}

static inline int sb_scatter_force_jacobian(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v,
                                            sb_scalar cq, sb_scalar cv, sb_scalar *Hx) {
    const sb_scatter *s = self;
    const sb_force *inner = &s->inner->force;
    SB_TRY(inner->jacobian(inner->self, t, q, v, cq, cv, sb_scatter_begin(s)));
    sb_scatter_end(s, Hx);
    return SB_OK;
}

static inline void sb_scatter_force(const sb_scatter *s, sb_force *io) {
    if (s->inner->force.value != NULL) {
        *io =
            (sb_force){s, sb_scatter_force_value, s->inner->force.jacobian != NULL ? sb_scatter_force_jacobian : NULL};
    }
}

static inline int sb_scatter_g(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *g, sb_scalar *Gx) {
    return sb_holonomic_value(((const sb_scatter *)self)->inner, t, q, g, Gx);
}

static inline int sb_scatter_g_hessian(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *w,
                                       sb_scalar c, sb_scalar *Hx) {
    const sb_scatter *s = self;
    SB_TRY(sb_holonomic_hessian(s->inner, t, q, w, c, sb_scatter_begin(s)));
    sb_scatter_end(s, Hx);
    return SB_OK;
}

static inline int sb_scatter_g_curvature(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v,
                                         sb_scalar *out) {
    return sb_holonomic_curvature(((const sb_scatter *)self)->inner, t, q, v, out);
}

static inline int sb_scatter_g_rate(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *out) {
    return sb_holonomic_rate(((const sb_scatter *)self)->inner, t, q, out);
}

static inline void sb_scatter_holonomic(const sb_scatter *s, sb_holonomic *io) {
    if (s->inner->holonomic.m > 0) {
        io->self = s;
        io->value = sb_scatter_g;
        io->hessian = sb_scatter_g_hessian;
        io->curvature = sb_scatter_g_curvature;
        io->rate = s->inner->holonomic.rate != NULL ? sb_scatter_g_rate : NULL;
    }
}

/* ---- One more output: the violation of the constraints that a formulation has removed. ---- */

static inline int sb_scatter_violation(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v,
                                       sb_scalar *out) {
    const sb_scatter *s = self;
    const sb_system *inner = s->inner;
    const int m = inner->holonomic.m;
    sb_scalar sum = 0.0;
    if (inner->outputs.count > 0) {
        SB_TRY(inner->outputs.value(inner->outputs.self, t, q, v, out));
    }
    SB_TRY(sb_holonomic_value(inner, t, q, s->g, NULL));
    for (int i = 0; i < m; i++) {
        sum += s->g[i] * s->g[i];
    }
    out[inner->outputs.count] = sqrt(sum / m);
    return SB_OK;
}

static inline int sb_scatter_outputs(sb_arena *arena, sb_scatter *s, sb_outputs *io) {
    const sb_outputs *inner = &s->inner->outputs;
    sb_output *list;
    if (s->inner->holonomic.m == 0) {
        return SB_OK;
    }
    SB_NEW(arena, s->g, s->inner->holonomic.m);
    SB_NEW(arena, list, inner->count + 1);
    for (int i = 0; i < inner->count; i++) {
        list[i] = inner->list[i];
        list[i].invariant = false; /* off the constraints it may vary */
    }
    list[inner->count] =
        (sb_output){"violation", "", "root mean square of the constraints g that the formulation took away", false};
    *io = (sb_outputs){s, inner->count + 1, list, sb_scatter_violation};
    return SB_OK;
}

#endif
