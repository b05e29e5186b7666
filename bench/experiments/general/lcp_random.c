/* Random box complementarity problems: rounds of block pivoting against size, condition and start, how often pure block
 * pivoting cycles, and the iterations of the other solvers. */
#include <string.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_sort.h>

#include <stepbench/numerics/lcp.h>

#include "analysis/random.h"
#include "bench/runner/experiment_tools.h"

/* A = Q diag(1 ... 1/condition) Q' with the spectrum in geometric progression and Q a product of n random reflections;
 * half of the rows as normal forces, z >= 0, half as friction, |z| <= 1; the solution has a third of its rows at a
 * bound, and |w| there between 0 and 1. */
enum { N_MAX = 128 };
enum { BLOCK, PURE, DANTZIG, PGS, SOLVERS };

static const int sizes[] = {3, 4, 6, 8, 12, 16, 32, 64, 128};
static const int trials[] = {40000, 40000, 20000, 20000, 10000, 4000, 1000, 200, 60};
static const double conditions[] = {1e1, 1e3, 1e6};
static const double decades[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};
/* Size of the random change of b from one step to the next, relative to |b|. */
static const double change = 0.01;
/* Sweeps of Gauss-Seidel are counted to this residual, at most 20000. */
#define PGS_SPEC "pgs:sweeps=20000,tol=1e-6"

typedef struct problem {
    int n;
    sb_pattern A;
    double Ax[N_MAX * N_MAX], b[N_MAX], lo[N_MAX], hi[N_MAX], z[N_MAX];
} problem;

/* Replaces A by H A H with a random reflection H = 1 - 2 u u'/u'u. */
static void reflect(gsl_rng *rng, int n, double *A) {
    double u[N_MAX], Au[N_MAX], norm = 0.0, uAu = 0.0;
    for (int i = 0; i < n; i++) {
        u[i] = gsl_ran_gaussian(rng, 1.0);
        norm += u[i] * u[i];
    }
    for (int i = 0; i < n; i++) {
        Au[i] = 0.0;
        for (int j = 0; j < n; j++) {
            Au[i] += A[i * n + j] * u[j];
        }
        uAu += u[i] * Au[i];
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            A[i * n + j] -= 2.0 / norm * (u[i] * Au[j] + Au[i] * u[j]) - 4.0 * uAu / (norm * norm) * u[i] * u[j];
        }
    }
}

/* Draws a problem with its solution z. */
static void draw(gsl_rng *rng, double condition, problem *p) {
    const int n = p->n;
    memset(p->Ax, 0, sizeof p->Ax);
    for (int i = 0; i < n; i++) {
        p->Ax[i * n + i] = pow(condition, -(double)i / (n - 1));
    }
    for (int i = 0; i < n; i++) {
        reflect(rng, n, p->Ax);
    }
    for (int i = 0; i < n; i++) {
        const double u = gsl_rng_uniform(rng), w = gsl_rng_uniform(rng);
        const int where = (int)gsl_rng_uniform_int(rng, 3);
        const bool friction = i % 2 == 1, upper = friction && gsl_rng_uniform(rng) < 0.5;
        p->lo[i] = friction ? -1.0 : 0.0;
        p->hi[i] = friction ? 1.0 : (double)INFINITY;
        p->z[i] = where > 0 ? (friction ? 2.0 * u - 1.0 : u) : upper ? 1.0 : p->lo[i];
        p->b[i] = where > 0 ? 0.0 : upper ? -w : w;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            p->b[i] -= p->Ax[i * n + j] * p->z[j];
        }
    }
}

/* Initializes the solvers on the matrix of a problem. */
static int init_solvers(sb_bench *bench, sb_arena *arena, const problem *p, sb_lcp *lcp) {
    static const char *const specs[SOLVERS] = {"block_pivot:solver=dense", "block_pivot:solver=dense,fallback=none",
                                               "dantzig", PGS_SPEC};
    for (int i = 0; i < SOLVERS; i++) {
        const sb_lcp_solver *type;
        const void *config;
        SB_TRY(sb_lcp_find(bench->ctx, arena, specs[i], "auto", &type, &config));
        SB_TRY(sb_lcp_init(bench->ctx, arena, type, config, &p->A, &lcp[i]));
    }
    return SB_OK;
}

/* ---- Rounds against size. ---- */

typedef struct tally {
    long rounds, most, warm, circles;
    double error; /* largest |z - solution| over the condition */
} tally;

/* Draws and solves one problem, and solves it again with another b. */
static int try_one(gsl_rng *rng, sb_lcp *lcp, problem *p, double condition, tally *t) {
    double z[N_MAX] = {0}, pure[N_MAX] = {0};
    sb_lcp_report report;
    draw(rng, condition, p);
    const int status = sb_lcp_solve(&lcp[PURE], p->Ax, p->b, p->lo, p->hi, pure, NULL, &report);
    SB_TRY(status == SB_NOT_CONVERGED ? SB_OK : status);
    t->circles += status == SB_NOT_CONVERGED;
    SB_TRY(sb_lcp_solve(&lcp[BLOCK], p->Ax, p->b, p->lo, p->hi, z, NULL, &report));
    t->rounds += report.iterations;
    t->most = report.iterations > t->most ? report.iterations : t->most;
    t->error = sb_larger(t->error, sb_distance_max(p->n, z, p->z) / condition);
    const double size = sb_norm_max(p->n, p->b);
    for (int i = 0; i < p->n; i++) {
        p->b[i] += change * size * (2.0 * gsl_rng_uniform(rng) - 1.0);
    }
    SB_TRY(sb_lcp_solve(&lcp[BLOCK], p->Ax, p->b, p->lo, p->hi, z, NULL, &report));
    t->warm += report.iterations;
    return SB_OK;
}

static int measure_size(sb_bench *bench, gsl_rng *rng, int n, int count, double condition, double *error,
                        sb_table *table) {
    problem *p;
    sb_lcp lcp[SOLVERS] = {0};
    tally t = {0};
    SB_NEW(&bench->arena, p, 1);
    SB_SCRATCH(scratch, bench->ctx);
    p->n = n;
    SB_TRY(sb_pattern_full(&scratch, n, n, &p->A));
    SB_TRY(init_solvers(bench, &scratch, p, lcp));
    for (int k = 0; k < count; k++) {
        SB_TRY(try_one(rng, lcp, p, condition, &t));
    }
    *error = sb_larger(*error, t.error);
    const double rate = (double)t.circles / count;
    return SB_TABLE_ROW(table, sb_int(n), sb_real(condition), sb_int(count), sb_real((double)t.rounds / count),
                        sb_int(t.most), sb_real((double)t.warm / count), sb_int(t.circles), sb_real(rate),
                        sb_real(sqrt(rate * (1.0 - rate) / count)));
}

/* ---- Work against condition. ---- */

enum { ROWS = 32, SAMPLES = 51 };

static int measure_condition(sb_bench *bench, gsl_rng *rng, double condition, sb_table *table) {
    problem *p;
    sb_lcp lcp[SOLVERS] = {0};
    double sweeps[SAMPLES], errors[SAMPLES], rounds = 0.0, pivots = 0.0;
    sb_lcp_report report;
    SB_NEW(&bench->arena, p, 1);
    p->n = ROWS;
    SB_TRY(sb_pattern_full(&bench->arena, ROWS, ROWS, &p->A));
    SB_TRY(init_solvers(bench, &bench->arena, p, lcp));
    for (int k = 0; k < SAMPLES; k++) {
        double z[N_MAX] = {0}, by_rows[N_MAX] = {0}, swept[N_MAX] = {0};
        draw(rng, condition, p);
        SB_TRY(sb_lcp_solve(&lcp[BLOCK], p->Ax, p->b, p->lo, p->hi, z, NULL, &report));
        rounds += (double)report.iterations / SAMPLES;
        SB_TRY(sb_lcp_solve(&lcp[DANTZIG], p->Ax, p->b, p->lo, p->hi, by_rows, NULL, &report));
        pivots += (double)report.iterations / SAMPLES;
        SB_TRY(sb_lcp_solve(&lcp[PGS], p->Ax, p->b, p->lo, p->hi, swept, NULL, &report));
        sweeps[k] = (double)report.iterations;
        errors[k] = sb_distance_max(p->n, swept, p->z);
    }
    gsl_sort(sweeps, 1, SAMPLES);
    gsl_sort(errors, 1, SAMPLES);
    return SB_TABLE_ROW(table, sb_real(condition), sb_real(rounds), sb_real(pivots), sb_real(sweeps[SAMPLES / 2]),
                        sb_real(errors[SAMPLES / 2]));
}

SB_DEFINE_EXPERIMENT(lcp_random) {
    gsl_rng *rng;
    sb_table sizes_table, conditions_table;
    double error = 0.0;
    SB_TRY(sb_random(&bench->arena, 0, &rng));
    SB_TRY(sb_bench_table(bench, "lcp_random", &sizes_table));
    for (int c = 0; c < SB_COUNT(conditions); c++) {
        for (int i = 0; i < SB_COUNT(sizes); i++) {
            SB_TRY(measure_size(bench, rng, sizes[i], trials[i], conditions[c], &error, &sizes_table));
        }
    }
    /* the error of the solution is 1e-12 (the solver's tolerance) times the condition */
    if (!(error <= 1e-11)) {
        return sb_fail(bench->ctx, SB_NOT_CONVERGED, "the error of block_pivot over the condition is %.3g, above 1e-11",
                       error);
    }
    SB_TRY(sb_bench_table(bench, "lcp_random_condition", &conditions_table));
    for (int i = 0; i < SB_COUNT(decades); i++) {
        SB_TRY(measure_condition(bench, rng, decades[i], &conditions_table));
    }
    SB_TRY(sb_bench_save(bench, &sizes_table, "lcp_random.csv"));
    return sb_bench_save(bench, &conditions_table, "lcp_random_condition.csv");
}
