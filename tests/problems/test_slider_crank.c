/* The slider crank's singular pose and its redundant rows. */
#include <lapacke.h>

#include <stepbench/numerics/dynamics.h>

#include "tests/problems/differences.h"
#include "tests/problems/systems.h"

/* The smallest and largest singular values of [G A] at the exact pose with the crank at phi. */
static void singular_values(fixture *f, const char *spec, double t, double *smallest, double *largest) {
    enum { ROWS = 9, MAX = 16 };
    sb_system sys;
    double q[ROWS], v[ROWS], C[ROWS * MAX] = {0.0}, Gx[64], Ax[1], s[MAX], work[MAX];
    fixture_build(f, spec, NULL, &sys);
    int status = sys.exact(sys.self, t, q, v, NULL) | sb_holonomic_value(&sys, 0.0, q, NULL, Gx) |
                 sys.nonholonomic.value(sys.nonholonomic.self, t, q, Ax, NULL);
    const int m = sys.holonomic.m, all = m + 1, count = all < ROWS ? all : ROWS;
    for (int j = 0; j < m; j++) {
        for (int k = sys.holonomic.G.p[j]; k < sys.holonomic.G.p[j + 1]; k++) {
            C[sys.holonomic.G.i[k] + ROWS * j] = Gx[k];
        }
    }
    C[sys.nonholonomic.A.i[0] + ROWS * m] = Ax[0];
    status |= (int)LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'N', ROWS, all, C, ROWS, s, NULL, 1, NULL, 1, work);
    gsl_test(status != 0, "%s: singular values", spec);
    *smallest = s[count - 1];
    *largest = s[0];
}

/* reg05 6.2: lengths 1 and 1 at 2 pi rad/s stand in the singular pose after a quarter of a second, the fifteenth step
 * of 1/60. */
static void singular_pose(fixture *f) {
    double least, most;
    singular_values(f, "slider_crank:L=1", 0.0, &least, &most);
    gsl_test(!(least > 0.1), "full rank at the start (%g)", least);
    singular_values(f, "slider_crank:L=1", 15.0 / 60.0, &least, &most);
    gsl_test(!(least <= 64.0 * DBL_EPSILON * most), "rank lost at the fifteenth step (%g)", least);
    singular_values(f, "slider_crank:L=1.0001", 15.0 / 60.0, &least, &most);
    gsl_test(!(least > 1e-3), "full rank with a rod longer by 1e-4 (%g)", least);
}

/* The load of equal lengths is 2 cos phi; of a long rod cos phi + sqrt(L^2 - sin^2 phi). */
static void load(fixture *f) {
    double q[9], v[9];
    for (int k = 0; k < 10; k++) {
        const double t = 0.13 * k, phi = 2.0 * M_PI * t;
        for (int longer = 0; longer < 2; longer++) {
            sb_system sys;
            fixture_build(f, longer ? "slider_crank:L=1.5" : "slider_crank:L=1", NULL, &sys);
            double out[3];
            gsl_test(sys.exact(sys.self, t, q, v, NULL) != SB_OK ||
                         sys.outputs.value(sys.outputs.self, t, q, v, out) != SB_OK,
                     "the load");
            gsl_test_abs(out[0], longer ? cos(phi) + sqrt(2.25 - sin(phi) * sin(phi)) : 2.0 * cos(phi), 1e-14,
                         "load at t = %g", t);
        }
    }
}

/* The accelerations do not depend on a doubled joint. Of its multipliers, which are not unique, those of least norm
 * share its forces equally. Values of 10, by systems with a condition of some hundred and a diagonal of 1.5e-8 that is
 * taken out in three iterations: along the differences of equal rows, which only this diagonal determines, the
 * round-off of the ten rows grows to 10 * 22 eps/1.5e-8 = 3.3e-6. */
static void redundant(fixture *f) {
    sb_system sys[2];
    sb_dynamics dyn;
    double t, q[9], v[9], a[2][9], lambda[2][16];
    for (int k = 0; k < 2; k++) {
        fixture_build(f, k == 0 ? "slider_crank:phi0=0.7" : "slider_crank:phi0=0.7,redundant=1", NULL, &sys[k]);
        gsl_test(sb_dynamics_init(&f->ctx, &f->arena, &sys[k], &dyn) != SB_OK ||
                     sys[k].initial(sys[k].self, &t, q, v) != SB_OK ||
                     sb_dynamics_acceleration(&dyn, t, q, v, a[k], lambda[k]) != SB_OK,
                 "slider crank %d (%s)", k, f->ctx.message);
    }
    gsl_test(sys[1].holonomic.m != 10, "a doubled prismatic joint has two rows more (%d)", sys[1].holonomic.m);
    gsl_test((sys[1].flags & (unsigned)SB_HAS_REDUNDANT) == 0 || (sys[0].flags & (unsigned)SB_HAS_REDUNDANT) != 0,
             "which are redundant");
    for (int i = 0; i < 9; i++) {
        gsl_test(!(fabs(a[0][i] - a[1][i]) <= 1e-10), "acceleration %d: %.15g, %.15g", i, a[0][i], a[1][i]);
    }
    for (int i = 0; i < 2; i++) {
        gsl_test(!(fabs(lambda[1][6 + i] - 0.5 * lambda[0][6 + i]) <= 3.3e-6) ||
                     !(fabs(lambda[1][8 + i] - 0.5 * lambda[0][6 + i]) <= 3.3e-6),
                 "half of %.10g for each: %.10g, %.10g", lambda[0][6 + i], lambda[1][6 + i], lambda[1][8 + i]);
    }
}

/* A crank that hangs across the slide's end has no rod long enough. */
static void refusal(fixture *f) {
    sb_system sys;
    const int status = sb_system_build(&f->ctx, &f->arena, "slider_crank:L=0.5,phi0=1", 0, NULL, &sys);
    gsl_test(status != SB_BAD_USAGE || strstr(f->ctx.message, "does not reach") == NULL,
             "a rod too short is refused: %s", f->ctx.message);
}

/* Thin rods and a slider of 1 m, about their centres. */
static void masses(fixture *f) {
    const double expected[9] = {2.0, 2.0, 2.0 * 0.49 / 12.0, 0.5, 0.5, 0.5 * 0.64 / 12.0, 3.0, 3.0, 0.25};
    sb_system sys;
    double q[9], v[9], Mx[9], t;
    fixture_build(f, "slider_crank:r=0.7,L=0.8,m1=2,m2=0.5,m3=3", NULL, &sys);
    gsl_test(sys.initial(sys.self, &t, q, v) | sys.inertia.mass(sys.inertia.self, q, Mx), "masses");
    for (int i = 0; i < 9; i++) {
        gsl_test_rel(Mx[i], expected[i], 4.0 * DBL_EPSILON, "mass or inertia %d", i);
    }
}

int main(void) {
    fixture f;
    fixture_open(&f);
    masses(&f);
    singular_pose(&f);
    load(&f);
    redundant(&f);
    refusal(&f);
    fixture_close(&f);
    return gsl_test_summary();
}
