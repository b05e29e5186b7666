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
    double *G0x, *G1x, *g, *force, *push, *kick, *free;
    /* the step being solved */
    double h, weight;
    const double *q0;
    double *q1, *v1, *lambda;
} impulse;

static inline int impulse_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, impulse *out) {
    *out = (impulse){.sys = sys};
    const int nnz = sb_pattern_nnz(&sys->holonomic.G);
    SB_NEW(arena, out->G0x, nnz);
    SB_NEW(arena, out->G1x, nnz);
    SB_NEW(arena, out->g, sys->holonomic.m);
    SB_NEW(arena, out->force, sys->n);
    SB_NEW(arena, out->push, sys->n);
    SB_NEW(arena, out->kick, sys->n);
    SB_NEW(arena, out->free, sys->n);
    SB_TRY(sb_mass_init(ctx, arena, sys, &out->mass));
    return sb_schur_init(ctx, arena, sys, &out->mass, &out->schur);
}

/* v1 = v0 - weight M^-1 V_q(q). */
static inline int impulse_force(impulse *s, const double *q, const double *v0, double weight, double *v1) {
    const sb_potential *V = &s->sys->potential;
    const int n = s->sys->n;
    if (V->gradient == NULL) {
        memmove(v1, v0, (size_t)n * sizeof(double)); /* v1 may be v0 */
        return SB_OK;
    }
    SB_TRY(V->gradient(V->self, q, s->force));
    sb_mass_solve(&s->mass, s->force, s->kick);
    for (int i = 0; i < n; i++) {
        v1[i] = v0[i] - weight * s->kick[i];
    }
    return SB_OK;
}

/* kick = M^-1 G lambda for values Gx of G. */
static inline void impulse_kick(impulse *s, const double *Gx, const double *lambda) {
    memset(s->push, 0, (size_t)s->sys->n * sizeof(double));
    sb_csc_mult_add(&s->sys->holonomic.G, Gx, 1.0, lambda, s->push);
    sb_mass_solve(&s->mass, s->push, s->kick);
}

/* v1 = free + weight M^-1 G(q0)' lambda and q1 = q0 + h v1; returns how far q1 moved. */
static inline double impulse_move(impulse *s) {
    const int n = s->sys->n;
    double most = 0.0;
    impulse_kick(s, s->G0x, s->lambda);
    for (int i = 0; i < n; i++) {
        s->v1[i] = s->free[i] + s->weight * s->kick[i];
        const double to = s->q0[i] + s->h * s->v1[i], moved = fabs(to - s->q1[i]);
        s->q1[i] = to;
        if (!(moved <= most)) {
            most = moved;
        }
    }
    return most;
}

/* One Newton step for g(q1(lambda)) = 0, whose derivative is h weight G(q1)' M^-1 G(q0). */
static int impulse_correct(void *arg, double *size) {
    impulse *s = arg;
    const sb_holonomic *holonomic = &s->sys->holonomic;
    SB_TRY(holonomic->value(holonomic->self, s->q1, s->g, s->G1x));
    SB_TRY(sb_schur_factor(&s->schur, &s->mass, s->G1x, s->G0x, NULL));
    SB_TRY(sb_schur_solve(&s->schur, s->g));
    const double scale = 1.0 / (s->h * s->weight);
    for (int i = 0; i < holonomic->m; i++) {
        s->lambda[i] -= scale * s->g[i];
    }
    const double moved = impulse_move(s);
    *size = moved == 0.0 ? 0.0 : moved / sb_norm_max(s->sys->n, s->q1);
    return SB_OK;
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
    s->q0 = q0;
    s->q1 = q1;
    s->v1 = v1;
    s->lambda = lambda;
    SB_TRY(holonomic->value(holonomic->self, q0, NULL, s->G0x));
    impulse_move(s);
    return sb_newton_iterate(ctx, newton, impulse_correct, s, iters);
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
    impulse_kick(s, s->G1x, s->g);
    for (int i = 0; i < s->sys->n; i++) {
        v[i] -= s->kick[i];
    }
    return SB_OK;
}

#endif
