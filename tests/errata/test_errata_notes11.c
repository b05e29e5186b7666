/* The errata of notes11 2-7, the oscillator: each printed equation fails where its corrected form holds. */
#include "tests/errata/erratum.h"

static const double omega = 1.3, gamma_ = 0.4, h = 0.37;

/* ---- 2: the oscillator's solution. ---- */

static void solution(void) {
    const double x0 = 0.7, v0 = -0.5, tau = h * omega;
    /* At t = 0 the solution is x0 and its derivative v0. */
    const double printed_x = x0 * sin(0.0) + v0 / omega * cos(0.0), printed_v = x0 * omega * cos(0.0) - v0 * sin(0.0);
    const double x = x0 * cos(0.0) + v0 / omega * sin(0.0), v = -x0 * omega * sin(0.0) + v0 * cos(0.0);
    erratum("notes11 (4)", fabs(printed_x - x0) + fabs(printed_v - v0), 0.1, fabs(x - x0) + fabs(v - v0),
            4.0 * DBL_EPSILON);
    /* The sampled solution at k = 0 is x0, at k = 1 the flow over h: x0 cos tau + v0/omega sin tau by (3). */
    const double printed1 = x0 * sin(tau) + v0 / omega * cos(tau), x1 = x0 * cos(tau) + v0 / omega * sin(tau);
    double y = x0, w = v0; /* the flow, by many small steps of the midpoint rule, exact to O(1e-8) */
    const int n = 20000;
    for (int k = 0; k < n; k++) {
        const double d = h / n, c = 0.25 * d * d * omega * omega, y1 = ((1.0 - c) * y + d * w) / (1.0 + c);
        w = 2.0 * (y1 - y) / d - w;
        y = y1;
    }
    erratum("notes11 (6)", printed1 - y, 0.1, x1 - y, 1e-8);
}

/* ---- 3, 4: the strict inequality. ---- */

/* At tau = 2 Verlet's (18) reads x+ = -2 x - x-: solutions (-1)^k (alpha + beta k). "Bounded" claimed by <= in (20) is
 * judged by the growth of |x_k| over the next doubling of k, which is 1 for a bounded oscillation and 2 for linear
 * growth. */
static double growth(double tau, int k) {
    double before = 0.0, now = 1.0, first = 0.0, second = 0.0;
    for (int i = 1; i <= 2 * k; i++) {
        const double next = 2.0 * (1.0 - 0.5 * tau * tau) * now - before;
        before = now;
        now = next;
        if (i <= k) {
            first = fmax(first, fabs(now));
        } else {
            second = fmax(second, fabs(now));
        }
    }
    return second / first;
}

static void strictness(void) {
    /* A tau inside the interval by 1e-3 oscillates with period pi/sqrt(1e-3) = 100 steps, so that both halves see its
     * peak. */
    erratum("notes11 (20), tau = 2 belongs to the stable interval", growth(2.0, 2000) - 1.0, 0.9,
            growth(2.0 - 1e-3, 2000) - 1.0, 5e-3);
    /* (10): a^2/(4 b) = 1 gives a double root. The general solution of (7) then is not (15) but contains k r^k: with
     * roots r = 1, x_k = k solves x+ = 2 x - x-; (15) with phi = 0 stays at beta. The corrected < excludes it. */
    const double a = -2.0, b = 1.0, x[3] = {10.0, 11.0, 12.0};
    const double in_15 = x[1] - x[0];              /* (15) at phi = 0 is constant */
    const double inside = 0.25 * a * a * 0.99 - b; /* a discriminant the strict inequality accepts is negative */
    gsl_test(!(inside < 0.0 && fabs(x[2] + a * x[1] + b * x[0]) == 0.0),
             "notes11 (10): x_k = k solves the recurrence at a^2 = 4 b");
    gsl_test(!(fabs(in_15) > 0.5),
             "notes11 (10): and is none of (15), so equality does not belong to the oscillations");
}

/* ---- 5: damping. ---- */

/* b of explicit Euler with x'' = acceleration(x, v) = -omega^2 x - gamma v, or with -gamma v' for -gamma v, which is
 * x'' = -omega^2 x/(1 + gamma): the determinant of [1 h; -h k 1 - h c]. */
static void damping(void) {
    const double k = omega * omega, small = 0.1;
    double printed = INFINITY, corrected = INFINITY;
    for (double g = 0.0; g <= 10.0; g += 0.01) {
        printed = fmin(printed, 1.0 + small * small * k / (1.0 + g));
        corrected = fmin(corrected, 1.0 - small * g + small * small * k);
    }
    gsl_test(!(printed > 1.0 + 1e-4), "notes11 5: with -m gamma v' no gamma stabilises explicit Euler: b >= %.6f",
             printed);
    gsl_test(!(corrected < 1.0 - 1e-4), "notes11 5: with -m gamma v some gamma does, as the text says: b down to %.6f",
             corrected);
    /* -m gamma v' is no damping at all: dE/dt = v (m v' + m omega^2 x) averages to zero over the motion x = cos(omega'
     * t). */
    const double w = omega / sqrt(1.0 + gamma_);
    double power = 0.0;
    const int n = 1000;
    for (int i = 0; i < n; i++) {
        const double s = 2.0 * M_PI * (i + 0.5) / n;
        power += gamma_ * w * sin(s) * (-w * w * cos(s)) / n;
    }
    double damped = 0.0;
    for (int i = 0; i < n; i++) {
        const double v = -w * sin(2.0 * M_PI * (i + 0.5) / n);
        damped += -gamma_ * v * v / n;
    }
    gsl_test(!(fabs(power) <= 1e-14), "notes11 5: the force -m gamma v' does no net work: %.3g", power);
    gsl_test(!(damped < -0.1), "notes11 5: the force -m gamma v takes energy away: %.3g", damped);
}

/* ---- 6, 7: implicit Euler and midpoint. ---- */

/* x_{k+1} + a x_k + b x_{k-1} along two steps of (x, v) -> solution of x+ = x + h v_a, v+ = v + s h omega^2 x_a, the
 * averages a weighting the new values by w; s the sign of the force. */
static double recurrence_residual(double sign, double weight, double a, double b) {
    double x[3] = {0.8, 0.0, 0.0}, v = 0.3;
    for (int k = 0; k < 2; k++) {
        const double f = sign * h * omega * omega, g = h * weight;
        const double rx = x[k] + h * (1.0 - weight) * v, rv = v + f * (1.0 - weight) * x[k];
        const double det = 1.0 - g * f * weight;
        x[k + 1] = (rx + g * rv) / det;
        v = (rv + f * weight * rx) / det;
    }
    return x[2] + a * x[1] + b * x[0];
}

static void implicit(void) {
    const double t2 = h * h * omega * omega, a6 = -2.0 / (1.0 + t2), b6 = 1.0 / (1.0 + t2);
    erratum("notes11 (27)", recurrence_residual(1.0, 1.0, a6, b6), 0.1, recurrence_residual(-1.0, 1.0, a6, b6),
            8.0 * DBL_EPSILON);
    const double a7 = -2.0 * (1.0 - t2 / 4.0) / (1.0 + t2 / 4.0);
    erratum("notes11 (32)", recurrence_residual(1.0, 0.5, a7, 1.0), 0.1, recurrence_residual(-1.0, 0.5, a7, 1.0),
            8.0 * DBL_EPSILON);
}

/* (33) and (34) restate the velocity line of (32) one step earlier and summed; take the true sequence of the midpoint
 * rule. */
static void midpoint_velocities(void) {
    const double c = 0.25 * h * h * omega * omega, k = h * omega * omega;
    double x[3] = {0.8, 0.0, 0.0}, v[3] = {0.3, 0.0, 0.0};
    for (int i = 0; i < 2; i++) { /* x'' = -omega^2 x */
        x[i + 1] = ((1.0 - c) * x[i] + h * v[i]) / (1.0 + c);
        v[i + 1] = v[i] - 0.5 * k * (x[i] + x[i + 1]);
    }
    const double printed33 = v[0] + 0.5 * k * (x[1] + x[0]) - v[1], right33 = v[0] - 0.5 * k * (x[1] + x[0]) - v[1];
    erratum("notes11 (33)", printed33, 0.1, right33, 4.0 * DBL_EPSILON);
    const double force = 0.5 * k * (0.5 * (x[2] + x[1]) + 0.5 * (x[1] + x[0])),
                 left = 0.5 * (v[2] + v[1]) - 0.5 * (v[1] + v[0]);
    erratum("notes11 (34)", left - force, 0.1, left + force, 4.0 * DBL_EPSILON);
}

static void midpoint_phase(void) {
    double printed = 0.0, corrected = 0.0;
    for (double tau = 0.25; tau < 8.0; tau *= 2.0) {
        const double q = tau * tau / 4.0;
        const double phase = 2.0 * atan(0.5 * tau); /* the Cayley transform of i tau is exp(2 i atan(tau/2)) */
        printed = fmax(printed, fabs((1.0 - q) / (1.0 + 2.0 * q) - cos(phase)));
        corrected = fmax(corrected, fabs((1.0 - q) / (1.0 + q) - cos(phase)));
    }
    erratum("notes11 (39)", printed, 0.1, corrected, 8.0 * DBL_EPSILON);
    erratum("notes11 (39), the limit -1 for large tau", (1.0 - 2.5e11) / (1.0 + 5e11) + 1.0, 0.1,
            (1.0 - 2.5e11) / (1.0 + 2.5e11) + 1.0, 1e-11);
}

int main(void) {
    solution();
    strictness();
    damping();
    implicit();
    midpoint_velocities();
    midpoint_phase();
    return gsl_test_summary();
}
