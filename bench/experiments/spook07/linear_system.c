/* Steps of SPOOK on linear systems, one constrained direction at a time: spook07 5. */
#include "bench/experiments/spook07/linear_system.h"

#include <string.h>

#include <lapacke.h>

#include <stepbench/numerics/norm.h>

static double draw(gsl_rng *rng) { return 2.0 * gsl_rng_uniform(rng) - 1.0; }

/* Computes C (n x m) = A (n x k) B (k x m); transposed: A is k x n, C = A' B. */
static void multiply(int n, int k, int m, const double *A, bool transposed, const double *B, double *C) {
    for (int j = 0; j < m; j++) {
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int l = 0; l < k; l++) {
                sum += (transposed ? A[l + k * i] : A[i + n * l]) * B[l + k * j];
            }
            C[i + n * j] = sum;
        }
    }
}

void sb_linear_draw(gsl_rng *rng, int n, int m, int rank, sb_linear_case *c) {
    double L[SB_LINEAR_MOST * SB_LINEAR_MOST], X[SB_LINEAR_MOST * SB_LINEAR_MOST], Y[SB_LINEAR_MOST * SB_LINEAR_MOST];
    *c = (sb_linear_case){.data = {.n = n, .m = m}, .rank = rank};
    c->data.M = c->M;
    c->data.G = c->G;
    for (int i = 0; i < SB_LINEAR_MOST * SB_LINEAR_MOST; i++) {
        L[i] = draw(rng);
        X[i] = draw(rng);
        Y[i] = draw(rng);
    }
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            double sum = i == j ? 0.5 : 0.0;
            for (int k = 0; k < n; k++) {
                sum += L[i + n * k] * L[j + n * k];
            }
            c->M[i + n * j] = sum;
        }
    }
    multiply(n, rank, m, X, false, Y, c->G);
}

int sb_linear_directions(sb_bench *bench, sb_linear_case *c) {
    const int n = c->data.n, m = c->data.m;
    double factor[SB_LINEAR_MOST * SB_LINEAR_MOST], W[SB_LINEAR_MOST * SB_LINEAR_MOST],
        S[SB_LINEAR_MOST * SB_LINEAR_MOST], lambda[SB_LINEAR_MOST];
    memcpy(factor, c->M, sizeof factor);
    memcpy(W, c->G, sizeof W);
    if (LAPACKE_dposv(LAPACK_COL_MAJOR, 'U', n, m, factor, n, W, n) != 0) {
        return sb_fail(bench->ctx, SB_SINGULAR, "a random mass matrix is not positive definite");
    }
    multiply(m, n, m, c->G, true, W, S);
    if (LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'U', m, S, m, lambda) != 0) {
        return sb_fail(bench->ctx, SB_NOT_CONVERGED, "the eigenvalues of a random G M^-1 G' did not converge");
    }
    for (int i = 0; i < c->rank; i++) { /* in ascending order: the last ones are not zero */
        const int at = m - c->rank + i;
        c->lambda[i] = lambda[at];
        multiply(n, m, 1, W, false, S + m * at, c->d + n * i);
        for (int k = 0; k < n; k++) {
            c->d[k + n * i] /= sqrt(lambda[at]);
        }
    }
    multiply(n, n, c->rank, c->M, false, c->d, c->Md);
    return SB_OK;
}

int sb_linear_stepper_open(sb_bench *bench, sb_arena *arena, const sb_linear_case *c, double eps, double theta,
                           double h, sb_linear_stepper *out) {
    const char *stepper = sb_bench_format(bench, "spook:start=full,eps=%.17g,tau=%.17g", eps, theta);
    if (stepper == NULL) {
        return SB_NO_MEMORY;
    }
    out->c = c;
    out->h = h;
    SB_TRY(sb_quadratic_system(bench->ctx, arena, "linear", &c->data, 1.0, &out->sys));
    SB_TRY(sb_method_build(bench->ctx, arena, stepper, &out->sys, &out->method));
    SB_TRY(sb_state_new(&out->method, arena, &out->in));
    return sb_state_new(&out->method, arena, &out->out);
}

int sb_linear_stepper_step(sb_linear_stepper *w, const double *x, double a, double b) {
    const int n = w->c->data.n;
    w->in.t = 0.0;
    w->in.h = w->h;
    for (int i = 0; i < n; i++) {
        w->in.q[i] = a * x[i];
        w->in.v[i] = b / w->h * x[i];
    }
    return sb_method_step(&w->method, &w->in, w->h, &w->out);
}

double sb_linear_take_out(const sb_linear_case *c, int i, double *y) {
    const int n = c->data.n;
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
        sum += c->Md[k + n * i] * y[k];
    }
    for (int k = 0; k < n; k++) {
        y[k] -= sum * c->d[k + n * i];
    }
    return sum;
}

int sb_linear_block(sb_linear_stepper *w, int i, double B[4], double *leak) {
    const int n = w->c->data.n;
    for (int column = 0; column < 2; column++) {
        SB_TRY(sb_linear_stepper_step(w, w->c->d + n * i, column == 0, column == 1));
        B[2 * column] = sb_linear_take_out(w->c, i, w->out.q);
        B[2 * column + 1] = w->h * sb_linear_take_out(w->c, i, w->out.v);
        *leak = sb_larger(*leak, sb_larger(sb_norm_max(n, w->out.q), w->h * sb_norm_max(n, w->out.v)));
    }
    return SB_OK;
}

double sb_linear_root(double trace, double determinant) {
    const double discriminant = 0.25 * trace * trace - determinant;
    return discriminant < 0.0 ? sqrt(determinant) : 0.5 * fabs(trace) + sqrt(discriminant);
}

int sb_linear_one(sb_bench *bench, double eps, double theta, double *trace, double *determinant) {
    sb_linear_case c = {.data = {.n = 1, .m = 1}, .rank = 1, .M = {1.0}, .G = {1.0}, .d = {1.0}, .Md = {1.0}};
    sb_linear_stepper w;
    double B[4], leak = 0.0;
    c.data.M = c.M;
    c.data.G = c.G;
    SB_SCRATCH(arena, bench->ctx);
    SB_TRY(sb_linear_stepper_open(bench, &arena, &c, eps, theta, 1.0, &w));
    SB_TRY(sb_linear_block(&w, 0, B, &leak));
    *trace = B[0] + B[3];
    *determinant = B[0] * B[3] - B[1] * B[2];
    return SB_OK;
}
