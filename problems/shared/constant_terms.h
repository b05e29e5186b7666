/* Terms of a constant diagonal mass matrix and of uniform gravity: T = sum m_i v_i^2/2 and V = g sum m_i q_i. */
#ifndef STEPBENCH_PROBLEMS_SHARED_CONSTANT_TERMS_H
#define STEPBENCH_PROBLEMS_SHARED_CONSTANT_TERMS_H

#include <string.h>

#include <stepbench/plugin.h>

typedef struct constant_terms {
    int n;
    sb_scalar g, *m; /* g: 1 for the mass matrix */
} constant_terms;

static inline int constant_terms_values(const void *self, const sb_scalar *q, sb_scalar *out) {
    const constant_terms *p = self;
    const sb_scalar g = p->g, *m = p->m;
    for (int i = 0, n = p->n; i < n; i++) {
        out[i] = g * m[i];
    }
    return SB_OK;
}

static inline int constant_terms_potential(const void *self, const sb_scalar *q, sb_scalar *V) {
    const constant_terms *p = self;
    sb_scalar sum = 0.0;
    for (int i = 0; i < p->n; i++) {
        sum += p->m[i] * q[i];
    }
    *V = p->g * sum;
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
    *out = (sb_inertia){.self = p, .mass = constant_terms_values};
    return sb_pattern_diagonal(arena, n, &out->M);
}

/* Sets the potential of gravity g against the coordinates, each of which lifts the mass m[i] (n). */
static inline int set_gravity(sb_arena *arena, int n, sb_scalar g, const sb_scalar *m, sb_potential *out) {
    constant_terms *p;
    SB_TRY(constant_terms_new(arena, n, g, m, &p));
    *out = (sb_potential){.self = p, .degree = 1, .value = constant_terms_potential, .gradient = constant_terms_values};
    return SB_OK;
}

#endif
