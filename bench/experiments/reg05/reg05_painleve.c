/* reg05 4: Painleve's rod where rigid bodies have no solution in accelerations: the steppers, and the complementarity
 * problem (2.9) in velocities. */
#include <lapacke.h>

#include "bench/runner/experiment_tools.h"

enum { STEPPERS = 6, LEVELS = 8, SHOWN = 40, THETAS = 25, MUS = 23, FIT = 6 };

static const char *const steppers[STEPPERS] = {
    "reg", "reg:friction=box", "spook:eps=0", "spook:eps=0,friction=box", "moreau", "moreau:friction=box"};
static const double theta0 = 1.1, h = 1e-3; /* the problem's defaults, with v0 = 1 m/s, l = 1 m and m = 1 kg */

/* Returns the speed of the tip, D v. */
static double slip_at(const sb_path *p, long k) {
    const double *v = p->v + k * p->n;
    return v[0] - sin(p->q[k * p->n + 2]) * v[2];
}

/* Returns whether the tip stands still: at most a thousandth of its speed is left. */
static bool still(double slip) { return fabs(slip) <= 1e-3; }

/* Writes the first steps of five runs. */
static int shown(sb_bench *bench) {
    enum { REG, BOX, MOREAU, MOREAU_BOX, FINE, RUNS };
    static const char *const shown_steppers[RUNS] = {"reg", "reg:friction=box", "moreau", "moreau:friction=box",
                                                     "reg:friction=box"};
    sb_path path[RUNS];
    sb_table table;
    long count = SHOWN + 1;
    SB_TRY(sb_bench_table(bench, "reg05_painleve", &table));
    for (int i = 0; i < RUNS; i++) {
        const double step = i == FINE ? 0.1 * h : h;
        SB_TRY(sb_bench_path(bench, "painleve_rod", shown_steppers[i], step, SHOWN, 1, &path[i]));
        count = path[i].count < count ? path[i].count : count;
    }
    for (long k = 0; k < count; k++) {
        SB_TRY(SB_NUMBERS(&table, (double)k, slip_at(&path[REG], k), slip_at(&path[BOX], k), slip_at(&path[MOREAU], k),
                          slip_at(&path[MOREAU_BOX], k), path[BOX].lambda[k * path[BOX].m],
                          path[FINE].lambda[k * path[FINE].m]));
    }
    return sb_bench_save(bench, &table, "reg05_painleve.csv");
}

/* Counts the steps until the tip stands still, for each stepper and step; -1 if it does not. */
static int jams(sb_bench *bench) {
    const double law = 0.75 * sin(theta0);
    sb_table table;
    SB_TRY(sb_bench_table(bench, "reg05_painleve_jams", &table));
    for (int s = 0; s < STEPPERS; s++) {
        for (int k = 0; k < LEVELS; k++) {
            sb_path path;
            const double step = ldexp(0.004, -k);
            long j = 0;
            SB_TRY(sb_bench_path(bench, "painleve_rod", steppers[s], step, 200, 1, &path));
            while (j < path.count && !still(slip_at(&path, j))) {
                j++;
            }
            const bool stops = path.failure == NULL && j < path.count;
            const double omega = stops ? path.v[j * path.n + 2] : NAN;
            SB_TRY(SB_TABLE_ROW(&table, sb_text(steppers[s]), sb_real(step), sb_int(stops ? j : -1),
                                sb_real(step * (double)j), sb_real(omega), sb_real(law),
                                sb_real(fabs(omega / law - 1.0))));
        }
    }
    return sb_bench_save(bench, &table, "reg05_painleve_jams.csv");
}

/* Measures the factor by which a step multiplies the differences of the normal force, from the first steps at a small
 * h, in which the rod does not move. */
static int growth(sb_bench *bench, double *out) {
    sb_path path;
    SB_TRY(sb_bench_path(bench, "painleve_rod", "reg:friction=box", 1e-6, FIT, 1, &path));
    const double *nu = path.lambda;
    *out = path.count > FIT
               ? (nu[FIT * path.m] - nu[(FIT - 1) * path.m]) / (nu[(FIT - 1) * path.m] - nu[(FIT - 2) * path.m])
               : NAN;
    return SB_OK;
}

enum { CONE = 4 }; /* unknowns of (2.9): the impulses nu, beta+, beta-, and the sliding speed sigma */

/* Solves the rows and columns `basis` of M z = -q; the other unknowns are 0. Returns false if they are singular. */
static bool solve_basis(const double M[CONE][CONE], const double q[CONE], unsigned basis, double z[CONE]) {
    double a[CONE][CONE]; /* by columns */
    lapack_int pivots[CONE];
    for (int i = 0; i < CONE; i++) {
        const bool in = (basis >> i & 1U) != 0;
        for (int j = 0; j < CONE; j++) {
            a[j][i] = in && (basis >> j & 1U) != 0 ? M[i][j] : i == j ? 1.0 : 0.0;
        }
        z[i] = in ? -q[i] : 0.0;
    }
    bool regular = LAPACKE_dgesv_work(LAPACK_COL_MAJOR, CONE, 1, a[0], CONE, pivots, z, CONE) == 0;
    for (int k = 0; k < CONE; k++) {
        regular = regular && fabs(a[k][k]) >= 1e-12; /* entries are of order one */
    }
    return regular;
}

/* Solves the complementarity problem (2.9) of a step from the start, 0 <= M z + q _|_ z >= 0, by trying its sixteen
 * bases. Returns the number of bases that solve it, and sets the smallest distance of their velocities from v1. */
static int solve_cone(double theta, double friction, double step, const double *v1, double *distance) {
    const double s = sin(theta), c = cos(theta), N = 1.0 + 3.0 * c * c, X = 3.0 * s * c, D = 1.0 + 3.0 * s * s;
    const double M[CONE][CONE] = {{N, X, -X, 0.0}, {X, D, -D, 1.0}, {-X, -D, D, 1.0}, {friction, -1.0, -1.0, 0.0}};
    const double q[CONE] = {-9.81 * step, 1.0, -1.0, 0.0};
    int count = 0;
    *distance = INFINITY;
    for (unsigned basis = 0; basis < 1U << CONE; basis++) {
        double z[CONE];
        bool solves = solve_basis(M, q, basis, z);
        for (int i = 0; i < CONE && solves; i++) {
            double w = q[i];
            for (int j = 0; j < CONE; j++) {
                w += M[i][j] * z[j];
            }
            solves = w >= -1e-12 && z[i] >= 0.0; /* round-off of speeds of 1 m/s */
        }
        if (solves) {
            const double beta = z[1] - z[2];
            const double v[3] = {1.0 + beta, -9.81 * step + z[0], -3.0 * (c * z[0] + s * beta)};
            count++;
            *distance = fmin(*distance, sb_distance_max(3, v, v1));
        }
    }
    return count;
}

static int map(sb_bench *bench) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, "reg05_painleve_map", &table));
    for (int i = 0; i < THETAS; i++) {
        for (int j = 0; j < MUS; j++) {
            const double theta = 0.3 + 0.05 * i, friction = 0.81 + 0.1 * j, s = sin(theta), c = cos(theta),
                         A = 1.0 + 3.0 * c * (c - friction * s), step = 1e-6;
            sb_path path;
            double distance;
            const char *problem = sb_bench_format(bench, "painleve_rod:theta0=%.17g,mu=%.17g", theta, friction);
            /* Near A = 0 the iteration converges slowly. */
            SB_TRY(sb_bench_path(bench, problem, "reg:friction_maxit=100000", step, 5, 1, &path));
            const bool stops = path.failure == NULL && still(slip_at(&path, path.count - 1));
            const int solutions = solve_cone(theta, friction, step, path.v + path.n, &distance);
            SB_TRY(SB_NUMBERS(&table, theta, friction, A, solutions, path.failure != NULL || !(distance <= 1e-6),
                              path.failure == NULL && stops == (A < 0.0), stops));
        }
    }
    return sb_bench_save_curves(bench, &table, "reg05_painleve_map.csv");
}

SB_DEFINE_EXPERIMENT(reg05_painleve) {
    double ratio;
    SB_TRY(shown(bench));
    SB_TRY(jams(bench));
    SB_TRY(growth(bench, &ratio));
    SB_TRY(map(bench));
    return sb_bench_measure(bench, "reg05-solvable/factor", ratio, 0.0);
}
