/* The inverse of a mass matrix with one dense block, on both sides of the size from which LAPACK inverts it. */
#include <float.h>
#include <math.h>
#include <string.h>

#include <gsl/gsl_rng.h>
#include <gsl/gsl_test.h>

#include <stepbench/numerics/mass.h>

enum { MOST = 24 };

typedef struct dense {
    int n;
    double M[MOST * MOST];
} dense;

static int values(const void *self, const double *q, double *Mx) {
    const dense *d = self;
    (void)q;
    memcpy(Mx, d->M, (size_t)(d->n * d->n) * sizeof(double));
    return SB_OK;
}

/* M = n 1 + B B' with |B_ij| <= 1: eigenvalues between n and n + n^2, so that its condition number is at most n + 1. */
static void draw(gsl_rng *rng, int n, dense *d) {
    double B[MOST * MOST];
    d->n = n;
    for (int k = 0; k < n * n; k++) {
        B[k] = 2.0 * gsl_rng_uniform(rng) - 1.0;
    }
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            double sum = i == j ? n : 0.0;
            for (int k = 0; k < n; k++) {
                sum += B[i + k * n] * B[j + k * n];
            }
            d->M[i + j * n] = sum;
        }
    }
}

static int prepare(sb_context *ctx, sb_arena *arena, const dense *d, sb_system *sys, sb_mass *mass) {
    *sys = (sb_system){.name = "dense", .n = d->n};
    SB_TRY(sb_pattern_full(arena, d->n, d->n, &sys->H));
    sys->inertia = (sb_inertia){.self = d, .M = sys->H, .mass = values};
    return sb_mass_init(ctx, arena, sys, mass);
}

static void solves(sb_context *ctx, gsl_rng *rng, int n) {
    sb_arena arena;
    sb_system sys;
    sb_mass mass;
    dense d;
    double b[MOST], x[MOST], back[MOST], worst = 0.0;
    sb_arena_init(&arena, ctx);
    draw(rng, n, &d);
    gsl_test(prepare(ctx, &arena, &d, &sys, &mass), "mass matrix of %d rows: %s", n, ctx->message);
    for (int i = 0; i < n; i++) {
        b[i] = 2.0 * gsl_rng_uniform(rng) - 1.0;
    }
    sb_mass_solve(&mass, b, x);
    sb_mass_mult(&mass, x, back);
    for (int i = 0; i < n; i++) {
        const double r = fabs(back[i] - b[i]);
        worst = r <= worst ? worst : r;
    }
    /* n roundings in each of three passes over a matrix of condition n + 1 */
    const double tolerance = 3.0 * n * (n + 1) * DBL_EPSILON;
    gsl_test(!(worst <= tolerance), "M (M^-1 b) = b for %d rows: %.2g, round-off may give %.2g", n, worst, tolerance);
    /* an indefinite matrix: its last diagonal entry negative */
    d.M[n * n - 1] = -1.0;
    gsl_test(prepare(ctx, &arena, &d, &sys, &mass) != SB_SINGULAR, "an indefinite mass matrix of %d rows is refused",
             n);
    sb_arena_free(&arena);
}

/* ---- A chain of coupled masses, (1, 4, 1)/6 in every row: it is factored, and inverted for who asks for it. ---- */

enum { LINKS = 300 };

static int chain_values(const void *self, const double *q, double *Mx) {
    (void)self, (void)q;
    for (int j = 0; j < LINKS; j++) {
        for (int i = j > 0 ? j - 1 : 0; i <= j + 1 && i < LINKS; i++) {
            *Mx++ = i == j ? 4.0 / 6.0 : 1.0 / 6.0;
        }
    }
    return SB_OK;
}

/* M x = b has the solution x_i = c sinh((n - i) a) for b = e_0, where r = -exp(-a) solves 1 + 4 r + r^2 = 0, a sign
 * (-1)^i aside: x_i = 6 (-1)^i s(n - i)/s(n + 1), s(k) = exp(k a) - exp(-k a). */
static double chain_inverse(int i) {
    const double a = log(2.0 + sqrt(3.0));
    return (i % 2 == 0 ? 6.0 : -6.0) * exp(-(i + 1) * a) * (1.0 - exp(-2.0 * (LINKS - i) * a)) /
           (1.0 - exp(-2.0 * (LINKS + 1) * a));
}

static void chain(sb_context *ctx) {
    int row[3 * LINKS], col[3 * LINKS], count = 0;
    double b[LINKS] = {1.0}, x[LINKS];
    sb_mass mass;
    SB_SCRATCH(arena, ctx);
    sb_system sys = {.name = "chain", .n = LINKS};
    for (int j = 0; j < LINKS; j++) {
        for (int i = j > 0 ? j - 1 : 0; i <= j + 1 && i < LINKS; i++) {
            row[count] = i;
            col[count++] = j;
        }
    }
    gsl_test(sb_pattern_from_pairs(&arena, LINKS, LINKS, count, row, col, &sys.H) != SB_OK, "pattern");
    sys.inertia = (sb_inertia){.M = sys.H, .mass = chain_values};
    gsl_test(sb_mass_init(ctx, &arena, &sys, &mass) != SB_OK, "mass matrix of a chain: %s", ctx->message);
    gsl_test(mass.W.p != NULL, "the inverse of a chain is formed where nobody asks for it");
    for (int formed = 0; formed < 2; formed++) {
        gsl_test(formed && sb_mass_form_inverse(&arena, &mass) != SB_OK, "%s", ctx->message);
        sb_mass_solve(&mass, b, x);
        for (int i = 0; i < LINKS; i++) { /* the matrix has the condition 3 */
            gsl_test(!(fabs(x[i] - chain_inverse(i)) <= 16.0 * DBL_EPSILON), "chain, %s: x[%d] = %g, not %g",
                     formed ? "inverse" : "factor", i, x[i], chain_inverse(i));
        }
    }
    gsl_test(sb_pattern_nnz(&mass.W) != LINKS * LINKS, "the inverse is dense");
}

int main(void) {
    sb_context ctx;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    sb_context_init(&ctx);
    for (int n = 1; n <= MOST; n++) {
        solves(&ctx, rng, n);
    }
    gsl_rng_free(rng);
    chain(&ctx);
    return gsl_test_summary();
}
