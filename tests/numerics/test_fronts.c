/* static_ldl on saddle matrices of chains, trees, grids with redundant rows, hubs and forests, bodies in any order,
 * against elimination with row pivoting in long double. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_rng.h>
#include <gsl/gsl_test.h>

#include <stepbench/numerics/linear.h>

extern const sb_solver sb_solver_static_ldl;

enum { COORDINATES = 3, ROWS = 2, BODIES = 30, JOINTS = 60, SIZE = COORDINATES * BODIES + ROWS * JOINTS };

static gsl_rng *rng;

static double draw(void) { return 2.0 * gsl_rng_uniform(rng) - 1.0; }

static int draw_int(int n) { return (int)gsl_rng_uniform_int(rng, (unsigned long)n); }

enum { CHAIN, TREE, GRID, HUB, FOREST, SHAPES };
static const char *const shapes[] = {"chain", "tree", "grid", "hub", "forest"};

typedef struct mechanism {
    int bodies, joints, first[JOINTS], second[JOINTS], n, size;
    double A[SIZE * SIZE]; /* symmetric */
} mechanism;

static void join(mechanism *m, const int *number, int first, int second) {
    m->first[m->joints] = number[first];
    m->second[m->joints++] = number[second];
}

/* Joins the bodies, whose numbers are shuffled. A grid has loops; the last body of a forest is free. */
static void connect(mechanism *m, int shape) {
    int number[BODIES];
    for (int i = 0; i < m->bodies; i++) {
        const int j = draw_int(i + 1);
        number[i] = number[j];
        number[j] = i;
    }
    m->joints = 0;
    for (int i = 1; i < m->bodies; i++) {
        switch (shape) {
        case CHAIN: join(m, number, i - 1, i); break;
        case TREE: join(m, number, draw_int(i), i); break;
        case HUB: join(m, number, 0, i); break;
        case FOREST:
            if (i % 7 != 0 && i != m->bodies - 1) {
                join(m, number, i - 1, i);
            }
            break;
        default:
            if (i % 5 != 0) {
                join(m, number, i - 1, i);
            }
            if (i >= 5) {
                join(m, number, i - 5, i);
            }
        }
    }
}

/* Sets the matrix: M of diagonal or full blocks, two rows per joint, which touch one coordinate of a body or all, the
 * second row of every third joint `redundant` to the first, and -E. */
static void fill(mechanism *m, bool coupled, bool redundant, double E) {
    m->n = COORDINATES * m->bodies;
    m->size = m->n + ROWS * m->joints;
    memset(m->A, 0, sizeof m->A);
    for (int i = 0; i < m->n; i++) {
        m->A[i + i * m->size] = 3.0 + draw();
        for (int j = i / COORDINATES * COORDINATES; j < i && coupled; j++) {
            m->A[i + j * m->size] = m->A[j + i * m->size] = 0.5 * draw();
        }
    }
    for (int k = 0; k < m->joints; k++) {
        for (int r = 0; r < ROWS; r++) {
            const int row = m->n + ROWS * k + r, only = draw_int(2 * COORDINATES);
            for (int c = 0; c < COORDINATES; c++) {
                const int at[2] = {COORDINATES * m->first[k] + c, COORDINATES * m->second[k] + c};
                for (int side = 0; side < 2; side++) {
                    const double before = m->A[at[side] + (row - 1) * m->size],
                                 value = redundant && r == 1 && k % 3 == 0  ? -2.0 * before
                                         : only >= COORDINATES || only == c ? draw()
                                                                            : 0.0;
                    m->A[at[side] + row * m->size] = m->A[row + at[side] * m->size] = value;
                }
            }
            m->A[row * (m->size + 1)] = -E * (1.0 + 0.5 * draw());
        }
    }
}

/* Solves by elimination with row pivoting in long double. */
static void reference(const mechanism *m, const double *b, long double *x) {
    static long double K[SIZE * SIZE];
    const int n = m->size;
    for (int i = 0; i < n * n; i++) {
        K[i] = m->A[i];
    }
    for (int i = 0; i < n; i++) {
        x[i] = b[i];
    }
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++) {
            pivot = fabsl(K[i * n + k]) > fabsl(K[pivot * n + k]) ? i : pivot;
        }
        for (int j = 0; j < n; j++) {
            const long double swapped = K[k * n + j];
            K[k * n + j] = K[pivot * n + j];
            K[pivot * n + j] = swapped;
        }
        const long double swapped = x[k];
        x[k] = x[pivot];
        x[pivot] = swapped;
        for (int i = k + 1; i < n; i++) {
            const long double l = K[i * n + k] / K[k * n + k];
            for (int j = k; j < n && l != 0.0L; j++) {
                K[i * n + j] -= l * K[k * n + j];
            }
            x[i] -= l * x[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) {
            x[k] -= K[k * n + j] * x[j];
        }
        x[k] /= K[k * n + k];
    }
}

/* Returns the largest residual over the largest sum of magnitudes in a row. */
static double residual(const mechanism *m, const double *b, const double *x) {
    long double worst = 0.0L, scale = 0.0L;
    for (int i = 0; i < m->size; i++) {
        long double sum = -b[i], size = fabsl(sum);
        for (int j = 0; j < m->size; j++) {
            const long double term = (long double)m->A[i + j * m->size] * x[j];
            sum += term;
            size += fabsl(term);
        }
        worst = !(fabsl(sum) <= worst) ? fabsl(sum) : worst;
        scale = !(size <= scale) ? size : scale;
    }
    return (double)(worst / scale);
}

/* Factors and solves: with the pattern of the whole matrix, or without its lower left block. */
static void solve(sb_context *ctx, const mechanism *m, const char *name, bool whole, double E) {
    static int row[SIZE * SIZE], col[SIZE * SIZE];
    static double Ax[SIZE * SIZE];
    static long double expected[SIZE];
    double b[SIZE], x[SIZE], both[SIZE];
    sb_arena arena;
    sb_pattern A;
    sb_linear linear;
    int count = 0;
    for (int j = 0; j < m->size; j++) {
        for (int i = 0; i < m->size; i++) {
            if (m->A[i + j * m->size] != 0.0 && (whole || i <= j || i < m->n)) {
                row[count] = i;
                col[count++] = j;
            }
        }
    }
    sb_arena_init(&arena, ctx);
    gsl_test(sb_pattern_from_pairs(&arena, m->size, m->size, count, row, col, &A) ||
                 sb_linear_init(ctx, &arena, &sb_solver_static_ldl, &A, m->n, m->n, &linear),
             "%s: set-up: %s", name, ctx->message);
    for (int e = 0; e < count; e++) {
        Ax[e] = m->A[row[e] + col[e] * m->size];
    }
    for (int i = 0; i < m->size; i++) {
        b[i] = x[i] = both[i] = draw();
    }
    for (int pass = 0; pass < 2; pass++) { /* the memory of the first factorization is used again */
        memcpy(x, b, sizeof x);
        gsl_test(sb_solver_static_ldl.factor(&linear, Ax) || sb_solver_static_ldl.solve(&linear, x), "%s: solved: %s",
                 name, ctx->message);
    }
    gsl_test(sb_solver_static_ldl.factor_solve(&linear, Ax, both) || memcmp(both, x, (size_t)m->size * sizeof *x) != 0,
             "%s: at once, the same numbers", name);
    /* Elimination without pivoting is backward stable up to the condition number of M, at most 6: test_kkt. */
    const double left = residual(m, b, x);
    gsl_test(!(left <= 36.0 * m->size * DBL_EPSILON), "%s, %d unknowns: residual %.3g", name, m->size, left);
    if (E == 1.0) { /* condition number below 1e3 */
        double worst = 0.0;
        reference(m, b, expected);
        for (int i = 0; i < m->size; i++) {
            const double error = (double)fabsl(x[i] - expected[i]);
            worst = !(error <= worst) ? error : worst;
        }
        gsl_test(!(worst <= 1e3 * 36.0 * m->size * DBL_EPSILON), "%s, %d unknowns: error %.3g", name, m->size, worst);
    }
    sb_arena_free(&arena);
}

int main(void) {
    static mechanism m;
    sb_context ctx;
    sb_context_init(&ctx);
    rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int shape = 0; shape < SHAPES; shape++) {
        for (int bodies = 1; bodies <= BODIES; bodies += bodies < 4 ? 1 : 13) {
            for (int variant = 0; variant < 4; variant++) {
                const bool coupled = variant % 2 == 1, redundant = variant >= 2;
                m.bodies = bodies;
                connect(&m, shape);
                fill(&m, coupled, redundant, 1.0);
                solve(&ctx, &m, shapes[shape], true, 1.0);
                fill(&m, coupled, redundant, 1e-9);
                solve(&ctx, &m, shapes[shape], false, 1e-9);
            }
        }
    }
    gsl_rng_free(rng);
    return gsl_test_summary();
}
