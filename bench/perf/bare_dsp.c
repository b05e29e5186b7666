/* Reference loop for the double spherical pendulum, wm96 5.2: SHAKE with Newton's method on the two multipliers. */
#include <math.h>
#include <stddef.h>

#include "bench/perf/bare.h"

static inline double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static inline double max_of(double a, double b) { return a > b ? a : b; }

/* Constraints (|x1|^2 - l1^2)/2 and (|x2 - x1|^2 - l2^2)/2; columns of G at q_k: (x1, 0) and (-r, r), r = x2 - x1.
 * State: q, the last displacement, h^2 times the last multipliers. */
static void shake(const double *c, double h, long steps, double *s) {
    const double w1 = 1.0 / c[0], w2 = 1.0 / c[1], l1 = c[2], l2 = c[3], fall = h * h * c[4];
    const double tolerance = SB_BARE_TOL;
    double mu1 = s[12], mu2 = s[13];
    for (long k = 0; k < steps; k++) {
        double a[6], b[6], r[3], u[3];
        for (int i = 0; i < 6; i++) {
            a[i] = s[i] + s[6 + i];
        }
        a[2] -= fall;
        a[5] -= fall;
        for (int i = 0; i < 3; i++) {
            r[i] = s[3 + i] - s[i];
            b[i] = a[i] + w1 * (mu1 * s[i] - mu2 * r[i]);
            b[3 + i] = a[3 + i] + w2 * mu2 * r[i];
        }
        for (int iteration = 0; iteration < SB_BARE_MAXIT; iteration++) {
            for (int i = 0; i < 3; i++) {
                u[i] = b[3 + i] - b[i];
            }
            const double g1 = 0.5 * (dot(b, b) - l1 * l1), g2 = 0.5 * (dot(u, u) - l2 * l2);
            const double s11 = w1 * dot(b, s), s12 = -w1 * dot(b, r), s21 = -w1 * dot(u, s),
                         s22 = (w1 + w2) * dot(u, r);
            const double inverse = 1.0 / (s11 * s22 - s12 * s21);
            const double c1 = inverse * (s12 * g2 - s22 * g1), c2 = inverse * (s21 * g1 - s11 * g2);
            double change = 0.0;
            mu1 += c1;
            mu2 += c2;
            for (int i = 0; i < 3; i++) {
                const double e1 = w1 * (c1 * s[i] - c2 * r[i]), e2 = w2 * c2 * r[i];
                b[i] += e1;
                b[3 + i] += e2;
                change = max_of(change, max_of(fabs(e1), fabs(e2)));
            }
            if (change <= tolerance * l1) {
                break;
            }
        }
        for (int i = 0; i < 6; i++) {
            s[6 + i] = b[i] - s[i];
            s[i] = b[i];
        }
    }
    s[12] = mu1;
    s[13] = mu2;
}

const sb_bare sb_bare_dsp[] = {
    {"shake", "dsp", NULL, {"m1", "m2", "l1", "l2", "g", NULL}, 6, sb_bare_start_displacement, shake},
    {NULL, NULL, NULL, {NULL}, 0, NULL, NULL},
};
