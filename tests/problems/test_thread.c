/* The thread: it rests where it says it does, its ends are where they should be, its kick is a mode; against statics by
 * hand. */
#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/norm.h>

#include "tests/problems/systems.h"

enum { SIZE = 64 };

/* At rest nothing accelerates, and every link is under tension: lambda < 0. Tensions are sums of n weights, each
 * rounded. */
static void rests(fixture *f, const char *spec, double *lambda) {
    sb_system sys;
    sb_dynamics dyn;
    double q[SIZE], v[SIZE], a[SIZE], t;
    fixture_build(f, spec, NULL, &sys);
    int status = sb_dynamics_init(&f->ctx, &f->arena, &sys, &dyn);
    status = status == SB_OK ? sys.initial(sys.self, &t, q, v) : status;
    status = status == SB_OK ? sb_dynamics_acceleration(&dyn, t, q, v, a, lambda) : status;
    gsl_test(status != SB_OK, "%s: the equations of motion are solved", spec);
    const double rounding =
        1e3 * 2.3e-16 * sb_norm_max(sys.holonomic.m, lambda); /* of forces, over masses of 1 kg and more */
    gsl_test(!(sb_norm_max(sys.n, a) <= rounding), "%s rests: |a| = %g, round-off %g", spec, sb_norm_max(sys.n, a),
             rounding);
    gsl_test(!(sb_norm_max(sys.n, v) == 0.0), "%s does not move", spec);
    for (int k = 0; k < sys.holonomic.m; k++) {
        gsl_test(!(lambda[k] < 0.0), "%s: link %d is taut, lambda = %g", spec, k, lambda[k]);
    }
}

static void statics(fixture *f) {
    double lambda[SIZE];
    rests(f, "thread:n=3,m=2,end_mass=100,g=10", lambda);
    gsl_test_rel(lambda[0], -1040.0, 1e-14, "the first link carries 104 kg");
    gsl_test_rel(lambda[2], -1000.0, 1e-14, "the last one 100 kg");
    /* One particle amid two links a distance 2 l s apart: each carries m g/(2 sqrt(1 - s^2)). */
    rests(f, "thread:n=1,span=0.6,m=1,g=16", lambda);
    gsl_test_rel(lambda[0], -10.0, 1e-13, "3, 4, 5");
    gsl_test_rel(lambda[1], -10.0, 1e-13, "3, 4, 5, the other link");
    rests(f, "thread:n=8,span=0.99", lambda);
    rests(f, "thread:n=5,span=0.6,masses=[1,50,3,7,200]", lambda);
    rests(f, "thread:n=6,span=0.3,masses=[1,9,3,7,20,1],dim=3", lambda);
    rests(f, "thread:n=4,dim=3,end_mass=1000", lambda);
}

/* Turned about the line between its ends by angle, a catenary lets go: its centre of mass falls like a pendulum's, and
 * nothing moves along y = 0. */
static void turned(fixture *f) {
    sb_system sys;
    double q[SIZE], v[SIZE], down[SIZE], t;
    fixture_build(f, "thread:n=3,span=0.6,dim=3", NULL, &sys);
    gsl_test(sys.initial(sys.self, &t, down, v) != SB_OK, "initial");
    fixture_build(f, "thread:n=3,span=0.6,dim=3,angle=0.5", NULL, &sys);
    gsl_test(sys.initial(sys.self, &t, q, v) != SB_OK, "initial");
    for (int a = 0; a < 3; a++) {
        gsl_test_abs(q[3 * a], down[3 * a], 1e-15, "the distance along the line stays");
        gsl_test_rel(hypot(q[3 * a + 1], q[3 * a + 2]), fabs(down[3 * a + 2]), 1e-14, "and that from it");
        gsl_test_rel(q[3 * a + 1] / q[3 * a + 2], tan(0.5), 1e-14, "turned by the angle");
    }
}

/* On the constraints |x| - l and (x.x - l^2)/2 have gradients e and l e: the same motion, and multipliers in the ratio
 * of l. */
static void forms(fixture *f) {
    static const char *const specs[2] = {
        "thread:n=4,span=0.6,masses=[1,20,3,5],l=0.7,dim=3,angle=0.8",
        "thread:n=4,span=0.6,masses=[1,20,3,5],l=0.7,dim=3,angle=0.8,constraint=square"};
    double q[2][SIZE], v[SIZE], a[2][SIZE], lambda[2][SIZE], t;
    for (int i = 0; i < 2; i++) {
        sb_system sys;
        sb_dynamics dyn;
        fixture_build(f, specs[i], NULL, &sys);
        int status = sb_dynamics_init(&f->ctx, &f->arena, &sys, &dyn);
        status = status == SB_OK ? sys.initial(sys.self, &t, q[i], v) : status;
        for (int k = 0; k < 4; k++) { /* turning about the line between its ends moves along the constraints */
            v[3 * k] = 0.0;
            v[3 * k + 1] = -2.0 * q[i][3 * k + 2];
            v[3 * k + 2] = 2.0 * q[i][3 * k + 1];
        }
        status = status == SB_OK ? sb_dynamics_acceleration(&dyn, t, q[i], v, a[i], lambda[i]) : status;
        gsl_test(status != SB_OK, "%s accelerates", specs[i]);
        gsl_test_int(sys.holonomic.degree, i == 0 ? -1 : 2, "degree of the constraints");
    }
    for (int k = 0; k < 12; k++) {
        gsl_test_abs(a[1][k], a[0][k], 1e-12, "either form, the same acceleration");
    }
    for (int k = 0; k < 5; k++) {
        gsl_test_rel(lambda[1][k] * 0.7, lambda[0][k], 1e-12, "a multiplier times its gradient is the force");
    }
}

/* Two equal masses on equal links: (l/g) omega^2 = 2 + sqrt(2), and the lower link's angle is -sqrt(2) times the upper
 * one's, landau76 24. */
static void kicked(fixture *f) {
    sb_system sys;
    double q[SIZE], v[SIZE], t;
    fixture_build(f, "thread:n=2,kick=0.01,g=10,l=2", NULL, &sys);
    gsl_test(sys.initial(sys.self, &t, q, v) != SB_OK, "initial");
    const double omega = sqrt(5.0 * (2.0 + sqrt(2.0)));
    gsl_test_rel(v[0], 0.01 * omega, 1e-13, "the upper particle moves most, with amplitude times omega");
    gsl_test_rel(v[2], (1.0 - sqrt(2.0)) * 0.01 * omega, 1e-13, "the lower one against it");
    gsl_test_abs(fabs(v[1]) + fabs(v[3]), 0.0, 1e-16, "neither along the thread");
}

int main(void) {
    fixture f;
    fixture_open(&f);
    statics(&f);
    turned(&f);
    kicked(&f);
    forms(&f);
    fixture_close(&f);
    return gsl_test_summary();
}
