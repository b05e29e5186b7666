/* The exact solutions of the check systems satisfy the equations of motion: their accelerations and multipliers are
 * those of the index-1 equations, their velocities the derivative of their positions, and they start at the initial
 * state. */
#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/norm.h>

#include "bench/check/systems.h"
#include "tests/analysis/fixture.h"

enum { N = 4 };

/* Differences (f(t + d) - f(t - d))/2d of step d = 1e-4 have an error of d^2 |f'''|/6 and round-off 1e-16/d: 1e-8 here.
 */
static const double d = 1e-4, tol = 2e-7;

static void at(const sb_system *sys, sb_dynamics *dyn, double t) {
    double q[N], v[N], before[2][N], after[2][N], a[N], lambda[2] = {0.0, 0.0}, claimed[2] = {0.0, 0.0};
    int status = sys->exact(sys->self, t, q, v, claimed);
    status = status == SB_OK ? sys->exact(sys->self, t - d, before[0], before[1], NULL) : status;
    status = status == SB_OK ? sys->exact(sys->self, t + d, after[0], after[1], NULL) : status;
    status = status == SB_OK ? sb_dynamics_acceleration(dyn, t, q, v, a, lambda) : status;
    gsl_test_int(status, SB_OK, "%s at t = %g", sys->name, t);
    for (int i = 0; i < sys->n; i++) {
        near((after[0][i] - before[0][i]) / (2.0 * d), v[i], tol, sys->name);
        near((after[1][i] - before[1][i]) / (2.0 * d), a[i], tol, sys->name);
    }
    for (int i = 0; i < sb_system_bilateral(sys); i++) {
        near(claimed[i], lambda[i], 1e-12, sys->name);
    }
}

/* No coordinate jumps, as an angle might by pi or 2 pi: its change is the trapezoidal integral of its velocity, whose
 * error, h^3/12 times the third derivative, is below 1. */
static void follows(const sb_system *sys, double t, double h) {
    double q[2][N], v[2][N];
    gsl_test_int(sys->exact(sys->self, t - h, q[0], v[0], NULL) + sys->exact(sys->self, t, q[1], v[1], NULL), SB_OK,
                 "%s", sys->name);
    for (int i = 0; i < sys->n; i++) {
        near(q[1][i] - q[0][i], 0.5 * h * (v[0][i] + v[1][i]), 1.0, sys->name);
    }
}

int main(void) {
    fixture f;
    unsigned seen = 0;
    fixture_init(&f);
    for (int k = 0; k < sb_check_system_count(); k++) {
        sb_system sys;
        sb_dynamics dyn;
        double t, q[N], v[N], q0[N], v0[N];
        gsl_test_int(sb_check_system_make(&f.ctx, &f.arena, k, &sys), SB_OK, "%s: %s", sb_check_system_name(k),
                     f.ctx.message);
        gsl_test_int(sb_dynamics_init(&f.ctx, &f.arena, &sys, &dyn), SB_OK, "its equations");
        gsl_test_int(sys.initial(sys.self, &t, q, v) + sys.exact(sys.self, t, q0, v0, NULL), SB_OK, "its start");
        for (int i = 0; i < sys.n; i++) {
            near(q[i], q0[i], 0.0, "starts on the exact solution");
            near(v[i], v0[i], 0.0, "with its velocity");
        }
        for (int i = 1; i < 40; i++) {
            at(&sys, &dyn, 0.31 * i);
            follows(&sys, 0.31 * i, 0.31);
        }
        seen |= sys.flags;
    }
    gsl_test((seen & (unsigned)(SB_HAS_FORCE | SB_HAS_HOLONOMIC | SB_HAS_CURVED_HOLONOMIC | SB_HAS_VARIABLE_MASS |
                                SB_HAS_NONHOLONOMIC)) !=
                 (unsigned)(SB_HAS_FORCE | SB_HAS_HOLONOMIC | SB_HAS_CURVED_HOLONOMIC | SB_HAS_VARIABLE_MASS |
                            SB_HAS_NONHOLONOMIC),
             "every smooth term occurs");
    fixture_free(&f);
    return gsl_test_summary();
}
