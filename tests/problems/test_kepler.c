/* The Kepler problem: period, apocentre, Kepler's equation up to eccentricities near one, the equal areas. */
#include <math.h>
#include <stdio.h>

#include "tests/problems/systems.h"

static const double unit = 2.220446049250313e-16;

static void orbit(fixture *f, double e) {
    const double a = 1.3, mu = 2.1, period = 2.0 * M_PI * sqrt(a * a * a / mu);
    char spec[96];
    sb_system sys;
    double q[2], v[2], t0;
    snprintf(spec, sizeof spec, "kepler:e=%.17g,a=1.3,mu=2.1", e);
    fixture_build(f, spec, NULL, &sys);
    gsl_test(sys.initial(sys.self, &t0, q, v) != SB_OK, "%s starts", spec);
    /* A round-off of t moves the body at the speed of pericentre. */
    const double peri[2] = {q[0], v[1]}, speed = v[1], tolerance = 64.0 * unit * (a + speed * period);
    for (int n = 1; n <= 3; n++) {
        gsl_test(sys.exact(sys.self, n * period, q, v, NULL) != SB_OK, "%s: exact", spec);
        gsl_test_abs(q[0], peri[0], tolerance * n, "%s: x after %d periods", spec, n);
        gsl_test_abs(q[1], 0.0, tolerance * n, "%s: y after %d periods", spec, n);
        gsl_test(sys.exact(sys.self, (n - 0.5) * period, q, v, NULL) != SB_OK, "%s: exact", spec);
        gsl_test_abs(q[0], -a * (1.0 + e), 64.0 * unit * n * a, "%s: apocentre after %d.5 periods", spec, n - 1);
        gsl_test_rel(v[1], -speed * (1.0 - e) / (1.0 + e), 1e-14 / (1.0 - e), "%s: speed at apocentre", spec);
    }
    for (int k = 0; k < 200; k++) {
        const double t = period * (k / 199.0 - 0.5);
        gsl_test(sys.exact(sys.self, t, q, v, NULL) != SB_OK, "%s: exact", spec);
        /* The area swept since pericentre by the sector formula for the ellipse, without E: the body is on the ellipse
         * ... */
        const double r = hypot(q[0], q[1]), x = q[0] / a + e, y = q[1] / (a * sqrt((1.0 - e) * (1.0 + e)));
        gsl_test_abs(x * x + y * y, 1.0, 64.0 * unit, "%s: on the ellipse at t = %g", spec, t);
        /* ... and the sector's area is proportional to the time: E - e sin E = 2 pi t/T with E the ellipse's angle. */
        gsl_test_abs(atan2(y, x) - e * y, 2.0 * M_PI * t / period, 64.0 * unit, "%s: equal areas at t = %g", spec, t);
        const double energy = 0.5 * (v[0] * v[0] + v[1] * v[1]) - mu / r;
        gsl_test_abs(energy, -0.5 * mu / a, 64.0 * unit * (mu / r), "%s: vis viva at t = %g", spec, t);
        double out[2];
        gsl_test(sys.outputs.value(sys.outputs.self, t, q, v, out) != SB_OK, "%s: outputs", spec);
        gsl_test_abs(out[0], e, 64.0 * unit, "%s: the Laplace-Runge-Lenz vector has the length e", spec);
    }
}

int main(void) {
    const double e[] = {0.0, 0.1, 0.5, 0.9, 0.999, 0.999999};
    fixture f;
    fixture_open(&f);
    for (size_t i = 0; i < sizeof e / sizeof *e; i++) {
        orbit(&f, e[i]);
    }
    sb_system sys;
    const double origin[2] = {0.0, 0.0};
    double V[2];
    fixture_build(&f, "kepler", NULL, &sys);
    gsl_test(sb_potential_value(&sys, 0.0, origin, V) != SB_DOMAIN ||
                 sb_potential_gradient(&sys, 0.0, origin, V) != SB_DOMAIN,
             "the centre of attraction is outside the domain");
    fixture_close(&f);
    return gsl_test_summary();
}
