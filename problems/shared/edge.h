/* A planar rigid body on a knife edge. The point at the distance a behind the centre of mass slides only along the axis
 * of the body: -sin phi x' + cos phi y' - a phi' = 0 with q = (x, y, phi). */
#pragma once

#include "problems/shared/constant_terms.h"

typedef struct edge {
    sb_scalar m, I, a;
} edge;

static inline int edge_value(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Ax, sb_scalar *w) {
    const edge *p = self;
    if (Ax != NULL) {
        Ax[0] = -sin(q[2]);
        Ax[1] = cos(q[2]);
        Ax[2] = -p->a;
    }
    if (w != NULL) {
        w[0] = 0.0;
    }
    return SB_OK;
}

static inline int edge_gradient(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *Ax) {
    Ax[0] = Ax[1] = 0.0;
    Ax[2] = -(cos(q[2]) * v[0] + sin(q[2]) * v[1]);
    return SB_OK;
}

static inline int edge_rate(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *out) {
    sb_scalar by_q[3];
    SB_TRY(edge_gradient(self, t, q, v, by_q));
    out[0] = by_q[2] * v[2];
    return SB_OK;
}

/* Sets all terms but the potential. */
static inline int edge_terms(sb_arena *arena, const edge *p, sb_system *out) {
    out->n = 3;
    SB_TRY(sb_pattern_diagonal(arena, 3, &out->H));
    SB_TRY(set_masses(arena, 3, (sb_scalar[3]){p->m, p->m, p->I}, &out->inertia));
    out->nonholonomic =
        (sb_nonholonomic){.self = p, .m = 1, .value = edge_value, .rate = edge_rate, .gradient = edge_gradient};
    return sb_pattern_full(arena, 3, 1, &out->nonholonomic.A);
}
