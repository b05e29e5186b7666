/* The linear system of a regularized step by every linear solver, in both forms, against LAPACK on the full matrix; and
 * the choice of a solver. */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_rng.h>
#include <gsl/gsl_test.h>
#include <lapacke.h>

#include <stepbench/numerics/kkt.h>
#include <stepbench/numerics/norm.h>

enum { NMAX = 60, RMAX = 70, SIZE = NMAX + RMAX };

#define SB_SOLVER(name) #name,
static const char *const solvers[] = {
#include "core/linear/list.def"
};
#undef SB_SOLVER
enum { SOLVERS = sizeof solvers / sizeof solvers[0] };
extern const sb_solver sb_solver_cholmod;

static gsl_rng *rng;

static double draw(void) { return 2.0 * gsl_rng_uniform(rng) - 1.0; }

/* A random system: M of blocks of up to `largest` <= 3 (condition number at most 6), constraints of up to 6 coordinates
 * that lie near each other, as the joints of a mechanism do; the last `driven` of them nonholonomic. */
typedef struct made_up {
    int n, holonomic, driven;
    double mass[NMAX * NMAX], C[NMAX * RMAX];
    sb_pattern M, G, A;
    sb_system sys;
} made_up;

static int mass_values(const void *self, const double *q, double *Mx) {
    (void)q;
    const made_up *s = self;
    for (int j = 0; j < s->n; j++) {
        for (int k = s->M.p[j]; k < s->M.p[j + 1]; k++) {
            Mx[k] = s->mass[s->M.i[k] + j * s->n];
        }
    }
    return SB_OK;
}

static int find_pattern(sb_arena *arena, int rows, int cols, const double *dense, sb_pattern *out) {
    static int row[NMAX * SIZE], col[NMAX * SIZE];
    int count = 0;
    for (int j = 0; j < cols; j++) {
        for (int i = 0; i < rows; i++) {
            if (dense[i + j * rows] != 0.0) {
                row[count] = i;
                col[count++] = j;
            }
        }
    }
    return sb_pattern_from_pairs(arena, rows, cols, count, row, col, out);
}

static void build(sb_arena *arena, int n, int rows, int driven, int largest, made_up *s) {
    memset(s, 0, sizeof *s);
    s->n = n;
    s->holonomic = rows - driven;
    s->driven = driven;
    for (int begin = 0, size; begin < n; begin += size) {
        size = 1 + (int)gsl_rng_uniform_int(rng, (unsigned long)largest);
        size = begin + size > n ? n - begin : size;
        for (int j = begin; j < begin + size; j++) {
            s->mass[j + j * n] = 3.0 + draw();
            for (int i = begin; i < j; i++) {
                s->mass[i + j * n] = s->mass[j + i * n] = 0.5 * draw();
            }
        }
    }
    for (int j = 0; j < rows; j++) {
        const int centre = (int)((long)j * n / rows);
        for (int k = 0; k < 6; k++) {
            const int i = centre + (int)gsl_rng_uniform_int(rng, 9) - 4;
            if (i >= 0 && i < n) {
                s->C[i + j * n] = draw();
            }
        }
        s->C[centre + j * n] = 1.0 + 0.5 * draw();
    }
    s->sys = (sb_system){.name = "made-up", .n = n};
    s->sys.inertia = (sb_inertia){.self = s, .mass = mass_values};
    int status = find_pattern(arena, n, n, s->mass, &s->M);
    status = status != SB_OK ? status : find_pattern(arena, n, s->holonomic, s->C, &s->G);
    status = status != SB_OK ? status : find_pattern(arena, n, driven, s->C + n * s->holonomic, &s->A);
    gsl_test(status, "patterns of the made-up system");
    s->sys.inertia.M = s->sys.H = s->M;
    s->sys.holonomic.m = s->holonomic;
    s->sys.holonomic.G = s->G;
    s->sys.nonholonomic.m = driven;
    s->sys.nonholonomic.A = s->A;
}

static void constraint_values(const made_up *s, double *Cx) {
    int end = 0;
    for (int j = 0; j < s->holonomic + s->driven; j++) {
        for (int i = 0; i < s->n; i++) {
            if (s->C[i + j * s->n] != 0.0) {
                Cx[end++] = s->C[i + j * s->n];
            }
        }
    }
}

static void set(sb_kkt *kkt, const double *Cx, const double *Sigma) {
    memcpy(kkt->Cx, Cx, (size_t)sb_pattern_nnz(&kkt->C) * sizeof(double));
    sb_kkt_set_sigma(kkt, Sigma);
}

static int factor(sb_kkt *kkt, const double *Cx, const double *Sigma) {
    set(kkt, Cx, Sigma);
    return sb_kkt_factor(kkt, NULL);
}

/* x = (v, lambda) in one call. */
static int factor_solve(sb_kkt *kkt, const double *Cx, const double *Sigma, const double *b, double *x) {
    const int n = kkt->sys->n;
    set(kkt, Cx, Sigma);
    static const double zero[SIZE];
    return sb_kkt_factor_solve_shifted(kkt, NULL, b, b + n, zero, zero, x, x + n);
}

/* LAPACK's solution (v, lambda) of the whole system, and the reciprocal condition number of its matrix in the 1-norm.
 */
static double reference(const made_up *s, const double *Sigma, double *x) {
    static double K[SIZE * SIZE];
    const int n = s->n, rows = s->holonomic + s->driven, size = n + rows;
    lapack_int pivot[SIZE];
    memset(K, 0, sizeof K);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            K[i + j * size] = s->mass[i + j * n];
        }
        for (int c = 0; c < rows; c++) {
            K[j + (n + c) * size] = -s->C[j + c * n];
            K[n + c + j * size] = s->C[j + c * n];
        }
    }
    for (int c = 0; c < rows; c++) {
        K[(n + c) * (size + 1)] = Sigma[c];
    }
    double rcond = 0.0;
    const double norm = LAPACKE_dlange(LAPACK_COL_MAJOR, '1', size, size, K, size);
    gsl_test(LAPACKE_dgetrf(LAPACK_COL_MAJOR, size, size, K, size, pivot) != 0 ||
                 LAPACKE_dgecon(LAPACK_COL_MAJOR, '1', size, K, size, norm, &rcond) != 0 ||
                 LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', size, 1, K, size, pivot, x, size) != 0,
             "LAPACK solves the whole system");
    return rcond;
}

/* max of |M v - C lambda - r| and |C' v + Sigma lambda - s|, over the largest sum of magnitudes in a row. */
static double residual(const made_up *s, const double *Sigma, const double *b, const double *x) {
    const int n = s->n, rows = s->holonomic + s->driven;
    double worst = 0.0, scale = 0.0;
    for (int i = 0; i < n + rows; i++) {
        double sum = -b[i], size = fabs(b[i]);
        for (int j = 0; j < n + rows; j++) {
            const double a = i < n    ? (j < n ? s->mass[i + j * n] : -s->C[i + (j - n) * n])
                             : j < n  ? s->C[j + (i - n) * n]
                             : i == j ? Sigma[i - n]
                                      : 0.0;
            sum += a * x[j];
            size += fabs(a * x[j]);
        }
        worst = !(fabs(sum) <= worst) ? fabs(sum) : worst;
        scale = !(size <= scale) ? size : scale;
    }
    return worst / scale;
}

/* The same solution with s - Upsilon C v0 in place of s, from the function that adds Upsilon C v0. The system that it
 * solves has the unknown v - c v0, with c <= 1: the error of solve_one is relative to both sizes. */
static void test_shift(const made_up *s, sb_kkt *kkt, const double *Cx, const double *Sigma, const double *b,
                       const double *expected, double rcond, const char *name, const char *form_name) {
    static double Upsilon[RMAX], v0[NMAX], reduced[RMAX], x[SIZE];
    const int n = s->n, rows = s->holonomic + s->driven;
    for (int i = 0; i < n; i++) {
        v0[i] = draw();
    }
    for (int equal = 0; equal < 2; equal++) {
        for (int j = 0; j < rows; j++) {
            Upsilon[j] = equal ? 0.25 : gsl_rng_uniform(rng);
            reduced[j] = b[n + j];
            for (int i = 0; i < n; i++) {
                reduced[j] -= Upsilon[j] * s->C[i + j * n] * v0[i];
            }
        }
        set(kkt, Cx, Sigma);
        gsl_test(sb_kkt_factor_solve_shifted(kkt, NULL, b, reduced, Upsilon, v0, x, x + n), "%s, %s: shifted", name,
                 form_name);
        for (int i = 0; i < n + rows; i++) {
            x[i] -= expected[i];
        }
        const double relative = sb_norm_max(n + rows, x) / (sb_norm_max(n + rows, expected) + sb_norm_max(n, v0));
        gsl_test(!(relative <= 36.0 * (n + rows) * DBL_EPSILON / rcond),
                 "%s, %s, n=%d r=%d: shifted, differs from LAPACK by %.3g", name, form_name, n, rows, relative);
    }
}

/* One system, one Sigma, one solver, one form. */
static void solve_one(sb_context *ctx, const made_up *s, const char *name, sb_form form, const double *Sigma,
                      const double *b, const double *expected, double rcond) {
    const int n = s->n, rows = s->holonomic + s->driven;
    const sb_solver *solver = sb_solver_choose(ctx, name, form, form == SB_FORM_SADDLE ? n + rows : rows);
    if (solver == NULL) {
        return;
    }
    static double Cx[NMAX * RMAX], x[SIZE], error[SIZE];
    sb_arena arena;
    sb_kkt kkt = {0};
    sb_arena_init(&arena, ctx);
    constraint_values(s, Cx);
    const char *const form_name = form == SB_FORM_SADDLE ? "saddle" : "Schur";
    gsl_test(sb_kkt_init(ctx, &arena, &s->sys, NULL, form, solver, &kkt), "%s, %s: set-up: %s", name, form_name,
             ctx->message);
    for (int pass = 0; pass < 2; pass++) { /* the second factorization reuses what the first analysed */
        memset(x, 0, sizeof x);
        gsl_test(factor(&kkt, Cx, Sigma), "%s, %s, n=%d r=%d: factored: %s", name, form_name, n, rows, ctx->message);
        gsl_test(sb_kkt_solve(&kkt, b, b + n, x, x + n), "%s, %s: solved", name, form_name);
    }
    gsl_test(factor_solve(&kkt, Cx, Sigma, b, error), "%s, %s: factored and solved at once: %s", name, form_name,
             ctx->message);
    gsl_test(memcmp(x, error, (size_t)(n + rows) * sizeof(double)) != 0,
             "%s, %s: the same operations, the same numbers", name, form_name);
    test_shift(s, &kkt, Cx, Sigma, b, expected, rcond, name, form_name);
    for (int i = 0; i < n + rows; i++) {
        error[i] = x[i] - expected[i];
    }
    const double relative = sb_norm_max(n + rows, error) / sb_norm_max(n + rows, expected), size = (double)(n + rows);
    /* Elimination without pivoting is backward stable here up to the condition number of M, at most 6 (in Schur form up
     * to its square); LAPACK's own solution is off by as much as its backward error times the condition number. */
    gsl_test(!(residual(s, Sigma, b, x) <= 36.0 * size * DBL_EPSILON), "%s, %s, n=%d r=%d: residual %.3g", name,
             form_name, n, rows, residual(s, Sigma, b, x));
    gsl_test(!(relative <= 36.0 * size * DBL_EPSILON / rcond),
             "%s, %s, n=%d r=%d: differs from LAPACK by %.3g, 1/condition %.3g", name, form_name, n, rows, relative,
             rcond);
    sb_arena_free(&arena);
}

static void test_solutions(sb_context *ctx) {
    static made_up s;
    /* Sigma = 0 needs independent constraints, so fewer than coordinates; more of them than coordinates need Sigma. */
    static const struct {
        int n, rows, driven;
        double Sigma;
    } cases[] = {{1, 1, 0, 0.0},    {4, 2, 0, 0.0},    {12, 5, 2, 0.0},  {60, 30, 3, 0.0},
                 {12, 5, 2, 1e-12}, {60, 30, 0, 1e-6}, {3, 5, 1, 0.1},   {20, 40, 5, 0.05},
                 {60, 70, 9, 1.0},  {60, 50, 0, 1e3},  {60, 50, 1, 1e9}, {5, 0, 0, 0.0}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const int n = cases[c].n, rows = cases[c].rows;
        sb_arena arena;
        sb_arena_init(&arena, ctx);
        double Sigma[RMAX + 1], b[SIZE], expected[SIZE];
        build(&arena, n, rows, cases[c].driven, 3, &s);
        for (int j = 0; j < rows; j++) {
            Sigma[j] = cases[c].Sigma * (1.0 + 0.5 * draw());
        }
        for (int i = 0; i < n + rows; i++) {
            b[i] = expected[i] = draw();
        }
        const double rcond = reference(&s, Sigma, expected);
        for (int k = 0; k < SOLVERS; k++) {
            solve_one(ctx, &s, solvers[k], SB_FORM_SADDLE, Sigma, b, expected, rcond);
            solve_one(ctx, &s, solvers[k], SB_FORM_SCHUR, Sigma, b, expected, rcond);
        }
        sb_arena_free(&arena);
    }
}

/* Dependent constraints under any Sigma that keeps the matrix regular: lambda is as ill-conditioned as 1/Sigma, the
 * residual stays round-off. */
static void test_residuals(sb_context *ctx) {
    static made_up s;
    enum { N = 30, ROWS = 12 };
    static double Cx[NMAX * RMAX];
    sb_arena arena;
    sb_arena_init(&arena, ctx);
    build(&arena, N, ROWS, 0, 3, &s);
    memcpy(s.C + 7 * N, s.C + N, N * sizeof(double));
    gsl_test(find_pattern(&arena, N, ROWS, s.C, &s.G), "pattern");
    s.sys.holonomic.G = s.G;
    constraint_values(&s, Cx);
    for (double size = 1e-12; size < 1e13; size *= 100.0) {
        double Sigma[ROWS], b[N + ROWS], x[N + ROWS];
        for (int j = 0; j < ROWS; j++) {
            Sigma[j] = size * (1.0 + 0.5 * draw());
        }
        for (int i = 0; i < N + ROWS; i++) {
            b[i] = draw();
        }
        for (int k = 0; k < SOLVERS; k++) {
            for (int form = SB_FORM_SADDLE; form <= SB_FORM_SCHUR; form++) {
                const sb_solver *solver = sb_solver_choose(ctx, solvers[k], (sb_form)form, N + ROWS);
                sb_kkt kkt = {0};
                if (solver == NULL) {
                    continue;
                }
                gsl_test(sb_kkt_init(ctx, &arena, &s.sys, NULL, (sb_form)form, solver, &kkt) ||
                             factor(&kkt, Cx, Sigma) || sb_kkt_solve(&kkt, b, b + N, x, x + N),
                         "%s, form %d, Sigma %g: solved: %s", solvers[k], form, size, ctx->message);
                const double own = sb_kkt_residual(&kkt, b, b + N, x, x + N), defined = residual(&s, Sigma, b, x);
                gsl_test(!(defined <= 36.0 * (N + ROWS) * DBL_EPSILON), "%s, form %d, Sigma %g: residual %.3g",
                         solvers[k], form, size, defined);
                /* blocks are judged each by its own size, so never more leniently but for the sums' order */
                gsl_test(!(own >= 0.1 * defined), "%s, form %d: sb_kkt_residual %.3g against the definition's %.3g",
                         solvers[k], form, own, defined);
            }
        }
    }
    sb_arena_free(&arena);
}

/* Constraint `twin` repeats constraint 1: without Sigma there is no unique lambda, and one of the two is named; with it
 * all is well. Particles of mass `scale`, or blocks: round-off in C' M^-1 C is that of 1/scale. */
static void test_dependent(sb_context *ctx, int largest, double scale) {
    static made_up s;
    enum { N = 30, ROWS = 12 };
    for (int twin = 2; twin < ROWS; twin += 3) {
        sb_arena arena;
        sb_arena_init(&arena, ctx);
        static double Cx[NMAX * RMAX];
        double Sigma[ROWS] = {0}, x[N + ROWS];
        build(&arena, N, ROWS, 0, largest, &s);
        for (int i = 0; i < N * N; i++) {
            s.mass[i] *= scale;
        }
        memcpy(s.C + twin * N, s.C + N, N * sizeof(double));
        gsl_test(find_pattern(&arena, N, ROWS, s.C, &s.G), "pattern");
        s.sys.holonomic.G = s.G;
        constraint_values(&s, Cx);
        for (int k = 0; k < SOLVERS; k++) {
            for (int form = SB_FORM_SADDLE; form <= SB_FORM_SCHUR; form++) {
                const sb_solver *solver = sb_solver_choose(ctx, solvers[k], (sb_form)form, N + ROWS);
                if (solver == NULL) {
                    continue;
                }
                sb_kkt kkt = {0};
                int named = -1;
                gsl_test(sb_kkt_init(ctx, &arena, &s.sys, NULL, (sb_form)form, solver, &kkt), "%s: set-up", solvers[k]);
                ctx->message[0] = '\0';
                gsl_test_int(factor_solve(&kkt, Cx, Sigma, s.mass, x), SB_SINGULAR,
                             "%s, form %d: nor is there a solution", solvers[k], form);
                ctx->message[0] = '\0';
                gsl_test_int(factor(&kkt, Cx, Sigma), SB_SINGULAR,
                             "%s, form %d: dependent constraints without Sigma are singular", solvers[k], form);
                const char *const where = strstr(ctx->message, "constraint ");
                const bool names = solver->symmetric || solver->full; /* the others say where they found no pivot */
                gsl_test(names && (where == NULL || sscanf(where, "constraint %d", &named) != 1 ||
                                   (named != 1 && named != twin)),
                         "%s, form %d: constraint 1 or %d is named: %s", solvers[k], form, twin, ctx->message);
                for (int j = 0; j < ROWS; j++) {
                    Sigma[j] = 1e-4;
                }
                gsl_test(factor(&kkt, Cx, Sigma), "%s, form %d: with Sigma they are not: %s", solvers[k], form,
                         ctx->message);
                memset(Sigma, 0, sizeof Sigma);
                Cx[0] = NAN;
                gsl_test(factor(&kkt, Cx, Sigma) == SB_OK, "%s, form %d: NaN is no number to divide by", solvers[k],
                         form);
                constraint_values(&s, Cx);
            }
        }
        sb_arena_free(&arena);
    }
}

static void test_choice(sb_context *ctx) {
    int built[2] = {0};
    for (int k = 0; k < SOLVERS; k++) {
        built[0] += sb_solver_choose(ctx, solvers[k], SB_FORM_SADDLE, 100) != NULL;
        const bool there = sb_solver_choose(ctx, solvers[k], SB_FORM_SCHUR, 100) != NULL;
        built[1] += there;
        gsl_test(!there && strstr(ctx->message, "libsuitesparse-dev") == NULL,
                 "a solver that is left out names its package: %s", ctx->message);
    }
    gsl_test(built[0] < 2 || built[1] < 2, "dense and static_ldl take both forms in every build");
    for (int form = SB_FORM_SADDLE; form <= SB_FORM_GENERAL; form++) {
        for (int size = 1; size <= 1000000; size *= 10) {
            const sb_solver *solver = sb_solver_choose(ctx, "auto", (sb_form)form, size);
            gsl_test(solver == NULL, "auto finds a solver for form %d of size %d", form, size);
            gsl_test(solver != NULL && sb_solver_choose(ctx, solver->entry.name, (sb_form)form, size) != solver,
                     "which can be asked for by name");
        }
    }
    gsl_test(sb_solver_choose(ctx, "umfpak", SB_FORM_SADDLE, 10) != NULL, "an unknown name is refused");
    gsl_test(strstr(ctx->message, "\"umfpak\"") == NULL, "and named: %s", ctx->message);
    gsl_test(sb_solver_choose(ctx, "dnse", SB_FORM_SADDLE, 10) != NULL || strstr(ctx->message, "dense") == NULL,
             "with what was meant: %s", ctx->message);
    gsl_test(sb_solver_cholmod.analyse != NULL && (sb_solver_choose(ctx, "cholmod", SB_FORM_SADDLE, 10) != NULL ||
                                                   strstr(ctx->message, "Schur form") == NULL),
             "Cholesky refuses an indefinite matrix and says what would do: %s", ctx->message);
    gsl_test(sb_solver_choose(ctx, "static_ldl", SB_FORM_GENERAL, 10) != NULL ||
                 strstr(ctx->message, "symmetric") == NULL,
             "a symmetric solver refuses what is not: %s", ctx->message);
}

int main(void) {
    sb_context ctx;
    sb_context_init(&ctx);
    rng = gsl_rng_alloc(gsl_rng_mt19937);
    test_choice(&ctx);
    test_solutions(&ctx);
    test_residuals(&ctx);
    test_dependent(&ctx, 3, 1.0);
    test_dependent(&ctx, 1, 1e-8);
    test_dependent(&ctx, 1, 1e8);
    gsl_rng_free(rng);
    return gsl_test_summary();
}
