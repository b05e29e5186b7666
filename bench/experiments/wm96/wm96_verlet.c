/* wm96 1 and 4.1: the DEL map of (4.20) is Verlet's method without constraints and SHAKE with constraints; 5.1: the
 * quaternion integrator satisfies the equations of Moser and Veselov. */
#include <string.h>

#include "bench/runner/experiment_tools.h"

static const sb_column columns[] = {
    {"problem", SB_COL_KEY, "", "the problem"},
    {"del", SB_COL_KEY, "", "the DEL map"},
    {"other", SB_COL_KEY, "", "the method it is compared with"},
    {"h", SB_COL_KEY, "s", "step"},
    {"steps", SB_COL_INFO, "", "steps taken by both"},
    {"difference", SB_COL_ERROR, "", "largest distance of a coordinate"},
    {"rounding", SB_COL_ERROR, "", "what round-off may add up to"},
};
enum { STEPS = 500 };

typedef struct identity {
    const char *problem, *del, *other;
    bool same; /* whether both are the same method in theory */
} identity;

static const identity identities[] = {
    {"oscillator", "del:quadrature=left", "verlet", true},
    {"kepler", "del:quadrature=left", "verlet", true},
    {"pendulum:constraint=norm", "del:quadrature=left", "shake", true},
    {"dsp:ic=printed", "del:quadrature=left", "shake", true},
    {"dsp:ic=printed", "del", "shake", true}, /* (4.8) has the same force, since the potential is linear */
    {"kepler", "del", "verlet", false},       /* (4.8) averages the force, which is not linear */
};

/* Starts the DEL map from the first two points of the other method. As in wm96_equivalence, round-off eps |q|/h of the
 * velocity per step adds up to N^(3/2) eps |q| in the positions; a factor of ten allows for the growth of differences
 * by the motion. */
static int compare(sb_bench *bench, const identity *id, double *step, double *difference, double *rounding) {
    sb_context *ctx = bench->ctx;
    sb_arena *arena = &bench->arena;
    sb_system sys;
    sb_method del, other;
    sb_orbit a, b;
    SB_TRY(sb_system_build(ctx, arena, id->problem, 0, NULL, &sys));
    SB_TRY(sb_method_build(ctx, arena, id->del, &sys, &del));
    SB_TRY(sb_orbit_init(&del, arena, &a));
    const double h = sys.time_scale / 20.0;
    double largest = 0.0;
    *step = h;
    *difference = 0.0;
    SB_TRY(sb_bench_orbit(ctx, arena, &sys, id->other, h, &other, &b));
    SB_TRY(sb_orbit_advance(&b, h, 1));
    SB_TRY(sb_method_start_pair(&del, 0.0, b.next.q, b.now.q, h, &a.now));
    for (int k = 1; k < STEPS; k++) {
        SB_TRY(sb_orbit_advance(&a, h, 1));
        SB_TRY(sb_orbit_advance(&b, h, 1));
        *difference = sb_larger(*difference, sb_distance_max(sys.n, a.now.q, b.now.q));
        largest = sb_larger(largest, sb_norm_max(sys.n, b.now.q));
    }
    *rounding = 10.0 * DBL_EPSILON * largest * pow(STEPS, 1.5);
    return SB_OK;
}

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

static int run(sb_bench *bench) {
    sb_table table;
    SB_TRY(SB_TABLE(bench, columns, &table));
    for (int i = 0; i < SB_COUNT(identities); i++) {
        const identity *id = &identities[i];
        double h, difference, rounding;
        SB_TRY(compare(bench, id, &h, &difference, &rounding));
        SB_TRY(SB_ROW(&table.sink, sb_text(id->problem), sb_text(id->del), sb_text(id->other), sb_real(h),
                      sb_int(STEPS), sb_real(difference), sb_real(rounding)));
    }
    SB_TRY(sb_bench_save(bench, &table, "wm96_verlet.csv"));
    return moser_veselov(bench);
}

SB_DEFINE_EXPERIMENT(wm96_verlet) = {
    .entry = {"wm96_verlet",
              "The DEL map of (4.20) beside Verlet and SHAKE, and the quaternion integrator in the equations of Moser "
              "and Veselov.",
              "wm96 1, 4.1", NULL, 0},
    .files = SB_LIST("wm96_verlet.csv"),
    .run = run,
};
