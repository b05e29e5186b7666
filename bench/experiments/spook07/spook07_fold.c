/* Continues the solution of spook07 (26) from a short step to longer ones, with a dense Jacobian: independent of the
 * iteration of the stepper. */
#include <string.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/lapack.h>

#include "bench/experiments/spook07/spook07_fold.h"

static const double eps = 1e-8, theta = 2.0; /* the stepper's defaults */
/* Newton's corrections may grow in the first MONOTONE - 1 iterations. */
enum { ITERATIONS = 20, MONOTONE = 6, POINTS = 300 };

/* The step of length h from (q0, v0); unknowns x = (v1, impulses). g0, gb, g1: g at q0, at q0 - h v0, at q1. */
typedef struct branch {
    sb_arena *arena;
    const sb_system *sys;
    int n, m, size;
    double h;
    const double *q0, *v0;
    double *F, *G0x, *Gx, *g0, *gb, *g1, *q, *tmp, *M;
    double *r, *plus, *minus, *J;
    lapack_int *pivot;
} branch;

static int allocate(sb_arena *arena, const sb_system *sys, branch *b) {
    const int n = sys->n, m = sys->holonomic.m, size = n + m;
    *b = (branch){.arena = arena, .sys = sys, .n = n, .m = m, .size = size};
    SB_TRY(SB_VECTORS(arena, size, &b->F, &b->q, &b->tmp, &b->g0, &b->gb, &b->g1, &b->r, &b->plus, &b->minus));
    SB_TRY(SB_VECTORS(arena, sb_pattern_nnz(&sys->holonomic.G), &b->G0x, &b->Gx));
    SB_NEW(arena, b->M, sb_pattern_nnz(&sys->inertia.M));
    SB_NEW(arena, b->J, size * size);
    SB_NEW(arena, b->pivot, size);
    return SB_OK;
}

/* Computes (psi/h) (g(q1) + 2 g(q0) + g(q0 - h v0)) + (1 - psi) G(q1)' v1. */
static int rows(branch *b, const double *v1, double *out) {
    const sb_holonomic *g = &b->sys->holonomic;
    const double psi = 1.0 / (1.0 + 4.0 * theta);
    for (int i = 0; i < b->n; i++) {
        b->q[i] = b->q0[i] + b->h * v1[i];
    }
    SB_TRY(g->value(g->self, 0.0, b->q, b->g1, b->Gx));
    sb_csc_mult_t(&g->G, b->Gx, v1, out);
    for (int j = 0; j < b->m; j++) {
        out[j] = psi / b->h * (b->g1[j] + 2.0 * b->g0[j] + b->gb[j]) + (1.0 - psi) * out[j];
    }
    return SB_OK;
}

static double sigma(const branch *b) { return 4.0 * eps / ((1.0 + 4.0 * theta) * b->h * b->h); }

static int residual(branch *b, const double *x, double *r) {
    for (int i = 0; i < b->n; i++) {
        b->tmp[i] = x[i] - b->v0[i];
        r[i] = -b->h * b->F[i];
    }
    sb_csc_mult_add(&b->sys->inertia.M, b->M, 1.0, b->tmp, r);
    sb_csc_mult_add(&b->sys->holonomic.G, b->G0x, -1.0, x + b->n, r);
    SB_TRY(rows(b, x, r + b->n));
    for (int j = 0; j < b->m; j++) {
        r[b->n + j] += sigma(b) * x[b->n + j];
    }
    return SB_OK;
}

/* The derivative of the constraints' rows comes from central differences: they are exact for quadratic g, and otherwise
 * accurate enough for Newton's method. */
static int jacobian(branch *b, double *x) {
    const sb_pattern *M = &b->sys->inertia.M, *G = &b->sys->holonomic.G;
    const int n = b->n, size = b->size;
    const double e = 1e-5 * sb_norm_max(n, x);
    memset(b->J, 0, (size_t)size * (size_t)size * sizeof(double));
    for (int i = 0; i < n; i++) {
        const double at = x[i];
        for (int k = M->p[i]; k < M->p[i + 1]; k++) {
            b->J[M->i[k] + i * size] = b->M[k];
        }
        x[i] = at + e;
        SB_TRY(rows(b, x, b->plus));
        x[i] = at - e;
        SB_TRY(rows(b, x, b->minus));
        x[i] = at;
        for (int j = 0; j < b->m; j++) {
            b->J[n + j + i * size] = (b->plus[j] - b->minus[j]) / (2.0 * e);
        }
    }
    for (int j = 0; j < b->m; j++) {
        for (int k = G->p[j]; k < G->p[j + 1]; k++) {
            b->J[G->i[k] + (n + j) * size] = -b->G0x[k];
        }
        b->J[n + j + (n + j) * size] = sigma(b);
    }
    return SB_OK;
}

/* Sets the length of the step. */
static int set_step(branch *b, double h) {
    b->h = h;
    for (int i = 0; i < b->n; i++) {
        b->q[i] = b->q0[i] - h * b->v0[i];
    }
    return sb_holonomic_value(b->sys, 0.0, b->q, b->gb, NULL);
}

/* Solves the equations by Newton's method from x; *done is false if it does not converge. At the end of the branch,
 * where the Jacobian is singular, the corrections halve; from iteration MONOTONE on corrections that grow end the
 * method. */
static int solve(branch *b, double *x, bool *done) {
    double before = (double)INFINITY;
    *done = false;
    for (int k = 0; k < ITERATIONS && !*done; k++) {
        SB_TRY(residual(b, x, b->r));
        SB_TRY(jacobian(b, x));
        const lapack_int info = LAPACKE_dgesv(LAPACK_COL_MAJOR, b->size, 1, b->J, b->size, b->pivot, b->r, b->size);
        if (info != 0) {
            return sb_lapack_no_memory(info) ? SB_NO_MEMORY : SB_OK;
        }
        sb_axpy(b->size, -1.0, b->r, x);
        const double moved = sb_norm_max(b->n, b->r);
        if (!isfinite(moved) || (k >= MONOTONE && !(moved < before))) {
            return SB_OK;
        }
        before = moved;
        *done = moved <= 1e-11 * sb_norm_max(b->n, x);
    }
    return SB_OK;
}

/* Computes the smallest singular value of the Jacobian. */
static int smallest(branch *b, double *x, double *out) {
    SB_TRY(jacobian(b, x));
    const lapack_int info = LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'N', b->size, b->size, b->J, b->size, b->plus, NULL,
                                           1, NULL, 1, b->minus);
    if (info != 0) {
        return sb_lapack_no_memory(info) ? SB_NO_MEMORY : SB_NOT_CONVERGED;
    }
    *out = b->plus[b->size - 1];
    return SB_OK;
}

typedef struct trace {
    int count;
    double s[POINTS], singular[POINTS];
} trace;

/* Follows the solution from s = 0.05 on. Each guess is on the line through the last two solutions; increments of 0.02
 * shrink where Newton's method fails. Ends at 1, or where increments are below 1e-10. Records singular values at the
 * first point and where increments are below 1e-3. */
static int follow(branch *b, double step, trace *out) {
    double *x, *last, *guess, ds = 0.02, before = 0.0, s = 0.05;
    bool done;
    SB_TRY(SB_VECTORS(b->arena, b->size, &x, &last, &guess));
    memcpy(x, b->v0, (size_t)b->n * sizeof(double));
    SB_TRY(set_step(b, s * step));
    SB_TRY(solve(b, x, &done));
    memcpy(last, x, (size_t)b->size * sizeof(double));
    while (done && out->count < POINTS) {
        if (out->count == 0 || ds < 1e-3 || s == 1.0) {
            out->s[out->count] = s;
            SB_TRY(smallest(b, x, &out->singular[out->count++]));
        }
        for (done = false; s < 1.0 && ds > 1e-10 && !done; ds *= done ? 1.0 : 0.7) {
            const double next = fmin(s + ds, 1.0), ratio = before > 0.0 ? (next - s) / (s - before) : 0.0;
            for (int i = 0; i < b->size; i++) {
                guess[i] = x[i] + ratio * (x[i] - last[i]);
            }
            SB_TRY(set_step(b, next * step));
            SB_TRY(solve(b, guess, &done));
            if (done) {
                memcpy(last, x, (size_t)b->size * sizeof(double));
                memcpy(x, guess, (size_t)b->size * sizeof(double));
                before = s;
                s = next;
            }
        }
    }
    return SB_OK;
}

/* Returns the power of the distance from the end in the smallest singular value, from distances of 2e-7, far above the
 * error of the end, about 1e-9, to 2e-4, where the leading term dominates. NaN if the branch has no end. */
static double exponent(const trace *t) {
    double x[64], y[64];
    int count = 0;
    const double end = t->s[t->count - 1];
    for (int k = 0; k < t->count && count < 64; k++) {
        if (end - t->s[k] >= 2e-7 && end - t->s[k] <= 2e-4) {
            x[count] = end - t->s[k];
            y[count++] = t->singular[k];
        }
    }
    return sb_bench_slope(count, x, y).value;
}

/* Takes steps until one fails; `now` is the state before it. */
static int find_failure(sb_bench *bench, const sb_system *sys, double h, long steps, sb_state *now) {
    sb_method me;
    sb_orbit orbit;
    SB_TRY(sb_bench_orbit(bench->ctx, &bench->arena, sys, "variational_regularized", h, &me, &orbit));
    const int status = sb_orbit_advance(&orbit, h, steps);
    *now = orbit.now;
    return status == SB_NOT_CONVERGED ? SB_OK
           : status < 0               ? status
                        : sb_fail(bench->ctx, SB_UNSUPPORTED, "every step of %s has a solution", sys->name);
}

int sb_spook07_fold(sb_bench *bench, const char *problem, double h, long steps, sb_fold *out) {
    sb_system sys;
    sb_state now;
    branch b;
    trace *t;
    SB_NEW(&bench->arena, t, 1);
    SB_TRY(sb_system_build(bench->ctx, &bench->arena, problem, 0, NULL, &sys));
    SB_TRY(find_failure(bench, &sys, h, steps, &now));
    SB_TRY(allocate(&bench->arena, &sys, &b));
    b.q0 = now.q;
    b.v0 = now.v;
    SB_TRY(sys.inertia.mass(sys.inertia.self, now.q, b.M));
    SB_TRY(sb_system_force(&sys, now.t, now.q, now.v, b.F, b.tmp));
    SB_TRY(sb_holonomic_value(&sys, 0.0, now.q, b.g0, b.G0x));
    SB_TRY(follow(&b, h, t));
    if (t->count == 0) {
        return sb_fail(bench->ctx, SB_NOT_CONVERGED, "%s: a twentieth of the step has no solution", problem);
    }
    *out = (sb_fold){now.t, t->s[t->count - 1], t->singular[t->count - 1] / t->singular[0], exponent(t)};
    return SB_OK;
}
