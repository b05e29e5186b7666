/* Terms without a dependence on the state: a constant diagonal mass matrix, T = sum m_i v_i^2/2; uniform gravity,
 * V = g sum m_i q_i; a coordinate driven at a constant rate; and the symmetry of rotations about one axis. */
#pragma once

#include <string.h>

#include <stepbench/numerics/norm.h>
#include <stepbench/plugin.h>

typedef struct constant_terms {
    int n;
    sb_scalar g, *m; /* g: 1 for the mass matrix */
} constant_terms;

static inline int constant_terms_mass(const void *self, const sb_scalar *q, sb_scalar *out) {
    const constant_terms *p = self;
    const sb_scalar g = p->g, *m = p->m;
    for (int i = 0, n = p->n; i < n; i++) {
        out[i] = g * m[i];
    }
    return SB_OK;
}

static inline int constant_terms_gradient(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vq) {
    return constant_terms_mass(self, q, Vq);
}

static inline int constant_terms_potential(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *V) {
    const constant_terms *p = self;
    *V = p->g * sb_dot(p->n, p->m, q);
    return SB_OK;
}

static inline int constant_terms_new(sb_arena *arena, int n, sb_scalar g, const sb_scalar *m, constant_terms **out) {
    SB_NEW(arena, *out, 1);
    (*out)->n = n;
    (*out)->g = g;
    SB_NEW(arena, (*out)->m, n);
    memcpy((*out)->m, m, (size_t)n * sizeof *m);
    return SB_OK;
}

/* Sets the diagonal mass matrix of the masses m (n). */
static inline int set_masses(sb_arena *arena, int n, const sb_scalar *m, sb_inertia *out) {
    constant_terms *p;
    SB_TRY(constant_terms_new(arena, n, 1.0, m, &p));
    *out = (sb_inertia){.self = p, .mass = constant_terms_mass};
    return sb_pattern_diagonal(arena, n, &out->M);
}

/* Sets the potential of gravity g against the coordinates, each of which lifts the mass m[i] (n). */
static inline int set_gravity(sb_arena *arena, int n, sb_scalar g, const sb_scalar *m, sb_potential *out) {
    constant_terms *p;
    SB_TRY(constant_terms_new(arena, n, g, m, &p));
    *out =
        (sb_potential){.self = p, .degree = 1, .value = constant_terms_potential, .gradient = constant_terms_gradient};
    return SB_OK;
}

static inline int constant_rate_value(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Ax, sb_scalar *w) {
    if (Ax != NULL) {
        Ax[0] = 1.0;
    }
    if (w != NULL) {
        w[0] = *(const sb_scalar *)self;
    }
    return SB_OK;
}

static inline int constant_rate_derivative(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v,
                                           sb_scalar *out) {
    out[0] = 0.0;
    return SB_OK;
}

/* Sets the nonholonomic row v_i = rate for the coordinate i. */
static inline int set_constant_rate(sb_arena *arena, int i, sb_scalar rate, sb_system *out) {
    sb_scalar *w;
    SB_NEW(arena, w, 1);
    *w = rate;
    out->nonholonomic =
        (sb_nonholonomic){.self = w, .m = 1, .value = constant_rate_value, .rate = constant_rate_derivative};
    return sb_pattern_from_pairs(arena, out->n, 1, 1, &i, (const int[1]){0}, &out->nonholonomic.A);
}

typedef struct rotation {
    int points, dimension;
} rotation;

static inline int rotation_generator(const void *self, int i, const sb_scalar *q, sb_scalar *xi) {
    const rotation *p = self;
    memset(xi, 0, (size_t)(p->points * p->dimension) * sizeof *xi);
    for (int a = 0; a < p->points * p->dimension; a += p->dimension) {
        xi[a] = -q[a + 1];
        xi[a + 1] = q[a];
    }
    return SB_OK;
}

/* Sets the momentum Jz of rotations in the plane of the first two coordinates of each point. */
static inline int set_rotation(sb_arena *arena, int points, int dimension, sb_system *out) {
    static const char *const momenta[] = {"Jz"};
    rotation *p;
    SB_NEW(arena, p, 1);
    *p = (rotation){points, dimension};
    out->symmetry = (sb_symmetry){p, 1, momenta, rotation_generator};
    return SB_OK;
}
