/* Solvers of box linear complementarity problems on small problems written out: circles of pure block pivoting; bad
 * input; problems without a solution. */
#include "bench/runner/registry.h"
#include "tests/numerics/lcp_problems.h"

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
 * of z is -1 there and 0 elsewhere, z_i = 1 - (i + 1)/(n + 1), counted from it. Blocks and single
 * pivots from zero find one contact per round, an interior-point method all of them in a number of iterations that does
 * not depend on N. */
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
        gsl_test(!(report.iterations < 2 * N / 3), "%s: the push reaches %d bodies in %ld rounds", specs[i], N,
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
    bad_input(&ctx);
    semidefinite(&ctx);
    circle(&ctx);
    count_free(&ctx);
    pushed_row(&ctx, false);
    pushed_row(&ctx, true);
    sb_registry_free(&registry);
    return gsl_test_summary();
}
