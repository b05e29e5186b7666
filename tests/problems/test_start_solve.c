/* The solve for a consistent start of every system: from guesses near its own start it arrives at a state on the
 * constraints that is near, it leaves what is to stay, and it fails where nothing may move. And of two rows of three
 * coordinates that are hard to tell apart: nearly parallel, of other units, parallel on the constraints alone. */
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

static int solve(sb_context *ctx, const sb_system *sys, double t, const bool *moves_q, const bool *moves_v, double *q,
                 double *v) {
    const int status = sb_start_positions(ctx, sys->name, sys, t, moves_q, NULL, q);
    return status != SB_OK ? status : sb_start_velocities(ctx, sys->name, sys, t, moves_v, NULL, q, v);
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
    const int solved = solve(ctx, sys, t, all, all, q, v);
    gsl_test(solved != SB_OK, "%s: a consistent start (%s)", sys->name, solved == SB_OK ? "found" : ctx->message);
    expect_consistent(sys, t, q, v);
    /* The start of the system is consistent and |guess - q0| away: the closest state is no farther from the guess. Half
     * of that is room for the curvature of the constraints. */
    gsl_test(!(distance(n, q, guess) <= 1.5 * distance(n, q0, guess)), "%s: the closest start", sys->name);
    memcpy(q, q0, sizeof q);
    memcpy(v, v0, sizeof v);
    gsl_test(solve(ctx, sys, t, none, none, q, v) != SB_OK || memcmp(q, q0, sizeof q) != 0,
             "%s: a start that is consistent and stays (%s)", sys->name, ctx->message);
    if (sys->holonomic.m > 0) {
        gsl_test(solve(ctx, sys, t, none, all, guess, v) != SB_INCONSISTENT,
                 "%s: positions that stay off the constraints", sys->name);
    }
}

/* ---- Two rows. ---- */

enum { COORDINATES = 3, ROWS = 2 };

/* g_j = c_j + b_j q + q' A_j q / 2. */
typedef struct quadratic {
    double c[ROWS], b[ROWS][COORDINATES], A[ROWS][COORDINATES][COORDINATES];
} quadratic;

static bool depends(const quadratic *p, int row, int i) {
    const double *A = p->A[row][i];
    return p->b[row][i] != 0.0 || A[0] != 0.0 || A[1] != 0.0 || A[2] != 0.0;
}

static int quadratic_rows(const void *self, double t, const double *q, double *g, double *Gx) {
    const quadratic *p = self;
    int at = 0;
    for (int j = 0; j < ROWS; j++) {
        double value = p->c[j];
        for (int i = 0; i < COORDINATES; i++) {
            double slope = p->b[j][i];
            for (int k = 0; k < COORDINATES; k++) {
                slope += p->A[j][i][k] * q[k];
            }
            value += 0.5 * (p->b[j][i] + slope) * q[i];
            if (Gx != NULL && depends(p, j, i)) {
                Gx[at++] = slope;
            }
        }
        if (g != NULL) {
            g[j] = value;
        }
    }
    return SB_OK;
}

/* Solves from q, of which those in `moves` may change; velocities are zero. */
static int solve_rows(sb_context *ctx, const quadratic *rows, const bool *moves, double *q) {
    static const bool all[COORDINATES] = {true, true, true};
    int first[ROWS + 1] = {0}, at[ROWS * COORDINATES], count = 0;
    double v[COORDINATES] = {0.0};
    for (int j = 0; j < ROWS; j++) {
        for (int i = 0; i < COORDINATES; i++) {
            if (depends(rows, j, i)) {
                at[count++] = i;
            }
        }
        first[j + 1] = count;
    }
    const sb_system sys = {
        .name = "rows",
        .n = COORDINATES,
        .time_scale = 1.0,
        .holonomic = {
            .self = rows, .m = ROWS, .degree = 2, .G = {COORDINATES, ROWS, first, at}, .value = quadratic_rows}};
    return solve(ctx, &sys, 0.0, moves != NULL ? moves : all, all, q, v);
}

static void expect_at(const double *q, double x, double y, double z, double room, const char *what) {
    gsl_test(!(fabs(q[0] - x) <= room) || !(fabs(q[1] - y) <= room) || !(fabs(q[2] - z) <= room),
             "%s: (%.9g, %.9g, %.9g), not (%g, %g, %g)", what, q[0], q[1], q[2], x, y, z);
}

static void two_rows(void) {
    static const bool first[] = {true, false, false}, others[] = {false, true, true};
    sb_context *ctx = &(sb_context){0};
    sb_context_init(ctx);
    /* Planes at an angle of 1e-3 meet in a line, which the solve reaches: 1e-3 is above the fourth root of round-off.
     */
    const quadratic planes = {.b = {{1.0, 0.0, 0.0}, {1.0, 1e-3, 0.0}}};
    double q[] = {0.3, 0.4, 0.5};
    gsl_test(solve_rows(ctx, &planes, NULL, q) != SB_OK, "planes at a small angle (%s)", ctx->message);
    expect_at(q, 0.0, 0.0, 0.5, 1e-12, "their line"); /* 1e3 roundings */
    /* A row in other units. */
    const quadratic units = {.b = {{1.0, 0.0, 0.0}, {0.0, 1e-7, 0.0}}};
    q[0] = 0.3, q[1] = 0.4;
    gsl_test(solve_rows(ctx, &units, NULL, q) != SB_OK, "a row in units of 1e-7 (%s)", ctx->message);
    expect_at(q, 0.0, 0.0, 0.5, unit, "the point of both rows");
    /* y = 0 and y (1 + x/100 + y) = 0 are parallel on y = 0. Beside it their gradients differ by y/100, and the point
     * where both linear equations hold is 100 y away. */
    const quadratic parallel = {.b = {{0.0, 1.0, 0.0}, {0.0, 1.0, 0.0}},
                                .A = {{{0.0}}, {{0.0, 0.01, 0.0}, {0.01, 2.0, 0.0}}}};
    q[0] = 0.3, q[1] = 1e-3;
    gsl_test(solve_rows(ctx, &parallel, NULL, q) != SB_OK, "rows that are parallel where they hold (%s)", ctx->message);
    expect_at(q, 0.3, 0.0, 0.5, 1e-5, "the closest point"); /* but for terms of y^2 = 1e-6 */
    /* Spheres of radius 1 and 2: the row that is given up is named, off by 4 - 1. */
    const quadratic spheres = {.c = {-1.0, -4.0},
                               .A = {{{2.0}, {0.0, 2.0}, {0.0, 0.0, 2.0}}, {{2.0}, {0.0, 2.0}, {0.0, 0.0, 2.0}}}};
    q[0] = 0.6, q[1] = 0.8, q[2] = 0.1;
    gsl_test(solve_rows(ctx, &spheres, NULL, q) != SB_INCONSISTENT ||
                 strstr(ctx->message, "ends 3 off row 1 of the holonomic constraints") == NULL,
             "rows that contradict each other: %s", ctx->message);
    /* x = 0 holds and does not move; y + z = 1 has a closest point. */
    const quadratic apart = {.c = {0.0, -1.0}, .b = {{1.0, 0.0, 0.0}, {0.0, 1.0, 1.0}}};
    q[0] = q[1] = q[2] = 0.0;
    gsl_test(solve_rows(ctx, &apart, others, q) != SB_OK, "a row that is no part of the solve (%s)", ctx->message);
    expect_at(q, 0.0, 0.5, 0.5, unit, "the closest point of a plane");
    /* One coordinate, whose share of the gradient is 1/10; and one of two rows, of which the other holds or does not.
     */
    const quadratic share = {.c = {-11.0, -0.5}, .b = {{1.0, 10.0, 0.0}, {0.0, 0.0, 1.0}}};
    q[0] = 0.7, q[1] = 1.0, q[2] = 0.5;
    gsl_test(solve_rows(ctx, &share, first, q) != SB_OK, "a coordinate with a small share (%s)", ctx->message);
    expect_at(q, 1.0, 1.0, 0.5, 10.0 * unit, "its value");
    const quadratic one = {.c = {-2.0, 0.0}, .b = {{1.0, 1.0, 0.0}, {1.0, -1.0, 0.0}}};
    q[0] = 0.7;
    gsl_test(solve_rows(ctx, &one, first, q) != SB_OK, "one coordinate of two rows (%s)", ctx->message);
    expect_at(q, 1.0, 1.0, 0.5, unit, "where both hold");
    q[1] = 0.9;
    gsl_test(solve_rows(ctx, &one, first, q) != SB_INCONSISTENT, "and where they do not");
}

int main(void) {
    two_rows();
    on_every_system(check);
    return gsl_test_summary();
}
