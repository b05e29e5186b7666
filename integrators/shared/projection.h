/* The multiplier solver of SHAKE and RATTLE for a constant mass, by Newton's method on the multipliers alone, wm96 1,
 * hlw06 VII.1.4. */
#pragma once

#include <string.h>

#include <stepbench/numerics/continuation.h>
#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/newton.h>
#include <stepbench/numerics/saddle.h>
#include <stepbench/numerics/schur.h>
#include <stepbench/numerics/sparse_product.h>
#include <stepbench/plugin.h>

typedef struct projection_config {
    sb_newton newton;
} projection_config;

static const sb_param projection_params[] = {
    SB_NEWTON_PARAMS(projection_config),
    {.name = NULL},
};

/* position: v1 = v_free + weight M^-1 G(t0, q0)' lambda, q1 = q0 + h v1, g(t0 + h, q1) = 0
 * velocity: v1 = v + M^-1 G(t, q)' mu, G(t, q) v1 + g_t(t, q) = 0 */
typedef struct projection {
    sb_context *ctx;
    const sb_system *sys;
    sb_mass mass;
    sb_schur schur; /* S = G1 M^-1 G0' */
    bool full;      /* a diagonal M and at most two constraints: B and G1 are full, by rows (n x m), and at[k] is
                       the place of entry k of G there */
    sb_scalar *G1;
    int *at;
    sb_sparse_product B; /* otherwise G0 M^-1, whose columns are the rows of M^-1 G0' */
    sb_sparse_product S; /* B G1' for one or two constraints, which are solved in closed form */
    sb_saddle saddle;    /* [M, -G0'; G1, 0] in place of S where `sparse` is set; B is then the identity */
    bool sparse;
    sb_scalar *x;       /* right-hand side and solution of the saddle system (n + m) */
    sb_scalar *push;    /* M^-1 G0' x of the last solution x (n) */
    const sb_scalar *y; /* g, or `push` */
    sb_scalar *Bx, *G0x, *G1x, *g, *rate, *force, *change, *v_free;
    sb_scalar length;                   /* sb_system_length */
    sb_scalar t0, t1, h, weight, scale; /* the step being solved; scale = 1/(h weight) */
    const sb_scalar *q0, *v0, *a;
    sb_scalar by_v, by_a; /* largest components of h v0 and of the guess - q0 - h v0 */
    sb_scalar *q1, *lambda;
    sb_scalar *last; /* scratch of sb_continue (n) */
} projection;

/* Where a mass matrix couples bodies in a row, its inverse and the Schur complement are full, and the saddle matrix is
 * not. In chains of four-bars the saddle system, factored sparsely, is the faster one from 12 bodies on: W has then
 * four times the entries of M. At 32 it takes a quarter of the instructions. */
#define PROJECTION_FILL 4

static inline int projection_init_sparse(sb_context *ctx, sb_arena *arena, const sb_system *sys,
                                         const sb_solver *solver, projection *out) {
    const int n = sys->n, m = sys->holonomic.m;
    out->sparse = true;
    SB_NEW(arena, out->x, n + m);
    SB_NEW(arena, out->push, n);
    out->y = out->push;
    SB_NEW(arena, out->Bx, n);
    SB_TRY(sb_pattern_diagonal(arena, n, &out->B.P));
    for (int i = 0; i < n; i++) {
        out->Bx[i] = 1.0;
    }
    return sb_saddle_init_with(ctx, arena, sys, &out->mass.M, solver, &out->saddle);
}

static inline int projection_init_full(sb_arena *arena, projection *out) {
    const sb_pattern *G = &out->sys->holonomic.G;
    const int n = out->sys->n, m = out->sys->holonomic.m;
    SB_TRY(SB_VECTORS(arena, n * m, &out->Bx, &out->G1));
    SB_NEW(arena, out->at, sb_pattern_nnz(G));
    for (int j = 0; j < m; j++) {
        for (int k = G->p[j]; k < G->p[j + 1]; k++) {
            out->at[k] = m * G->i[k] + j;
        }
    }
    return SB_OK;
}

static inline int projection_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_added_mass *added,
                                  projection *out) {
    const sb_pattern *G = &sys->holonomic.G;
    sb_pattern Gt;
    int *at;
    *out = (projection){.ctx = ctx, .sys = sys};
    SB_TRY(SB_VECTORS(arena, sys->n, &out->force, &out->change, &out->v_free));
    SB_TRY(sb_mass_init_with(ctx, arena, sys, added, &out->mass));
    out->full = out->mass.diagonal && sys->holonomic.m <= 2;
    if (sys->holonomic.m == 0) {
        return SB_OK;
    }
    SB_TRY(sb_system_length(ctx, sys, &out->length));
    SB_NEW(arena, out->last, sys->n);
    SB_TRY(SB_VECTORS(arena, sb_pattern_nnz(G), &out->G0x, &out->G1x));
    SB_TRY(SB_VECTORS(arena, sys->holonomic.m, &out->g, &out->rate));
    out->y = out->g;
    const sb_solver *solver = sb_solver_choose(ctx, "auto", SB_FORM_GENERAL, sys->n + sys->holonomic.m);
    if (sys->holonomic.m > 2 && !solver->full &&
        (out->mass.W.p == NULL || sb_pattern_nnz(&out->mass.W) > PROJECTION_FILL * sb_pattern_nnz(&out->mass.M))) {
        return projection_init_sparse(ctx, arena, sys, solver, out);
    }
    SB_TRY(sb_mass_form_inverse(arena, &out->mass));
    SB_TRY(sb_schur_init(ctx, arena, sys, &out->mass, &out->schur));
    if (out->full) {
        return projection_init_full(arena, out);
    }
    SB_TRY(sb_pattern_transpose(arena, G, &Gt, &at));
    SB_TRY(sb_sparse_product_init(arena, &Gt, at, &out->mass.W, SB_PRODUCT_SPARSE, &out->B));
    if (sys->holonomic.m <= 2) {
        SB_TRY(sb_sparse_product_init(arena, &out->B.P, NULL, G, SB_PRODUCT_FULL, &out->S));
    }
    SB_NEW(arena, out->Bx, sb_pattern_nnz(&out->B.P));
    return SB_OK;
}

/* Sets v1 = v0 - weight M^-1 V_q(t, q); v1 may be v0. */
SB_INLINED int projection_accelerate(projection *s, sb_scalar t, const sb_scalar *q, const sb_scalar *v0,
                                     sb_scalar weight, sb_scalar *v1, const bool plain, const int n) {
    if (!plain && s->sys->potential.value == NULL) {
        memmove(v1, v0, (size_t)n * sizeof(sb_scalar));
        return SB_OK;
    }
    SB_TRY(sb_potential_gradient(s->sys, t, q, s->force));
    if (plain || s->mass.diagonal) { /* in one loop: for a few coordinates calls cost as much as the arithmetic */
        for (int i = 0; i < n; i++) {
            v1[i] = v0[i] - weight * (s->mass.Wx[i] * s->force[i]);
        }
        return SB_OK;
    }
    sb_mass_solve(&s->mass, s->force, s->change);
    for (int i = 0; i < n; i++) {
        v1[i] = v0[i] - weight * s->change[i];
    }
    return SB_OK;
}

/* Returns component i of M^-1 G0' x = B' y, where y is x, or `push` where B is the identity. */
SB_INLINED sb_scalar projection_row(const projection *s, int i, const sb_scalar *y, const int m, const bool full) {
    sb_scalar sum = 0.0;
    for (int j = 0; j < m && full; j++) {
        sum += s->Bx[m * i + j] * y[j];
    }
    for (int e = full ? 0 : s->B.P.p[i], end = full ? 0 : s->B.P.p[i + 1]; e < end; e++) {
        sum += s->Bx[e] * y[s->B.P.i[e]];
    }
    return sum;
}

/* Evaluates g, which may be NULL, and Gx, which is spread over G1 where that is full. */
SB_INLINED int projection_evaluate(projection *s, sb_scalar t, const sb_scalar *q, sb_scalar *g, sb_scalar *Gx,
                                   const int m, const bool full) {
    SB_TRY(sb_holonomic_value(s->sys, t, q, g, Gx));
    for (int k = 0, nnz = full ? s->sys->holonomic.G.p[m] : 0; k < nnz; k++) {
        s->G1[s->at[k]] = Gx[k];
    }
    return SB_OK;
}

/* Sets B for G0, which has been evaluated as G1. */
SB_INLINED void projection_set(projection *s, const sb_scalar *G0x, const int n, const int m, const bool full) {
    for (int i = 0; i < n && full; i++) {
        for (int j = 0; j < m; j++) {
            s->Bx[m * i + j] = s->mass.Wx[i] * s->G1[m * i + j];
        }
    }
    if (!full && !s->sparse) {
        sb_sparse_product_evaluate(&s->B, G0x, s->mass.Wx, s->Bx);
    }
}

/* Returns y of projection_row for x = lambda; sets `push` where B is the identity. */
static __attribute__((noinline, cold)) const sb_scalar *projection_push(projection *s, const sb_scalar *lambda) {
    memset(s->x, 0, (size_t)s->sys->n * sizeof(sb_scalar));
    sb_csc_mult_add(&s->sys->holonomic.G, s->G0x, 1.0, lambda, s->x);
    sb_mass_solve(&s->mass, s->x, s->push);
    return s->push;
}

static inline const sb_scalar *projection_vector(projection *s, const sb_scalar *lambda) {
    return s->sparse ? projection_push(s, lambda) : lambda;
}

/* Solves G1 M^-1 G0' x = b in place, or M d = G0' x, G1 d = b by the sparse saddle system: `push` becomes d. */
static __attribute__((noinline)) int projection_solve_many(projection *s, const sb_scalar *G1x, const sb_scalar *G0x,
                                                           sb_scalar *b) {
    if (!s->sparse) {
        SB_TRY(sb_schur_factor(&s->schur, &s->mass, G1x, G0x, NULL));
        return sb_schur_solve(&s->schur, b);
    }
    const int n = s->sys->n, m = s->sys->holonomic.m;
    memcpy(s->saddle.Hx, s->mass.Mx, (size_t)sb_pattern_nnz(&s->mass.M) * sizeof(sb_scalar));
    memset(s->x, 0, (size_t)n * sizeof(sb_scalar));
    memcpy(s->x + n, b, (size_t)m * sizeof(sb_scalar));
    sb_saddle_assemble(&s->saddle, 1.0, -1.0, G0x, 1.0, G1x);
    SB_TRY(sb_saddle_factor_solve(&s->saddle, s->x));
    memcpy(b, s->x + n, (size_t)m * sizeof(sb_scalar));
    memcpy(s->push, s->x, (size_t)n * sizeof(sb_scalar));
    return SB_OK;
}

/* Returns the entry (r, c) of B G1'. */
SB_INLINED sb_scalar projection_entry(const projection *s, int r, int c, const int n, const int m, const bool full) {
    if (!full) {
        return sb_sparse_product_entry(&s->S, r + m * c, s->Bx, s->G1x);
    }
    sb_scalar sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += s->Bx[m * i + r] * s->G1[m * i + c];
    }
    return sum;
}

/* Solves G1 M^-1 G0' x = b in place, where B has been set for G0 and G1 has been evaluated. */
SB_INLINED int projection_solve(projection *s, const sb_scalar *G0x, sb_scalar *x, const int n, const int m,
                                const bool full) {
    if (m > 2) {
        return projection_solve_many(s, s->G1x, G0x, x);
    }
    s->ctx->factorizations++;
    const sb_scalar a = projection_entry(s, 0, 0, n, m, full);
    if (m == 1) {
        x[0] /= a;
        return fabs(a) > 0.0 ? SB_OK : sb_schur_bad_pivot(&s->schur, 0, a);
    }
    const sb_scalar b = projection_entry(s, 1, 0, n, m, full), c = projection_entry(s, 0, 1, n, m, full),
                    d = projection_entry(s, 1, 1, n, m, full), determinant = a * d - b * c, inverse = 1.0 / determinant;
    const sb_scalar x0 = inverse * (d * x[0] - b * x[1]), x1 = inverse * (a * x[1] - c * x[0]);
    x[0] = x0;
    x[1] = x1;
    return fabs(determinant) > 0.0 ? SB_OK : sb_schur_bad_pivot(&s->schur, 1, determinant);
}

/* Moves q1 by s->change, unless it is NULL, minus B' y. */
SB_INLINED void projection_advance(projection *s, const sb_scalar *moves, sb_scalar *change, sb_scalar *scale,
                                   const int n, const int m, const bool full) {
    const sb_scalar *y = s->y;
    sb_scalar *const q = s->q1, largest_change = 0.0, largest = 0.0;
    for (int i = 0; i < n; i++) {
        const sb_scalar row = projection_row(s, i, y, m, full), moved = moves != NULL ? moves[i] - row : -row,
                        q1 = q[i] + moved;
        q[i] = q1;
        largest_change = fabs(moved) <= largest_change ? largest_change : fabs(moved);
        largest = fabs(q1) <= largest ? largest : fabs(q1);
    }
    *change = largest_change;
    *scale = largest;
}

/* Takes one Newton step for g(t1, q1(lambda)) = 0, where dq1/dlambda = h weight M^-1 G0'. */
SB_INLINED int projection_correct(projection *s, sb_scalar *change, sb_scalar *scale, const int n, const int m,
                                  const bool full) {
    SB_TRY(projection_evaluate(s, s->t1, s->q1, s->g, s->G1x, m, full));
    SB_TRY(projection_solve(s, s->G0x, s->g, n, m, full));
    sb_axpy(m, -s->scale, s->g, s->lambda);
    projection_advance(s, NULL, change, scale, n, m, full);
    return SB_OK;
}

/* With constraints a state has two accelerations in aux: the guess for the next step, extrapolated from the last two
 * steps, and that of the last step. */
static inline int projection_naux(const sb_system *sys) { return sys->holonomic.m > 0 ? 2 * sys->n : 0; }

/* Sets the first guess, the acceleration a of the start. */
static inline void projection_guess_from(int n, const sb_scalar *a, sb_scalar *aux) {
    for (int i = 0; i < n; i++) {
        aux[i] = aux[n + i] = a[i];
    }
}

/* Sets the next guess after a step with v1 = v0 + weight a. */
static inline void projection_extrapolate(int n, sb_scalar weight, const sb_scalar *v0, const sb_scalar *v1,
                                          const sb_scalar *last, sb_scalar *next) {
    const sb_scalar rate = weight != 0.0 ? 1.0 / weight : 0.0;
    for (int i = 0; i < n; i++) {
        const sb_scalar a = rate * (v1[i] - v0[i]);
        next[i] = 2.0 * a - last[n + i];
        next[n + i] = a;
    }
}

/* Solves the equations with g linearized at y, the value of q1 on entry, where s->change is q0 + h v_free - y:
 *
 *   g(t1, y) + G(y) (q1 - y) = 0,  q1 = q0 + h v_free + h weight M^-1 G0' lambda.
 *
 * `change` is the largest component of q1 - y. */
SB_INLINED int projection_linearize(projection *s, sb_scalar *change, sb_scalar *scale, const int n, const int m,
                                    const bool full) {
    const sb_holonomic *holonomic = &s->sys->holonomic;
    SB_TRY(projection_evaluate(s, s->t1, s->q1, s->g, s->G1x, m, full));
    for (int j = 0; j < m; j++) {
        for (int i = 0; i < n && full; i++) {
            s->g[j] += s->G1[m * i + j] * s->change[i];
        }
        for (int k = holonomic->G.p[j]; k < holonomic->G.p[j + 1] && !full; k++) {
            s->g[j] += s->G1x[k] * s->change[holonomic->G.i[k]];
        }
    }
    SB_TRY(projection_solve(s, s->G0x, s->g, n, m, full));
    for (int i = 0; i < m; i++) {
        s->lambda[i] = -s->scale * s->g[i];
    }
    projection_advance(s, s->change, change, scale, n, m, full);
    return SB_OK;
}

/* Takes a Newton step for the fraction f of the step: q1 = q0 + f h v_free + h weight M^-1 G0' lambda. */
static int projection_continue(void *arg, sb_scalar f, sb_scalar *change, sb_scalar *scale) {
    projection *s = arg;
    for (int i = 0; i < s->sys->n; i++) {
        s->change[i] = s->q0[i] + f * s->h * s->v_free[i] - s->q1[i];
    }
    s->t1 = s->t0 + f * s->h;
    return projection_linearize(s, change, scale, s->sys->n, s->sys->holonomic.m, s->full);
}

/* Sets q1 to the step with the constraints linearized at q0. */
static __attribute__((noinline, cold)) int projection_linear_step(projection *s, sb_scalar *change, sb_scalar *scale) {
    memcpy(s->q1, s->q0, (size_t)s->sys->n * sizeof(sb_scalar));
    s->by_a = INFINITY;
    return projection_continue(s, 1.0, change, scale);
}

/* Takes the first step of Newton's method from y = q0 + h (v0 + weight a), the motion with the acceleration a. The
 * multipliers of the last step are no guess: they turn with the constraints, and M^-1 of a light body magnifies the
 * change. Next to a singular pose accelerations change by more than their size from step to step. Therefore the guess
 * is the linearized step unless y was nearer to the result than half of its distance from q0 + h v0, or as near as the
 * root of round-off. */
SB_INLINED int projection_first(projection *s, sb_scalar *change, sb_scalar *scale, const int n, const int m,
                                const bool full) {
    sb_scalar by_v = 0.0, by_a = 0.0;
    for (int i = 0; i < n; i++) {
        const sb_scalar v = s->v0[i], dv = s->weight * s->a[i];
        s->q1[i] = s->q0[i] + s->h * (v + dv);
        s->change[i] = s->h * (s->v_free[i] - v - dv);
        by_v = fabs(v) <= by_v ? by_v : fabs(v);
        by_a = fabs(dv) <= by_a ? by_a : fabs(dv);
    }
    s->by_v = fabs(s->h) * by_v;
    s->by_a = fabs(s->h) * by_a;
    SB_TRY(projection_linearize(s, change, scale, n, m, full));
    return *change <= sqrt(SB_EPSILON) * *scale || *change <= 0.5 * s->by_a ? SB_OK
                                                                            : projection_linear_step(s, change, scale);
}

/* Sets v1 = v_free + weight M^-1 G0' lambda and q1 = q0 + h v1, without the round-off of the corrections. */
SB_INLINED void projection_move(projection *s, sb_scalar *v1, const int n, const int m, const bool full) {
    const sb_scalar *y = full ? s->lambda : projection_vector(s, s->lambda);
    for (int i = 0; i < n; i++) {
        v1[i] = s->v_free[i] + s->weight * projection_row(s, i, y, m, full);
        s->q1[i] = s->q0[i] + s->h * v1[i];
    }
}

/* Finds the solution that continues the motion from q0. */
static __attribute__((noinline, cold)) int projection_follow(projection *s, sb_scalar *v1) {
    memcpy(s->q1, s->q0, (size_t)s->sys->n * sizeof(sb_scalar));
    SB_TRY(sb_continue(s->ctx, s->sys->n, s->q1, s->last, s->length, projection_continue, s));
    projection_move(s, v1, s->sys->n, s->sys->holonomic.m, s->full);
    return SB_OK;
}

/* Finds the multipliers with g(t + h, q1) = 0, from s->v_free, which the caller sets, and the guess q0 + h (v0 + weight
 * a). Without constraints, or with no weight to act with, it sets v1 = v_free. Returns SB_NOT_CONVERGED as
 * sb_newton_again and sb_continue do, and SB_SINGULAR naming the constraint. */
SB_INLINED int projection_position(const sb_newton *newton, projection *s, sb_scalar t, sb_scalar h, sb_scalar weight,
                                   const sb_scalar *q0, const sb_scalar *v0, const sb_scalar *a, sb_scalar *q1,
                                   sb_scalar *v1, sb_scalar *lambda, long *iters, const int n, const int m,
                                   const bool full) {
    sb_newton_loop loop = {0};
    sb_scalar corrected = 0.0; /* sum of the corrections of the guess */
    if (m == 0 || weight == 0.0) {
        for (int i = 0; i < n; i++) {
            v1[i] = s->v_free[i];
            q1[i] = q0[i] + h * v1[i];
        }
        return SB_OK;
    }
    s->t0 = t;
    s->t1 = t + h;
    s->h = h;
    s->weight = weight;
    s->scale = 1.0 / (h * weight);
    s->q0 = q0;
    s->v0 = v0;
    s->a = a;
    s->q1 = q1;
    s->lambda = lambda;
    SB_TRY(projection_evaluate(s, t, q0, NULL, s->G0x, m, full));
    projection_set(s, s->G0x, n, m, full);
    while (sb_newton_again(s->ctx, newton, SB_NEWTON_QUADRATIC, s->length, &loop)) {
        loop.status = loop.iters == 1 ? projection_first(s, &loop.change, &loop.scale, n, m, full)
                                      : projection_correct(s, &loop.change, &loop.scale, n, m, full);
        corrected += loop.change;
    }
    *iters = loop.iters;
    SB_TRY(loop.status);
    projection_move(s, v1, n, m, full);
    return sb_continues(s->by_a + corrected, s->by_v, s->length) ? SB_OK : projection_follow(s, v1);
}

/* Adds g_t to s->g where the constraints depend on time. */
static inline int projection_add_rate(projection *s, sb_scalar t, const sb_scalar *q) {
    if (s->sys->holonomic.rate == NULL) {
        return SB_OK;
    }
    SB_TRY(sb_holonomic_rate(s->sys, t, q, s->rate));
    sb_axpy(s->sys->holonomic.m, 1.0, s->rate, s->g);
    return SB_OK;
}

/* Projects v: adds M^-1 G' mu such that G v + g_t = 0 at (t, q). */
SB_INLINED int projection_velocity(projection *s, sb_scalar t, const sb_scalar *q, sb_scalar *v, const int n,
                                   const int m, const bool full) {
    const sb_scalar *y = s->y;
    if (m == 0) {
        return SB_OK;
    }
    SB_TRY(projection_evaluate(s, t, q, NULL, s->G1x, m, full));
    for (int j = 0; j < m && full; j++) {
        sb_scalar sum = 0.0;
        for (int i = 0; i < n; i++) {
            sum += s->G1[m * i + j] * v[i];
        }
        s->g[j] = sum;
    }
    if (!full) {
        sb_csc_mult_t(&s->sys->holonomic.G, s->G1x, v, s->g);
    }
    SB_TRY(projection_add_rate(s, t, q));
    projection_set(s, s->G1x, n, m, full);
    SB_TRY(projection_solve(s, s->G1x, s->g, n, m, full));
    for (int i = 0; i < n; i++) {
        v[i] -= projection_row(s, i, y, m, full);
    }
    return SB_OK;
}
