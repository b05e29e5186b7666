/* The solve for a consistent start of every system: from guesses near its own start it arrives at a state on the
 * constraints that is near, it leaves what is to stay, and it fails where nothing may move. */
#include <stepbench/numerics/start.h>

#include "tests/problems/points.h"

/* Rounding of a row: of at most 8 terms, and of the corrections that the other rows make. */
static const double unit = 64.0 * DBL_EPSILON;

static double distance(int n, const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sqrt(sum);
}

/* Tests g = 0, G v + g_t = 0 and A v = w at (t, q, v). */
static void expect_consistent(const sb_system *sys, double t, const double *q, const double *v) {
    const int mg = sys->holonomic.m, ma = sys->nonholonomic.m;
    const double size = fmax(1.0, sb_norm_max(sys->n, q)), speed = fmax(1.0, sb_norm_max(sys->n, v));
    double g[N], rows[NN], rate[N], w[N];
    if (mg > 0) {
        int status = sb_holonomic_value(sys, t, q, g, rows) | sb_holonomic_rate(sys, t, q, w);
        const double G = fmax(1.0, sb_norm_max(sb_pattern_nnz(&sys->holonomic.G), rows));
        sb_csc_mult_t(&sys->holonomic.G, rows, v, rate);
        for (int i = 0; i < mg; i++) {
            gsl_test(status != SB_OK || !(fabs(g[i]) <= unit * G * size), "%s: g%d = 0 (%g)", sys->name, i, g[i]);
            gsl_test(!close_to(rate[i], -w[i], unit * G * speed), "%s: dg%d/dt = 0 (%g)", sys->name, i, rate[i] + w[i]);
        }
    }
    if (ma > 0) {
        gsl_test(sys->nonholonomic.value(sys->nonholonomic.self, t, q, rows, w) != SB_OK, "%s: A", sys->name);
        const double A = fmax(1.0, sb_norm_max(sb_pattern_nnz(&sys->nonholonomic.A), rows));
        sb_csc_mult_t(&sys->nonholonomic.A, rows, v, rate);
        for (int i = 0; i < ma; i++) {
            gsl_test(!close_to(rate[i], w[i], unit * A * speed), "%s: row %d of A v = w (%g)", sys->name, i,
                     rate[i] - w[i]);
        }
    }
}

static void check(sb_context *ctx, sb_arena *arena, const sb_system *sys) {
    const int n = sys->n;
    double t, q0[N], v0[N], guess[N], q[N], v[N];
    bool all[N], none[N] = {false};
    if (sb_system_bilateral(sys) == 0) {
        return;
    }
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 20111201);
    gsl_test(sys->initial(sys->self, &t, q0, v0) != SB_OK, "%s: initial", sys->name);
    for (int i = 0; i < n; i++) {
        all[i] = true;
        guess[i] = q[i] = q0[i] + random_in(rng, 1e-3 * fmax(0.1, sb_norm_max(n, q0)));
        v[i] = v0[i] + random_in(rng, 1.0);
    }
    gsl_rng_free(rng);
    const int solved = sb_start_solve(ctx, sys->name, sys, t, all, all, q, v);
    gsl_test(solved != SB_OK, "%s: a consistent start (%s)", sys->name, solved == SB_OK ? "found" : ctx->message);
    expect_consistent(sys, t, q, v);
    /* The start of the system is consistent and |guess - q0| away: the closest state is no farther from the guess. Half
     * of that is room for the curvature of the constraints. */
    gsl_test(!(distance(n, q, guess) <= 1.5 * distance(n, q0, guess)), "%s: the closest start", sys->name);
    memcpy(q, q0, sizeof q);
    memcpy(v, v0, sizeof v);
    gsl_test(sb_start_solve(ctx, sys->name, sys, t, none, none, q, v) != SB_OK || memcmp(q, q0, sizeof q) != 0,
             "%s: a start that is consistent and stays (%s)", sys->name, ctx->message);
    if (sys->holonomic.m > 0) {
        gsl_test(sb_start_solve(ctx, sys->name, sys, t, none, all, guess, v) != SB_INCONSISTENT,
                 "%s: positions that stay off the constraints", sys->name);
    }
}

int main(void) {
    on_every_system(check);
    return gsl_test_summary();
}
