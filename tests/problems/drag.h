/* A formulation for tests: drag on every motion of a system, f - rate M(q) v. */
#ifndef STEPBENCH_TESTS_PROBLEMS_DRAG_H
#define STEPBENCH_TESTS_PROBLEMS_DRAG_H

#include <math.h>
#include <string.h>

#include <stepbench/plugin.h>

typedef struct drag_config {
    double rate;
} drag_config;

/* The arrays are scratch: nothing survives a call. */
typedef struct damped {
    double rate;
    const sb_system *inner;
    double *Mx, *Mv;
    int *at; /* where each entry of M sits on H */
} damped;

static int force(const void *self, double t, const double *q, const double *v, double *f) {
    const damped *p = self;
    const sb_system *inner = p->inner;
    memset(f, 0, (size_t)inner->n * sizeof *f);
    if (inner->force.value != NULL) {
        SB_TRY(inner->force.value(inner->force.self, t, q, v, f));
    }
    SB_TRY(inner->inertia.mass(inner->inertia.self, q, p->Mx));
    sb_csc_mult_add(&inner->inertia.M, p->Mx, -p->rate, v, f);
    return SB_OK;
}

/* d(M v)/dv = M and d(M v)/dq = T_vq. */
static int force_jacobian(const void *self, double t, const double *q, const double *v, double cq, double cv,
                          double *Hx) {
    const damped *p = self;
    const sb_system *inner = p->inner;
    if (inner->force.value != NULL) {
        SB_TRY(inner->force.jacobian(inner->force.self, t, q, v, cq, cv, Hx));
    }
    SB_TRY(inner->inertia.mass(inner->inertia.self, q, p->Mx));
    for (int k = 0; k < sb_pattern_nnz(&inner->inertia.M); k++) {
        Hx[p->at[k]] -= cv * p->rate * p->Mx[k];
    }
    if (inner->inertia.hessian != NULL) {
        SB_TRY(inner->inertia.hessian(inner->inertia.self, q, v, 0.0, 0.0, -cq * p->rate, Hx));
    }
    return SB_OK;
}

static int init(sb_context *ctx, sb_arena *arena, const void *parameters, const sb_system *inner, sb_system *out) {
    const sb_pattern *M = &inner->inertia.M;
    damped *p;
    (void)ctx;
    SB_NEW(arena, p, 1);
    p->rate = ((const drag_config *)parameters)->rate;
    p->inner = inner;
    SB_NEW(arena, p->Mx, sb_pattern_nnz(M));
    SB_NEW(arena, p->at, sb_pattern_nnz(M));
    for (int j = 0; j < M->cols; j++) {
        for (int k = M->p[j]; k < M->p[j + 1]; k++) {
            p->at[k] = sb_pattern_find(&inner->H, M->i[k], j);
        }
    }
    out->force = (sb_force){p, force, force_jacobian};
    /* What no longer holds is taken away: momenta and invariants, closed forms, the form of a free body. */
    out->time_scale = fmin(inner->time_scale, 1.0 / p->rate);
    out->symmetry = (sb_symmetry){0};
    out->outputs = (sb_outputs){0};
    out->chart = NULL;
    out->rigid = NULL;
    out->embedding = NULL;
    out->exact = NULL;
    return SB_OK;
}

static const sb_param params[] = {
    SB_PARAM_POSITIVE(drag_config, rate, "0.1", "1/s", "rate at which a free motion dies out"),
    {.name = NULL},
};

SB_DEFINE_FORMULATION(drag) = {
    .entry = {"drag", "drag on every motion, proportional to its momentum", "notes11 (1)", params, sizeof(drag_config)},
    .adds = SB_HAS_FORCE,
    .init = init,
};

#endif
