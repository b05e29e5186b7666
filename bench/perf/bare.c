/* Hand-coded reference loops, and the constants they run with. */
#include "bench/perf/bare.h"

#include <math.h>
#include <string.h>

#include "core/base/registry.h"
#include "core/run/build.h"

/* Relative tolerance of the last Newton correction: the default of SB_NEWTON_PARAMS. */
static const double tolerance = 1e-10;
enum { ITERATIONS = 50 };

/* Starts with the state (q1, v1). */
static void start_velocity(int n, const double *c, double h, const double *q0, const double *q1, const double *v1,
                           double *s) {
    memcpy(s, q1, (size_t)n * sizeof *s);
    memcpy(s + n, v1, (size_t)n * sizeof *s);
}

/* Starts with the state (q1, q1 - q0). */
static void start_displacement(int n, const double *c, double h, const double *q0, const double *q1, const double *v1,
                               double *s) {
    for (int i = 0; i < n; i++) {
        s[i] = q1[i];
        s[n + i] = q1[i] - q0[i];
    }
}

/* ---- Oscillator, pendulum in its angle, Kepler's problem: Verlet's method with velocities at the nodes, notes11 (16),
 * and the classical Runge-Kutta method. State: q, v. ---- */

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

/* x'' = -w2 f(x) in one coordinate. */
static inline void rk4(double w2, double (*f)(double x), double h, long steps, double *s) {
    double x = s[0], v = s[1];
    for (long k = 0; k < steps; k++) {
        const double a1 = -w2 * f(x);
        const double v2 = v + 0.5 * h * a1, a2 = -w2 * f(x + 0.5 * h * v);
        const double v3 = v + 0.5 * h * a2, a3 = -w2 * f(x + 0.5 * h * v2);
        const double v4 = v + h * a3, a4 = -w2 * f(x + h * v3);
        x += h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
        v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
    s[0] = x;
    s[1] = v;
}

static double identity(double x) { return x; }

static void rk4_oscillator(const double *c, double h, long steps, double *s) {
    rk4(c[0] * c[0], identity, h, steps, s);
}

static void rk4_pendulum(const double *c, double h, long steps, double *s) { rk4(c[1] / c[0], sin, h, steps, s); }

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

/* ---- Planar pendulum in x and y: SHAKE with Newton's method on the multiplier. ---- */

/* q_{k+1} = q_k + d_k + h^2 (0, -g) + mu q_k with |q_{k+1}| = l; mu = h^2 lambda/m is the unknown. State: q, d, mu. */
static void shake_pendulum(const double *c, double h, long steps, double *s) {
    const double l = c[0], fall = h * h * c[1];
    double x = s[0], y = s[1], dx = s[2], dy = s[3], mu = s[4];
    for (long k = 0; k < steps; k++) {
        const double ax = x + dx, ay = y + dy - fall;
        double bx = ax + mu * x, by = ay + mu * y;
        for (int i = 0; i < ITERATIONS; i++) {
            const double correction = -0.5 * (bx * bx + by * by - l * l) / (bx * x + by * y);
            mu += correction;
            bx = ax + mu * x;
            by = ay + mu * y;
            if (fabs(correction) <= tolerance) {
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

/* ---- Double spherical pendulum, wm96 5.2: SHAKE with Newton's method on the two multipliers. ---- */

static inline double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static inline double max_of(double a, double b) { return a > b ? a : b; }

/* Constraints (|x1|^2 - l1^2)/2 and (|x2 - x1|^2 - l2^2)/2; columns of G at q_k: (x1, 0) and (-r, r), r = x2 - x1.
 * State: q, the last displacement, h^2 times the last multipliers. */
static void shake_dsp(const double *c, double h, long steps, double *s) {
    const double w1 = 1.0 / c[0], w2 = 1.0 / c[1], l1 = c[2], l2 = c[3], fall = h * h * c[4];
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
        for (int iteration = 0; iteration < ITERATIONS; iteration++) {
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

/* ---- Free rigid body: the variational integrator of wm96 (5.8) reduced to the body momentum.
 *
 * With f = conj(q_k) q_{k+1} = (s, a), a in R^3, the discrete Lagrangian (5.8) is 2 a . I a / h^2. Its derivatives
 * along left-invariant variations of either end give the body momenta (2/h)(s I a + a x I a) at q_k and (2/h)(s I a - a
 * x I a) at q_{k+1}: the first is solved for a, the second passed on. ---- */

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
static void start_body(int n, const double *c, double h, const double *q0, const double *q1, const double *v1,
                       double *s) {
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
        for (int iteration = 0; iteration < ITERATIONS; iteration++) {
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
            if (change <= tolerance) {
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

const sb_bare sb_bare_list[] = {
    {"verlet", "oscillator", NULL, {"omega"}, 1, start_velocity, verlet_oscillator},
    {"rk4", "oscillator", NULL, {"omega"}, 1, start_velocity, rk4_oscillator},
    {"verlet", "kepler", NULL, {NULL}, 2, start_velocity, verlet_kepler},
    {"rk4", "kepler", NULL, {NULL}, 2, start_velocity, rk4_kepler},
    {"rk4", "pendulum", "chart", {"l", "g"}, 1, start_velocity, rk4_pendulum},
    {"shake", "pendulum", NULL, {"l", "g"}, 2, start_displacement, shake_pendulum},
    {"shake", "dsp", NULL, {"m1", "m2", "l1", "l2", "g"}, 6, start_displacement, shake_dsp},
    {"dvp", "rigid_body", NULL, {"I1", "I2", "I3"}, 4, start_body, dvp},
};
const int sb_bare_count = sizeof sb_bare_list / sizeof *sb_bare_list;

const sb_bare *sb_bare_find(const char *stepper, const char *problem, const char *formulation) {
    for (int i = 0; i < sb_bare_count; i++) {
        const sb_bare *bare = &sb_bare_list[i];
        if (strcmp(bare->stepper, stepper) == 0 && strcmp(bare->problem, problem) == 0 &&
            strcmp(bare->formulation != NULL ? bare->formulation : "", formulation != NULL ? formulation : "") == 0) {
            return bare;
        }
    }
    return NULL;
}

int sb_bare_constants(sb_context *ctx, sb_arena *arena, const sb_bare *bare, double c[SB_BARE_CONSTANTS]) {
    const sb_entry *entry = sb_registry_find(ctx, SB_KIND_PROBLEM, bare->problem);
    if (entry == NULL) {
        return SB_BAD_USAGE;
    }
    char *config = sb_alloc(arena, 1, entry->config_size);
    if (config == NULL) {
        return SB_NO_MEMORY;
    }
    SB_TRY(sb_config_parse(ctx, arena, entry, NULL, config));
    for (int i = 0; bare->constants[i] != NULL; i++) {
        const sb_param *param = entry->params;
        while (param != NULL && param->name != NULL && strcmp(param->name, bare->constants[i]) != 0) {
            param++;
        }
        if (param == NULL || param->name == NULL || param->type != SB_REAL) {
            return sb_fail(ctx, SB_BAD_USAGE, "%s has no real parameter %s", bare->problem, bare->constants[i]);
        }
        memcpy(&c[i], config + param->offset, sizeof c[i]);
    }
    return SB_OK;
}
