/* Every registered solver of box linear complementarity problems on random problems made from their solution, against
 * the definition. */
#include <float.h>

#include <gsl/gsl_rng.h>

#include "bench/runner/registry.h"
#include "tests/numerics/lcp_problems.h"

static gsl_rng *rng;

static double draw(void) { return 2.0 * gsl_rng_uniform(rng) - 1.0; }
static int pick(int n) { return (int)gsl_rng_uniform_int(rng, (unsigned long)n); }

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
    sb_registry_free(&registry);
    return gsl_test_summary();
}
