/* Verlet's method with variable steps on Kepler's problem: calvo93, hairer05, hlw06 VIII.
 *
 * Steps that depend on the state before them, h = eps sigma(q_n) with sigma = |q|^(3/2), are not reversible. Hairer and
 * Soderlind integrate the density of steps instead, hlw06 VIII (3.2):
 *
 *   rho_{n+1/2} = rho_{n-1/2} + eps G(q_n, v_n),   rho_{1/2} = 1/sigma(q_0) + eps G(q_0, v_0)/2,
 *   h = eps/rho_{n+1/2},   G = -3/2 q'v/q'q. */
#include "analysis/conservation/quantities.h"
#include "bench/runner/experiment_tools.h"

typedef enum policy { FIXED, STATE, REVERSIBLE, POLICIES } policy;
static const char *const policy_names[POLICIES] = {"fixed", "state", "reversible"};
enum { TIMES = 6 };
/* The first time; each further time is twice as long. From here on the drift of steps that depend on the state exceeds
 * the oscillation. */
static const double first_time = 400.0;
/* Both choices take about 160 steps per period. */
static const double eps = 0.04, fixed = 0.04;

/* Returns G. */
static double G(const double *q, const double *v) {
    return -1.5 * (q[0] * v[0] + q[1] * v[1]) / (q[0] * q[0] + q[1] * q[1]);
}

/* Writes the largest errors of the energy up to the times. */
static int follow(sb_bench *bench, policy steps, sb_table *table) {
    sb_system sys;
    sb_method me;
    sb_orbit orbit;
    sb_dynamics dyn;
    double initial, energy, size;
    SB_SCRATCH(arena, bench->ctx);
    SB_TRY(sb_system_build(bench->ctx, &arena, "kepler:e=0.6", 0, NULL, &sys));
    SB_TRY(sb_bench_orbit(bench->ctx, &arena, &sys, "verlet", fixed, &me, &orbit));
    SB_TRY(sb_dynamics_init(bench->ctx, &arena, &sys, &dyn));
    const double *q = orbit.now.q, *v = orbit.now.v;
    double rho = 1.0 / pow(hypot(q[0], q[1]), 1.5) + 0.5 * eps * G(q, v), largest = 0.0;
    SB_TRY(sb_quantities_energy(&dyn, 0.0, q, v, &initial, &size));
    long count = 0;
    for (int i = 0; i < TIMES; i++) {
        const double t = ldexp(first_time, i);
        while (orbit.now.t < t) {
            const double h = steps == FIXED   ? fixed
                             : steps == STATE ? eps * pow(hypot(orbit.now.q[0], orbit.now.q[1]), 1.5)
                                              : eps / rho;
            SB_TRY(sb_orbit_advance(&orbit, h, 1));
            rho += eps * G(orbit.now.q, orbit.now.v);
            SB_TRY(sb_quantities_energy(&dyn, orbit.now.t, orbit.now.q, orbit.now.v, &energy, &size));
            largest = sb_larger(largest, fabs(energy - initial));
            count++;
        }
        SB_TRY(SB_TABLE_ROW(table, sb_text(policy_names[steps]), sb_real(t), sb_real(largest), sb_int(count)));
    }
    return SB_OK;
}

SB_DEFINE_EXPERIMENT(literature_variable_steps) {
    sb_table table;
    SB_TRY(sb_bench_table(bench, "literature_variable_steps", &table));
    for (int p = 0; p < POLICIES; p++) {
        SB_TRY(follow(bench, (policy)p, &table));
    }
    return sb_bench_save_curves(bench, &table, "literature_variable_steps.csv");
}
