/* The free rigid body: twelve digits at t = 30 against an integration of Euler's equations, and identities of the exact
 * flow. */
#include <stdio.h>

#include <stepbench/numerics/norm.h>

#include "tests/problems/differences.h"
#include "tests/problems/systems.h"

typedef long double real;

/* Euler's equations and the attitude's, written out here once more: the problem's own code is what is tested. y = (q,
 * w). */
static void euler(const double *I, const real *y, real *d) {
    const real *w = y + 4;
    d[0] = (-y[1] * w[0] - y[2] * w[1] - y[3] * w[2]) / 2;
    d[1] = (y[0] * w[0] + y[2] * w[2] - y[3] * w[1]) / 2;
    d[2] = (y[0] * w[1] + y[3] * w[0] - y[1] * w[2]) / 2;
    d[3] = (y[0] * w[2] + y[1] * w[1] - y[2] * w[0]) / 2;
    d[4] = (I[1] - I[2]) / I[0] * w[1] * w[2];
    d[5] = (I[2] - I[0]) / I[1] * w[2] * w[0];
    d[6] = (I[0] - I[1]) / I[2] * w[0] * w[1];
}

/* One second of the classical Runge-Kutta method with the step 1/20000: (5/20000)^4/120 a radian, 2e-14 over 30 s for
 * rates about 5, confirmed by halving the step once. Extended precision keeps the round-off of 600000 steps below that.
 */
static void integrate_second(const double *I, real *y) {
    const real h = 1.0L / 20000;
    for (int step = 0; step < 20000; step++) {
        real k[4][7], z[7];
        euler(I, y, k[0]);
        for (int stage = 1; stage < 4; stage++) {
            for (int i = 0; i < 7; i++) {
                z[i] = y[i] + (stage < 3 ? h / 2 : h) * k[stage - 1][i];
            }
            euler(I, z, k[stage]);
        }
        for (int i = 0; i < 7; i++) {
            y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
        }
    }
}

static void expect(const char *what, int n, const double *a, const double *b, double tolerance) {
    double worst = 0.0;
    for (int i = 0; i < n; i++) {
        worst = sb_larger(worst, fabs(a[i] - b[i]));
    }
    gsl_test(!(worst <= tolerance), "%s (error %.2e, allowed %.2e)", what, worst, tolerance);
}

/* y = (q, w) of the exact solution. */
static void exact_state(const sb_system *sys, double t, double *y) {
    double v[4], out[4];
    int status = sys->exact(sys->self, t, y, v, NULL);
    status |= sys->outputs.value(sys->outputs.self, t, y, v, out);
    gsl_test(status != SB_OK, "%s: exact", sys->name);
    memcpy(y + 4, out, 3 * sizeof(double));
}

static const struct {
    const char *spec;
    double I[3], w[3];
    double amplification; /* of a perturbation over 30 s, where the motion passes by the unstable axis */
} cases[] = {
    {"rigid_body", {1, 2, 3}, {0, 3, 4}, 1},
    {"rigid_body:I1=1,I2=2,I3=3,w1=3,w2=1,w3=0.5", {1, 2, 3}, {3, 1, 0.5}, 1},
    {"rigid_body:I1=3,I2=1,I3=2,w1=0.4,w2=-1.1,w3=0.7", {3, 1, 2}, {0.4, -1.1, 0.7}, 1},
    {"rigid_body:I1=2,I2=3,I3=1,w1=0.1,w2=2,w3=-0.3", {2, 3, 1}, {0.1, 2, -0.3}, 1},
    {"rigid_body:I1=1,I2=3,I3=2,w1=-2,w2=-0.3,w3=0.2", {1, 3, 2}, {-2, -0.3, 0.2}, 1},
    {"rigid_body:I1=3,I2=2,I3=1,w1=-1,w2=-0.2,w3=0.3", {3, 2, 1}, {-1, -0.2, 0.3}, 1},
    {"rigid_body:I1=2,I2=1,I3=3,w1=0.2,w2=-0.1,w3=-1.5", {2, 1, 3}, {0.2, -0.1, -1.5}, 1},
    {"rigid_body:I1=2,I2=2,I3=3,w1=1,w2=-0.5,w3=0.8", {2, 2, 3}, {1, -0.5, 0.8}, 1},
    {"rigid_body:I1=1.5,I2=1,I3=1.5,w1=-1,w2=0.5,w3=0.8", {1.5, 1, 1.5}, {-1, 0.5, 0.8}, 1},
    {"rigid_body:I1=2,I2=2,I3=2,w1=1,w2=-0.5,w3=0.8", {2, 2, 2}, {1, -0.5, 0.8}, 1},
    {"rigid_body:w1=0,w2=0,w3=4", {1, 2, 3}, {0, 0, 4}, 1},
    {"rigid_body:I1=2,I2=2,I3=3,w1=1,w2=1,w3=0", {2, 2, 3}, {1, 1, 0}, 1},
    {"rigid_body:w1=0,w2=0,w3=0", {1, 2, 3}, {0, 0, 0}, 1},
    /* sqrt((I2 - I1)(I3 - I2)/(I1 I3)) w2 = 0.58 w2 is the rate at which neighbours of the unstable axis part: a period
     * of flipping multiplies an error by about the inverse of the distance of closest approach, here 1e3 (and twice in
     * 30 s). */
    {"rigid_body:w1=0.001,w2=1,w3=0", {1, 2, 3}, {0.001, 1, 0}, 1e3},
};

/* Twelve digits up to t = 30. */
static void against_integration(fixture *f) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_system sys;
        real y[7] = {1.0L, 0.0L, 0.0L, 0.0L, cases[i].w[0], cases[i].w[1], cases[i].w[2]};
        fixture_build(f, cases[i].spec, NULL, &sys);
        for (int t = 1; t <= 30; t++) {
            double exact[7], reference[7];
            integrate_second(cases[i].I, y);
            for (int k = 0; k < 7; k++) {
                reference[k] = (double)y[k];
            }
            exact_state(&sys, t, exact);
            expect(cases[i].spec, 7, exact, reference, 1e-12 * cases[i].amplification);
        }
    }
}

/* The flow over s + t is the one over s followed by the one over t from the rates reached: q(s + t) = q(s) * q_s(t).
 * Independent of any integrator. */
static void flow_composes(fixture *f) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_system sys, later;
        double whole[7], first[7], second[7], composed[7];
        char spec[256];
        fixture_build(f, cases[i].spec, NULL, &sys);
        exact_state(&sys, 12.75, first);
        exact_state(&sys, 30.0, whole);
        const double *I = cases[i].I;
        snprintf(spec, sizeof spec, "rigid_body:I1=%.17g,I2=%.17g,I3=%.17g,w1=%.17g,w2=%.17g,w3=%.17g", I[0], I[1],
                 I[2], first[4], first[5], first[6]);
        fixture_build(f, spec, NULL, &later);
        exact_state(&later, 17.25, second);
        const double *a = first, *b = second;
        composed[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
        composed[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
        composed[2] = a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3];
        composed[3] = a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1];
        memcpy(composed + 4, second + 4, 3 * sizeof(double));
        /* Angles of some hundred radians, a few roundings each: 1e-13. */
        expect(cases[i].spec, 7, composed, whole, 2e-13 * cases[i].amplification);
    }
}

/* Numbering the principal axes cyclically anew renames the components and changes nothing else. */
static void axes_are_equal(fixture *f) {
    static const char *const turned[] = {"rigid_body:I1=1,I2=2,I3=3,w1=0.3,w2=3,w3=4",
                                         "rigid_body:I1=2,I2=3,I3=1,w1=3,w2=4,w3=0.3",
                                         "rigid_body:I1=3,I2=1,I3=2,w1=4,w2=0.3,w3=3"};
    double y[3][7];
    for (int k = 0; k < 3; k++) {
        sb_system sys;
        fixture_build(f, turned[k], NULL, &sys);
        exact_state(&sys, 30.0, y[k]);
    }
    for (int k = 1; k < 3; k++) {
        double renamed[7];
        renamed[0] = y[0][0];
        for (int i = 0; i < 3; i++) {
            renamed[1 + i] = y[0][1 + (i + k) % 3];
            renamed[4 + i] = y[0][4 + (i + k) % 3];
        }
        expect(turned[k], 7, y[k], renamed, 1e-13);
    }
}

/* Energy 33 J, L = (0, 6, 12) in space for ever, and lambda = -2T: wm96 (5.9) and the text after it. */
static void published_values(fixture *f) {
    sb_system sys;
    fixture_build(f, "rigid_body", NULL, &sys);
    for (int k = 0; k <= 30; k++) {
        double q[4], v[4], lambda, Mx[16], p[4] = {0.0}, xi[4], T = 0.0;
        int status = sys.exact(sys.self, k, q, v, &lambda) | sys.inertia.mass(sys.inertia.self, q, Mx);
        sb_csc_mult_add(&sys.inertia.M, Mx, 1.0, v, p);
        for (int i = 0; i < 4; i++) {
            T += 0.5 * p[i] * v[i];
        }
        gsl_test_rel(T, 33.0, 1e-14, "T at t = %d", k);
        gsl_test_rel(lambda, -66.0, 1e-14, "lambda at t = %d", k);
        for (int i = 0; i < 3; i++) {
            status |= sys.symmetry.generator(sys.symmetry.self, i, q, xi);
            const double L = p[0] * xi[0] + p[1] * xi[1] + p[2] * xi[2] + p[3] * xi[3];
            gsl_test_abs(L, 6.0 * i, 1e-13, "%s at t = %d", sys.symmetry.names[i], k);
        }
        gsl_test(status != SB_OK, "the terms at t = %d", k);
    }
}

int main(void) {
    fixture f;
    fixture_open(&f);
    against_integration(&f);
    flow_composes(&f);
    axes_are_equal(&f);
    published_values(&f);
    fixture_close(&f);
    return gsl_test_summary();
}
