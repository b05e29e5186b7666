/* The errata of transv18: the basis L, the inverse mass E, the identity K = L' K_theta L, the sign of omega^2. */
#include "tests/errata/erratum.h"

/* ---- L. ---- */

/* The tangent space of a plane pendulum at the angle a: one row of two numbers. */
static void basis(void) {
    const double a = 0.7, L[2] = {cos(a), sin(a)};
    double printed = 0.0;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            printed = fmax(printed, fabs(L[i] * L[j] - (i == j ? 1.0 : 0.0)));
        }
    }
    erratum("transv18, L'L = 1: LL' = 1", printed, 0.1, L[0] * L[0] + L[1] * L[1] - 1.0, 4.0 * DBL_EPSILON);
}

/* ---- E. ---- */

/* Two coordinates of masses m and M kept on the parabola n.q + kappa (t.q)^2/2 = 0 with t = (cos a, sin a), by a
 * multiplier lambda < 0 against the force -lambda n. With s = t.q the motion has T = mass(s) s'^2/2 and V = -lambda
 * kappa s^2/2, exactly. */
static const double a = 0.6, light = 1.0, heavy = 5.0, kappa = 0.8, lambda = -3.0;

static double mass(double s) {
    const double x = cos(a) + kappa * s * sin(a), y = sin(a) - kappa * s * cos(a); /* dq/ds */
    return light * x * x + heavy * y * y;
}

static double acceleration(double s, double v) {
    const double d = 1e-6, slope = (mass(s + d) - mass(s - d)) / (2.0 * d);
    return (lambda * kappa * s - 0.5 * slope * v * v) / mass(s);
}

/* omega of a swing of size 1e-4, from the time between two passages through 0 in the same direction, by rk4: its error
 * is that of the amplitude, 1e-8, and of steps of a thousandth of a period, 1e-11. */
static double measured_omega(void) {
    const double h = 2e-3;
    double s = 1e-4, v = 0.0, t = 0.0, first = NAN;
    for (;;) {
        const double k1 = acceleration(s, v), s2 = s + 0.5 * h * v, v2 = v + 0.5 * h * k1, k2 = acceleration(s2, v2);
        const double s3 = s + 0.5 * h * v2, v3 = v + 0.5 * h * k2, k3 = acceleration(s3, v3), s4 = s + h * v3,
                     v4 = v + h * k3;
        const double next = s + h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4),
                     rate = v + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + acceleration(s4, v4));
        if (s < 0.0 && next >= 0.0) {
            const double at = t - s / v; /* v'' is small here: the cubic term of s is (omega h)^2/6 of a step */
            if (!isnan(first)) {
                return 2.0 * M_PI / (at - first);
            }
            first = at;
        }
        s = next;
        v = rate;
        t += h;
    }
}

static void inverse_mass(void) {
    const double omega = measured_omega(), stiffness = -lambda * kappa; /* -L K L', K = lambda kappa t t' */
    const double c = cos(a) * cos(a), s = sin(a) * sin(a);
    const double printed = sqrt(stiffness * (c / light + s / heavy)),
                 corrected = sqrt(stiffness / (c * light + s * heavy));
    erratum("transv18, E = L M^-1 L': (L M L')^-1", printed / omega - 1.0, 0.1, corrected / omega - 1.0, 1e-6);
}

/* ---- K = L' K_theta L. ---- */

/* |K - L' L K L' L| over |K| for links n_k of tension -lambda_k and length 1, K = sum lambda_k (1 - n n'), on the
 * tangent space of the rows `L` (of d). */
static double mismatch(int links, const double n[][3], const double *multiplier, int d, const double L[][3]) {
    double K[3][3] = {{0.0}}, P[3][3] = {{0.0}}, off = 0.0, all = 0.0;
    for (int k = 0; k < links; k++) {
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                K[i][j] += multiplier[k] * ((i == j ? 1.0 : 0.0) - n[k][i] * n[k][j]);
            }
        }
    }
    for (int r = 0; r < d; r++) {
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                P[i][j] += L[r][i] * L[r][j];
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double inside = 0.0;
            for (int k = 0; k < 3; k++) {
                for (int l = 0; l < 3; l++) {
                    inside += P[i][k] * K[k][l] * P[l][j];
                }
            }
            off += (K[i][j] - inside) * (K[i][j] - inside);
            all += K[i][j] * K[i][j];
        }
    }
    return sqrt(off / all);
}

static void identity(void) {
    /* A particle amid two links in space, 3, 4, 5: they leave it the direction across their plane. */
    const double bent[2][3] = {{0.6, 0.0, -0.8}, {-0.6, 0.0, -0.8}}, across[1][3] = {{0.0, 1.0, 0.0}},
                 pulls[2] = {-10.0, -10.0};
    /* The same on one straight line: both directions across it. */
    const double straight[2][3] = {{0.0, 0.0, -1.0}, {0.0, 0.0, 1.0}},
                 plane[2][3] = {{0.8, 0.6, 0.0}, {-0.6, 0.8, 0.0}}, load[2] = {-3.0, -1.0};
    erratum("transv18, K = L' K_theta L: on a straight thread only", mismatch(2, bent, pulls, 1, across), 0.5,
            mismatch(2, straight, load, 2, plane), 8.0 * DBL_EPSILON);
}

/* ---- omega^2. ---- */

/* A pendulum m, l at rest below its pivot carries -lambda = m g, and M^-1 K has the eigenvalue lambda/(m l); it swings
 * with g/l. Read as omega^2 the eigenvalue gives no omega and forbids no step; but SHAKE's map of the angle, theta+ =
 * (2 - h^2 g/l) theta - theta-, leaves every bound past 2/omega. */
static void sign(void) {
    const double m = 3.0, l = 0.5, g = 9.81, eigenvalue = -m * g / (m * l);
    erratum("transv18, omega^2 is an eigenvalue: minus one", eigenvalue / (g / l) - 1.0, 1.0,
            -eigenvalue / (g / l) - 1.0, 4.0 * DBL_EPSILON);
    double largest[2] = {0.0};
    for (int k = 0; k < 2; k++) {
        const double h = (k == 0 ? 0.99 : 1.01) * 2.0 / sqrt(-eigenvalue);
        double before = 0.0, now = 1.0;
        for (int i = 0; i < 200; i++) {
            const double next = (2.0 - h * h * g / l) * now - before;
            before = now;
            now = next;
            largest[k] = fmax(largest[k], fabs(now));
        }
    }
    /* 1/sin of the angle of its roots, cos = 1 - 2 0.99^2; beyond, a root of exp(2 sqrt(2/100)) a step. */
    gsl_test(!(largest[0] <= 4.0), "transv18: a step of 0.99 of 2/omega is stable, %g", largest[0]);
    gsl_test(!(largest[1] > 1e20), "transv18: one of 1.01 of 2/omega is not, %g", largest[1]);
}

int main(void) {
    basis();
    inverse_mass();
    identity();
    sign();
    return gsl_test_summary();
}
