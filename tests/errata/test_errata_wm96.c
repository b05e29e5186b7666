/* The errata of wm96 4 and 5 that one step settles: each printed formula fails where charts, problems and steppers hold
 * the corrected one. Those that a run settles: test_errata_wm96_runs.c. */
#include <stdio.h>

#include <stepbench/numerics/dynamics.h>

#include "problems/shared/bodies.h"
#include "tests/errata/steps.h"

static const double m = 1.4, l = 0.9, gravity = 9.81, h = 0.05;
static const char *const pendulum = "pendulum:m=1.4,l=0.9,g=9.81";

/* ---- 4.3: the theorem on the pendulum, g(v) = (v.v - l^2)/2, psi(q) = l (sin q, -cos q). ---- */

/* The braces of (4.12), which are the top line of (4.6) without the multiplier. */
static void braces(const double before[2], const double now[2], const double after[2], double out[2]) {
    for (int i = 0; i < 2; i++) {
        const double force = i == 1 ? -m * gravity : 0.0;
        out[i] = m * ((now[i] - before[i]) - (after[i] - now[i])) / (h * h) + force;
    }
}

static void theorem(fixture *f) {
    const double s0 = 0.8, s1 = 0.86;
    sb_system sys;
    stepping x;
    double before[2], now[2], after[2], D1[2], D2[2], r[2];
    fixture_build(f, pendulum, NULL, &sys);
    stepping_begin(f, pendulum, "chart", "del:quadrature=left", h, &x);
    gsl_test(sb_method_start_pair(&x.method, 0.0, &s0, &s1, h, &x.now), "from two points of the chart");
    stepping_step(&x, h);
    const sb_chart *chart = sys.chart;
    gsl_test(chart->point(chart->self, &s0, before, NULL) | chart->point(chart->self, &s1, now, D1) |
                 chart->point(chart->self, x.now.q, after, D2),
             "the chart's points");
    const double size = m * l / (h * h); /* of the terms: round-off is relative to it */
    /* The proof: D'psi(q_k) takes the multiplier out of (4.6) and leaves (4.12); D'psi(q_{k+1}) does not. */
    braces(before, now, after, r);
    erratum("wm96 proof of 4.3.1: multiply by D'psi(q_k)", (D2[0] * r[0] + D2[1] * r[1]) / (size * l), 1e-4,
            (D1[0] * r[0] + D1[1] * r[1]) / (size * l), 64.0 * DBL_EPSILON);
}

/* ---- 5.1: quaternions, scalar first. ---- */

static void unit(double angle, double x, double y, double z, double a[4]) {
    const double s = sin(0.5 * angle) / sqrt(x * x + y * y + z * z);
    a[0] = cos(0.5 * angle);
    a[1] = s * x;
    a[2] = s * y;
    a[3] = s * z;
}

/* With half the body rate, as in (5.5), a quarter of the energy that the text has for (5.9); the problem takes all of
 * it, as (5.6) does. At the mean of two points 5e-4 rad apart it is that of a secant, (5e-4)^2/24 off. */
static void body_rate(fixture *f) {
    const double step = 1e-4, rates[3] = {0.0, 3.0, 4.0}, inertia[3] = {1.0, 2.0, 3.0};
    sb_system sys;
    sb_dynamics dyn;
    double q[4], y[4], d[4], T, half = 0.0;
    fixture_build(f, "rigid_body:I1=1,I2=2,I3=3", NULL, &sys);
    unit(0.5 * 5.0 * step, rates[0], rates[1], rates[2], q);
    unit(-0.5 * 5.0 * step, rates[0], rates[1], rates[2], y);
    for (int i = 0; i < 4; i++) {
        d[i] = (q[i] - y[i]) / step;
        q[i] = 0.5 * (q[i] + y[i]);
    }
    for (int i = 0; i < 3; i++) { /* conj((y + x)/2) * (y - x)/h at q = (1, 0, 0, 0) */
        half += 0.5 * inertia[i] * d[1 + i] * d[1 + i];
    }
    gsl_test(sb_dynamics_init(&f->ctx, &f->arena, &sys, &dyn) | sb_dynamics_energy(&dyn, 0.0, q, d, &T, NULL),
             "energy");
    erratum("wm96 (5.5), half the body rate", half - 33.0, 20.0, T - 33.0, 1e-5);
}

/* ---- 5.2: the double spherical pendulum. ---- */

/* Energy and momentum about z of the initial conditions. */
static void start_of(fixture *f, const char *problem, double *E, double *Jz) {
    sb_system sys;
    sb_dynamics dyn;
    double q[6], v[6], xi[6], p[6], t, T = NAN, V = NAN;
    fixture_build(f, problem, NULL, &sys);
    gsl_test(sys.initial(sys.self, &t, q, v) | sys.symmetry.generator(sys.symmetry.self, 0, q, xi) |
                 sb_dynamics_init(&f->ctx, &f->arena, &sys, &dyn) | sb_dynamics_energy(&dyn, 0.0, q, v, &T, &V) |
                 sb_dynamics_momentum(&dyn, q, v, p),
             "%s starts", problem);
    *E = T + V;
    *Jz = 0.0;
    for (int i = 0; i < 6; i++) {
        *Jz += p[i] * xi[i];
    }
}

static void pendulum_lengths(fixture *f) {
    const double m1 = 2.0, m2 = 3.5;
    double with_l1, with_l2, Jz;
    start_of(f, "dsp:ic=printed,l2=4", &with_l1, &Jz);
    start_of(f, "dsp:ic=printed", &with_l2, &Jz);
    /* The text's energy is 24.9445 J; three decimals in the velocities and positions leave some 5e-4 of momentum times
     * speed: 0.03 J. */
    erratum("wm96 (5.11), l_2 in the second row", with_l1 - 24.9445, 10.0, with_l2 - 24.9445, 0.03);
    /* J_z: the printed conditions miss the text's 199.825467170 ... 184 by far more than its nine decimals, and by less
     * than half a unit of their own third decimal in every factor can do. */
    const double half = 5e-4,
                 rounding = half * (m1 * (2.820 + 0.025 + 3.381 + 2.506) + m2 * (5.085 + 0.105 + 2.497 + 10.495));
    gsl_test(!(fabs(Jz - 199.825467177) <= rounding),
             "wm96 5.2: rounding to three decimals explains the difference: %.2g of %.2g", fabs(Jz - 199.825467177),
             rounding);
    gsl_test_rel(Jz, 199.8319, 1e-6, "wm96 5.2: they give 199.8319");
    double recovered; /* the text's J_z is that of a pair at h = 1e-4, which differs by O(h^2) of 200 */
    start_of(f, "dsp:ic=recovered", &with_l2, &recovered);
    erratum("wm96 5.2, initial conditions of three decimals", Jz - 199.825467177, 1e-3, recovered - 199.825467177,
            1e-5);
}

/* A step of SHAKE put into the display of 5.2, m (q+ - 2 q + q-)/h + h V_q + h D'g lambda = 0. */
static void shake_sign(fixture *f) {
    const double before[2] = {l * sin(0.80), -l * cos(0.80)}, now[2] = {l * sin(0.86), -l * cos(0.86)};
    stepping x;
    double printed = 0.0, corrected = 0.0;
    stepping_begin(f, pendulum, NULL, "shake", h, &x);
    gsl_test(sb_method_start_pair(&x.method, 0.0, before, now, h, &x.now), "shake from two points");
    stepping_step(&x, h);
    for (int k = 0; k < 2; k++) {
        const double left = m * (x.now.q[k] - 2.0 * now[k] + before[k]) / h + h * (k == 1 ? m * gravity : 0.0),
                     term = h * now[k] * x.now.lambda[0];
        printed = fmax(printed, fabs(left + term));
        corrected = fmax(corrected, fabs(left - term));
    }
    erratum("wm96 5.2, SHAKE's sign of lambda", printed, 0.1, corrected, 64.0 * DBL_EPSILON * m * l / h);
}

int main(void) {
    fixture f;
    fixture_open(&f);
    theorem(&f);
    body_rate(&f);
    pendulum_lengths(&f);
    shake_sign(&f);
    fixture_close(&f);
    return gsl_test_summary();
}
