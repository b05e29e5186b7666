/* Outputs and exact solutions in configurations that geometry or a textbook gives. */
#include "tests/problems/systems.h"

static void initial(const sb_system *sys, double *q, double *v) {
    double t;
    gsl_test(sys->initial(sys->self, &t, q, v) != SB_OK, "%s has an initial state", sys->name);
}

/* Angles from below: the pendulum of length 2 at 60 degrees hangs 1 below the pivot, and its weight's energy is m g z.
 */
static void spherical_pendulum(fixture *f) {
    static const double low[2] = {0.0, 0.4}, q[2] = {M_PI / 3.0, 0.4}, v[2] = {0.0, 0.0};
    double out[3], V0, V;
    sb_system sys;
    fixture_build(f, "spherical_pendulum:m=3,l=2,g=5", NULL, &sys);
    gsl_test(sys.outputs.value(sys.outputs.self, 0.0, q, v, out) != SB_OK, "its outputs");
    gsl_test_rel(out[0], sqrt(3.0) * cos(0.4), 1e-15, "x");
    gsl_test_rel(out[1], sqrt(3.0) * sin(0.4), 1e-15, "y");
    gsl_test_rel(out[2], -1.0, 1e-15, "z");
    gsl_test(sb_potential_value(&sys, 0.0, low, &V0) != SB_OK || sb_potential_value(&sys, 0.0, q, &V) != SB_OK,
             "its energy");
    gsl_test_rel(V - V0, 3.0 * 5.0 * (out[2] + 2.0), 1e-14, "m g times the height above the lowest point");
}

/* goldstein02 5.7: J_z = I1 phidot sin^2 theta + J3 (psidot + phidot cos theta) cos theta, I1 = J1 + m d^2. */
static void heavy_top(fixture *f) {
    const double I1 = 0.3 + 2.0 * 0.6 * 0.6, J3 = 0.4, theta = 0.7, phidot = 1.3, psidot = 5.0;
    double q[7], v[7], out[2];
    sb_system sys;
    fixture_build(f, "heavy_top:m=2,d=0.6,J1=0.3,J3=0.4,g=9,theta0=0.7,phidot0=1.3,psidot0=5", NULL, &sys);
    initial(&sys, q, v);
    gsl_test(sys.outputs.value(sys.outputs.self, 0.0, q, v, out) != SB_OK, "its outputs");
    gsl_test_rel(out[0], theta, 1e-14, "the tilt");
    gsl_test_rel(out[1], I1 * phidot * sin(theta) * sin(theta) + J3 * (psidot + phidot * cos(theta)) * cos(theta),
                 1e-14, "the angular momentum about the vertical");
}

/* Two balls move towards three at rest, whose gaps are 0.1: the gap in front of them is `distance` at the start and
 * closes at distance/v0, and the first ball at rest is at 2 r i. */
static void newtons_cradle(fixture *f) {
    double q[5], v[5], t;
    sb_system sys;
    fixture_build(f, "newtons_cradle:n=5,moving=2,r=0.05,v0=2,distance=0.6,spacing=0.1", NULL, &sys);
    gsl_test(sys.exact(sys.self, 0.0, q, v, NULL) != SB_OK, "its exact solution");
    gsl_test_abs(q[2] - q[1] - 0.1, 0.6, 1e-15, "the gap before the impact");
    gsl_test_abs(q[3] - q[2] - 0.1, 0.1, 1e-15, "a gap between balls at rest");
    gsl_test_abs(q[2], 0.2, 1e-15, "the first ball at rest");
    t = 0.6 / 2.0;
    gsl_test(sys.exact(sys.self, t - 1e-6, q, v, NULL) != SB_OK, "before the impact");
    gsl_test_abs(v[1], 2.0, 0.0, "the front ball moves until the impact");
    gsl_test(sys.exact(sys.self, t + 1e-6, q, v, NULL) != SB_OK, "after it");
    gsl_test_abs(v[1] + 10.0 * v[2], 20.0, 0.0, "which hands its velocity to the first ball at rest");
}

int main(void) {
    fixture f;
    fixture_open(&f);
    spherical_pendulum(&f);
    heavy_top(&f);
    newtons_cradle(&f);
    fixture_close(&f);
    return gsl_test_summary();
}
