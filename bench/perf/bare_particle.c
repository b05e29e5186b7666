/* Reference loops for an unconstrained particle: Verlet's method with velocities at the nodes, notes11 (16), and the
 * classical Runge-Kutta method, on the oscillator and on Kepler's problem. State: q, v. */
#include <math.h>
#include <stddef.h>

#include "bench/perf/bare.h"

static void verlet_oscillator(const double *c, double h, long steps, double *s) {
    const double w2 = c[0] * c[0];
    double x = s[0], v = s[1], a = -w2 * x;
    for (long k = 0; k < steps; k++) {
        v += 0.5 * h * a;
        x += h * v;
        a = -w2 * x;
        v += 0.5 * h * a;
    }
    s[0] = x;
    s[1] = v;
}

static void rk4_oscillator(const double *c, double h, long steps, double *s) {
    const double w2 = c[0] * c[0];
    double x = s[0], v = s[1];
    for (long k = 0; k < steps; k++) {
        const double a1 = -w2 * x;
        const double v2 = v + 0.5 * h * a1, a2 = -w2 * (x + 0.5 * h * v);
        const double v3 = v + 0.5 * h * a2, a3 = -w2 * (x + 0.5 * h * v2);
        const double v4 = v + h * a3, a4 = -w2 * (x + h * v3);
        x += h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
        v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
    s[0] = x;
    s[1] = v;
}

static inline void kepler(const double *q, double *a) {
    const double r2 = q[0] * q[0] + q[1] * q[1];
    const double w = -1.0 / (r2 * sqrt(r2));
    a[0] = w * q[0];
    a[1] = w * q[1];
}

static void verlet_kepler(const double *c, double h, long steps, double *s) {
    double a[2];
    kepler(s, a);
    for (long k = 0; k < steps; k++) {
        for (int i = 0; i < 2; i++) {
            s[2 + i] += 0.5 * h * a[i];
            s[i] += h * s[2 + i];
        }
        kepler(s, a);
        for (int i = 0; i < 2; i++) {
            s[2 + i] += 0.5 * h * a[i];
        }
    }
}

static void rk4_kepler(const double *c, double h, long steps, double *s) {
    for (long k = 0; k < steps; k++) {
        double x[2], v2[2], v3[2], v4[2], a1[2], a2[2], a3[2], a4[2];
        const double *q = s, *v = s + 2;
        kepler(q, a1);
        for (int i = 0; i < 2; i++) {
            v2[i] = v[i] + 0.5 * h * a1[i];
            x[i] = q[i] + 0.5 * h * v[i];
        }
        kepler(x, a2);
        for (int i = 0; i < 2; i++) {
            v3[i] = v[i] + 0.5 * h * a2[i];
            x[i] = q[i] + 0.5 * h * v2[i];
        }
        kepler(x, a3);
        for (int i = 0; i < 2; i++) {
            v4[i] = v[i] + h * a3[i];
            x[i] = q[i] + h * v3[i];
        }
        kepler(x, a4);
        for (int i = 0; i < 2; i++) {
            s[i] += h / 6.0 * (v[i] + 2.0 * v2[i] + 2.0 * v3[i] + v4[i]);
            s[2 + i] += h / 6.0 * (a1[i] + 2.0 * a2[i] + 2.0 * a3[i] + a4[i]);
        }
    }
}

const sb_bare sb_bare_particle[] = {
    {"verlet", "oscillator", NULL, {"omega", NULL}, 1, sb_bare_start_velocity, verlet_oscillator},
    {"rk4", "oscillator", NULL, {"omega", NULL}, 1, sb_bare_start_velocity, rk4_oscillator},
    {"verlet", "kepler", NULL, {NULL}, 2, sb_bare_start_velocity, verlet_kepler},
    {"rk4", "kepler", NULL, {NULL}, 2, sb_bare_start_velocity, rk4_kepler},
    {NULL, NULL, NULL, {NULL}, 0, NULL, NULL},
};
