/* The heavy top of the textbooks: steady precession, and what the scalar part's inertia must not change. */
#include <stdio.h>

#include <stepbench/numerics/dynamics.h>

#include "tests/problems/differences.h"
#include "tests/problems/systems.h"

/* goldstein02 (5.77): the tilt stays where I1 Omega^2 cos theta - I3 w3 Omega + m g d = 0, I1 = J1 + m d^2 about the
 * joint; and not elsewhere. */
static void steady_precession(fixture *f, double extra, bool steady) {
    const double m = 2.0, d = 0.6, J1 = 0.3, J3 = 0.4, g = 9.0, theta = 0.7, Omega = 1.3, I1 = J1 + m * d * d;
    const double w3 = (I1 * Omega * Omega * cos(theta) + m * g * d) / (J3 * Omega) + extra;
    char spec[200];
    sb_system sys;
    sb_dynamics dyn;
    double t, q[7], v[7], a[7], lambda[4];
    snprintf(spec, sizeof spec, "heavy_top:m=2,d=0.6,J1=0.3,J3=0.4,g=9,theta0=0.7,phidot0=1.3,psidot0=%.17g",
             w3 - Omega * cos(theta));
    fixture_build(f, spec, NULL, &sys);
    int status = sb_dynamics_init(&f->ctx, &f->arena, &sys, &dyn) | sys.initial(sys.self, &t, q, v);
    status |= sb_dynamics_acceleration(&dyn, 0.0, q, v, a, lambda);
    gsl_test(status != SB_OK, "a top");
    gsl_test((fabs(a[2]) <= 1e-13 * w3 * w3) != steady, "the centre's height stays, or not (%g)", a[2]);
    if (steady) {
        const double radius = d * sin(theta);
        gsl_test_rel(hypot(a[0], a[1]), Omega * Omega * radius, 1e-12, "the centre goes round");
        /* The joint holds the weight and the centre on its circle; its force is the multiplier of x - e d conj(e). */
        gsl_test_rel(lambda[2], m * g, 1e-12, "the joint carries the weight");
        gsl_test_rel(hypot(lambda[0], lambda[1]), m * Omega * Omega * radius, 1e-12, "and the centripetal force");
    }
}

int main(void) {
    fixture f;
    fixture_open(&f);
    steady_precession(&f, 0.0, true);
    steady_precession(&f, 1.0, false);
    fixture_close(&f);
    return gsl_test_summary();
}
