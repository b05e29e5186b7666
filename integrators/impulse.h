/* The two impulses of SHAKE and RATTLE for a constant mass, by Newton's method on the multipliers alone: wm96 1, hlw06 (VII.1.26). */
#ifndef STEPBENCH_INTEGRATORS_IMPULSE_H
#define STEPBENCH_INTEGRATORS_IMPULSE_H

#include <string.h>

#include <stepbench/plugin.h>
#include <stepbench/solve.h>

typedef struct impulse_config {
    sb_newton newton;
} impulse_config;

static const sb_param impulse_params[] = {
    SB_NEWTON_PARAMS(impulse_config),
    {.name = NULL},
};

typedef struct impulse {
    const sb_system *sys;
    sb_mass mass;
    sb_schur schur;
    sb_pattern B;      /* of M^-1 G */
    const int *slot;   /* where each product of an entry of M^-1 with one of G adds to B */
    double *Bx, *G0x, *G1x, *g, *force, *kick, *free;
    double h, weight;  /* the step being solved */
    double *q1, *lambda;
} impulse;

/* The pattern of M^-1 G, and the slots of its products in the order of impulse_set. */
static inline int impulse_plan(sb_arena *arena, impulse *s) {
    const sb_pattern *G = &s->sys->holonomic.G, *W = &s->mass.W;
    int products = 0, count = 0, *row, *col, *slot;
    for (int k = 0; k < sb_pattern_nnz(G); k++) {
        products += W->p[G->i[k] + 1] - W->p[G->i[k]];
    }
    SB_NEW(arena, row, products);
    SB_NEW(arena, col, products);
    SB_NEW(arena, slot, products);
    for (int j = 0; j < s->sys->holonomic.m; j++) {
        for (int k = G->p[j]; k < G->p[j + 1]; k++) {
            for (int w = W->p[G->i[k]]; w < W->p[G->i[k] + 1]; w++) {
                row[count] = W->i[w];
                col[count++] = j;
            }
        }
    }
    SB_TRY(sb_pattern_from_pairs(arena, s->sys->n, s->sys->holonomic.m, products, row, col, &s->B));
    for (int t = 0; t < products; t++) {
        slot[t] = sb_pattern_find(&s->B, row[t], col[t]);
    }
    s->slot = slot;
    SB_NEW(arena, s->Bx, sb_pattern_nnz(&s->B));
    return SB_OK;
}

static inline int impulse_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, impulse *out) {
    *out = (impulse){.sys = sys};
    SB_NEW(arena, out->force, sys->n);
    SB_NEW(arena, out->kick, sys->n);
    SB_NEW(arena, out->free, sys->n);
    SB_TRY(sb_mass_init(ctx, arena, sys, &out->mass));
    if (sys->holonomic.m == 0) {
        return SB_OK;
    }
    SB_NEW(arena, out->G0x, sb_pattern_nnz(&sys->holonomic.G));
    SB_NEW(arena, out->G1x, sb_pattern_nnz(&sys->holonomic.G));
    SB_NEW(arena, out->g, sys->holonomic.m);
    SB_TRY(impulse_plan(arena, out));
    return sb_schur_init(ctx, arena, sys, &out->mass, &out->schur);
}

static inline void impulse_fini(impulse *s) { sb_schur_fini(&s->schur); }

/* v1 = v0 - weight M^-1 V_q(q); v1 may be v0. */
static inline int impulse_force(impulse *s, const double *q, const double *v0, double weight, double *v1) {
    const sb_potential *V = &s->sys->potential;
    const int n = s->sys->n;
    if (V->gradient == NULL) {
        memmove(v1, v0, (size_t)n * sizeof(double));
        return SB_OK;
    }
    SB_TRY(V->gradient(V->self, q, s->force));
    sb_mass_solve(&s->mass, s->force, s->kick);
    for (int i = 0; i < n; i++) {
        v1[i] = v0[i] - weight * s->kick[i];
    }
    return SB_OK;
}

/* B = M^-1 G for values Gx of G. */
static inline void impulse_set(impulse *s, const double *Gx) {
    const sb_pattern *G = &s->sys->holonomic.G, *W = &s->mass.W;
    const int *slot = s->slot;
    const int nnz = s->B.p[s->B.cols];
    for (int k = 0; k < nnz; k++) {
        s->Bx[k] = 0.0;
    }
    for (int k = 0; k < G->p[G->cols]; k++) {
        const double x = Gx[k];
        for (int w = W->p[G->i[k]]; w < W->p[G->i[k] + 1]; w++) {
            s->Bx[*slot++] += s->mass.Wx[w] * x;
        }
    }
}

/* kick = B x. */
static inline void impulse_kick(impulse *s, const double *x) {
    for (int i = 0; i < s->sys->n; i++) {
        s->kick[i] = 0.0;
    }
    sb_csc_mult_add(&s->B, s->Bx, 1.0, x, s->kick);
}

/* One Newton step for g(q1(lambda)) = 0, where dq1/dlambda = h weight B and so the matrix is h weight G(q1)' M^-1 G(q0). */
static inline int impulse_correct(void *arg, double *size) {
    impulse *s = arg;
    const sb_holonomic *holonomic = &s->sys->holonomic;
    const double scale = 1.0 / (s->h * s->weight);
    SB_TRY(holonomic->value(holonomic->self, s->q1, s->g, s->G1x));
    SB_TRY(sb_schur_factor(&s->schur, &s->mass, s->G1x, s->G0x, NULL));
    SB_TRY(sb_schur_solve(&s->schur, s->g));
    impulse_kick(s, s->g);
    for (int i = 0; i < holonomic->m; i++) {
        s->lambda[i] -= scale * s->g[i];
    }
    double moved = 0.0, most = 0.0;
    for (int i = 0; i < s->sys->n; i++) {
        s->q1[i] -= s->kick[i];
        const double step = fabs(s->kick[i]), at = fabs(s->q1[i]);
        moved = step <= moved ? moved : step;
        most = at <= most ? most : at;
    }
    *size = moved == 0.0 ? 0.0 : moved / most;
    return SB_OK;
}

/* v1 = free + weight B lambda, q1 = q0 + h v1. */
static inline void impulse_apply(impulse *s, const double *q0, double *v1) {
    impulse_kick(s, s->lambda);
    for (int i = 0; i < s->sys->n; i++) {
        v1[i] = s->free[i] + s->weight * s->kick[i];
        s->q1[i] = q0[i] + s->h * v1[i];
    }
}

/* Finds lambda with g(q1) = 0 for q1 = q0 + h v1, v1 = free + weight M^-1 G(q0)' lambda, where s->free is set by the caller; lambda holds
 * the guess. Without constraints, or with no weight to act with, it is the drift alone. */
static inline int impulse_position(sb_context *ctx, const sb_newton *newton, impulse *s, double h, double weight, const double *q0, double *q1, double *v1, double *lambda,
                                   long *iters) {
    const sb_holonomic *holonomic = &s->sys->holonomic;
    if (holonomic->m == 0 || weight == 0.0) {
        for (int i = 0; i < s->sys->n; i++) {
            v1[i] = s->free[i];
            q1[i] = q0[i] + h * v1[i];
        }
        return SB_OK;
    }
    s->h = h;
    s->weight = weight;
    s->q1 = q1;
    s->lambda = lambda;
    SB_TRY(holonomic->value(holonomic->self, q0, NULL, s->G0x));
    impulse_set(s, s->G0x);
    impulse_apply(s, q0, v1);
    SB_TRY(sb_newton_iterate(ctx, newton, impulse_correct, s, iters));
    impulse_apply(s, q0, v1); /* q1 again, as the sum that v1 says it is */
    return SB_OK;
}

/* v becomes v + M^-1 G mu with G v = 0 at q. */
static inline int impulse_velocity(impulse *s, const double *q, double *v) {
    const sb_holonomic *holonomic = &s->sys->holonomic;
    if (holonomic->m == 0) {
        return SB_OK;
    }
    SB_TRY(holonomic->value(holonomic->self, q, NULL, s->G1x));
    sb_csc_mult_t(&holonomic->G, s->G1x, v, s->g);
    SB_TRY(sb_schur_factor(&s->schur, &s->mass, s->G1x, s->G1x, NULL));
    SB_TRY(sb_schur_solve(&s->schur, s->g));
    impulse_set(s, s->G1x);
    impulse_kick(s, s->g);
    for (int i = 0; i < s->sys->n; i++) {
        v[i] -= s->kick[i];
    }
    return SB_OK;
}

#endif
