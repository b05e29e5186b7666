/* The solvers of small saddle matrices by their residuals, with and without partial pivoting. */
#include <string.h>

#include <gsl/gsl_rng.h>
#include <gsl/gsl_test.h>

#include "core/linear/choose.h"

enum { N = SB_SMALL_COORDINATES, M = SB_SMALL_ROWS, SIZE = N + M };

static gsl_rng *rng;

static double draw(void) { return 2.0 * gsl_rng_uniform(rng) - 1.0; }

/* A matrix of n coordinates in blocks of `block`, whose diagonal is `diagonal`, and of m constraints, scaled by
 * 10^(range draw) in every row and column. */
typedef struct sample {
    int n, m, block;
    double diagonal, range;
} sample;

static double A[SIZE][SIZE];

static void fill(const sample *s, bool quasidefinite) {
    double scale[SIZE];
    memset(A, 0, sizeof A);
    for (int i = 0; i < s->n + s->m; i++) {
        scale[i] = pow(10.0, s->range * draw());
    }
    for (int i = 0; i < s->n; i++) {
        for (int j = 0; j < s->n; j++) {
            if (i / s->block == j / s->block && (!quasidefinite || j >= i)) {
                A[i][j] = i == j ? s->diagonal : draw();
                A[j][i] = quasidefinite ? A[i][j] : A[j][i];
            }
        }
        for (int j = 0; j < s->m; j++) {
            A[i][s->n + j] = draw();
            A[s->n + j][i] = quasidefinite ? A[i][s->n + j] : A[i][s->n + j] + 0.1 * draw();
        }
    }
    for (int j = s->n; j < s->n + s->m && quasidefinite; j++) {
        A[j][j] = -fabs(draw());
    }
    for (int i = 0; i < s->n + s->m; i++) {
        for (int j = 0; j < s->n + s->m; j++) {
            A[i][j] *= scale[i] * scale[j];
        }
    }
}

/* Lists the pattern: blocks, constraints, and the diagonal of the latter. */
static int list(sb_arena *arena, const sample *s, sb_pattern *P) {
    int row[SIZE * SIZE], col[SIZE * SIZE], count = 0;
    for (int i = 0; i < s->n + s->m; i++) {
        for (int j = 0; j < s->n + s->m; j++) {
            if (i < s->n && j < s->n ? i / s->block == j / s->block : i < s->n || j < s->n || i == j) {
                row[count] = i;
                col[count++] = j;
            }
        }
    }
    return sb_pattern_from_pairs(arena, s->n + s->m, s->n + s->m, count, row, col, P);
}

/* Returns the largest residual of A x = b over the sum of the sizes of its terms. */
static double residual(int size, const double *x, const double *b) {
    double worst = 0.0;
    for (int i = 0; i < size; i++) {
        long double sum = b[i], terms = fabs(b[i]);
        for (int j = 0; j < size; j++) {
            sum -= (long double)A[i][j] * x[j];
            terms += fabsl((long double)A[i][j] * x[j]);
        }
        const double relative = (double)(fabsl(sum) / terms);
        worst = relative <= worst ? worst : relative;
    }
    return worst;
}

/* Solves for a random right-hand side; returns the residual. */
static double solve(sb_context *ctx, sb_arena *arena, const sb_solver *solver, const sample *s) {
    const int size = s->n + s->m;
    sb_pattern P;
    sb_linear linear;
    double Ax[SIZE * SIZE] = {0}, b[SIZE], x[SIZE];
    fill(s, solver->symmetric);
    if (list(arena, s, &P) != SB_OK || sb_linear_init(ctx, arena, solver, &P, s->n, s->n, &linear) != SB_OK) {
        return INFINITY;
    }
    for (int j = 0; j < size; j++) {
        for (int k = P.p[j]; k < P.p[j + 1]; k++) {
            Ax[linear.at[k]] = A[P.i[k]][j];
        }
    }
    for (int i = 0; i < size; i++) {
        x[i] = b[i] = draw();
    }
    return solver->factor(&linear, Ax) == SB_OK && solver->solve(&linear, x) == SB_OK ? residual(size, x, b) : INFINITY;
}

/* A pivot that loses six bits, and the accumulation over the unknowns. A symmetric scaling changes neither. */
static void test(sb_context *ctx, const sb_solver *solver, double diagonal, double range, const char *what) {
    double worst = 0.0;
    for (int n = 1; n <= N; n++) {
        for (int m = 0; m <= M && m <= n; m++) {
            for (int block = 1; block <= n && block <= 5; block++) {
                SB_SCRATCH(arena, ctx);
                const sample s = {n, m, block, diagonal, range};
                const double r = solve(ctx, &arena, solver, &s);
                worst = r <= worst ? worst : r;
            }
        }
    }
    gsl_test(!(worst <= 64.0 * SIZE * DBL_EPSILON), "%s on %s: residual %.2g", solver->entry.name, what, worst);
}

int main(void) {
    sb_context ctx;
    sb_context_init(&ctx);
    rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int k = 0; k < 20; k++) {
        test(&ctx, &sb_solver_small_lu, 8.0, 0.0, "blocks with a heavy diagonal");
        test(&ctx, &sb_solver_small_lu, 8.0, 4.0, "units from 1e-8 to 1e8");
        test(&ctx, &sb_solver_small_lu, 1.0, 0.0, "blocks that need pivoting");
        test(&ctx, &sb_solver_small_lu, 1e-10, 0.0, "coordinates almost without mass");
        test(&ctx, &sb_solver_small_ldl, 8.0, 0.0, "quasi-definite matrices");
        test(&ctx, &sb_solver_small_ldl, 8.0, 4.0, "quasi-definite matrices in units from 1e-8 to 1e8");
    }
    gsl_rng_free(rng);
    return gsl_test_summary();
}
