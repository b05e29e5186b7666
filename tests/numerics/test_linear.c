/* Mass inverse, saddle system, Schur complement and Newton's iteration against definitions and LAPACK. */
#include <string.h>

#include <gsl/gsl_rng.h>
#include <gsl/gsl_test.h>
#include <lapacke.h>

#include <stepbench/numerics/newton.h>
#include <stepbench/numerics/norm.h>
#include <stepbench/numerics/saddle.h>
#include <stepbench/numerics/schur.h>

enum { N = 7, M = 3, NMAX = 40 };

static gsl_rng *rng;

static double draw(void) { return 2.0 * gsl_rng_uniform(rng) - 1.0; }

/* A made-up system: M has blocks {0, 4}, {1}, {2, 3, 6}, {5}; G is sparse. */
typedef struct made_up {
    double mass[N * N];
    double G[N * M];
    sb_pattern P, G_pattern;
} made_up;

static int made_up_mass(const void *self, const double *q, double *Mx) {
    (void)q;
    const made_up *s = self;
    for (int j = 0; j < N; j++) {
        for (int k = s->P.p[j]; k < s->P.p[j + 1]; k++) {
            Mx[k] = s->mass[s->P.i[k] + j * N];
        }
    }
    return SB_OK;
}

static int build(sb_arena *arena, made_up *s, sb_system *sys) {
    const int row[] = {0, 4, 0, 4, 1, 2, 3, 6, 2, 3, 3, 6, 5}, col[] = {0, 4, 4, 0, 1, 2, 3, 6, 3, 2, 6, 3, 5};
    const int grow[] = {0, 1, 4, 2, 3, 6, 5, 0}, gcol[] = {0, 0, 0, 1, 1, 2, 2, 2};
    SB_TRY(sb_pattern_from_pairs(arena, N, N, 13, row, col, &s->P));
    SB_TRY(sb_pattern_from_pairs(arena, N, M, 8, grow, gcol, &s->G_pattern));
    for (int k = 0; k < 13; k++) {
        s->mass[row[k] + col[k] * N] = row[k] == col[k] ? 3.0 + draw() : 0.4 + 0.01 * (row[k] + col[k]);
    }
    for (int k = 0; k < 8; k++) {
        s->G[grow[k] + gcol[k] * N] = draw();
    }
    *sys = (sb_system){.name = "made-up", .n = N};
    sys->inertia = (sb_inertia){.self = s, .M = s->P, .mass = made_up_mass};
    sys->holonomic.m = M;
    sys->holonomic.G = s->G_pattern;
    return sb_pattern_full(arena, N, N, &sys->H);
}

static void values(const sb_pattern *A, const double *dense, double *x) {
    for (int j = 0; j < A->cols; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            x[k] = dense[A->i[k] + j * A->rows];
        }
    }
}

/* Orders and condition numbers here are below 100: solutions agree to 100 eps, with room for the sum lengths. */
static const double bound = 1e-13;

static void test_mass_and_schur(sb_context *ctx, sb_arena *arena) {
    made_up s = {0};
    sb_system sys;
    sb_mass mass;
    sb_schur schur;
    gsl_test(build(arena, &s, &sys), "made-up system");
    gsl_test(sb_mass_init(ctx, arena, &sys, &mass), "mass");
    double x[N], b[N], back[N];
    for (int i = 0; i < N; i++) {
        b[i] = draw();
    }
    sb_mass_solve(&mass, b, x);
    sb_mass_mult(&mass, x, back);
    for (int i = 0; i < N; i++) {
        gsl_test_abs(back[i], b[i], bound, "M M^-1 b = b, row %d", i);
    }
    double Gx[8], rhs[M], S[M * M] = {0}, expected[M];
    values(&s.G_pattern, s.G, Gx);
    gsl_test(sb_schur_init(ctx, arena, &sys, &mass, &schur), "Schur complement");
    gsl_test(sb_schur_factor(&schur, &mass, Gx, Gx, NULL), "Schur complement is factored");
    for (int j = 0; j < M; j++) {
        double w[N];
        sb_mass_solve(&mass, s.G + j * N, w);
        for (int i = 0; i < M; i++) {
            for (int k = 0; k < N; k++) {
                S[i + j * M] += s.G[k + i * N] * w[k];
            }
        }
        rhs[j] = expected[j] = draw();
    }
    lapack_int pivot[M];
    gsl_test(LAPACKE_dgesv(LAPACK_COL_MAJOR, M, 1, S, M, pivot, expected, M) != 0, "LAPACK solves");
    gsl_test(sb_schur_solve(&schur, rhs), "Schur solve");
    for (int i = 0; i < M; i++) {
        gsl_test_abs(rhs[i], expected[i], bound, "Schur solution %d", i);
    }
}

static void test_saddle(sb_context *ctx, sb_arena *arena) {
    made_up s = {0};
    sb_system sys;
    sb_saddle saddle;
    gsl_test(build(arena, &s, &sys), "made-up system");
    gsl_test(sb_saddle_init(ctx, arena, &sys, &saddle), "saddle");
    double H[N * N], other[N * M], dense[(N + M) * (N + M)] = {0}, x[N + M], expected[N + M], G0x[8], G1x[8];
    const double a = -1.3, b = 0.7, d = 2.1;
    memcpy(other, s.G, sizeof other);
    for (int k = 0; k < N * M; k++) {
        other[k] *= 1.0 + 0.1 * draw();
    }
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < N; i++) {
            H[i + j * N] = draw() + (i == j ? 4.0 : 0.0);
            dense[i + j * (N + M)] = a * H[i + j * N];
        }
        for (int c = 0; c < M; c++) {
            dense[j + (N + c) * (N + M)] = b * s.G[j + c * N];
            dense[N + c + j * (N + M)] = d * other[j + c * N];
        }
    }
    for (int i = 0; i < N + M; i++) {
        x[i] = expected[i] = draw();
    }
    values(&sys.H, H, saddle.Hx);
    values(&s.G_pattern, s.G, G0x);
    values(&s.G_pattern, other, G1x);
    sb_saddle_assemble(&saddle, a, b, G0x, d, G1x);
    gsl_test(sb_saddle_factor(&saddle) || sb_saddle_solve(&saddle, x), "saddle is solved");
    lapack_int pivot[N + M];
    gsl_test(LAPACKE_dgesv(LAPACK_COL_MAJOR, N + M, 1, dense, N + M, pivot, expected, N + M) != 0, "LAPACK solves");
    for (int i = 0; i < N + M; i++) {
        gsl_test_abs(x[i], expected[i], 10.0 * bound, "saddle solution %d", i);
    }
    memset(G1x, 0, sizeof G1x);
    sb_saddle_assemble(&saddle, a, b, G0x, d, G1x);
    gsl_test_int(sb_saddle_factor(&saddle), SB_SINGULAR, "a rank-deficient constraint is reported");
    saddle.Hx[0] = NAN;
    sb_saddle_assemble(&saddle, a, b, G0x, d, G0x);
    gsl_test_int(sb_saddle_factor(&saddle), SB_NOT_FINITE, "a matrix that is not finite is not called singular");
}

/* Both kernels of the dense solver (up to 16 unknowns and above) on random matrices, by the residual. */
static void test_dense(sb_context *ctx, sb_arena *arena) {
    extern const sb_solver sb_solver_dense;
    for (int n = 1; n <= NMAX; n++) {
        sb_pattern A;
        sb_linear linear;
        static double Ax[NMAX * NMAX], b[NMAX], x[NMAX];
        gsl_test(sb_pattern_full(arena, n, n, &A) || sb_linear_init(ctx, arena, &sb_solver_dense, &A, n, n, &linear),
                 "dense of %d", n);
        for (int k = 0; k < n * n; k++) {
            Ax[k] = draw();
        }
        for (int i = 0; i < n; i++) {
            x[i] = b[i] = draw();
        }
        gsl_test(linear.type->factor(&linear, Ax) || linear.type->solve(&linear, x), "dense system of %d is solved", n);
        const double scale = (double)n * (sb_norm_max(n, x) + 1.0);
        sb_csc_mult_add(&A, Ax, -1.0, x, b);
        /* backward stable: residual <= growth n eps |A||x|, growth below 2^3 n^(1/2) on random matrices of this size */
        gsl_test(!(sb_norm_max(n, b) <= 100.0 * 2.2e-16 * scale), "dense system of %d: residual %.3g", n,
                 sb_norm_max(n, b));
    }
}

/* x <- x - (x^2 - a)/(2x): the square root. */
typedef struct root {
    double x, a;
} root;

static int correct_root(void *arg, double *change, double *scale) {
    root *r = arg;
    const double d = (r->x * r->x - r->a) / (2.0 * r->x);
    r->x -= d;
    *change = fabs(d);
    *scale = fabs(r->x);
    return SB_OK;
}

/* x with (x + 1)^2 = 1: x = 0, where the terms are of size 1 and cancel. */
static int correct_cancelling(void *arg, double *change, double *scale) {
    root *r = arg;
    volatile double y = r->x + 1.0;
    const double d = (y * y - 1.0 + r->a) / (2.0 * y);
    r->a = -r->a; /* round-off of terms that the equation does not show */
    r->x -= d;
    *change = fabs(d);
    *scale = fabs(r->x);
    return SB_OK;
}

/* x <- x/2, one of several unknowns of size 1: the error left is the correction, 2^-k after k of them. */
static int correct_by_halves(void *arg, double *change, double *scale) {
    root *r = arg;
    r->x *= 0.5;
    *change = r->x;
    *scale = 1.0;
    return SB_OK;
}

/* x <- x - r (x - a) with half of the derivative: linear, rate 1/2. */
static int correct_slowly(void *arg, double *change, double *scale) {
    root *r = arg;
    const double d = 0.5 * (r->x - r->a);
    r->x -= d;
    *change = fabs(d);
    *scale = fabs(r->x);
    return SB_OK;
}

static int iterate(sb_context *ctx, const sb_newton *newton, int (*correct)(void *, double *, double *), root *r,
                   long *iters) {
    return sb_newton_iterate(ctx, newton, SB_NEWTON_QUADRATIC, 1.0, correct, r, iters);
}

static void test_newton(sb_context *ctx) {
    const sb_newton newton = {1e-10, 50}, impatient = {1e-10, 3};
    long iters = 0;
    root r = {2.0, 2.0}, far = {1e6, 2.0}, none = {NAN, 2.0}, tiny = {3e-323, 0.0}, cancels = {0.1, 1e-17},
         slow = {2.0, 1.0}, minimum = {0.3, -1e-12};
    const sb_newton patient = {1e-10, 1000};
    gsl_test(iterate(ctx, &newton, correct_root, &r, &iters), "Newton finds the square root");
    gsl_test_int((int)ctx->stalled, 0, "by the tolerance");
    gsl_test_abs(r.x, sqrt(2.0), 4e-16, "the error left is round-off though the last correction was only below 1e-10");
    gsl_test(iters > 6, "quadratic convergence from 2 takes at most 6 corrections, took %ld", iters);
    gsl_test_int(iterate(ctx, &impatient, correct_root, &far, &iters), SB_NOT_CONVERGED, "maxit is kept");
    gsl_test_int(iterate(ctx, &newton, correct_root, &none, &iters), SB_NOT_CONVERGED,
                 "NaN does not pass for convergence");
    gsl_test(iterate(ctx, &newton, correct_slowly, &tiny, &iters), "the iteration ends where numbers underflow (%s)",
             ctx->message);
    const int stalled = (int)ctx->stalled;
    gsl_test(iterate(ctx, &newton, correct_cancelling, &cancels, &iters),
             "the iteration ends at the round-off of terms that cancel (%s)", ctx->message);
    gsl_test_int((int)ctx->stalled, stalled + 1, "which is counted");
    gsl_test(!(fabs(cancels.x) < 4.0 * DBL_EPSILON), "and x = %g is 0 to the round-off of the terms", cancels.x);
    gsl_test(sb_newton_iterate(ctx, &patient, SB_NEWTON_LINEAR, 1.0, correct_slowly, &slow, &iters), "rate 1/2 (%s)",
             ctx->message);
    gsl_test(!(fabs(slow.x - 1.0) <= DBL_EPSILON), "the linear iteration leaves %g", slow.x - 1.0);
    root halves = {1.0, 0.0}, more = halves;
    const sb_newton enough = {1e-10, 52}, short_of = {1e-10, 50}; /* half of the last change is 2^-53 and 2^-51 */
    gsl_test(sb_newton_iterate(ctx, &enough, SB_NEWTON_LINEAR, 1.0, correct_by_halves, &halves, &iters),
             "a linear iteration may end at round-off (%s)", ctx->message);
    gsl_test_int(sb_newton_iterate(ctx, &short_of, SB_NEWTON_LINEAR, 1.0, correct_by_halves, &more, &iters),
                 SB_NOT_CONVERGED, "and not before");
    gsl_test_int(iterate(ctx, &patient, correct_root, &minimum, &iters), SB_NOT_CONVERGED,
                 "a minimum of 1e-12 does not pass for a root");
}

int main(void) {
    sb_context ctx;
    sb_arena arena;
    sb_context_init(&ctx);
    sb_arena_init(&arena, &ctx);
    rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int k = 0; k < 5; k++) {
        test_mass_and_schur(&ctx, &arena);
        test_saddle(&ctx, &arena);
    }
    test_dense(&ctx, &arena);
    test_newton(&ctx);
    gsl_rng_free(rng);
    sb_arena_free(&arena);
    return gsl_test_summary();
}
