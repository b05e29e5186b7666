/* Terms of an inner system on a larger pattern H, for formulations that add entries to the pattern. */
#pragma once

#include <math.h>
#include <string.h>

#include <stepbench/numerics/norm.h>
#include <stepbench/plugin.h>

#include "core/run/callbacks.h"

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

#define SB_SCATTER_SET(group, callback, out, ...)                                                                      \
    return s->inner->group.callback(s->inner->group.self, __VA_ARGS__, out);
#define SB_SCATTER_ADD(group, callback, out, ...)                                                                      \
    SB_TRY(s->inner->group.callback(s->inner->group.self, __VA_ARGS__, sb_scatter_begin(s)));                          \
    sb_scatter_end(s, out);                                                                                            \
    return SB_OK;
#define SB_SCATTER(group, callback, work, how, parameters, out, ...)                                                   \
    static inline int sb_scatter_##group##_##callback parameters {                                                     \
        const sb_scatter *s = self;                                                                                    \
        SB_SCATTER_##how(group, callback, out, __VA_ARGS__)                                                            \
    }
SB_INERTIA_CALLBACKS(SB_SCATTER)
SB_POTENTIAL_CALLBACKS(SB_SCATTER)
SB_FORCE_CALLBACKS(SB_SCATTER)
SB_HOLONOMIC_CALLBACKS(SB_SCATTER)
#define SB_SCATTER_WRAP(group, callback, ...) SB_WRAP(sb_scatter, group, callback, io)

/* Replaces the group, which is that of the inner system, if it has derivatives on H. */
static inline void sb_scatter_inertia(const sb_scatter *s, sb_inertia *io) {
    if (io->hessian != NULL) {
        io->self = s;
        SB_INERTIA_CALLBACKS(SB_SCATTER_WRAP)
    }
}

static inline void sb_scatter_potential(const sb_scatter *s, sb_potential *io) {
    if (io->hessian != NULL) {
        io->self = s;
        SB_POTENTIAL_CALLBACKS(SB_SCATTER_WRAP)
    }
}

static inline void sb_scatter_force(const sb_scatter *s, sb_force *io) {
    io->self = s;
    SB_FORCE_CALLBACKS(SB_SCATTER_WRAP)
}

static inline void sb_scatter_holonomic(const sb_scatter *s, sb_holonomic *io) {
    io->self = s;
    SB_HOLONOMIC_CALLBACKS(SB_SCATTER_WRAP)
}

/* ---- One more output: the violation of the constraints that a formulation has removed. ---- */

static inline int sb_scatter_violation(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v,
                                       sb_scalar *out) {
    const sb_scatter *s = self;
    const sb_system *inner = s->inner;
    const int m = inner->holonomic.m;
    if (inner->outputs.count > 0) {
        SB_TRY(inner->outputs.value(inner->outputs.self, t, q, v, out));
    }
    SB_TRY(sb_holonomic_value(inner, t, q, s->g, NULL));
    out[inner->outputs.count] = sqrt(sb_dot(m, s->g, s->g) / m);
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
