/* wm96 1 and 4.1: the DEL map of (4.20) is Verlet's method without constraints and SHAKE with constraints; Theorem
 * 4.3.1: the constrained DEL equations and those in generalized coordinates give the same trajectory; 5.1: the
 * quaternion integrator satisfies the equations of Moser and Veselov. */
#include <string.h>

#include "bench/runner/experiment_tools.h"

/* Two methods that are the same in theory, or not. The first one takes a step, and the other starts from its two
 * points: on the problem, or on its chart. h is in s; 0: a twentieth of the time scale. */
typedef struct identity {
    const char *problem, *first, *other;
    bool charted;
    double h;
    long steps;
} identity;

/* Sets *difference to the largest distance of a coordinate, and *rounding to a bound of the effect of round-off: eps
 * |q|/h in the velocity of each step adds up as a random walk, and to h N^(3/2) eps |q|/h in the position. A factor of
 * ten allows for the growth of differences by the motion. */
static int compare(sb_bench *bench, const identity *id, double *step, double *difference, double *rounding) {
    static const char *const chart_name = "chart";
    sb_context *ctx = bench->ctx;
    sb_arena *arena = &bench->arena;
    sb_system sys, charted;
    sb_method first, other;
    sb_orbit a, b;
    double *points[2], *q, largest = 0.0;
    SB_TRY(sb_system_build(ctx, arena, id->problem, 0, NULL, &sys));
    SB_TRY(sb_system_build(ctx, arena, id->problem, id->charted, &chart_name, &charted));
    const sb_chart *chart = id->charted ? charted.embedding->chart : NULL;
    const double h = *step = id->h > 0.0 ? id->h : sys.time_scale / 20.0;
    SB_TRY(SB_VECTORS(arena, sys.n, &points[0], &points[1], &q));
    SB_TRY(sb_bench_orbit(ctx, arena, &sys, id->first, h, &first, &a));
    SB_TRY(sb_method_build(ctx, arena, id->other, &charted, &other));
    SB_TRY(sb_orbit_init(&other, arena, &b));
    for (int i = 0; i < 2; i++) {
        SB_TRY(i > 0 ? sb_orbit_advance(&a, h, 1) : SB_OK);
        memcpy(points[i], a.now.q, (size_t)sys.n * sizeof *q);
        SB_TRY(chart != NULL ? chart->inverse(chart->self, a.now.q, points[i]) : SB_OK);
    }
    SB_TRY(sb_method_start_pair(&other, 0.0, points[0], points[1], h, &b.now));
    *difference = 0.0;
    for (long k = 1; k < id->steps; k++) {
        SB_TRY(sb_orbit_advance(&a, h, 1));
        SB_TRY(sb_orbit_advance(&b, h, 1));
        SB_TRY(chart != NULL ? chart->point(chart->self, b.now.q, q, NULL) : SB_OK);
        *difference = sb_larger(*difference, sb_distance_max(sys.n, chart != NULL ? q : b.now.q, a.now.q));
        largest = sb_larger(largest, sb_norm_max(sys.n, a.now.q));
    }
    *rounding = 10.0 * DBL_EPSILON * largest * pow((double)id->steps, 1.5);
    return SB_OK;
}

/* ---- Theorem 4.3.1. ---- */

SB_DEFINE_EXPERIMENT(wm96_equivalence) {
    static const char *const problems[] = {"pendulum:constraint=norm", "pendulum:constraint=square", "dsp:ic=printed"};
    static const double steps[] = {0.05, 0.02, 0.01};
    sb_table table;
    SB_TRY(sb_bench_table(bench, "wm96_equivalence", &table));
    for (int i = 0; i < SB_COUNT(problems) * SB_COUNT(steps); i++) {
        const char *problem = problems[i / SB_COUNT(steps)];
        const double h = steps[i % SB_COUNT(steps)];
        const long count = lround(5.0 / h);
        double step, difference, rounding;
        sb_path coarse, fine;
        SB_TRY(compare(bench, &(identity){problem, "del", "del", true, h, count}, &step, &difference, &rounding));
        SB_TRY(sb_bench_path(bench, problem, "del", h, count, count, &coarse));
        SB_TRY(sb_bench_path(bench, problem, "del", h / 2.0, 2 * count, 2 * count, &fine));
        SB_TRY(SB_TABLE_ROW(&table, sb_text(problem), sb_real(h), sb_int(count), sb_real(difference), sb_real(rounding),
                            sb_real(sb_distance_max(coarse.n, coarse.q + (coarse.count - 1) * coarse.n,
                                                    fine.q + (fine.count - 1) * fine.n))));
    }
    return sb_bench_save(bench, &table, "wm96_equivalence.csv");
}

/* ---- Verlet's method and SHAKE. ---- */

enum { STEPS = 500 };

static const identity identities[] = {
    {"oscillator", "verlet", "del:quadrature=left", false, 0.0, STEPS},
    {"kepler", "verlet", "del:quadrature=left", false, 0.0, STEPS},
    {"pendulum:constraint=norm", "shake", "del:quadrature=left", false, 0.0, STEPS},
    {"dsp:ic=printed", "shake", "del:quadrature=left", false, 0.0, STEPS},
    {"dsp:ic=printed", "shake", "del", false, 0.0, STEPS}, /* (4.8) has the same force: the potential is linear */
    {"kepler", "verlet", "del", false, 0.0, STEPS}, /* not the same: (4.8) averages the force, which is not linear */
};

/* ---- The quaternion integrator of 5.1 and the equations of Moser and Veselov. ---- */

/* Computes the rotation matrix of a unit quaternion, wm96 (5.1). */
static void rotation(const double *q, double R[3][3]) {
    const double s = q[0], x = q[1], y = q[2], z = q[3];
    const double A[3][3] = {{1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - s * z), 2.0 * (x * z + s * y)},
                            {2.0 * (x * y + s * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - s * x)},
                            {2.0 * (x * z - s * y), 2.0 * (y * z + s * x), 1.0 - 2.0 * (x * x + y * y)}};
    memcpy(R, A, sizeof A);
}

/* Computes the antisymmetric matrix L J - J L' (`after`), or J L - L' J, as a vector, with L = R(q0)' R(q1) and the
 * diagonal J = tr(I)/2 - I. */
static void momentum(const double *q0, const double *q1, const double J[3], bool after, double M[3]) {
    double R0[3][3], R1[3][3], L[3][3];
    rotation(q0, R0);
    rotation(q1, R1);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            L[i][j] = R0[0][i] * R1[0][j] + R0[1][i] * R1[1][j] + R0[2][i] * R1[2][j];
        }
    }
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        M[k] = after ? L[i][j] * J[j] - J[i] * L[j][i] : J[i] * L[i][j] - L[j][i] * J[j];
    }
}

/* Records the largest residual in 30 s of dvp, relative to |L J - J L'|. With L_k = R_k' R_{k+1} the sum of tr(J L_k)
 * is stationary if L_k J - J L_k' = J L_{k-1} - L_{k-1}' J, moserveselov91. */
static int moser_veselov(sb_bench *bench) {
    static const double steps[2] = {0.1, 0.01};
    for (int i = 0; i < 2; i++) {
        sb_path path;
        double worst = 0.0;
        const double h = steps[i];
        SB_TRY(sb_bench_path(bench, "rigid_body", "dvp", h, lround(30.0 / h), 1, &path));
        const double *I = path.sys.rigid->inertia, half = 0.5 * (I[0] + I[1] + I[2]),
                     J[3] = {half - I[0], half - I[1], half - I[2]};
        for (long k = 1; k + 1 < path.count; k++) {
            double now[3], before[3];
            momentum(path.q + 4 * k, path.q + 4 * (k + 1), J, true, now);
            momentum(path.q + 4 * (k - 1), path.q + 4 * k, J, false, before);
            worst = sb_larger(worst, sb_distance_max(3, now, before) / sb_norm_max(3, now));
        }
        SB_TRY(sb_bench_measure(bench, sb_bench_format(bench, "wm96-moser/h=%g", h), path.failure == NULL ? worst : NAN,
                                0.0));
    }
    return SB_OK;
}

SB_DEFINE_EXPERIMENT(wm96_verlet) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, "wm96_verlet", &table));
    for (int i = 0; i < SB_COUNT(identities); i++) {
        const identity *id = &identities[i];
        double h, difference, rounding;
        SB_TRY(compare(bench, id, &h, &difference, &rounding));
        SB_TRY(SB_TABLE_ROW(&table, sb_text(id->problem), sb_text(id->other), sb_text(id->first), sb_real(h),
                            sb_int(STEPS), sb_real(difference), sb_real(rounding)));
    }
    SB_TRY(sb_bench_save(bench, &table, "wm96_verlet.csv"));
    return moser_veselov(bench);
}
