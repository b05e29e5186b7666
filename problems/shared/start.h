/* A start whose numbers are known when the system is set up. */
#ifndef STEPBENCH_PROBLEMS_SHARED_START_H
#define STEPBENCH_PROBLEMS_SHARED_START_H

#include <string.h>

#include <stepbench/plugin.h>

typedef struct fixed_start {
    int n;
    sb_scalar *q, *v;
} fixed_start;

static inline int fixed_start_values(const void *self, sb_scalar *t, sb_scalar *q, sb_scalar *v) {
    const fixed_start *p = self;
    *t = 0.0;
    memcpy(q, p->q, (size_t)p->n * sizeof *q);
    memcpy(v, p->v, (size_t)p->n * sizeof *v);
    return SB_OK;
}

/* Sets the start of a system without an exact solution: q and v (out->n) at t = 0; v = NULL: at rest. */
static inline int set_start(sb_arena *arena, const sb_scalar *q, const sb_scalar *v, sb_system *out) {
    fixed_start *p;
    SB_NEW(arena, p, 1);
    p->n = out->n;
    SB_TRY(SB_VECTORS(arena, p->n, &p->q, &p->v));
    memcpy(p->q, q, (size_t)p->n * sizeof *q);
    if (v != NULL) {
        memcpy(p->v, v, (size_t)p->n * sizeof *v);
    }
    out->self = p;
    out->initial = fixed_start_values;
    return SB_OK;
}

#endif
