/* Starts whose numbers are computed when the system is set up, and exact solutions. */
#pragma once

#include <string.h>

#include <stepbench/plugin.h>

typedef int (*exact_solution)(const void *self, sb_scalar t, sb_scalar *q, sb_scalar *v, sb_scalar *lambda);

typedef struct fixed_start {
    int n;
    sb_scalar *q, *v;
    const void *self; /* of `exact` */
    exact_solution exact;
} fixed_start;

static inline int fixed_start_initial(const void *self, sb_scalar *t, sb_scalar *q, sb_scalar *v) {
    const fixed_start *p = self;
    *t = 0.0;
    memcpy(q, p->q, (size_t)p->n * sizeof *q);
    memcpy(v, p->v, (size_t)p->n * sizeof *v);
    return SB_OK;
}

static inline int fixed_start_exact(const void *self, sb_scalar t, sb_scalar *q, sb_scalar *v, sb_scalar *lambda) {
    const fixed_start *p = self;
    return p->exact(p->self, t, q, v, lambda);
}

static inline int fixed_start_new(sb_arena *arena, const void *self, exact_solution exact, sb_system *out,
                                  fixed_start **start) {
    SB_NEW(arena, *start, 1);
    **start = (fixed_start){.n = out->n, .self = self, .exact = exact};
    out->self = *start;
    out->initial = fixed_start_initial;
    out->exact = exact != NULL ? fixed_start_exact : NULL;
    return SB_VECTORS(arena, out->n, &(*start)->q, &(*start)->v);
}

/* Sets the start to q and v (out->n) at t = 0, v = NULL: at rest; and the exact solution `exact`, NULL: none. */
static inline int set_start_and_exact(sb_arena *arena, const sb_scalar *q, const sb_scalar *v, const void *self,
                                      exact_solution exact, sb_system *out) {
    fixed_start *p;
    SB_TRY(fixed_start_new(arena, self, exact, out, &p));
    memcpy(p->q, q, (size_t)p->n * sizeof *q);
    if (v != NULL) {
        memcpy(p->v, v, (size_t)p->n * sizeof *v);
    }
    return SB_OK;
}

/* Sets the start of a system without an exact solution. */
static inline int set_start(sb_arena *arena, const sb_scalar *q, const sb_scalar *v, sb_system *out) {
    return set_start_and_exact(arena, q, v, NULL, NULL, out);
}

/* Sets the exact solution, and the start to its state at t = 0. */
static inline int set_exact(sb_arena *arena, const void *self, exact_solution exact, sb_system *out) {
    fixed_start *p;
    SB_TRY(fixed_start_new(arena, self, exact, out, &p));
    return exact(self, 0.0, p->q, p->v, NULL);
}

/* Returns the time scale (s) of a motion whose fastest rate is known (1/s); 1 s if nothing moves. */
static inline sb_scalar time_scale_of(sb_scalar fastest) { return fastest > 0.0 ? 1.0 / fastest : 1.0; }
