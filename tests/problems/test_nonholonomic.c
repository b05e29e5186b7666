/* Facts of textbooks about rolling and sliding without slipping sideways. */
#include <stdio.h>

#include <stepbench/numerics/dynamics.h>

#include "tests/problems/differences.h"
#include "tests/problems/systems.h"

/* Steady rolling on a circle: with L the angular momentum about the centre, Omega x L = -r f x m (a + g z) along the
 * tangent gives (J + m r^2) spin Omega sin theta - I Omega^2 sin theta cos theta + m g r cos theta = 0. No rate changes
 * then. */
static void steady_disk(fixture *f) {
    const double m = 2.0, r = 0.5, I = 0.2, J = 0.3, g = 3.0, theta = 1.1, turning = 1.7;
    const double spin = (I * turning * turning * sin(theta) * cos(theta) - m * g * r * cos(theta)) /
                        ((J + m * r * r) * turning * sin(theta));
    char spec[200];
    sb_system sys;
    sb_dynamics dyn;
    double t, q[5], v[5], a[5];
    snprintf(spec, sizeof spec, "rolling_disk:m=2,r=0.5,I=0.2,J=0.3,g=3,theta0=1.1,phidot0=1.7,psidot0=%.17g",
             spin - turning * cos(theta));
    fixture_build(f, spec, NULL, &sys);
    int status = sb_dynamics_init(&f->ctx, &f->arena, &sys, &dyn) | sys.initial(sys.self, &t, q, v);
    status |= sb_dynamics_acceleration(&dyn, 0.0, q, v, a, NULL);
    gsl_test(status != SB_OK, "a disk");
    for (int i = 2; i < 5; i++) {
        gsl_test(!close_to(a[i], 0.0, 1e-14 * turning * fabs(spin) * 10.0), "steady rolling: rate %d stays (%g)", i,
                 a[i]);
    }
    gsl_test(!close_to(hypot(a[0], a[1]), fabs(r * spin * turning), 1e-14 * fabs(r * spin * turning) * 10.0),
             "its centre goes round (%g)", hypot(a[0], a[1]));
}

/* The exact motion at a time t. */
static void at(fixture *f, const char *spec, double t, double *q, double *v) {
    sb_system sys;
    fixture_build(f, spec, NULL, &sys);
    gsl_test(sys.exact(sys.self, t, q, v, NULL) != SB_OK, "%s: exact", spec);
}

/* A knife edge that turns comes back to its height and drifts across the slope; one that does not turn falls. */
static void knife(fixture *f) {
    double q[3], v[3];
    at(f, "knife_edge:g=2,omega=3", M_PI / 3.0, q, v);
    gsl_test_abs(q[0], 0.0, 1e-15, "after half a turn it is as high as it was");
    gsl_test_rel(q[1], 2.0 / (2.0 * 9.0) * M_PI, 1e-14, "and across the slope");
    at(f, "knife_edge:g=2,omega=0", 1.5, q, v);
    gsl_test_rel(q[0], 2.25, 1e-15, "without turning it falls freely");
    at(f, "knife_edge:g=2,omega=1e-9", 1.5, q, v);
    gsl_test_rel(q[0], 2.25, 1e-14, "and almost so when it hardly turns");
}

/* The sleigh that starts backwards ends up running forwards with all its energy in the forward motion, having turned by
 * pi b/a in all. */
static void sleigh(fixture *f) {
    double q[3], v[3];
    const double a = 0.5, b = sqrt(0.5 + a * a), R = hypot(1.0, b);
    at(f, "chaplygin_sleigh:m=1,I=0.5,a=0.5,v0=-1,omega0=1", 400.0, q, v);
    gsl_test_rel(hypot(v[0], v[1]), R, 1e-13, "speed at the end");
    gsl_test_rel(cos(q[2]) * v[0] + sin(q[2]) * v[1], R, 1e-13, "forwards");
    gsl_test_abs(v[2], 0.0, 1e-13, "straight");
    gsl_test_rel(q[2], b / a * (0.5 * M_PI + 2.0 * atan(tanh(0.5 * asinh(1.0 / b)))), 1e-13, "heading at the end");
}

/* The edge runs along the body's axis at the speed u: the energy is m u^2/2 + (I + m a^2) omega^2/2 and the edge's
 * velocity u (cos phi, sin phi), here by a central difference, whose truncation (dt/T)^2 with dt = 1e-4 of a motion of
 * about 1 s is 1e-8. */
static void sleigh_edge(fixture *f) {
    const double t = 1.3, dt = 1e-4;
    sb_system sys;
    double q[3], v[3], now[3], before[3], after[3], lambda;
    fixture_build(f, "chaplygin_sleigh:m=1,I=0.5,a=0.5,v0=-1,omega0=1", NULL, &sys);
    int status = sys.exact(sys.self, t - dt, q, v, &lambda) | sys.outputs.value(sys.outputs.self, t - dt, q, v, before);
    status |= sys.exact(sys.self, t + dt, q, v, &lambda) | sys.outputs.value(sys.outputs.self, t + dt, q, v, after);
    status |= sys.exact(sys.self, t, q, v, &lambda) | sys.outputs.value(sys.outputs.self, t, q, v, now);
    gsl_test(status != SB_OK, "a sleigh");
    gsl_test_rel(now[0] * now[0] + 0.75 * v[2] * v[2], 1.75, 1e-14, "energy of speed and rate");
    for (int k = 1; k < 3; k++) {
        gsl_test_abs((after[k] - before[k]) / (2.0 * dt), now[0] * (k == 1 ? cos(q[2]) : sin(q[2])), 1e-7,
                     "edge's velocity %d", k);
    }
}

int main(void) {
    fixture f;
    fixture_open(&f);
    steady_disk(&f);
    knife(&f);
    sleigh(&f);
    sleigh_edge(&f);
    fixture_close(&f);
    return gsl_test_summary();
}
