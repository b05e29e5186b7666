/* The Gram matrix of rows that share some coordinates with very many others: S x = r holds for r in its range, its rank
 * is that by which the rows are made, and rows that are left out have x = 0. */
#include <float.h>
#include <math.h>
#include <string.h>

#include <gsl/gsl_rng.h>
#include <gsl/gsl_test.h>

#include "core/linear/gram.h"
#include <stepbench/context.h>

enum { ARMS = 150, HUBS = 3, ALONE = 2, COPIES = 5, OWN = 2, ROWS = ARMS + ALONE + COPIES, N = OWN * ARMS + HUBS };

/* Row j of an arm has two coordinates of its own and those of the hub; ALONE rows touch the hub only; a copy is the sum
 * of two rows of arms, and its pattern their union; the first copy has a share of the hub of its own. */
static int pattern(int *p, int *i) {
    int end = 0;
    for (int j = 0; j < ROWS; j++) {
        const int copy = j - ARMS - ALONE;
        for (int of = 0; of < (copy >= 0 ? 2 : j < ARMS); of++) {
            for (int k = 0; k < OWN; k++) {
                i[end++] = OWN * (copy >= 0 ? 7 * copy + of : j) + k;
            }
        }
        for (int k = 0; k < HUBS; k++) {
            i[end++] = OWN * ARMS + k;
        }
        p[j + 1] = end;
    }
    return end;
}

static void set_values(gsl_rng *rng, const int *p, sb_scalar *Cx) {
    for (int e = 0; e < p[ARMS + ALONE]; e++) {
        Cx[e] = 2.0 * gsl_rng_uniform(rng) - 1.0;
    }
    for (int copy = 0; copy < COPIES; copy++) {
        sb_scalar *to = Cx + p[ARMS + ALONE + copy];
        const sb_scalar *a = Cx + p[7 * copy], *b = Cx + p[7 * copy + 1];
        for (int k = 0; k < OWN; k++) {
            to[k] = a[k];
            to[OWN + k] = b[k];
        }
        for (int k = 0; k < HUBS; k++) {
            to[2 * OWN + k] = copy > 0 ? a[OWN + k] + b[OWN + k] : 2.0 * gsl_rng_uniform(rng) - 1.0;
        }
    }
}

/* Sets r = C'D C x. */
static void multiply(const sb_pattern *C, const sb_scalar *Cx, const sb_scalar *D, const sb_scalar *x, sb_scalar *r) {
    sb_scalar v[N] = {0.0};
    sb_csc_mult_add(C, Cx, 1.0, x, v);
    for (int i = 0; i < N; i++) {
        v[i] *= D[i];
    }
    sb_csc_mult_t(C, Cx, v, r);
}

/* Without `moving`, the hub is held: its coordinates have the weight 0. */
static void test(sb_context *ctx, gsl_rng *rng, bool moving) {
    int p[ROWS + 1] = {0}, i[ROWS * (2 * OWN + HUBS)];
    sb_scalar Cx[ROWS * (2 * OWN + HUBS)], D[N], x[ROWS], r[ROWS], again[ROWS];
    const int rank = ARMS + (moving ? ALONE + 1 : 0);
    sb_gram gram;
    SB_SCRATCH(arena, ctx);
    pattern(p, i);
    const sb_system sys = {.n = N, .holonomic = {.m = ROWS, .G = {N, ROWS, p, i}}};
    gsl_test(sb_gram_init(ctx, &arena, &sys, ROWS, &gram) != SB_OK, "init");
    gsl_test(gram.h != HUBS, "%d coordinates are shared", gram.h);
    set_values(rng, p, Cx);
    for (int k = 0; k < N; k++) {
        D[k] = k < OWN * ARMS || moving ? 0.5 + gsl_rng_uniform(rng) : 0.0;
    }
    for (int j = 0; j < ROWS; j++) {
        x[j] = gsl_rng_uniform(rng);
    }
    multiply(&sys.holonomic.G, Cx, D, x, r);
    gsl_test(sb_gram_factor(&gram, Cx, D, sqrt(DBL_EPSILON) * 1e-3) != SB_OK || gram.rank != rank,
             "rank %d, hub %smoves: %d", rank, moving ? "" : "un", gram.rank);
    memcpy(x, r, sizeof x);
    sb_gram_solve(&gram, x);
    multiply(&sys.holonomic.G, Cx, D, x, again);
    int out = 0;
    for (int j = 0; j < ROWS; j++) {
        out += gram.left_out[j];
        gsl_test(gram.left_out[j] && x[j] != 0.0, "row %d is left out", j);
        /* Sums of 157 rows; pivots are above 1.5e-11, in fact above 1e-4 for nearly all random numbers. */
        gsl_test(!(fabs(again[j] - r[j]) <= 1e-8), "S x = r in row %d: %g of %g", j, again[j] - r[j], r[j]);
    }
    gsl_test(out != ROWS - rank, "%d rows are left out", out);
}

int main(void) {
    sb_context ctx;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    sb_context_init(&ctx);
    for (int k = 0; k < 20; k++) {
        test(&ctx, rng, true);
        test(&ctx, rng, false);
    }
    gsl_rng_free(rng);
    return gsl_test_summary();
}
