/* Reference loops for the planar pendulum: SHAKE in x and y with Newton's method on the one multiplier, and Runge-Kutta
 * in the angle. */
#include <math.h>
#include <stddef.h>

#include "bench/perf/bare.h"

/* q_{k+1} = q_k + d_k + h^2 (0, -g) + mu q_k with |q_{k+1}| = l; mu = h^2 lambda/m is the unknown. State: q, d, mu. */
static void shake(const double *c, double h, long steps, double *s) {
    const double l = c[0], fall = h * h * c[1];
    double x = s[0], y = s[1], dx = s[2], dy = s[3], mu = s[4];
    for (long k = 0; k < steps; k++) {
        const double ax = x + dx, ay = y + dy - fall;
        double bx = ax + mu * x, by = ay + mu * y;
        for (int i = 0; i < SB_BARE_MAXIT; i++) {
            const double correction = -0.5 * (bx * bx + by * by - l * l) / (bx * x + by * y);
            mu += correction;
            bx = ax + mu * x;
            by = ay + mu * y;
            if (fabs(correction) <= SB_BARE_TOL) {
                break;
            }
        }
        dx = bx - x;
        dy = by - y;
        x = bx;
        y = by;
    }
    s[0] = x;
    s[1] = y;
    s[2] = dx;
    s[3] = dy;
    s[4] = mu;
}

static void rk4(const double *c, double h, long steps, double *s) {
    const double w2 = c[1] / c[0];
    double x = s[0], v = s[1];
    for (long k = 0; k < steps; k++) {
        const double a1 = -w2 * sin(x);
        const double v2 = v + 0.5 * h * a1, a2 = -w2 * sin(x + 0.5 * h * v);
        const double v3 = v + 0.5 * h * a2, a3 = -w2 * sin(x + 0.5 * h * v2);
        const double v4 = v + h * a3, a4 = -w2 * sin(x + h * v3);
        x += h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
        v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
    s[0] = x;
    s[1] = v;
}

const sb_bare sb_bare_pendulum[] = {
    {"shake", "pendulum", NULL, {"l", "g", NULL}, 2, sb_bare_start_displacement, shake},
    {"rk4", "pendulum", "chart", {"l", "g", NULL}, 1, sb_bare_start_velocity, rk4},
    {NULL, NULL, NULL, {NULL}, 0, NULL, NULL},
};
