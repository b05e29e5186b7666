/* The errata of notes11 2-7, the oscillator: each printed equation fails where problem and steppers hold the corrected
 * one. */
#include <stdio.h>

#include "tests/errata/steps.h"

static const double omega = 1.3, gamma_ = 0.4, h = 0.37, x0 = 0.7, v0 = -0.5;
static const char *const oscillator = "oscillator:omega=1.3,x0=0.7,v0=-0.5";

/* ---- 2: the oscillator's solution. ---- */

static void solution(fixture *f) {
    sb_system sys;
    double x, v;
    fixture_build(f, oscillator, NULL, &sys);
    gsl_test(sys.exact(sys.self, 0.0, &x, &v, NULL), "the oscillator's solution at t = 0");
    const double printed_x = x0 * sin(0.0) + v0 / omega * cos(0.0), printed_v = x0 * omega * cos(0.0) - v0 * sin(0.0);
    erratum("notes11 (4)", fabs(printed_x - x0) + fabs(printed_v - v0), 0.1, fabs(x - x0) + fabs(v - v0),
            4.0 * DBL_EPSILON);
    double y = x0, w = v0; /* the flow over h, by many small steps of the midpoint rule, exact to O(1e-8) */
    const int n = 20000;
    for (int k = 0; k < n; k++) {
        const double d = h / n, c = 0.25 * d * d * omega * omega, y1 = ((1.0 - c) * y + d * w) / (1.0 + c);
        w = 2.0 * (y1 - y) / d - w;
        y = y1;
    }
    gsl_test(sys.exact(sys.self, h, &x, &v, NULL), "the oscillator's solution at t = h");
    erratum("notes11 (6)", x0 * sin(h * omega) + v0 / omega * cos(h * omega) - y, 0.1, x - y, 1e-8);
}

/* ---- 3, 4: the strict inequality. ---- */

/* At tau = 2 Verlet's (18) reads x+ = -2 x - x-: solutions (-1)^k (alpha + beta k). "Bounded" claimed by <= in (20) is
 * judged by the growth of |x_k| over the next doubling of k, which is 1 for a bounded oscillation and 2 for linear
 * growth. */
static double growth(fixture *f, double tau, int k) {
    stepping s;
    double first = 0.0, second = 0.0;
    stepping_begin(f, "oscillator:v0=0.7", NULL, "verlet", tau, &s);
    for (int i = 1; i <= 2 * k; i++) {
        stepping_step(&s, tau);
        *(i <= k ? &first : &second) = fmax(i <= k ? first : second, fabs(s.now.q[0]));
    }
    return second / first;
}

/* A tau inside the interval by 1e-3 oscillates with period pi/sqrt(1e-3) = 100 steps, so that both halves see its peak.
 */
static void strictness(fixture *f) {
    erratum("notes11 (20), tau = 2 belongs to the stable interval", growth(f, 2.0, 2000) - 1.0, 0.9,
            growth(f, 2.0 - 1e-3, 2000) - 1.0, 5e-3);
}

/* ---- 5: damping. ---- */

/* b of x+ + a x + b x- = 0, from four points of a stepper. */
static double product_of_roots(fixture *f, const char *problem, const char *stepper, double step) {
    stepping s;
    double x[4];
    stepping_begin(f, problem, NULL, stepper, step, &s);
    for (int i = 0; i < 4; i++) {
        x[i] = s.now.q[0];
        stepping_step(&s, step);
    }
    return (x[1] * x[3] - x[2] * x[2]) / (x[0] * x[2] - x[1] * x[1]);
}

/* b of explicit Euler; with the force -m gamma v', x'' = -omega^2 x/(1 + gamma), it is 1 + h^2 omega^2/(1 + gamma). */
static void damping(fixture *f) {
    const double k = omega * omega, small = 0.1;
    double printed = INFINITY, corrected = INFINITY;
    for (double g = 0.0; g <= 8.0; g += 0.5) {
        char problem[80];
        snprintf(problem, sizeof problem, "oscillator:omega=1.3,x0=0.7,v0=-0.5,gamma=%g", g);
        printed = fmin(printed, 1.0 + small * small * k / (1.0 + g));
        const double b = product_of_roots(f, problem, "euler_explicit", small);
        gsl_test(!(fabs(b - (1.0 - small * g + small * small * k)) <= 1e-11),
                 "notes11 5: b = 1 - h gamma + h^2 omega^2");
        corrected = fmin(corrected, b);
    }
    gsl_test(!(printed > 1.0 + 1e-4), "notes11 5: with -m gamma v' no gamma stabilises explicit Euler: b >= %.6f",
             printed);
    gsl_test(!(corrected < 1.0 - 1e-4), "notes11 5: with -m gamma v some gamma does, as the text says: b down to %.6f",
             corrected);
    /* -m gamma v' is no damping at all: over the motion x = cos(w t), v = -w sin(w t) its mean power is zero. */
    const double w = omega / sqrt(1.0 + gamma_);
    double power = 0.0, lost = 0.0, force;
    sb_system sys;
    const int n = 1000;
    fixture_build(f, "oscillator:omega=1.3,gamma=0.4", NULL, &sys);
    for (int i = 0; i < n; i++) {
        const double s = 2.0 * M_PI * (i + 0.5) / n, x = cos(s), v = -w * sin(s);
        gsl_test(sys.force.value(sys.force.self, 0.0, &x, &v, &force), "the drag");
        power += -gamma_ * v * -w * w * cos(s) / n;
        lost += force * v / n;
    }
    gsl_test(!(fabs(power) <= 1e-14), "notes11 5: the force -m gamma v' does no net work: %.3g", power);
    gsl_test(!(fabs(lost + 0.5 * gamma_ * w * w) <= 1e-14), "notes11 5: -m gamma v takes gamma w^2/2 away: %.3g", lost);
}

/* ---- 6, 7: implicit Euler and midpoint. ---- */

/* x_{k+1} + a x_k + b x_{k-1} along two steps of the printed scheme, x+ = x + h v_a, v+ = v + h omega^2 x_a with the
 * averages a weighting the new values by `weight`. */
static double printed_residual(double weight, double a, double b) {
    const double c = h * omega * omega, g = h * weight, det = 1.0 - g * c * weight;
    double x[3] = {x0, 0.0, 0.0}, v = v0;
    for (int k = 0; k < 2; k++) {
        const double rx = x[k] + h * (1.0 - weight) * v, rv = v + c * (1.0 - weight) * x[k];
        x[k + 1] = (rx + g * rv) / det;
        v = (rv + c * weight * rx) / det;
    }
    return x[2] + a * x[1] + b * x[0];
}

/* Positions and velocities of two steps. */
static void two_steps(fixture *f, const char *stepper, double x[3], double v[3]) {
    stepping s;
    stepping_begin(f, oscillator, NULL, stepper, h, &s);
    for (int i = 0; i < 3; i++) {
        x[i] = s.now.q[0];
        v[i] = s.now.v[0];
        stepping_step(&s, h);
    }
}

static void implicit(fixture *f) {
    const double t2 = h * h * omega * omega, a6 = -2.0 / (1.0 + t2), b6 = 1.0 / (1.0 + t2),
                 a7 = -2.0 * (1.0 - t2 / 4.0) / (1.0 + t2 / 4.0), k = h * omega * omega;
    double x[3], v[3];
    two_steps(f, "euler_implicit", x, v);
    erratum("notes11 (27)", printed_residual(1.0, a6, b6), 0.1, x[2] + a6 * x[1] + b6 * x[0], 16.0 * DBL_EPSILON);
    two_steps(f, "midpoint", x, v);
    erratum("notes11 (32)", printed_residual(0.5, a7, 1.0), 0.1, x[2] + a7 * x[1] + x[0], 16.0 * DBL_EPSILON);
    /* (33) and (34) restate the velocity line of (32) one step earlier, and summed. */
    const double pull = 0.5 * k * (x[1] + x[0]), mean = 0.25 * k * (x[2] + 2.0 * x[1] + x[0]),
                 change = 0.5 * (v[2] - v[0]);
    erratum("notes11 (33)", v[0] + pull - v[1], 0.1, v[0] - pull - v[1], 8.0 * DBL_EPSILON);
    erratum("notes11 (34)", change - mean, 0.1, change + mean, 8.0 * DBL_EPSILON);
}

/* cos phi = (x_2 + x_0)/(2 x_1) of the midpoint rule. */
static void midpoint_phase(fixture *f) {
    double printed = 0.0, corrected = 0.0;
    for (double tau = 0.25; tau < 8.0; tau *= 2.0) {
        const double q = tau * tau / 4.0;
        stepping s;
        double x[3];
        stepping_begin(f, "oscillator:v0=0.3", NULL, "midpoint", tau, &s);
        for (int i = 0; i < 3; i++) {
            x[i] = s.now.q[0];
            stepping_step(&s, tau);
        }
        const double phase = 0.5 * (x[2] + x[0]) / x[1];
        printed = fmax(printed, fabs((1.0 - q) / (1.0 + 2.0 * q) - phase));
        corrected = fmax(corrected, fabs((1.0 - q) / (1.0 + q) - phase));
    }
    erratum("notes11 (39)", printed, 0.1, corrected, 64.0 * DBL_EPSILON);
}

int main(void) {
    fixture f;
    fixture_open(&f);
    solution(&f);
    strictness(&f);
    damping(&f);
    implicit(&f);
    midpoint_phase(&f);
    fixture_close(&f);
    return gsl_test_summary();
}
