/* Steppers on Lie groups, on the heavy top in a unit quaternion: the length of the quaternion, and the multipliers of
 * generalized-alpha. iserles00, bruels10, arnold15. */
#include "bench/runner/experiment_tools.h"

/* The fast top of bruels10. Of its four constraints the last is the length of the quaternion. */
static const char fast[] =
    "heavy_top:m=15,J1=0.234375,J3=0.46875,theta0=1.5707963267948966,phidot0=-4.61538,psidot0=150";
enum { JOINT = 3, ATTITUDE = 3 };

/* ---- The length of the quaternion. ---- */

/* The body turns by 0.75 rad per step. The steppers take one Newton step for the length 1 after each product, which
 * removes round-off; it would leave three quarters of the square of a larger excess e.e - 1, such as that of rk4. */
static const double long_step = 5e-3;
enum { LONG_STEPS = 1000 };

static double excess(const double *e) { return e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] - 1.0; }

/* Measures the largest |e.e - 1|; with `correct`, after the Newton step for the length at the end of each step. */
static int largest_defect(sb_bench *bench, int nforms, const char *const *forms, const char *stepper, bool correct,
                          double *out) {
    sb_system sys;
    sb_method method;
    sb_orbit orbit;
    SB_SCRATCH(arena, bench->ctx);
    SB_TRY(sb_system_build(bench->ctx, &arena, fast, nforms, forms, &sys));
    SB_TRY(sb_bench_orbit(bench->ctx, &arena, &sys, stepper, long_step, &method, &orbit));
    *out = 0.0;
    for (int k = 0; k < LONG_STEPS; k++) {
        SB_TRY(sb_orbit_advance(&orbit, long_step, 1));
        double *e = orbit.now.q + ATTITUDE;
        sb_axpy(4, correct ? -0.5 * excess(e) : 0.0, e, e);
        *out = sb_larger(*out, fabs(excess(e)));
    }
    return SB_OK;
}

static int lengths(sb_bench *bench, sb_table *table) {
    static const char *const steppers[] = {"lie_rk", "lie_variational", "lie_generalized_alpha", "rk4"};
    static const char *const plain[] = {"baumgarte:alpha=0,beta=0"};
    for (int i = 0; i < SB_COUNT(steppers); i++) {
        const bool group = i < 3;
        double defect;
        SB_TRY(largest_defect(bench, !group, plain, steppers[i], !group, &defect));
        SB_TRY(SB_TABLE_ROW(table, sb_text(steppers[i]), sb_text("|e.e - 1|"), sb_real(long_step),
                            group ? sb_residual(defect, DBL_EPSILON) : sb_trusted(defect, 1e-6 * defect)));
    }
    return SB_OK;
}

/* ---- The multipliers of generalized-alpha. The reference is lie_rk at the same step, of order four. ---- */

/* The transient decays by rho = 0.8 per step: rho^LATER is below 1e-6. */
enum { LEVELS = 4, FIRST_STEPS = 8, LATER = 64 };

/* Measures the largest error of the joint's multipliers: out[0] in the first steps, out[1] in the same number of steps
 * after LATER steps of the largest length. */
static int errors(sb_bench *bench, const char *stepper, int level, double h, double out[2]) {
    const long steps = (long)(LATER << level) + FIRST_STEPS;
    const sb_run run = {.h = h, .steps = steps, .every = 1, .multipliers = true};
    sb_path path, reference;
    SB_TRY(sb_bench_path_of(bench, fast, "", stepper, &run, &path));
    SB_TRY(sb_bench_path_of(bench, fast, "", "lie_rk", &run, &reference));
    out[0] = out[1] = path.failure == NULL && reference.failure == NULL ? 0.0 : NAN;
    for (long k = 1; k < path.count && k < reference.count; k++) {
        const int late = k > FIRST_STEPS;
        if (late && k <= steps - FIRST_STEPS) {
            continue;
        }
        for (int i = 0; i < JOINT; i++) {
            out[late] = sb_larger(out[late], fabs(path.lambda[k * path.m + i] - reference.lambda[k * reference.m + i]));
        }
    }
    return SB_OK;
}

static int multipliers(sb_bench *bench, sb_table *table) {
    static const char *const steppers[] = {"lie_generalized_alpha:start=exact", "lie_generalized_alpha:start=shifted"};
    for (int i = 0; i < 2 * LEVELS; i++) {
        const double h = ldexp(1e-3, -(i % LEVELS));
        double e[2];
        SB_TRY(errors(bench, steppers[i / LEVELS], i % LEVELS, h, e));
        for (int late = 0; late < 2; late++) {
            SB_TRY(SB_TABLE_ROW(table, sb_text(steppers[i / LEVELS]),
                                sb_text(late ? "error of lambda after the transient (N)"
                                             : "error of lambda in the first eight steps (N)"),
                                sb_real(h), sb_trusted(e[late], 1e-6 * e[late])));
        }
    }
    return SB_OK;
}

SB_DEFINE_EXPERIMENT(literature_lie) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, "literature_lie", &table));
    SB_TRY(lengths(bench, &table));
    SB_TRY(multipliers(bench, &table));
    return sb_bench_save(bench, &table, "literature_lie.csv");
}
