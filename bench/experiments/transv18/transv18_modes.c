/* transv18: sum lambda_i Hess g_i as the transversal stiffness, its identity with L' K_theta L, and modes of threads.
 */
#include "analysis/modes/spectra_dense.h"
#include "analysis/row.h"
#include "bench/runner/experiment_tools.h"

/* Threads have psi = |x| - l; the two pendulums show the influence of the form of a constraint. */
static const struct {
    const char *problem;
    bool straight;
} cases[] = {
    {"thread:n=1", true},
    {"thread:n=5", true},
    {"thread:n=20,end_mass=1000", true},
    {"thread:n=5,angle=1.2", true},
    {"thread:n=5,dim=3,masses=[1,50,2,9,100]", true},
    {"pendulum:theta0=0,constraint=norm", true},
    {"pendulum:theta0=0,constraint=square", false},
    {"rod_chain:n=5,theta0=0", false},
    {"thread:n=5,span=0.3", false},
    {"thread:n=5,span=0.6", false},
    {"thread:n=5,span=0.95", false},
    {"thread:n=5,span=0.6,masses=[1,20,3,50,2]", false},
    {"thread:n=5,span=0.6,masses=[1,20,3,50,2],dim=3", false},
};
enum { CASES = sizeof cases / sizeof cases[0] };

enum { HANGING, CATENARY, SHAPES };
static const char *const shapes[SHAPES] = {"thread:n=6,end_mass=5", "thread:n=7,span=0.6,masses=[1,1,8,1,1,1,1]"};

/* A problem at its initial state, at rest. */
typedef struct rest {
    sb_system sys;
    sb_stiffness s;
    sb_spectra spectra;
    double *q, *v;
} rest;

static int open_rest(sb_bench *bench, const char *problem, rest *r) {
    double t;
    SB_TRY(sb_system_build(bench->ctx, &bench->arena, problem, 0, NULL, &r->sys));
    SB_TRY(SB_VECTORS(&bench->arena, r->sys.n, &r->q, &r->v));
    SB_TRY(r->sys.initial(r->sys.self, &t, r->q, r->v));
    SB_TRY(sb_stiffness_init(bench->ctx, &bench->arena, &r->sys, &r->s));
    SB_TRY(sb_stiffness_evaluate(&r->s, t, r->q, r->v));
    return sb_stiffness_spectra(&r->s, &bench->arena, false, &r->spectra);
}

/* Computes omega^2 = -x' M (a(q + e x) - a(q - e x))/(2 e) of the fastest mode, from only accelerations. Errors: the
 * error of the tension of the displaced thread, n (omega e |x|)^2/(g l), 1e-7 for the heaviest end, and round-off over
 * e |x|/l, 1e-10. */
static int frequency_by_accelerations(sb_bench *bench, rest *r, double *omega) {
    const int n = r->sys.n;
    const double *x = r->spectra.shape;
    const double e = 1e-6 / sb_norm_max(n, x);
    double *a, *q, *Ma, sum = 0.0;
    SB_TRY(SB_VECTORS(&bench->arena, n, &a, &q, &Ma));
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int i = 0; i < n; i++) {
            q[i] = r->q[i] + sign * e * x[i];
        }
        SB_TRY(sb_dynamics_acceleration(&r->s.dyn, 0.0, q, r->v, a, NULL));
        sb_mass_mult(&r->s.dyn.mass, a, Ma);
        for (int i = 0; i < n; i++) {
            sum -= sign * x[i] * Ma[i] / (2.0 * e);
        }
    }
    *omega = sb_signed_root(sum);
    return SB_OK;
}

static int compare(sb_bench *bench, rest *r, int k, sb_table *table) {
    double mismatch, omega;
    SB_TRY(open_rest(bench, cases[k].problem, r));
    SB_TRY(sb_stiffness_mismatch(&r->s, &mismatch));
    SB_TRY(frequency_by_accelerations(bench, r, &omega));
    return SB_TABLE_ROW(table, sb_text(cases[k].problem), sb_yes(cases[k].straight), sb_real(mismatch), sb_real(omega),
                        sb_real(sb_signed_root(r->spectra.projected[0])), sb_real(sb_signed_root(r->spectra.full[0])),
                        sb_real(sb_signed_root(r->spectra.as_printed[0])));
}

/* Returns a bound of the round-off of a component of a mode whose largest is 1: the round-off of the matrix, n eps
 * times its largest eigenvalue, over the distance to the next eigenvalue. */
static double mode_rounding(const rest *r, int mode) {
    const double *w = r->spectra.projected;
    double gap = INFINITY;
    for (int k = 0; k < r->spectra.d; k++) {
        gap = k != mode ? fmin(gap, fabs(w[k] - w[mode])) : gap;
    }
    return r->sys.n * DBL_EPSILON * fabs(w[0]) / gap;
}

/* Writes the modes of a thread in the plane, point by point. The largest displacement of a mode is positive. */
static int write_modes(sb_bench *bench, rest *r, int shape, sb_table *table) {
    SB_TRY(open_rest(bench, shapes[shape], r));
    const int n = r->sys.n / 2;
    for (int mode = 0; mode < r->spectra.d; mode++) {
        const double *x = r->spectra.shape + (size_t)mode * (size_t)r->sys.n,
                     omega = sb_signed_root(r->spectra.projected[mode]);
        const double u = mode_rounding(r, mode);
        double largest = 0.0;
        for (int i = 0; i < 2 * n; i++) {
            largest = fabs(x[i]) > fabs(largest) * (1.0 + 1e-9) ? x[i] : largest;
        }
        for (int a = -1; a < n + (shape == CATENARY); a++) {
            const bool particle = a >= 0 && a < n;
            const double px = particle ? r->q[2 * a] : a < 0 ? 0.0 : 0.6 * (n + 1);
            SB_TRY(SB_TABLE_ROW(table, sb_int(shape), sb_int(mode), sb_int(a), sb_real(px),
                                sb_real(particle ? r->q[2 * a + 1] : 0.0),
                                particle ? sb_trusted(x[2 * a] / largest, u) : sb_real(0.0),
                                particle ? sb_trusted(x[2 * a + 1] / largest, u) : sb_real(0.0), sb_real(omega),
                                sb_real(particle ? r->s.M[2 * a * (2 * n + 1)] : 0.0)));
        }
    }
    return SB_OK;
}

SB_DEFINE_EXPERIMENT(transv18_modes) {
    sb_table table, drawn;
    SB_TRY(sb_bench_table(bench, "transv18_modes", &table));
    SB_TRY(sb_bench_table(bench, "transv18_shapes", &drawn));
    for (int k = 0; k < CASES + SHAPES; k++) {
        rest r = {0};
        const int status = k < CASES ? compare(bench, &r, k, &table) : write_modes(bench, &r, k - CASES, &drawn);
        SB_TRY(status);
    }
    SB_TRY(sb_bench_save(bench, &table, "transv18_modes.csv"));
    return sb_bench_save_curves(bench, &drawn, "transv18_shapes.csv");
}
