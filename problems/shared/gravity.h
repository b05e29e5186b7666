/* Newton's law of gravitation between point masses: V = -G sum_{i<j} m_i m_j/|x_i - x_j|, in the plane or in space. The
 * coordinates are body by body; H is full. */
#pragma once

#include <string.h>

#include "problems/shared/constant_terms.h"

enum { GRAVITY_DIM = 3 }; /* the most */

typedef struct gravity {
    int bodies, dim; /* dim: 2 or 3 */
    sb_scalar G, *m;
} gravity;

/* Sets x = x_b - x_a and returns its length. */
static inline sb_scalar gravity_between(int dim, const sb_scalar *q, int a, int b, sb_scalar x[GRAVITY_DIM]) {
    sb_scalar square = 0.0;
    for (int c = 0; c < dim; c++) {
        x[c] = q[dim * b + c] - q[dim * a + c];
        square += x[c] * x[c];
    }
    return sqrt(square);
}

static inline int gravity_potential(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *V) {
    const gravity *p = self;
    sb_scalar x[GRAVITY_DIM];
    *V = 0.0;
    for (int b = 1; b < p->bodies; b++) {
        for (int a = 0; a < b; a++) {
            const sb_scalar r = gravity_between(p->dim, q, a, b, x);
            if (!(r > 0.0)) {
                return SB_DOMAIN;
            }
            *V -= p->G * p->m[a] * p->m[b] / r;
        }
    }
    return SB_OK;
}

/* Computes the gradient in a space whose dimension is a constant, so that the compiler unrolls the loops over it. */
SB_INLINED int gravity_gradient_in(const gravity *p, const sb_scalar *q, sb_scalar *Vq, const int dim) {
    sb_scalar x[GRAVITY_DIM];
    memset(Vq, 0, (size_t)(dim * p->bodies) * sizeof *Vq);
    for (int b = 1; b < p->bodies; b++) {
        for (int a = 0; a < b; a++) {
            const sb_scalar r = gravity_between(dim, q, a, b, x), pull = p->G * p->m[a] * p->m[b] / (r * r * r);
            if (!(r > 0.0)) {
                return SB_DOMAIN;
            }
            for (int c = 0; c < dim; c++) {
                Vq[dim * b + c] += pull * x[c];
                Vq[dim * a + c] -= pull * x[c];
            }
        }
    }
    return SB_OK;
}

static inline int gravity_gradient(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar *Vq) {
    const gravity *p = self;
    return p->dim == 2 ? gravity_gradient_in(p, q, Vq, 2) : gravity_gradient_in(p, q, Vq, 3);
}

/* The second derivative of -1/|x| is 1/|x|^3 - 3 x x'/|x|^5, with the opposite sign between two bodies. */
static inline int gravity_hessian(const void *self, sb_scalar t, const sb_scalar *q, sb_scalar c, sb_scalar *Hx) {
    const gravity *p = self;
    const int dim = p->dim, n = dim * p->bodies;
    sb_scalar x[GRAVITY_DIM];
    for (int b = 1; b < p->bodies; b++) {
        for (int a = 0; a < b; a++) {
            const sb_scalar r = gravity_between(dim, q, a, b, x), pull = c * p->G * p->m[a] * p->m[b] / (r * r * r);
            if (!(r > 0.0)) {
                return SB_DOMAIN;
            }
            for (int k = 0; k < dim * dim; k++) {
                const int i = k % dim, j = k / dim;
                const sb_scalar h = pull * ((i == j ? 1.0 : 0.0) - 3.0 * x[i] / r * (x[j] / r));
                Hx[dim * a + i + n * (dim * a + j)] += h;
                Hx[dim * b + i + n * (dim * b + j)] += h;
                Hx[dim * a + i + n * (dim * b + j)] -= h;
                Hx[dim * b + i + n * (dim * a + j)] -= h;
            }
        }
    }
    return SB_OK;
}

/* Translations along the axes, then rotations: about the axes in space, about the origin in the plane. */
static inline int gravity_generator(const void *self, int i, const sb_scalar *q, sb_scalar *xi) {
    const gravity *p = self;
    const int dim = p->dim, axis = dim == 2 ? 2 : i % dim, next = (axis + 1) % GRAVITY_DIM,
              last = (axis + 2) % GRAVITY_DIM;
    memset(xi, 0, (size_t)(dim * p->bodies) * sizeof *xi);
    for (int b = 0; b < p->bodies; b++) {
        if (i < dim) {
            xi[dim * b + i] = 1.0;
        } else {
            xi[dim * b + next] = -q[dim * b + last];
            xi[dim * b + last] = q[dim * b + next];
        }
    }
    return SB_OK;
}

/* Sets the size, the inertia, the potential and the symmetries of the bodies. */
static inline int set_attraction(sb_arena *arena, sb_scalar G, int dim, int bodies, const sb_scalar *m,
                                 sb_system *out) {
    static const char *const plane[] = {"Px", "Py", "Jz"}, *const space[] = {"Px", "Py", "Pz", "Jx", "Jy", "Jz"};
    gravity *p;
    sb_scalar *masses;
    SB_NEW(arena, p, 1);
    SB_NEW(arena, p->m, bodies);
    SB_NEW(arena, masses, dim * bodies);
    p->bodies = bodies;
    p->dim = dim;
    p->G = G;
    out->n = dim * bodies;
    memcpy(p->m, m, (size_t)bodies * sizeof *m);
    for (int i = 0; i < out->n; i++) {
        masses[i] = m[i / dim];
    }
    SB_TRY(sb_pattern_full(arena, out->n, out->n, &out->H));
    SB_TRY(set_masses(arena, out->n, masses, &out->inertia));
    out->potential = (sb_potential){
        .self = p, .degree = -1, .value = gravity_potential, .gradient = gravity_gradient, .hessian = gravity_hessian};
    out->symmetry = (sb_symmetry){p, dim == 2 ? 3 : 6, dim == 2 ? plane : space, gravity_generator};
    return SB_OK;
}
