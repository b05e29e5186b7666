/* The pendulum's exact motion: periods, the separatrix, multipliers of both constraint forms, and the angle of its
 * chart. */
#include <math.h>
#include <stdio.h>

#include <gsl/gsl_sf_ellint.h>

#include <stepbench/numerics/dynamics.h>

#include "tests/problems/systems.h"

static const double unit = 2.220446049250313e-16;

static double angle(const sb_system *sys, double t) {
    double q[2], v[2], theta;
    const int status = sys->exact(sys->self, t, q, v, NULL) | sys->outputs.value(sys->outputs.self, t, q, v, &theta);
    gsl_test(status != SB_OK, "%s at t = %g", sys->name, t);
    return theta;
}

/* Released at rest from theta0 it is at -theta0 after half a period 2K(sin(theta0/2))/omega and passes the bottom at
 * the quarters: landau76 (11.1). */
static void swings_with_period_4K(fixture *f) {
    const double theta0[] = {1e-3, 0.5, 1.5, 3.0, 3.14};
    for (size_t i = 0; i < sizeof theta0 / sizeof *theta0; i++) {
        sb_system sys;
        char spec[96];
        const double l = 0.7, g = 9.81, omega = sqrt(g / l), k = sin(0.5 * theta0[i]);
        const double quarter = gsl_sf_ellint_Kcomp(k, GSL_PREC_DOUBLE) / omega;
        snprintf(spec, sizeof spec, "pendulum:l=0.7,theta0=%.17g", theta0[i]);
        fixture_build(f, spec, NULL, &sys);
        /* K takes k, not the complement: (round-off)/(1 - k^2), which the speed 2 k omega at the bottom turns
         * into an angle. */
        const double tolerance = 8.0 * unit * (1.0 + 1.0 / (1.0 - k * k)) * fmax(k, unit) * 10.0;
        for (int turn = 0; turn <= 5; turn++) {
            gsl_test_abs(angle(&sys, 4.0 * turn * quarter), theta0[i], tolerance * (1 + turn),
                         "theta0 = %g after %d periods", theta0[i], turn);
            gsl_test_abs(angle(&sys, (4.0 * turn + 2.0) * quarter), -theta0[i], tolerance * (1 + turn),
                         "-theta0 = %g after %d.5 periods", theta0[i], turn);
            gsl_test_abs(angle(&sys, (4.0 * turn + 1.0) * quarter), 0.0, tolerance * (1 + turn),
                         "bottom from %g after %d.25 periods", theta0[i], turn);
        }
    }
}

/* Thrown from the bottom with omega0 > 2 omega it turns once in 2 k K(k)/omega, k = 2 omega/omega0; the chart's angle
 * counts the turns. */
static void turns_over(fixture *f) {
    for (int sign = -1; sign <= 1; sign += 2) {
        sb_system sys, chart;
        char spec[96];
        const double omega0 = 7.5 * sign, k = 2.0 * sqrt(9.81) / 7.5,
                     turn = 2.0 * k * gsl_sf_ellint_Kcomp(k, GSL_PREC_DOUBLE) / sqrt(9.81);
        snprintf(spec, sizeof spec, "pendulum:theta0=0,omega0=%g", omega0);
        fixture_build(f, spec, NULL, &sys);
        fixture_build(f, spec, "chart", &chart);
        for (int n = -3; n <= 12; n++) {
            double s, sdot;
            gsl_test_abs(angle(&sys, n * turn), 0.0, 1e-14 * (1 + abs(n)), "at the bottom after %d turns", n);
            gsl_test(chart.exact(chart.self, n * turn, &s, &sdot, NULL) != SB_OK, "the chart's exact motion");
            gsl_test_abs(s, sign * 2.0 * M_PI * n, 1e-14 * (1 + abs(n)), "%d turns in the chart", n);
            gsl_test_rel(sdot, omega0, 1e-14, "rate at the bottom after %d turns", n);
            gsl_test(chart.exact(chart.self, (n + 0.5) * turn, &s, NULL, NULL) != SB_OK, "the chart's exact motion");
            gsl_test_abs(s, sign * M_PI * (2 * n + 1), 1e-14 * (2 + abs(n)), "at the top after %d.5 turns", n);
        }
    }
}

/* On the separatrix sin(theta/2) = tanh(omega t). Just off it, on either side, the motion is the same until it is near
 * the top. */
static void separatrix(fixture *f) {
    static const char *const specs[] = {"pendulum:g=4,theta0=0,omega0=4",
                                        "pendulum:g=4,theta0=0,omega0=3.9999999999999982",
                                        "pendulum:g=4,theta0=0,omega0=4.0000000000000018"};
    for (int i = 0; i < 3; i++) {
        sb_system sys;
        fixture_build(f, specs[i], NULL, &sys);
        for (int k = 0; k <= 20; k++) {
            const double t = 0.1 * k, expected = 2.0 * asin(tanh(2.0 * t));
            /* The deviation grows like cosh(2t): at most e^4 units here. */
            gsl_test_abs(angle(&sys, t), expected, 200.0 * unit, "%s at t = %g", specs[i], t);
        }
    }
    /* theta0 = pi is, in doubles, 1.2e-16 short of the top: it falls within 2 log(4/6.1e-17)/omega. */
    sb_system top;
    fixture_build(f, "pendulum:g=1,theta0=3.141592653589793", NULL, &top);
    const double half_fall = log(4.0 / 6.123233995736766e-17);
    gsl_test_abs(angle(&top, half_fall), 0.0, 1e-13, "the fall from the top reaches the bottom after log(4/k')");
    gsl_test(!(fabs(angle(&top, 10.0)) > 3.1415), "it stays near the top at first");
}

/* lambda of both forms is the one the index-1 equations of motion give, and one is l times the other. */
static void multipliers(fixture *f) {
    static const char *const specs[] = {"pendulum:constraint=norm,m=2.5,l=1.7,theta0=2,omega0=0.4",
                                        "pendulum:constraint=square,m=2.5,l=1.7,theta0=2,omega0=0.4"};
    double by_form[2][10];
    for (int form = 0; form < 2; form++) {
        sb_system sys;
        sb_dynamics dyn;
        fixture_build(f, specs[form], NULL, &sys);
        gsl_test(sb_dynamics_init(&f->ctx, &f->arena, &sys, &dyn) != SB_OK, "dynamics");
        for (int k = 0; k < 10; k++) {
            double q[2], v[2], a[2], lambda;
            int status = sys.exact(sys.self, 0.37 * k, q, v, &by_form[form][k]);
            status |= sb_dynamics_acceleration(&dyn, 0.37 * k, q, v, a, &lambda);
            gsl_test(status != SB_OK, "%s: accelerations", specs[form]);
            gsl_test_abs(by_form[form][k], lambda, 1e-13 * 2.5 * 9.81 * 5.0, "%s: lambda at t = %g", specs[form],
                         0.37 * k);
        }
    }
    for (int k = 0; k < 10; k++) {
        gsl_test_abs(by_form[0][k], 1.7 * by_form[1][k], 1e-13 * 2.5 * 9.81 * 5.0, "lambda(norm) = l lambda(square)");
    }
    sb_system rest;
    double lambda;
    fixture_build(f, "pendulum:constraint=norm,m=3,theta0=0", NULL, &rest);
    gsl_test(rest.exact(rest.self, 1.0, NULL, NULL, &lambda) != SB_OK, "at rest");
    gsl_test_rel(lambda, -3.0 * 9.81, 4.0 * unit, "hanging at rest the rod carries the weight");
}

int main(void) {
    fixture f;
    fixture_open(&f);
    swings_with_period_4K(&f);
    turns_over(&f);
    separatrix(&f);
    multipliers(&f);
    fixture_close(&f);
    return gsl_test_summary();
}
