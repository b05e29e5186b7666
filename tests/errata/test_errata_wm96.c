/* The errata of wm96 that algebra settles: each printed formula fails where its corrected form holds. Those that a run
 * settles: test_errata_wm96_runs.c. */
#include <string.h>

#include "tests/errata/erratum.h"

/* ---- 3: invariance. ---- */

static double some_lagrangian(double y, double x) {
    return sin(1.3 * y) * x * x + exp(0.4 * x * y);
}

/* p = D2 L, the derivative in x, by a central difference; its truncation is 1e-10, its round-off 1e-11. */
static double fiber(double y, double x) {
    const double d = 1e-5;
    return (some_lagrangian(y, x + d) - some_lagrangian(y, x - d)) / (2.0 * d);
}

/* d(p dx)(X, Y) = X(p Y_x) - Y(p X_x) for constant fields, against omega = D12 L dx^dy of (3.7). */
static void sign_of_omega(void) {
    const double x = 0.7, y = -0.4, X[2] = {0.3, 1.1}, Y[2] = {-0.8, 0.5}, d = 1e-3; /* components x, y */
    double along[2];
    const double *field[2] = {X, Y};
    for (int i = 0; i < 2; i++) { /* derivative of p along the field */
        along[i] = (fiber(y + d * field[i][1], x + d * field[i][0]) - fiber(y - d * field[i][1], x - d * field[i][0])) /
                   (2.0 * d);
    }
    const double exterior = along[0] * Y[0] - along[1] * X[0];
    const double mixed = 1.3 * cos(1.3 * y) * 2.0 * x + 0.4 * (1.0 + 0.4 * x * y) * exp(0.4 * x * y);
    const double omega = mixed * (X[0] * Y[1] - X[1] * Y[0]);
    /* d^2 = 1e-6 is what the second difference leaves */
    erratum("wm96 3.2, sign of omega", exterior - omega, 0.5, -exterior - omega, 1e-5);
}

enum { POINTS = 9 };

/* L(y, x) of the unit oscillator in the plane by (4.1). */
static double plane_lagrangian(double h, const double y[2], const double x[2]) {
    double sum = 0.0;
    for (int i = 0; i < 2; i++) {
        const double v = (y[i] - x[i]) / h, a = 0.5 * (y[i] + x[i]);
        sum += 0.5 * v * v - 0.5 * a * a;
    }
    return sum;
}

static double action(double h, double q[POINTS][2]) {
    double sum = 0.0;
    for (int k = 0; k + 1 < POINTS; k++) {
        sum += plane_lagrangian(h, q[k + 1], q[k]);
    }
    return sum;
}

/* A solution of the DEL equations of the oscillator, (4.8): x+ = 2 c x - x-, c = (1 - h^2/4)/(1 + h^2/4). */
static void make_path(double h, double q[POINTS][2]) {
    const double c = (1.0 - h * h / 4.0) / (1.0 + h * h / 4.0);
    const double first[2][2] = {{1.0, 0.3}, {0.8, 0.7}};
    memcpy(q, first, sizeof first);
    for (int k = 2; k < POINTS; k++) {
        for (int i = 0; i < 2; i++) {
            q[k][i] = 2.0 * c * q[k - 1][i] - q[k - 2][i];
        }
    }
}

/* dS/ds when q_j alone turns by s. */
static double turn(double h, double path[POINTS][2], int j) {
    const double d = 1e-4;
    double S[2];
    for (int i = 0; i < 2; i++) {
        double q[POINTS][2];
        const double s = i == 0 ? -d : d;
        memcpy(q, path, sizeof q);
        q[j][0] = cos(s) * path[j][0] - sin(s) * path[j][1];
        q[j][1] = sin(s) * path[j][0] + cos(s) * path[j][1];
        S[i] = action(h, q);
    }
    return (S[1] - S[0]) / (2.0 * d);
}

/* (3.16): the text varies q_{k+1} for 0 < k < N; k = N - 1 moves the end point, where the action is not extremal. */
static void varied_points(void) {
    const double h = 0.3;
    double q[POINTS][2], printed = 0.0, corrected = 0.0;
    make_path(h, q);
    for (int k = 1; k < POINTS - 1; k++) {
        printed = fmax(printed, fabs(turn(h, q, k + 1)));
    }
    for (int k = 0; k + 1 < POINTS - 1; k++) {
        corrected = fmax(corrected, fabs(turn(h, q, k + 1)));
    }
    erratum("wm96 3.3, which points may be varied", printed, 0.1, corrected,
            1e-7); /* d^2 = 1e-8, times third derivatives / h^2 */
}

/* (4.3): over a whole period the action is stationary on a solution but not least: some variations raise it, others
 * lower it. */
static void no_minimum(void) {
    const double h = 2.0 * M_PI / (POINTS - 1);
    double q[POINTS][2], varied[POINTS][2], change[2];
    make_path(h, q);
    for (int which = 0; which < 2; which++) {
        memcpy(varied, q, sizeof q);
        for (int k = 1; k < POINTS - 1; k++) {
            varied[k][0] += which == 0 ? 0.1 * sin(M_PI * k / (POINTS - 1)) : (k % 2 == 0 ? 0.1 : -0.1);
        }
        change[which] = action(h, varied) - action(h, q);
    }
    double slope = 0.0;
    for (int k = 1; k < POINTS - 1; k++) {
        const double d = 1e-4;
        memcpy(varied, q, sizeof q);
        varied[k][0] = q[k][0] + d;
        const double up = action(h, varied);
        varied[k][0] = q[k][0] - d;
        slope = fmax(slope, fabs(up - action(h, varied)) / (2.0 * d));
    }
    gsl_test(!(change[0] < -1e-3),
             "wm96 (4.3): the solution does not minimise the action: a variation lowers it by %.3g", -change[0]);
    gsl_test(!(change[1] > 1e-3), "wm96 (4.3): nor does it maximise it: another raises it by %.3g", change[1]);
    gsl_test(!(slope <= 1e-10), "wm96 (4.3): it extremizes it: slope %.3g",
             slope); /* exact for a quadratic but for round-off eps S/d */
}

/* ---- 4.3: the theorem on the pendulum, g(v) = v.v - l^2, psi(q) = l (sin q, -cos q), L = m |v'|^2/2 - m g y. ---- */

static const double m = 1.4, l = 0.9, gravity = 9.81, h = 0.05;

static void psi(double q, double v[2]) {
    v[0] = l * sin(q);
    v[1] = -l * cos(q);
}

/* The braces of (4.12), which are the top line of (4.6) without the multiplier. */
static void braces(const double before[2], const double now[2], const double after[2], double out[2]) {
    for (int i = 0; i < 2; i++) {
        const double force = i == 1 ? -m * gravity : 0.0;
        out[i] = m * ((now[i] - before[i]) - (after[i] - now[i])) / (h * h) + force;
    }
}

/* (4.12) at q_{k+1}; zero determines it. */
static double generalized(double q_before, double q_now, double q_after) {
    double before[2], now[2], after[2], r[2];
    psi(q_before, before);
    psi(q_now, now);
    psi(q_after, after);
    braces(before, now, after, r);
    return l * (cos(q_now) * r[0] + sin(q_now) * r[1]);
}

static void theorem(void) {
    const double q0 = 0.8, q1 = 0.86;
    double lo = q1 - 0.5, hi = q1 + 0.5;
    for (int i = 0; i < 100; i++) { /* the residual falls with q_{k+1} there */
        const double middle = 0.5 * (lo + hi);
        *(generalized(q0, q1, middle) > 0.0 ? &lo : &hi) = middle;
    }
    const double q2 = 0.5 * (lo + hi);
    double before[2], now[2], after[2], r[2], stay[2];
    psi(q0, before);
    psi(q1, now);
    psi(q2, after);
    /* (4.6): the part of the braces along the manifold must vanish; the multiplier takes the rest, 2 v_k lambda. */
    braces(before, now, after, r);
    const double lambda = -(r[0] * now[0] + r[1] * now[1]) / (2.0 * l * l);
    const double corrected = hypot(r[0] + 2.0 * lambda * now[0], r[1] + 2.0 * lambda * now[1]);
    braces(before, now, now, stay);
    const double multiplier = -(stay[0] * now[0] + stay[1] * now[1]) / (2.0 * l * l);
    const double printed = hypot(stay[0] + 2.0 * multiplier * now[0], stay[1] + 2.0 * multiplier * now[1]);
    const double size = m * l / (h * h); /* of the terms: round-off is relative to it */
    erratum("wm96 theorem 4.3.1: v_{k+1} = psi(q_{k+1}), not v_k, solves (4.6)", printed / size, 1e-3, corrected / size,
            16.0 * DBL_EPSILON);
    gsl_test(!(fabs(now[0] * now[0] + now[1] * now[1] - l * l) <= 4.0 * DBL_EPSILON),
             "wm96 theorem 4.3.1: and lies on the constraint");
    /* The proof: D'psi(q_k) takes the multiplier out of (4.6) and leaves (4.12); D'psi(q_{k+1}) does not. */
    const double with_k = l * (cos(q1) * r[0] + sin(q1) * r[1]), with_next = l * (cos(q2) * r[0] + sin(q2) * r[1]);
    erratum("wm96 proof of 4.3.1: multiply by D'psi(q_k)", with_next / (size * l), 1e-4, with_k / (size * l),
            16.0 * DBL_EPSILON);
}

/* ---- 5.1: quaternions, scalar first. ---- */

static void product(const double a[4], const double b[4], double c[4]) {
    c[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    c[1] = a[0] * b[1] + b[0] * a[1] + a[2] * b[3] - a[3] * b[2];
    c[2] = a[0] * b[2] + b[0] * a[2] + a[3] * b[1] - a[1] * b[3];
    c[3] = a[0] * b[3] + b[0] * a[3] + a[1] * b[2] - a[2] * b[1];
}

static void conjugate_product(const double a[4], const double b[4], double c[4]) {
    const double conjugate[4] = {a[0], -a[1], -a[2], -a[3]};
    product(conjugate, b, c);
}

/* (5.1) */
static void rotation(const double a[4], double A[3][3]) {
    const double hat[3][3] = {{0.0, -a[3], a[2]}, {a[3], 0.0, -a[1]}, {-a[2], a[1], 0.0}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            A[i][j] = (i == j ? 2.0 * a[0] * a[0] - 1.0 : 0.0) + 2.0 * a[0] * hat[i][j] + 2.0 * a[1 + i] * a[1 + j];
        }
    }
}

static void unit(double angle, double x, double y, double z, double a[4]) {
    const double s = sin(0.5 * angle) / sqrt(x * x + y * y + z * z);
    a[0] = cos(0.5 * angle);
    a[1] = s * x;
    a[2] = s * y;
    a[3] = s * z;
}

/* C = A B asks for c_s = a_s b_s - a_v . b_v. The star between a_s and b_s can only mean the product of the
 * quaternions, whose scalar part this is to define: taken so, a_v . b_v is subtracted twice. */
static void scalar_part(void) {
    double a[4], b[4], c[4], A[3][3], B[3][3], C[3][3];
    unit(0.9, 1.0, -2.0, 0.5, a);
    unit(-1.4, 0.3, 1.0, 2.0, b);
    rotation(a, A);
    rotation(b, B);
    double error[2] = {0.0, 0.0};
    for (int printed = 0; printed < 2; printed++) {
        product(a, b, c);
        c[0] -= printed ? a[1] * b[1] + a[2] * b[2] + a[3] * b[3] : 0.0;
        rotation(c, C);
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                error[printed] =
                    fmax(error[printed], fabs(C[i][j] - A[i][0] * B[0][j] - A[i][1] * B[1][j] - A[i][2] * B[2][j]));
            }
        }
    }
    erratum("wm96 5.1, scalar part of a product", error[1], 0.01, error[0], 16.0 * DBL_EPSILON);
}

static const double rates[3] = {0.0, 3.0, 4.0}, inertia[3] = {1.0, 2.0, 3.0};

/* Attitude after a steady turn at the body rates of (5.9) for a time t. */
static void turned(double t, double q[4]) {
    unit(5.0 * t, rates[0], rates[1], rates[2], q);
}

/* 2 conj(q) * q' is the body rate; (5.5) gives half of it, (5.6) all. */
static void body_rate(void) {
    const double step = 1e-4;
    double x[4], y[4], a[4], d[4], printed[4], expanded[4], yx[4], xy[4];
    turned(0.0, x);
    turned(step, y);
    for (int i = 0; i < 4; i++) {
        a[i] = 0.5 * (y[i] + x[i]);
        d[i] = (y[i] - x[i]) / step;
    }
    conjugate_product(a, d, printed);
    conjugate_product(y, x, yx);
    conjugate_product(x, y, xy);
    double errors[3] = {0.0};
    for (int i = 0; i < 3; i++) { /* (5.6); conj(y) y and conj(x) x cancel */
        expanded[1 + i] = (xy[1 + i] - yx[1 + i]) / step;
        errors[0] = fmax(errors[0], fabs(printed[1 + i] - rates[i]));
        errors[1] = fmax(errors[1], fabs(2.0 * printed[1 + i] - rates[i]));
        errors[2] = fmax(errors[2], fabs(expanded[1 + i] - rates[i]));
    }
    /* the secant of an arc of 5e-4: (5e-4)^2/24 of 4, and eps/step of round-off */
    erratum("wm96 (5.5), half the body rate", errors[0], 1.0, errors[1], 1e-6);
    gsl_test(!(errors[2] <= 1e-6), "wm96 (5.6) is right, and so twice (5.5): error %.2g", errors[2]);
    double energy = 0.0;
    for (int i = 0; i < 3; i++) {
        energy += 0.5 * inertia[i] * rates[i] * rates[i];
    }
    gsl_test(!(fabs(energy - 33.0) <= 1e-13),
             "wm96 5.1: with the whole body rate the energy of (5.9) is the text's 33 J: %.15g", energy);
}

/* (5.8) on two quaternions. */
static double discrete_lagrangian(double step, const double y[4], const double x[4]) {
    double xy[4], sum = 0.0;
    conjugate_product(x, y, xy);
    for (int i = 0; i < 3; i++) {
        sum += 2.0 * inertia[i] * xy[1 + i] * xy[1 + i] / (step * step);
    }
    return sum;
}

/* (5.4) is declared on TV: taken at a point and a velocity, (q, q'), it is no approximation of the kinetic energy;
 * taken at two points it is, to O(h^2). */
static void domain(void) {
    const double step = 1e-3, velocity[4] = {0.0, 0.5 * rates[0], 0.5 * rates[1], 0.5 * rates[2]};
    double x[4], y[4];
    turned(0.0, x);
    turned(step, y);
    erratum("wm96 (5.4), the domain of the discrete Lagrangian", discrete_lagrangian(step, x, velocity) / 33.0 - 1.0,
            0.5, discrete_lagrangian(step, y, x) / 33.0 - 1.0, 1e-5);
}

/* ---- 5.2: the double spherical pendulum. ---- */

static const double m1 = 2.0, m2 = 3.5, l1 = 4.0, l2 = 3.0;

/* Energy and momentum about z of the printed initial conditions; heights and vertical velocities follow from |q1| = l1,
 * |q2 - q1| = second.
 */
static void printed_start(double second, double mass_unit, double *energy, double *Jz) {
    const double x1 = 2.820, y1 = 0.025, x2 = 5.085, y2 = 0.105, u1 = 3.381, v1 = 2.506, u2 = 2.497, v2 = 10.495;
    const double z1 = -sqrt(l1 * l1 - x1 * x1 - y1 * y1), w1 = -(x1 * u1 + y1 * v1) / z1;
    const double dx = x2 - x1, dy = y2 - y1, dz = -sqrt(second * second - dx * dx - dy * dy),
                 dw = -(dx * (u2 - u1) + dy * (v2 - v1)) / dz;
    const double z2 = z1 + dz, w2 = w1 + dw, a = m1 * mass_unit, b = m2 * mass_unit;
    *energy =
        0.5 * a * (u1 * u1 + v1 * v1 + w1 * w1) + 0.5 * b * (u2 * u2 + v2 * v2 + w2 * w2) + gravity * (a * z1 + b * z2);
    *Jz = a * (x1 * v1 - y1 * u1) + b * (x2 * v2 - y2 * u2);
}

static void pendulum_lengths(void) {
    double with_l1, with_l2, Jz;
    printed_start(l1, 1.0, &with_l1, &Jz);
    printed_start(l2, 1.0, &with_l2, &Jz);
    /* The text's energy is 24.9445 J; three decimals in the velocities and positions leave some 5e-4 of momentum times
     * speed: 0.03 J. */
    erratum("wm96 (5.11), l_2 in the second row", with_l1 - 24.9445, 10.0, with_l2 - 24.9445, 0.03);
    /* J_z: the printed conditions miss the text's 199.825467170 ... 184 by far more than its nine decimals, and by less
     * than half a unit of their own third decimal in every factor can do. */
    const double half = 5e-4,
                 rounding = half * (m1 * (2.820 + 0.025 + 3.381 + 2.506) + m2 * (5.085 + 0.105 + 2.497 + 10.495));
    gsl_test(!(fabs(Jz - 199.825467177) > 1e-3),
             "wm96 5.2: the printed initial conditions do not give the text's J_z: %.6f", Jz);
    gsl_test(!(fabs(Jz - 199.825467177) <= rounding),
             "wm96 5.2: rounding to three decimals explains the difference: %.2g of %.2g", fabs(Jz - 199.825467177),
             rounding);
    gsl_test_rel(Jz, 199.8319, 1e-6, "wm96 5.2: they give 199.8319");
}

/* m^2/s would not change with the unit of mass; kg m^2/s does. */
static void unit_of_momentum(void) {
    double energy, in_kg, in_g;
    printed_start(l2, 1.0, &energy, &in_kg);
    printed_start(l2, 1000.0, &energy, &in_g);
    erratum("wm96 5.2, unit of J_z", in_g / in_kg - 1.0, 10.0, in_g / in_kg / 1000.0 - 1.0, 4.0 * DBL_EPSILON);
}

/* A step of (4.8) with V = m g y on the pendulum above: bisection on the multiplier until |q+| = l. */
static void shake_sign(void) {
    double before[2], now[2], after[2] = {0.0, 0.0};
    psi(0.80, before);
    psi(0.86, now);
    double lo = -100.0, hi = 100.0, lambda = 0.0;
    for (int i = 0; i < 200; i++) { /* q+ = 2 q - q- + h^2 (-g + 2 q lambda/m): |q+| grows with lambda there */
        lambda = 0.5 * (lo + hi);
        for (int k = 0; k < 2; k++) {
            after[k] = 2.0 * now[k] - before[k] + h * h * ((k == 1 ? -gravity : 0.0) + 2.0 * now[k] * lambda / m);
        }
        *(hypot(after[0], after[1]) < l ? &lo : &hi) = lambda;
    }
    double printed = 0.0, corrected = 0.0;
    for (int k = 0; k < 2; k++) { /* the display of 5.2 with the multiplier of (4.8) */
        const double left = m * (after[k] - 2.0 * now[k] + before[k]) / h + h * (k == 1 ? m * gravity : 0.0),
                     term = h * 2.0 * now[k] * lambda;
        printed = fmax(printed, fabs(left + term));
        corrected = fmax(corrected, fabs(left - term));
    }
    gsl_test(!(fabs(hypot(after[0], after[1]) - l) <= 1e-14), "wm96 (4.8): the step ends on the constraint");
    erratum("wm96 5.2, SHAKE's sign of lambda", printed, 0.1, corrected, 64.0 * DBL_EPSILON * m * l / h);
}

/* The energy-momentum display at rest, both masses straight down. The multiplier of (4.7) balances the second weight: 2
 * (z2 - z1) lambda = m2 g, at any h. In the display's row p+ - p + h m2 g + lambda_2 (z2+ + z2 - z1+ - z1) = 0 the same
 * number is no solution; h times it is (with the display's sign). */
static void impulse(void) {
    const double z1 = -l1, z2 = -l1 - l2, multiplier = m2 * gravity / (2.0 * (z2 - z1));
    double printed = INFINITY, corrected = 0.0;
    for (double step = 0.1; step > 1e-5; step *= 0.1) {
        const double arm = 2.0 * (z2 - z1), weight = step * m2 * gravity;
        printed = fmin(printed, fabs(weight - multiplier * arm));
        corrected = fmax(corrected, fabs(weight - step * multiplier * arm));
    }
    erratum("wm96 5.2, the energy-momentum method's lambda is an impulse", printed, 1.0, corrected,
            16.0 * DBL_EPSILON * m2 * gravity);
}

int main(void) {
    sign_of_omega();
    varied_points();
    no_minimum();
    theorem();
    scalar_part();
    body_rate();
    domain();
    pendulum_lengths();
    unit_of_momentum();
    shake_sign();
    impulse();
    return gsl_test_summary();
}
