/* The two impulses of SHAKE and RATTLE for a constant mass, by Newton's method on the multipliers alone: wm96 1, hlw06 VII.1.4. */
#ifndef STEPBENCH_INTEGRATORS_SHARED_PROJECTION_H
#define STEPBENCH_INTEGRATORS_SHARED_PROJECTION_H

#include <string.h>

#include <stepbench/plugin.h>
#include <stepbench/numerics/newton.h>
#include <stepbench/numerics/schur.h>

typedef struct impulse_config {
    sb_newton newton;
} impulse_config;

static const sb_param impulse_params[] = {
    SB_NEWTON_PARAMS(impulse_config),
    {.name = NULL},
};

/* B = M^-1 G is held by rows. Sums run along lists made once, so that small systems cost little more than their arithmetic. */
typedef struct impulse {
    const sb_system *sys;
    sb_mass mass;
    sb_schur schur;
    sb_pattern Bt;              /* of B': its columns are the rows of B */
    const int *b_p, *b_w, *b_g; /* entry e of B is the sum of W[b_w] G[b_g] over b_p[e] ... */
    const int *s_p, *s_g, *s_b; /* for one or two constraints: entry k of S = G(q1)' B is the sum of G[s_g] B[s_b] over s_p[k] ... */
    double *Bx, *G0x, *G1x, *g, *force, *kick, *free;
    double h, weight, scale; /* the step being solved; scale = 1/(h weight) */
    double *q1, *lambda;
} impulse;

/* The products in M^-1 G, sorted by the entry of B they belong to. */
static inline int impulse_plan_B(sb_arena *arena, impulse *s) {
    const sb_pattern *G = &s->sys->holonomic.G, *W = &s->mass.W;
    int products = 0, count = 0, *row, *col, *w_at, *g_at, *b_p, *b_w, *b_g;
    for (int k = 0; k < sb_pattern_nnz(G); k++) {
        products += W->p[G->i[k] + 1] - W->p[G->i[k]];
    }
    SB_NEW(arena, row, products);
    SB_NEW(arena, col, products);
    SB_NEW(arena, w_at, products);
    SB_NEW(arena, g_at, products);
    for (int j = 0; j < G->cols; j++) {
        for (int k = G->p[j]; k < G->p[j + 1]; k++) {
            for (int w = W->p[G->i[k]]; w < W->p[G->i[k] + 1]; w++) {
                row[count] = W->i[w];
                col[count] = j;
                w_at[count] = w;
                g_at[count++] = k;
            }
        }
    }
    SB_TRY(sb_pattern_from_pairs(arena, G->cols, G->rows, products, col, row, &s->Bt));
    const int entries = sb_pattern_nnz(&s->Bt);
    SB_NEW(arena, s->Bx, entries);
    SB_NEW(arena, b_p, entries + 1);
    SB_NEW(arena, b_w, products);
    SB_NEW(arena, b_g, products);
    for (int t = 0; t < products; t++) {
        b_p[sb_pattern_find(&s->Bt, col[t], row[t])]++;
    }
    for (int e = 0, end = 0; e <= entries; e++) { /* b_p[e]: first the count of e, then the end of e - 1 */
        const int size = b_p[e];
        b_p[e] = end;
        end += size;
    }
    for (int t = 0; t < products; t++) {
        const int at = b_p[sb_pattern_find(&s->Bt, col[t], row[t])]++;
        b_w[at] = w_at[t];
        b_g[at] = g_at[t];
    }
    memmove(b_p + 1, b_p, (size_t)entries * sizeof *b_p); /* each has moved on to its end */
    b_p[0] = 0;
    s->b_p = b_p;
    s->b_w = b_w;
    s->b_g = b_g;
    return SB_OK;
}

static inline int impulse_plan_S(sb_arena *arena, impulse *s) {
    const sb_pattern *G = &s->sys->holonomic.G;
    const int m = G->cols;
    int count = 0, *s_p, *s_g, *s_b;
    SB_NEW(arena, s_p, m * m + 1);
    SB_NEW(arena, s_g, m * sb_pattern_nnz(G));
    SB_NEW(arena, s_b, m * sb_pattern_nnz(G));
    for (int k = 0; k < m * m; k++) {
        for (int at = G->p[k % m]; at < G->p[k % m + 1]; at++) {
            const int b = sb_pattern_find(&s->Bt, k / m, G->i[at]);
            if (b >= 0) {
                s_g[count] = at;
                s_b[count++] = b;
            }
        }
        s_p[k + 1] = count;
    }
    s->s_p = s_p;
    s->s_g = s_g;
    s->s_b = s_b;
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
    SB_TRY(impulse_plan_B(arena, out));
    if (sys->holonomic.m <= 2) {
        SB_TRY(impulse_plan_S(arena, out));
    }
    return sb_schur_init(ctx, arena, sys, &out->mass, &out->schur);
}

static inline void impulse_fini(impulse *s) {
    sb_schur_fini(&s->schur);
}

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

/* sum of a[i] b[j] over the pairs (i, j) from `begin` to before `end`. */
static inline double impulse_sum(int begin, int end, const int *i, const double *a, const int *j, const double *b) {
    double sum = 0.0;
    for (int k = begin; k < end; k++) {
        sum += a[i[k]] * b[j[k]];
    }
    return sum;
}

/* B = M^-1 G for values Gx of G. */
static inline void impulse_set(impulse *s, const double *Gx) {
    for (int e = 0; e < s->Bt.p[s->Bt.cols]; e++) {
        s->Bx[e] = impulse_sum(s->b_p[e], s->b_p[e + 1], s->b_w, s->mass.Wx, s->b_g, Gx);
    }
}

/* (B x)_i. */
static inline double impulse_row(const impulse *s, int i, const double *x) {
    double sum = 0.0;
    for (int e = s->Bt.p[i]; e < s->Bt.p[i + 1]; e++) {
        sum += s->Bx[e] * x[s->Bt.i[e]];
    }
    return sum;
}

/* Entry k of G' B, by columns. */
static inline double impulse_entry(const impulse *s, int k, const double *Gx) {
    return impulse_sum(s->s_p[k], s->s_p[k + 1], s->s_g, Gx, s->s_b, s->Bx);
}

/* x becomes (G' M^-1 G0)^-1 x for values Gx of G, where B is that of the values G0x. */
static inline int impulse_solve(impulse *s, const double *Gx, const double *G0x, double *x) {
    const int m = s->sys->holonomic.m;
    if (m > 2) {
        SB_TRY(sb_schur_factor(&s->schur, &s->mass, Gx, G0x, NULL));
        return sb_schur_solve(&s->schur, x);
    }
    s->schur.linear.ctx->factorizations++;
    const double a = impulse_entry(s, 0, Gx);
    if (m == 1) {
        x[0] /= a;
        return fabs(a) > 0.0 ? SB_OK : sb_linear_bad_pivot(&s->schur.linear, 0, a);
    }
    const double b = impulse_entry(s, 2, Gx), c = impulse_entry(s, 1, Gx), d = impulse_entry(s, 3, Gx), determinant = a * d - b * c,
                 inverse = 1.0 / determinant;
    const double x0 = inverse * (d * x[0] - b * x[1]), x1 = inverse * (a * x[1] - c * x[0]);
    x[0] = x0;
    x[1] = x1;
    return fabs(determinant) > 0.0 ? SB_OK : sb_linear_bad_pivot(&s->schur.linear, 1, determinant);
}

/* One Newton step for g(q1(lambda)) = 0, where dq1/dlambda = h weight B. */
static inline int impulse_correct(void *arg, double *size) {
    impulse *s = arg;
    const sb_holonomic *holonomic = &s->sys->holonomic;
    SB_TRY(holonomic->value(holonomic->self, s->q1, s->g, s->G1x));
    SB_TRY(impulse_solve(s, s->G1x, s->G0x, s->g));
    for (int i = 0; i < holonomic->m; i++) {
        s->lambda[i] -= s->scale * s->g[i];
    }
    double moved = 0.0, most = 0.0;
    for (int i = 0; i < s->sys->n; i++) {
        const double move = impulse_row(s, i, s->g), to = s->q1[i] - move;
        s->q1[i] = to;
        moved = fabs(move) <= moved ? moved : fabs(move);
        most = fabs(to) <= most ? most : fabs(to);
    }
    *size = moved == 0.0 ? 0.0 : moved / most;
    return SB_OK;
}

/* v1 = free + weight B lambda, q1 = q0 + h v1. */
static inline void impulse_apply(impulse *s, const double *q0, double *v1) {
    for (int i = 0; i < s->sys->n; i++) {
        v1[i] = s->free[i] + s->weight * impulse_row(s, i, s->lambda);
        s->q1[i] = q0[i] + s->h * v1[i];
    }
}

/* Finds lambda with g(q1) = 0 for q1 = q0 + h v1, v1 = free + weight M^-1 G(q0)' lambda, where s->free is set by the caller; lambda holds
 * the guess. Without constraints, or with no weight to act with, it is the drift alone. */
static inline int impulse_position(sb_context *ctx, const sb_newton *newton, impulse *s, double h, double weight, const double *q0,
                                   double *q1, double *v1, double *lambda, long *iters) {
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
    s->scale = 1.0 / (h * weight);
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
    impulse_set(s, s->G1x);
    SB_TRY(impulse_solve(s, s->G1x, s->G1x, s->g));
    for (int i = 0; i < s->sys->n; i++) {
        v[i] -= impulse_row(s, i, s->g);
    }
    return SB_OK;
}

#endif
