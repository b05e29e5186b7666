/* The multiplier solver of SHAKE and RATTLE for a constant mass, by Newton's method on the multipliers alone, wm96 1,
 * hlw06 VII.1.4. */
#ifndef STEPBENCH_INTEGRATORS_SHARED_PROJECTION_H
#define STEPBENCH_INTEGRATORS_SHARED_PROJECTION_H

#include <string.h>

#include <stepbench/numerics/newton.h>
#include <stepbench/numerics/schur.h>
#include <stepbench/plugin.h>

typedef struct projection_config {
    sb_newton newton;
} projection_config;

static const sb_param projection_params[] = {
    SB_NEWTON_PARAMS(projection_config),
    {.name = NULL},
};

/* position: v1 = v_free + weight M^-1 G(q0)' lambda, q1 = q0 + h v1, g(q1) = 0
 * velocity: v1 = v + M^-1 G(q)' mu, G(q) v1 = 0 */
typedef struct projection {
    const sb_system *sys;
    sb_mass mass;
    sb_schur schur;      /* S = G1 M^-1 G0' */
    sb_sparse_product B; /* G0 M^-1, whose columns are the rows of M^-1 G0' */
    sb_sparse_product S; /* B G1' for one or two constraints, which are solved in closed form */
    double *Bx, *G0x, *G1x, *g, *force, *change, *v_free;
    double h, weight, scale; /* the step being solved; scale = 1/(h weight) */
    double *q1, *lambda;
} projection;

static inline int projection_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, projection *out) {
    const sb_pattern *G = &sys->holonomic.G;
    sb_pattern Gt;
    int *at;
    *out = (projection){.sys = sys};
    SB_NEW(arena, out->force, sys->n);
    SB_NEW(arena, out->change, sys->n);
    SB_NEW(arena, out->v_free, sys->n);
    SB_TRY(sb_mass_init(ctx, arena, sys, &out->mass));
    if (sys->holonomic.m == 0) {
        return SB_OK;
    }
    SB_NEW(arena, out->G0x, sb_pattern_nnz(G));
    SB_NEW(arena, out->G1x, sb_pattern_nnz(G));
    SB_NEW(arena, out->g, sys->holonomic.m);
    SB_TRY(sb_pattern_transpose(arena, G, &Gt, &at));
    SB_TRY(sb_sparse_product_init(arena, &Gt, at, &out->mass.W, SB_PRODUCT_SPARSE, &out->B));
    if (sys->holonomic.m <= 2) {
        SB_TRY(sb_sparse_product_init(arena, &out->B.P, NULL, G, SB_PRODUCT_FULL, &out->S));
    }
    SB_NEW(arena, out->Bx, sb_pattern_nnz(&out->B.P));
    return sb_schur_init(ctx, arena, sys, &out->mass, &out->schur);
}

/* Sets v1 = v0 - weight M^-1 V_q(q); v1 may be v0. */
static inline int projection_accelerate(projection *s, const double *q, const double *v0, double weight, double *v1) {
    const sb_potential *V = &s->sys->potential;
    const int n = s->sys->n;
    if (V->gradient == NULL) {
        memmove(v1, v0, (size_t)n * sizeof(double));
        return SB_OK;
    }
    SB_TRY(V->gradient(V->self, q, s->force));
    sb_mass_solve(&s->mass, s->force, s->change);
    for (int i = 0; i < n; i++) {
        v1[i] = v0[i] - weight * s->change[i];
    }
    return SB_OK;
}

/* Returns component i of M^-1 G0' x. */
static inline double projection_row(const projection *s, int i, const double *x) {
    double sum = 0.0;
    for (int e = s->B.P.p[i]; e < s->B.P.p[i + 1]; e++) {
        sum += s->Bx[e] * x[s->B.P.i[e]];
    }
    return sum;
}

/* Solves G1 M^-1 G0' x = b in place, where B has been set for G0. */
static inline int projection_solve(projection *s, const double *G1x, const double *G0x, double *x) {
    const int m = s->sys->holonomic.m;
    if (m > 2) {
        SB_TRY(sb_schur_factor(&s->schur, &s->mass, G1x, G0x, NULL));
        return sb_schur_solve(&s->schur, x);
    }
    s->schur.linear.ctx->factorizations++;
    const double a = sb_sparse_product_entry(&s->S, 0, s->Bx, G1x);
    if (m == 1) {
        x[0] /= a;
        return fabs(a) > 0.0 ? SB_OK : sb_linear_bad_pivot(&s->schur.linear, 0, a);
    }
    const double b = sb_sparse_product_entry(&s->S, 1, s->Bx, G1x), c = sb_sparse_product_entry(&s->S, 2, s->Bx, G1x),
                 d = sb_sparse_product_entry(&s->S, 3, s->Bx, G1x), determinant = a * d - b * c,
                 inverse = 1.0 / determinant;
    const double x0 = inverse * (d * x[0] - b * x[1]), x1 = inverse * (a * x[1] - c * x[0]);
    x[0] = x0;
    x[1] = x1;
    return fabs(determinant) > 0.0 ? SB_OK : sb_linear_bad_pivot(&s->schur.linear, 1, determinant);
}

/* Takes one Newton step for g(q1(lambda)) = 0, where dq1/dlambda = h weight M^-1 G0'. */
static inline int projection_correct(void *arg, double *size) {
    projection *s = arg;
    const sb_holonomic *holonomic = &s->sys->holonomic;
    SB_TRY(holonomic->value(holonomic->self, s->q1, s->g, s->G1x));
    SB_TRY(projection_solve(s, s->G1x, s->G0x, s->g));
    for (int i = 0; i < holonomic->m; i++) {
        s->lambda[i] -= s->scale * s->g[i];
    }
    double largest_change = 0.0, largest = 0.0;
    for (int i = 0; i < s->sys->n; i++) {
        const double change = projection_row(s, i, s->g), q1 = s->q1[i] - change;
        s->q1[i] = q1;
        largest_change = fabs(change) <= largest_change ? largest_change : fabs(change);
        largest = fabs(q1) <= largest ? largest : fabs(q1);
    }
    *size = largest_change == 0.0 ? 0.0 : largest_change / largest;
    return SB_OK;
}

/* Sets v1 = v_free + weight M^-1 G0' lambda and q1 = q0 + h v1. */
static inline void projection_move(projection *s, const double *q0, double *v1) {
    for (int i = 0; i < s->sys->n; i++) {
        v1[i] = s->v_free[i] + s->weight * projection_row(s, i, s->lambda);
        s->q1[i] = q0[i] + s->h * v1[i];
    }
}

/* Finds the multipliers with g(q1) = 0, from s->v_free, which the caller sets, and a guess in lambda. Without
 * constraints, or with no weight to act with, it sets v1 = v_free. Returns SB_NOT_CONVERGED as sb_newton_iterate does,
 * and SB_SINGULAR naming the constraint. */
static inline int projection_position(sb_context *ctx, const sb_newton *newton, projection *s, double h, double weight,
                                      const double *q0, double *q1, double *v1, double *lambda, long *iters) {
    const sb_holonomic *holonomic = &s->sys->holonomic;
    if (holonomic->m == 0 || weight == 0.0) {
        for (int i = 0; i < s->sys->n; i++) {
            v1[i] = s->v_free[i];
            q1[i] = q0[i] + h * v1[i];
        }
        return SB_OK;
    }
    s->h = h;
    s->weight = weight;
    s->scale = 1.0 / (h * weight);
    s->q1 = q1;
    s->lambda = lambda;
    SB_TRY(holonomic->value(holonomic->self, q0, NULL, s->G0x));
    sb_sparse_product_evaluate(&s->B, s->G0x, s->mass.Wx, s->Bx);
    projection_move(s, q0, v1);
    SB_TRY(sb_newton_iterate(ctx, newton, projection_correct, s, iters));
    projection_move(s, q0, v1); /* q1 is set to q0 + h v1 without the round-off of the corrections */
    return SB_OK;
}

/* Projects v: adds M^-1 G' mu such that G v = 0 at q. */
static inline int projection_velocity(projection *s, const double *q, double *v) {
    const sb_holonomic *holonomic = &s->sys->holonomic;
    if (holonomic->m == 0) {
        return SB_OK;
    }
    SB_TRY(holonomic->value(holonomic->self, q, NULL, s->G1x));
    sb_csc_mult_t(&holonomic->G, s->G1x, v, s->g);
    sb_sparse_product_evaluate(&s->B, s->G1x, s->mass.Wx, s->Bx);
    SB_TRY(projection_solve(s, s->G1x, s->G1x, s->g));
    for (int i = 0; i < s->sys->n; i++) {
        v[i] -= projection_row(s, i, s->g);
    }
    return SB_OK;
}

#endif
