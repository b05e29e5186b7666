/* Problems of the literature: published values, closed forms of special cases, and the same motion in other
 * coordinates. */
#include <float.h>
#include <math.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

#include <stepbench/numerics/dynamics.h>

#include "tests/problems/systems.h"

enum { N = 32 };

/* y = (q, v) for GSL. */
static int right_hand_side(double t, const double *y, double *dydt, void *arg) {
    sb_dynamics *dyn = arg;
    const int n = dyn->sys->n;
    memcpy(dydt, y + n, (size_t)n * sizeof *y);
    return sb_dynamics_acceleration(dyn, t, y, y + n, dydt + n, NULL) == SB_OK ? GSL_SUCCESS : GSL_EBADFUNC;
}

/* Sets the state at t, with local errors of 1e-14, and the accelerations and multipliers there. */
static void solve(fixture *f, const char *spec, double t, double *y, double *acceleration, double *lambda) {
    sb_system sys;
    sb_dynamics dyn;
    double t0;
    fixture_build(f, spec, NULL, &sys);
    int status = sys.initial(sys.self, &t0, y, y + sys.n) | sb_dynamics_init(&f->ctx, &f->arena, &sys, &dyn);
    if (t > t0 && status == SB_OK) {
        gsl_odeiv2_system ode = {right_hand_side, NULL, 2 * (size_t)sys.n, &dyn};
        gsl_odeiv2_driver *driver =
            gsl_odeiv2_driver_alloc_y_new(&ode, gsl_odeiv2_step_rk8pd, 1e-3 * sys.time_scale, 1e-14, 1e-14);
        status = gsl_odeiv2_driver_apply(driver, &t0, t, y) == GSL_SUCCESS ? SB_OK : SB_NOT_CONVERGED;
        gsl_odeiv2_driver_free(driver);
    }
    status |= sb_dynamics_acceleration(&dyn, t, y, y + sys.n, acceleration, lambda);
    gsl_test(status != SB_OK, "%s: integrated to t = %g", spec, t);
}

static void expect_close(const char *what, int count, const double *found, const double *expected, double tolerance) {
    for (int i = 0; i < count; i++) {
        gsl_test(!(fabs(found[i] - expected[i]) <= tolerance * fmax(1.0, fabs(expected[i]))),
                 "%s, component %d (%.17g, %.17g)", what, i, found[i], expected[i]);
    }
}

/* ivptest08: positions, accelerations and multipliers at the start, with 30 digits, and the state at t = 0.03, computed
 * there with tolerances of 1e-14. The test set has M q'' = f - G' lambda. */
static void test_andrews(fixture *f) {
    static const double start[7] = {14222.4439199541138705911625887, -10666.8329399655854029433719415},
                        forces[6] = {-98.5668703962410896057654982170, 6.12268834425566265503114393122};
    static const double end[14] = {0.1581077119629904e+2,  -0.1575637105984298e+2, 0.4082224013073101e-1,
                                   -0.5347301163226948,    0.5244099658805304,     0.5347301163226948,
                                   0.1048080741042263e+1,  0.1139920302151208e+4,  -0.1424379294994111e+4,
                                   0.1103291221937134e+2,  0.1929337464421385e+2,  0.5735699284790808,
                                   -0.1929337464421385e+2, 0.3231791658026955};
    static const double angles[7] = {-0.0617138900142764496358948458001, 0.0,
                                     0.455279819163070380255912382449,   0.222668390165885884674473185609,
                                     0.487364979543842550225598953530,   -0.222668390165885884674473185609,
                                     1.23054744454982119249735015568};
    double y[2 * N], acceleration[N], lambda[N];
    solve(f, "andrews", 0.0, y, acceleration, lambda);
    /* The rounding of the cosines of the loops, over the least singular value of G, some 1e-3. */
    expect_close("andrews: initial angles", 7, y, angles, 16.0 * DBL_EPSILON);
    expect_close("andrews: initial acceleration", 7, acceleration, start, 1e-11 * start[0]);
    expect_close("andrews: initial multipliers", 6, lambda, forces, 1e-11 * fabs(forces[0]));
    solve(f, "andrews", 0.03, y, acceleration, lambda);
    /* The crank is at 1140 rad/s: its phase carries the local errors of about a thousand steps. */
    expect_close("andrews: angles at t = 0.03", 7, y, end, 1e-9);
    expect_close("andrews: rates at t = 0.03", 7, y + 7, end + 7, 1e-7);
}

/* Two bodies: after a revolution, whose time follows from the relative motion at the start, they have moved with their
 * centre of mass alone. */
static void test_two_planets(fixture *f) {
    const double G = 2.95912208286e-4, m0 = 1.00000597682, m1 = 0.000954786104043, mu = G * (m0 + m1);
    double y[2 * N], start[2 * N], shifted[2 * N], unused[N];
    solve(f, "outer_solar_system:planets=1", 0.0, start, unused, unused);
    const double *x = start, *v = start + 6;
    const double r = hypot(hypot(x[3], x[4]), x[5]), v2 = v[3] * v[3] + v[4] * v[4] + v[5] * v[5],
                 a = 1.0 / (2.0 / r - v2 / mu), period = 2.0 * M_PI * a * sqrt(a / mu);
    /* Jupiter's semi-major axis and period; the osculating elements differ from the mean ones by less than a percent.
     */
    gsl_test(!(fabs(a - 5.2026) < 0.01 * 5.2026) || !(fabs(period - 4332.6) < 0.01 * 4332.6),
             "outer_solar_system: Jupiter's orbit (a %g AU, %g days)", a, period);
    memcpy(shifted, start, sizeof shifted);
    for (int i = 0; i < 6; i++) {
        shifted[i] += period * m1 * v[3 + i % 3] / (m0 + m1);
    }
    solve(f, "outer_solar_system:planets=1", period, y, unused, unused);
    expect_close("outer_solar_system: after a revolution of Jupiter", 12, y, shifted, 1e-11);
}

/* Semi-major axes of the planets about the Sun, in AU; osculating ones are within two percent of the mean ones. */
static void test_planets(fixture *f) {
    static const double axis[5] = {5.2026, 9.5549, 19.2184, 30.1104, 39.5};
    static const double mass[5] = {0.000954786104043, 0.000285583733151, 0.0000437273164546, 0.0000517759138449,
                                   1.0 / 1.3e8};
    double y[2 * N], unused[N];
    solve(f, "outer_solar_system", 0.0, y, unused, unused);
    for (int k = 0; k < 5; k++) {
        const double *x = y + 3 * (k + 1), *v = y + 18 + 3 * (k + 1);
        const double a = 1.0 / (2.0 / hypot(hypot(x[0], x[1]), x[2]) -
                                (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / (2.95912208286e-4 * (1.0 + mass[k])));
        gsl_test(!(fabs(a - axis[k]) < 0.02 * axis[k]), "outer_solar_system: semi-major axis of planet %d (%g AU)",
                 k + 1, a);
    }
}

/* The double spherical pendulum in a plane is the double pendulum; its constraints hold the lengths. */
static void test_double_pendulum(fixture *f) {
    const double l1 = 1.2, l2 = 0.7, a = 0.8, b = -0.5, wa = 0.3, wb = -0.9;
    char spec[400];
    double angles[2 * N], cartesian[2 * N], unused[N];
    snprintf(spec, sizeof spec,
             "dsp:ic=given,m1=1.5,m2=0.4,l1=%.17g,l2=%.17g,g=9.81,x1=%.17g,y1=0,x2=%.17g,y2=0,vx1=%.17g,vy1=0,"
             "vx2=%.17g,vy2=0",
             l1, l2, l1 * sin(a), l1 * sin(a) + l2 * sin(b), l1 * cos(a) * wa, l1 * cos(a) * wa + l2 * cos(b) * wb);
    solve(f, spec, 3.0, cartesian, unused, unused);
    snprintf(spec, sizeof spec,
             "double_pendulum:m1=1.5,m2=0.4,l1=%.17g,l2=%.17g,theta1=%.17g,theta2=%.17g,omega1=%.17g,omega2=%.17g", l1,
             l2, a, b, wa, wb);
    solve(f, spec, 3.0, angles, unused, unused);
    const double outer[6] = {l1 * sin(angles[0]),
                             0.0,
                             -l1 * cos(angles[0]),
                             l1 * sin(angles[0]) + l2 * sin(angles[1]),
                             0.0,
                             -l1 * cos(angles[0]) - l2 * cos(angles[1])};
    expect_close("double_pendulum: as dsp", 6, cartesian, outer, 1e-9);
}

/* The stiff springs' energy of hlw06 I.5 stays within O(1/omega), although each spring's own changes by its size: I(0)
 * is 1 for the first spring, 0 for the others. */
static void test_adiabatic(fixture *f) {
    double y[2 * N], unused[N], out[8];
    sb_system sys;
    fixture_build(f, "fput", NULL, &sys);
    solve(f, "fput", 100.0, y, unused, unused);
    gsl_test(sys.outputs.value(sys.outputs.self, 100.0, y, y + sys.n, out) != SB_OK, "fput: outputs");
    gsl_test(!(fabs(out[3] - 1.0) < 2.0 / 50.0) || !(out[0] < 0.8),
             "fput: the stiff springs exchange energy and keep its sum (I1 %g, I2 %g, I3 %g, I %g)", out[0], out[1],
             out[2], out[3]);
}

/* ivptest08: the state and the multipliers at t = 3, computed there in quadruple precision. */
static void test_car_axis(fixture *f) {
    static const double end[5] = {0.493455784275402809122e-1, 0.496989460230171153861, 0.104174252488542151681e+1,
                                  0.373911027265361256927, 3.0},
                        rate[5] = {-0.770583684040972357970e-1, 0.744686658723778553466e-2, 0.175568157537232222276e-1,
                                   0.770341043779251976443, 1.0},
                        forces[2] = {-0.473688659084893324729e-2, -0.110468033125734368808e-2};
    double y[2 * N], acceleration[N], lambda[N];
    solve(f, "car_axis", 3.0, y, acceleration, lambda);
    /* Local errors of 1e-14 over some thousand steps, of oscillations at 1/sqrt(m) = 45 rad/s. */
    expect_close("car_axis: positions at t = 3", 5, y, end, 1e-10);
    expect_close("car_axis: velocities at t = 3", 5, y + 5, rate, 1e-9);
    expect_close("car_axis: multipliers at t = 3", 2, lambda, forces, 1e-9);
}

/* ivptest08: acceleration of the slider and the multiplier of its constraint at the start, of which nine digits are
 * printed; M q'' = f - G' lambda there. */
static void test_flexible_slider_crank(fixture *f) {
    double y[N], a[N], lambda[N];
    solve(f, "flexible_slider_crank:E=2e11", 0.0, y, a, lambda);
    expect_close("flexible_slider_crank: the slider", 1, a + 2, (double[1]){-5.062194923138079e3}, 1e-6);
    expect_close("flexible_slider_crank: its force", 1, lambda + 1, (double[1]){-3.824589508329281e2}, 1e-6);
    expect_close("flexible_slider_crank: start", 2, y + 2, (double[2]){0.450016933, 0.0}, 5e-10);
    expect_close("flexible_slider_crank: rates", 2, y + 8, (double[2]){-0.749957670e2, -0.268938672e-5}, 1e-9);
}

/* The same crank of bodies, joints and a spring, without the force: (phi) of the crank, (x, phi) of the rod. */
static void test_slider_crank_sundials(fixture *f) {
    double y[2 * N], bodies[2 * N], unused[N];
    solve(f, "slider_crank_sundials:F=0", 2.0, y, unused, unused);
    solve(f, "mechanism:file=" SB_SOURCE_DIR "/tests/problems/slider_crank_sundials.json", 2.0, bodies, unused, unused);
    expect_close("slider_crank_sundials: as bodies", 3, (double[3]){bodies[2], bodies[3], bodies[5]}, y, 1e-11);
    expect_close("slider_crank_sundials: their rates", 3, (double[3]){bodies[11], bodies[12], bodies[14]}, y + 3,
                 1e-11);
    gsl_test(!(fabs(y[3]) > 1e-3), "slider_crank_sundials: moves (%g)", y[3]);
}

int main(void) {
    fixture f;
    fixture_open(&f);
    test_andrews(&f);
    test_two_planets(&f);
    test_planets(&f);
    test_double_pendulum(&f);
    test_adiabatic(&f);
    test_car_axis(&f);
    test_flexible_slider_crank(&f);
    test_slider_crank_sundials(&f);
    fixture_close(&f);
    return gsl_test_summary();
}
