/* Reference loop for the free rigid body: the variational integrator of wm96 (5.8) reduced to the body momentum.
 *
 * With f = conj(q_k) q_{k+1} = (s, a), a in R^3, the discrete Lagrangian (5.8) is 2 a . I a / h^2. Its derivatives
 * along left-invariant variations of either end give the body momenta (2/h)(s I a + a x I a) at q_k and (2/h)(s I a - a
 * x I a) at q_{k+1}: the first is solved for a, the second passed on. */
#include <math.h>
#include <stddef.h>

#include "bench/perf/bare.h"

static inline void cross(const double *a, const double *b, double *c) {
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* q becomes q (s, a); quaternions with the scalar first. */
static inline void turn(double *q, double s, const double *a) {
    const double p0 = q[0], p1 = q[1], p2 = q[2], p3 = q[3];
    q[0] = p0 * s - p1 * a[0] - p2 * a[1] - p3 * a[2];
    q[1] = p0 * a[0] + p1 * s + p2 * a[2] - p3 * a[1];
    q[2] = p0 * a[1] - p1 * a[2] + p2 * s + p3 * a[0];
    q[3] = p0 * a[2] + p1 * a[1] - p2 * a[0] + p3 * s;
}

/* State: q, h/2 times the body momentum, a. */
static void start(int n, const double *c, double h, const double *q0, const double *q1, const double *v1, double *s) {
    double f[4] = {q0[0], -q0[1], -q0[2], -q0[3]}, moment[3], twist[3];
    turn(f, q1[0], q1 + 1);
    for (int i = 0; i < 3; i++) {
        moment[i] = c[i] * f[1 + i];
    }
    cross(f + 1, moment, twist);
    for (int i = 0; i < 4; i++) {
        s[i] = q1[i];
    }
    for (int i = 0; i < 3; i++) {
        s[4 + i] = f[0] * moment[i] - twist[i];
        s[7 + i] = f[1 + i];
    }
}

/* The 3 x 3 system A x = b by Cramer's rule, A given by its columns. */
static inline void solve3(const double A[3][3], const double *b, double *x) {
    double n0[3], n1[3], n2[3];
    cross(A[1], A[2], n0);
    cross(A[2], A[0], n1);
    cross(A[0], A[1], n2);
    const double inverse = 1.0 / (A[0][0] * n0[0] + A[0][1] * n0[1] + A[0][2] * n0[2]);
    x[0] = inverse * (b[0] * n0[0] + b[1] * n0[1] + b[2] * n0[2]);
    x[1] = inverse * (b[0] * n1[0] + b[1] * n1[1] + b[2] * n1[2]);
    x[2] = inverse * (b[0] * n2[0] + b[1] * n2[1] + b[2] * n2[2]);
}

static void dvp(const double *I, double h, long steps, double *s) {
    double *p = s + 4, *a = s + 7;
    for (long k = 0; k < steps; k++) {
        double scalar = sqrt(1.0 - (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]));
        double m[3], twist[3];
        for (int iteration = 0; iteration < SB_BARE_MAXIT; iteration++) {
            double residual[3], step[3], A[3][3];
            for (int i = 0; i < 3; i++) {
                m[i] = I[i] * a[i];
            }
            cross(a, m, twist);
            /* column j: s I e_j - (a_j/s) I a + a x I e_j + e_j x I a */
            for (int j = 0; j < 3; j++) {
                const double slope = -a[j] / scalar;
                for (int i = 0; i < 3; i++) {
                    A[j][i] = slope * m[i];
                }
                A[j][j] += scalar * I[j];
                const int next = (j + 1) % 3, last = (j + 2) % 3;
                A[j][next] += a[last] * I[j] - m[last];
                A[j][last] += m[next] - a[next] * I[j];
                residual[j] = p[j] - scalar * m[j] - twist[j];
            }
            solve3(A, residual, step);
            double change = 0.0;
            for (int i = 0; i < 3; i++) {
                a[i] += step[i];
                const double size = fabs(step[i]);
                change = size > change ? size : change;
            }
            scalar = sqrt(1.0 - (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]));
            if (change <= SB_BARE_TOL) {
                break;
            }
        }
        for (int i = 0; i < 3; i++) {
            m[i] = I[i] * a[i];
        }
        cross(a, m, twist);
        for (int i = 0; i < 3; i++) {
            p[i] = scalar * m[i] - twist[i];
        }
        turn(s, scalar, a);
    }
}

const sb_bare sb_bare_rigid_body[] = {
    {"dvp", "rigid_body", NULL, {"I1", "I2", "I3", NULL}, 4, start, dvp},
    {NULL, NULL, NULL, {NULL}, 0, NULL, NULL},
};
