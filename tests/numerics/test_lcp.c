/* Every registered solver of box linear complementarity problems on random problems made from their solution, against
 * the definition; circles of pure block pivoting; bad input; problems without a solution. */
#include <float.h>
#include <math.h>
#include <string.h>

#include <gsl/gsl_rng.h>
#include <gsl/gsl_test.h>

#include <stepbench/numerics/lcp.h>

#include "bench/runner/registry.h"

enum { NMAX = 60 };

static gsl_rng *rng;

static double draw(void) { return 2.0 * gsl_rng_uniform(rng) - 1.0; }
static int pick(int n) { return (int)gsl_rng_uniform_int(rng, (unsigned long)n); }

typedef struct made_up {
    int n;
    double dense[NMAX * NMAX]; /* A, column-major */
    double b[NMAX], lo[NMAX], hi[NMAX], z[NMAX], w[NMAX];
    sb_pattern A;
    double *Ax;
} made_up;

/* A = sum_k c_k c_k' over vectors of `reach` neighbouring entries, weighted from 1 down to `least`, and `shift` on the
 * diagonal. */
static void draw_matrix(made_up *s, int n, int reach, double least, double shift) {
    s->n = n;
    memset(s->dense, 0, sizeof s->dense);
    for (int k = 0; k < 2 * n; k++) {
        const double weight = pow(least, gsl_rng_uniform(rng));
        double c[NMAX];
        const int first = pick(n - reach + 1);
        for (int i = 0; i < reach; i++) {
            c[i] = draw();
        }
        for (int i = 0; i < reach * reach; i++) {
            s->dense[first + i % reach + (first + i / reach) * n] += weight * c[i % reach] * c[i / reach];
        }
    }
    for (int i = 0; i < n; i++) {
        s->dense[i + i * n] += shift;
    }
}

/* Bounds of every kind, a solution of every kind within them, and the b that makes it one. One row in four is
 * degenerate: at its bound with w = 0. */
static void draw_solution(made_up *s) {
    for (int i = 0; i < s->n; i++) {
        const int kind = pick(6), where = pick(4);
        s->lo[i] = kind == 0 ? -(double)INFINITY : kind == 1 ? 0.0 : -1.0 - gsl_rng_uniform(rng);
        s->hi[i] = kind == 0 || kind == 1 ? (double)INFINITY : kind == 2 ? s->lo[i] : 1.0 + gsl_rng_uniform(rng);
        const double inside = 0.05 + 0.9 * gsl_rng_uniform(rng),
                     middle = isinf(s->hi[i]) ? inside : s->lo[i] + (s->hi[i] - s->lo[i]) * inside;
        const double degenerate = pick(4) == 0 ? 0.0 : gsl_rng_uniform(rng);
        s->z[i] = where < 2 ? middle : where == 2 ? s->lo[i] : s->hi[i];
        if (kind == 2) {
            s->z[i] = s->lo[i];
            s->w[i] = draw();
        } else if (isinf(s->z[i]) || where < 2) {
            s->z[i] = middle;
            s->w[i] = 0.0;
        } else {
            s->w[i] = where == 2 ? degenerate : -degenerate;
        }
    }
    for (int i = 0; i < s->n; i++) {
        s->b[i] = s->w[i];
        for (int j = 0; j < s->n; j++) {
            s->b[i] -= s->dense[i + j * s->n] * s->z[j];
        }
    }
}

static void set_pattern(sb_arena *arena, made_up *s) {
    static int row[NMAX * NMAX], col[NMAX * NMAX];
    int nnz = 0;
    for (int k = 0; k < s->n * s->n; k++) {
        if (s->dense[k] != 0.0 || k % (s->n + 1) == 0) {
            row[nnz] = k % s->n;
            col[nnz++] = k / s->n;
        }
    }
    gsl_test(sb_pattern_from_pairs(arena, s->n, s->n, nnz, row, col, &s->A), "pattern");
    s->Ax = sb_alloc(arena, (size_t)nnz, sizeof(double));
    for (int j = 0; j < s->n; j++) {
        for (int k = s->A.p[j]; k < s->A.p[j + 1]; k++) {
            s->Ax[k] = s->dense[s->A.i[k] + j * s->n];
        }
    }
}

/* The largest violation of the conditions, over the size of its row's terms: a bound is never passed, and either w has
 * vanished or, in the unit of w, what is left between z and the bound that the sign of w calls for. */
static double violation(const made_up *s, const double *z) {
    double worst = 0.0;
    for (int i = 0; i < s->n; i++) {
        const double a = s->dense[i + i * s->n];
        double w = s->b[i], size = fabs(s->b[i]);
        for (int j = 0; j < s->n; j++) {
            w += s->dense[i + j * s->n] * z[j];
            size += fabs(s->dense[i + j * s->n] * z[j]);
        }
        double miss = w > 0.0 ? fmin(w, a * (z[i] - s->lo[i])) : fmin(-w, a * (s->hi[i] - z[i]));
        miss = isnan(w) || !(z[i] >= s->lo[i] && z[i] <= s->hi[i]) ? (double)INFINITY : miss == 0.0 ? 0.0 : miss / size;
        worst = miss > worst ? miss : worst;
    }
    return worst;
}

static double distance(const made_up *s, const double *z) {
    double most = 0.0;
    for (int i = 0; i < s->n; i++) {
        const double d = fabs(z[i] - s->z[i]);
        most = !(d <= most) ? d : most;
    }
    return most;
}

/* ---- One solver on one problem. ---- */

typedef struct bound_solver {
    sb_context *ctx;
    sb_arena arena;
    const sb_lcp_solver *type;
    sb_lcp lcp;
    const char *spec;
} bound_solver;

static void bind(sb_context *ctx, const made_up *s, const char *spec, bound_solver *out) {
    const void *config = NULL;
    *out = (bound_solver){.ctx = ctx, .spec = spec};
    sb_arena_init(&out->arena, ctx);
    int status = sb_lcp_find(ctx, &out->arena, spec, "auto", &out->type, &config);
    status = status == SB_OK ? sb_lcp_init(ctx, &out->arena, out->type, config, &s->A, &out->lcp) : status;
    gsl_test(status != SB_OK, "%s is found and bound: %s", spec, status == SB_OK ? "it is" : ctx->message);
}

static void release(bound_solver *b) { sb_arena_free(&b->arena); }

static int solve(bound_solver *b, const made_up *s, double *z, signed char *side, sb_lcp_report *report) {
    return sb_lcp_solve(&b->lcp, s->Ax, s->b, s->lo, s->hi, z, side, report);
}

/* A problem of which the solution is known. `condition` is about |A||A^-1|: residuals of 1e-12 of their terms, which
 * the direct solvers take for round-off, leave that much in z. pgs stops at changes of 1e-12 and so is off by its rate
 * of convergence, 1 - 1/condition, besides. */
static void solve_known(bound_solver *b, const made_up *s, double condition) {
    double cold[NMAX] = {0}, warm[NMAX], again[NMAX];
    signed char side[NMAX] = {0};
    sb_lcp_report report;
    int status = solve(b, s, cold, side, &report);
    const double bound = b->type->direct ? 4e-12 : 1e-10, error = condition * bound * s->n * 4.0;
    gsl_test(status != SB_OK, "%s on %d rows: %s", b->spec, s->n, status != SB_OK ? b->ctx->message : "solved");
    gsl_test(!(violation(s, cold) <= bound), "%s on %d rows: conditions hold to %.2g", b->spec, s->n,
             violation(s, cold));
    gsl_test(!(fabs(report.residual - violation(s, cold)) <= 1e-14), "%s: residual %.3g reported, %.3g by definition",
             b->spec, report.residual, violation(s, cold));
    gsl_test(!(distance(s, cold) <= error), "%s on %d rows, condition %.2g: z is off by %.2g", b->spec, s->n, condition,
             distance(s, cold));
    for (int i = 0; i < s->n; i++) {
        gsl_test(side[i] != SB_LCP_FREE && cold[i] != (side[i] == SB_LCP_LO ? s->lo[i] : s->hi[i]),
                 "%s: row %d is where its side says", b->spec, i);
    }
    /* from its own solution: the same one, at once */
    memcpy(warm, cold, sizeof warm);
    memcpy(again, cold, sizeof again);
    status = solve(b, s, warm, side, &report);
    gsl_test(status != SB_OK || !(violation(s, warm) <= bound), "%s warm: %.3g", b->spec, violation(s, warm));
    gsl_test(strcmp(b->type->entry.name, "block_pivot") == 0 && (report.iterations != 1 || report.factorizations != 1),
             "%s warm takes one round (%ld)", b->spec, report.iterations);
    gsl_test(!b->type->direct && report.iterations > 2, "%s warm takes at most two sweeps (%ld)", b->spec,
             report.iterations);
    status = sb_lcp_solve(&b->lcp, NULL, s->b, s->lo, s->hi, again, side, &report);
    gsl_test(status != SB_OK || memcmp(again, warm, (size_t)s->n * sizeof(double)) != 0,
             "%s: the same matrix, the same solution to the last bit", b->spec);
    gsl_test(strcmp(b->type->entry.name, "block_pivot") == 0 && report.factorizations != 0,
             "%s: the same matrix is not factored again", b->spec);
}

static const char *const specs[] = {
    "block_pivot", "block_pivot:solver=dense",      "block_pivot:patience=0", "[block_pivot:solver=dense,patience=1]",
    "dantzig",     "[pgs:sweeps=1000000,tol=1e-13]"};
enum { SPECS = sizeof specs / sizeof specs[0] };

static void random_problems(sb_context *ctx, int count, int n, int reach, double least, double shift, bool iterative) {
    for (int k = 0; k < count; k++) {
        static made_up s;
        sb_arena arena;
        sb_arena_init(&arena, ctx);
        draw_matrix(&s, n, reach, least, shift);
        draw_solution(&s);
        set_pattern(&arena, &s);
        double norm = 0.0;
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int j = 0; j < n; j++) {
                sum += fabs(s.dense[i + j * n]);
            }
            norm = fmax(norm, sum);
        }
        for (int i = 0; i < SPECS; i++) {
            bound_solver b;
            if (!iterative && strstr(specs[i], "pgs") != NULL) {
                continue;
            }
            bind(ctx, &s, specs[i], &b);
            solve_known(&b, &s, norm / shift); /* the least eigenvalue is at least the shift */
            release(&b);
        }
        sb_arena_free(&arena);
    }
}

/* Rows that depend on each other but for 1e-12 of their diagonal, as those of a box on its corners. z is open; the
 * conditions hold. */
static void redundant_problems(sb_context *ctx, int count, int n) {
    for (int k = 0; k < count; k++) {
        static made_up s;
        sb_arena arena;
        sb_arena_init(&arena, ctx);
        memset(&s, 0, sizeof s);
        s.n = n;
        for (int v = 0; v < n / 2;
             v++) { /* A = sum of c c' with whole numbers c, those of rows 0 and 1, 2 and 3 ... the same */
            double c[NMAX] = {0};
            const int first = pick(n / 2 - 1);
            for (int i = 2 * first; i < 2 * first + 4; i++) {
                c[i] = i % 2 == 1 ? c[i - 1] : (double)pick(5) - 2.0;
            }
            for (int i = 0; i < n * n; i++) {
                s.dense[i] += c[i % n] * c[i / n];
            }
        }
        draw_solution(&s);
        set_pattern(&arena, &s);
        for (int j = 0; j < n; j++) {
            const int at = sb_pattern_find(&s.A, j, j);
            s.dense[j + j * n] += 0x1p-40 * fmax(s.dense[j + j * n], 1.0);
            s.Ax[at] = s.dense[j + j * n];
        }
        for (int i = 0; i < SPECS; i++) {
            bound_solver b;
            double z[NMAX] = {0};
            sb_lcp_report report;
            bind(ctx, &s, specs[i], &b);
            if (b.type->direct) {
                const int status = solve(&b, &s, z, NULL, &report);
                gsl_test(status != SB_OK, "%s on %d redundant rows: %s", b.spec, n,
                         status != SB_OK ? ctx->message : "solved");
                gsl_test(!(violation(&s, z) <= 1e-11), "%s on %d redundant rows: conditions hold to %.2g", b.spec, n,
                         violation(&s, z));
            }
            release(&b);
        }
        sb_arena_free(&arena);
    }
}

/* ---- Small problems written out. ---- */

/* Sets s from rows of [A | b | lo | hi]. */
static void write_out(sb_arena *arena, made_up *s, int n, const double *rows) {
    s->n = n;
    for (int i = 0; i < n; i++) {
        const double *row = rows + i * (n + 3);
        for (int j = 0; j < n; j++) {
            s->dense[i + j * n] = row[j];
        }
        s->b[i] = row[n];
        s->lo[i] = row[n + 1];
        s->hi[i] = row[n + 2];
    }
    set_pattern(arena, s);
}

/* Every solver gives `status`, with a message that contains `words` (and the number of rows) if it is a failure. */
static void every_solver(sb_context *ctx, const char *what, int n, const double *rows, int direct, int iterative,
                         const char *words) {
    static made_up s;
    sb_arena arena;
    sb_arena_init(&arena, ctx);
    write_out(&arena, &s, n, rows);
    for (int i = 0; i < SPECS; i++) {
        bound_solver b;
        double z[NMAX] = {0};
        sb_lcp_report report;
        bind(ctx, &s, specs[i], &b);
        const int expected = b.type->direct ? direct : iterative, status = solve(&b, &s, z, NULL, &report);
        gsl_test(status != expected, "%s: %s gives status %d, not %d: %s", what, specs[i], status, expected,
                 ctx->message);
        gsl_test(status != SB_OK && strstr(ctx->message, words) == NULL, "%s: %s says \"%s\": %s", what, specs[i],
                 words, ctx->message);
        gsl_test(status == SB_OK && !(violation(&s, z) <= 1e-9), "%s: %s leaves %.2g", what, specs[i],
                 violation(&s, z));
        release(&b);
    }
    sb_arena_free(&arena);
}

static void bad_input(sb_context *ctx) {
    const double inf = (double)INFINITY, nan = (double)NAN;
    every_solver(ctx, "NaN above", 2, (double[]){2, 0, 1, 0, 1, 0, 2, 1, 0, nan}, SB_BAD_USAGE, SB_BAD_USAGE,
                 "upper bound of row 1 of 2 is not a number");
    every_solver(ctx, "NaN below", 1, (double[]){2, 1, nan, 1}, SB_BAD_USAGE, SB_BAD_USAGE,
                 "lower bound of row 0 of 1 is not a number");
    every_solver(ctx, "crossed bounds", 2, (double[]){2, 0, 1, 0, 1, 0, 2, 1, 3, 2.5}, SB_BAD_USAGE, SB_BAD_USAGE,
                 "row 1 of 2 is above the upper one, 3 > 2.5");
    every_solver(ctx, "no number between", 1, (double[]){2, 1, inf, inf}, SB_BAD_USAGE, SB_BAD_USAGE,
                 "both bounds of row 0 of 1 are inf");
    every_solver(ctx, "b NaN", 1, (double[]){2, nan, 0, inf}, SB_NOT_FINITE, SB_NOT_FINITE, "b is nan in row 0 of 1");
    every_solver(ctx, "b infinite", 1, (double[]){2, inf, 0, inf}, SB_NOT_FINITE, SB_NOT_FINITE,
                 "b is inf in row 0 of 1");
    every_solver(ctx, "no rows", 0, (double[]){0}, SB_OK, SB_OK, "");
    sb_arena arena;
    const sb_lcp_solver *type;
    const void *config;
    sb_arena_init(&arena, ctx);
    gsl_test(sb_lcp_find(ctx, &arena, "block_pivt", "auto", &type, &config) != SB_BAD_USAGE ||
                 strstr(ctx->message, "block_pivot") == NULL,
             "nearest: %s", ctx->message);
    gsl_test(sb_lcp_find(ctx, &arena, "pgs:sweeps=0", "auto", &type, &config) != SB_BAD_USAGE ||
                 strstr(ctx->message, "sweeps") == NULL,
             "no sweep: %s", ctx->message);
    sb_arena_free(&arena);
}

/* One solver on one small problem from z = 0: its status, and words of its message. */
static void ends(sb_context *ctx, const char *spec, const char *what, int n, const double *rows, int expected,
                 const char *words) {
    static made_up s;
    bound_solver b;
    sb_lcp_report report;
    double z[NMAX] = {0};
    sb_arena arena;
    sb_arena_init(&arena, ctx);
    write_out(&arena, &s, n, rows);
    bind(ctx, &s, spec, &b);
    const int status = solve(&b, &s, z, NULL, &report);
    gsl_test(status != expected, "%s: %s gives status %d: %s", what, spec, status,
             status == SB_OK ? "solved" : ctx->message);
    gsl_test(status != SB_OK && strstr(ctx->message, words) == NULL, "%s: %s says \"%s\": %s", what, spec, words,
             ctx->message);
    gsl_test(status == SB_OK && !(violation(&s, z) <= 1e-9), "%s: %s leaves %.2g", what, spec, violation(&s, z));
    release(&b);
    sb_arena_free(&arena);
}

/* Semi-definite matrices: an end and a clear word, whether there is a solution or not. */
static void semidefinite(sb_context *ctx) {
    const double inf = (double)INFINITY;
    const double equations[] = {1, 1, -1, -inf, inf, 1, 1, 1, -inf, inf}; /* z0 + z1 is 1 and -1 */
    const double receding[] = {1, -1, -1, 0, inf, -1, 1, -1, 0, inf};     /* w0 + w1 = -2 */
    const double twice[] = {1, 1, -1, 0, inf, 1, 1, -1, 0, inf};          /* z0 + z1 = 1 in any shares */
    const double bounded[] = {1, -1, -1, 0, 2, -1, 1, -1, 0, 3};          /* receding, until stopped by the bounds */
    const double empty[] = {0, 0, 1, 0, inf, 0, 2, -1, 0, inf};           /* row 0 has no matrix: z0 = 0 and w0 = 1 */
    ends(ctx, "block_pivot", "contradicting equations", 2, equations, SB_SINGULAR, "2 free of 2 rows");
    ends(ctx, "dantzig", "contradicting equations", 2, equations, SB_NOT_CONVERGED, "row 1 of 2 depends on the 1 free");
    ends(ctx, "block_pivot", "no solution", 2, receding, SB_SINGULAR, "2 free of 2 rows");
    ends(ctx, "dantzig", "no solution", 2, receding, SB_NOT_CONVERGED, "no solution: row 1 of 2");
    ends(ctx, "pgs:sweeps=100", "no solution", 1, (double[]){0, -1, 0, inf}, SB_SINGULAR, "diagonal of row 0 of 1");
    ends(ctx, "block_pivot", "a row twice", 2, twice, SB_SINGULAR, "2 free of 2 rows");
    ends(ctx, "dantzig", "a row twice", 2, twice, SB_OK, "");
    ends(ctx, "pgs", "a row twice", 2, twice, SB_OK, "");
    ends(ctx, "dantzig", "stopped by bounds", 2, bounded, SB_OK, "");
    ends(ctx, "dantzig", "empty row", 2, empty, SB_OK, "");
    ends(ctx, "block_pivot", "empty row", 2, empty, SB_OK, "");
    /* rows 0 and 1 are one row twice: row 1 has nothing to do until row 0 is at its bound. z = (-1, -2.5, 4) */
    const double relay[] = {1, 1, 1, -0.5, -1, 1, 1, 1, 1, -0.5, -3, 3, 1, 1, 2, -4.5, 0, inf};
    ends(ctx, "dantzig", "a row that takes over", 3, relay, SB_OK, "");
    /* what a regularization is for: the same rows with 1e-8 on the diagonal */
    double regularized[10];
    memcpy(regularized, twice, sizeof regularized);
    regularized[0] = regularized[6] = 1.0 + 1e-8;
    ends(ctx, "block_pivot", "a row twice, regularized", 2, regularized, SB_OK, "");
    const double shifted[] = {
        1,    -0.9, -1, 0, inf,
        -0.9, 1,    -1, 0, inf}; /* both rows go free in one round, from none: a second round sees that */
    ends(ctx, "block_pivot:maxit=1", "one round", 2, shifted, SB_NOT_CONVERGED,
         "2 of 2 rows are on the wrong side with 0 free");
    ends(ctx, "dantzig:maxit=1", "one pivot", 2, shifted, SB_NOT_CONVERGED, "row 1 of 2");
}

/* A positive definite matrix of determinant 1 on which whole blocks go round for ever: with row 2 free (z2 = 5/2) w0 =
 * -1/2 and w1 = -3/2; with all free z = (-3, 2, -1); with row 1 free (z1 = -1/5) w2 = -24/5. The solution has rows 1
 * and 2 free, (5 -1; -1 2) z = (-1, 5): z1 = 1/3, z2 = 8/3, w0 = 1/3. */
static void circle(sb_context *ctx) {
    const double inf = (double)INFINITY, rows[] = {6, 4, -3, 7, 0, inf, 4, 5, -1, 1, 0, inf, -3, -1, 2, -5, 0, inf};
    ends(ctx, "block_pivot:fallback=none", "a circle", 3, rows, SB_NOT_CONVERGED, "goes in a circle of 3 rounds");
    every_solver(ctx, "a circle", 3, rows, SB_OK, SB_OK, "");
    static made_up s;
    bound_solver b;
    sb_lcp_report report;
    sb_arena arena;
    sb_arena_init(&arena, ctx);
    write_out(&arena, &s, 3, rows);
    bind(ctx, &s, "block_pivot", &b);
    double z[3] = {0};
    gsl_test(solve(&b, &s, z, NULL, &report), "the circle is left");
    gsl_test_abs(z[0], 0.0, 0.0, "z0");
    gsl_test_rel(z[1], 1.0 / 3.0, 1e-13, "z1");
    gsl_test_rel(z[2], 8.0 / 3.0, 1e-13, "z2");
    gsl_test(report.free != 2, "two rows are free (%d)", report.free);
    /* from the sides of the solution pure block pivoting has nothing to do */
    signed char side[] = {SB_LCP_LO, SB_LCP_FREE, SB_LCP_FREE};
    release(&b);
    bind(ctx, &s, "block_pivot:fallback=none", &b);
    gsl_test(solve(&b, &s, z, side, &report) != SB_OK || report.iterations != 1,
             "from the sides of the solution there is nothing to do");
    release(&b);
    sb_arena_free(&arena);
}

/* z = (0, 1, 1/2) between 0 and 1: one row at its lower bound, one at its upper bound, and one between them. */
static void count_free(sb_context *ctx) {
    const double rows[] = {1, 0, 0, 3, 0, 1, 0, 1, 0, -3, 0, 1, 0, 0, 1, -0.5, 0, 1};
    static made_up s;
    bound_solver b;
    sb_lcp_report report;
    sb_arena arena;
    double z[3] = {0};
    sb_arena_init(&arena, ctx);
    write_out(&arena, &s, 3, rows);
    bind(ctx, &s, "pgs", &b);
    gsl_test(solve(&b, &s, z, NULL, &report) != SB_OK || report.free != 1, "one row is free (%d)", report.free);
    release(&b);
    sb_arena_free(&arena);
}

/* A row of bodies that all rest on their neighbours, the first (or the last) of which is pushed: the second difference
 * of z is -1 there and 0 elsewhere, z_i = 1 - (i + 1)/(n + 1), counted from it. Blocks from zero find one contact a
 * round. */
static void pushed_row(sb_context *ctx, bool last) {
    enum { N = NMAX };
    static made_up s;
    sb_arena arena;
    sb_arena_init(&arena, ctx);
    memset(&s, 0, sizeof s);
    s.n = N;
    for (int i = 0; i < N; i++) {
        s.dense[i + i * N] = 2.0;
        if (i > 0) {
            s.dense[i + (i - 1) * N] = s.dense[i - 1 + i * N] = -1.0;
        }
        const int from = last ? N - 1 - i : i;
        s.b[i] = from == 0 ? -1.0 : 0.0;
        s.hi[i] = (double)INFINITY;
        s.z[i] = 1.0 - (from + 1.0) / (N + 1.0);
    }
    set_pattern(&arena, &s);
    for (int i = 0; i < 3; i++) {
        bound_solver b;
        sb_lcp_report report;
        double z[NMAX] = {0.0};
        bind(ctx, &s, specs[i], &b);
        gsl_test(solve(&b, &s, z, NULL, &report), "%s: a row of %d bodies is solved", specs[i], N);
        gsl_test(!(distance(&s, z) <= N * N * 4e-12), "%s: z is off by %.2g", specs[i],
                 distance(&s, z)); /* condition N^2 times tol */
        gsl_test(!(report.iterations < N / 3), "%s: the push reaches %d bodies in %ld rounds", specs[i], N,
                 report.iterations);
        release(&b);
    }
    sb_arena_free(&arena);
}

int main(void) {
    sb_context ctx;
    sb_registry registry;
    sb_context_init(&ctx);
    gsl_test(sb_registry_init(&registry, &ctx) != SB_OK || sb_register_builtins(&registry) != SB_OK,
             "built-ins register");
    rng = gsl_rng_alloc(gsl_rng_mt19937);
    random_problems(&ctx, 40, 1, 1, 1.0, 0.5, true);
    random_problems(&ctx, 200, 5, 3, 1.0, 0.2, true);
    random_problems(&ctx, 40, 30, 4, 1e-2, 0.1, true);
    random_problems(&ctx, 20, NMAX, NMAX, 1e-2, 0.1, true);
    random_problems(&ctx, 100, 12, 4, 1e-6, 1e-7, false);
    random_problems(&ctx, 20, NMAX, 5, 1e-8, 1e-9, false);
    redundant_problems(&ctx, 200, 8);
    redundant_problems(&ctx, 100, 24);
    gsl_rng_free(rng);
    bad_input(&ctx);
    semidefinite(&ctx);
    circle(&ctx);
    count_free(&ctx);
    pushed_row(&ctx, false);
    pushed_row(&ctx, true);
    sb_registry_free(&registry);
    return gsl_test_summary();
}
