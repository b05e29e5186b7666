/* Hand-coded reference loops: the terms of the problems, the instances of the loops, and the constants they run with.
 */
#include <string.h>

#include "bench/perf/bare_loops.h"
#include "core/run/build.h"

/* ---- Starts: the state is that of the stepper after its first step. ---- */

/* State: q, v1, lambda. */
static void start_velocity(const sb_bare *bare, const double *c, double h, const double *q0, const sb_state *now,
                           const double *v1, double *s) {
    const int n = bare->terms->n;
    memcpy(s, now->q, (size_t)n * sizeof *s);
    memcpy(s + n, v1, (size_t)n * sizeof *s);
    memcpy(s + 2 * n, now->lambda, (size_t)bare->terms->m * sizeof *s);
}

/* State: the same, and the accelerations of generalized_alpha. */
static void start_accelerations(const sb_bare *bare, const double *c, double h, const double *q0, const sb_state *now,
                                const double *v1, double *s) {
    const int n = bare->terms->n;
    start_velocity(bare, c, h, q0, now, v1, s);
    memcpy(s + 2 * n + bare->terms->m, now->aux, 2 * (size_t)n * sizeof *s);
}

/* State: q, v = (q1 - q0)/h, lambda. */
static void start_displacement(const sb_bare *bare, const double *c, double h, const double *q0, const sb_state *now,
                               const double *v1, double *s) {
    const int n = bare->terms->n;
    start_velocity(bare, c, h, q0, now, v1, s);
    for (int i = 0; i < n; i++) {
        s[n + i] = (now->q[i] - q0[i]) / h;
    }
}

/* State: the same and p/M, p the momentum of del; without constraints q and p/M. */
static void start_momentum(const sb_bare *bare, const double *c, double h, const double *q0, const sb_state *now,
                           const double *v1, double *s) {
    const int n = bare->terms->n, m = bare->terms->m;
    double M[BARE_N], *p = s + (m > 0 ? 2 * n + m : n);
    start_displacement(bare, c, h, q0, now, v1, s);
    bare->terms->masses(c, M);
    for (int i = 0; i < n; i++) {
        p[i] = now->aux[i] / M[i];
    }
}

/* ---- Oscillator, Kepler's problem, pendulum in its angle. A stepper calls its forces through pointers; therefore the
 * loops do not inline them. ---- */

#define CALLED static __attribute__((noinline)) void

CALLED oscillator_acceleration(const double *c, const double *q, double *a) { a[0] = -c[0] * c[0] * q[0]; }
CALLED oscillator_slope(const double *c, const double *q, double A[BARE_N][BARE_N]) { A[0][0] = -c[0] * c[0]; }

CALLED kepler_acceleration(const double *c, const double *q, double *a) {
    const double r2 = q[0] * q[0] + q[1] * q[1], w = -1.0 / (r2 * sqrt(r2));
    a[0] = w * q[0];
    a[1] = w * q[1];
}

CALLED kepler_slope(const double *c, const double *q, double A[BARE_N][BARE_N]) {
    const double r2 = q[0] * q[0] + q[1] * q[1], w = -1.0 / (r2 * sqrt(r2)), w5 = -3.0 * w / r2;
    A[0][0] = w + w5 * q[0] * q[0];
    A[1][1] = w + w5 * q[1] * q[1];
    A[0][1] = A[1][0] = w5 * q[0] * q[1];
}

CALLED angle_acceleration(const double *c, const double *q, double *a) { a[0] = -c[2] / c[1] * sin(q[0]); }
CALLED angle_slope(const double *c, const double *q, double A[BARE_N][BARE_N]) { A[0][0] = -c[2] / c[1] * cos(q[0]); }

BARE_INLINE void unit_masses(const double *c, double *M) { M[0] = M[1] = 1.0; }

static const bare_terms oscillator = {1, 0, {0}, oscillator_acceleration, oscillator_slope, unit_masses, NULL, NULL};
static const bare_terms kepler = {2, 0, {0}, kepler_acceleration, kepler_slope, unit_masses, NULL, NULL};
static const bare_terms angle = {1, 0, {0}, angle_acceleration, angle_slope, NULL, NULL, NULL};

/* ---- Planar pendulum; c: m, l, g. ---- */

BARE_INLINE void pendulum_fall(const double *c, const double *q, double *a) {
    a[0] = 0.0;
    a[1] = -c[2];
}

BARE_INLINE void pendulum_rows(const double *c, const double *q, double *g, double (*G)[BARE_N]) {
    if (g != NULL) {
        g[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - c[1] * c[1]);
    }
    G[0][0] = q[0];
    G[0][1] = q[1];
}

BARE_INLINE void pendulum_solve(const double *c, const double *w, const double *r, double *x) {
    const double inverse = 1.0 / (c[0] - w[0]);
    x[0] = inverse * r[0];
    x[1] = inverse * r[1];
}

BARE_INLINE void pendulum_masses(const double *c, double *M) { M[0] = M[1] = c[0]; }

static const bare_terms pendulum = {2, 1, {2}, pendulum_fall, NULL, pendulum_masses, pendulum_rows, pendulum_solve};

/* ---- Double spherical pendulum, wm96 (5.11); c: m1, m2, l1, l2, g. ---- */

BARE_INLINE void dsp_fall(const double *c, const double *q, double *a) {
    a[0] = a[1] = a[3] = a[4] = 0.0;
    a[2] = a[5] = -c[4];
}

BARE_INLINE void dsp_rows(const double *c, const double *q, double *g, double (*G)[BARE_N]) {
    const double d[3] = {q[3] - q[0], q[4] - q[1], q[5] - q[2]};
    if (g != NULL) {
        g[0] = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - c[2] * c[2];
        g[1] = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] - c[3] * c[3];
    }
    for (int i = 0; i < 3; i++) {
        G[0][i] = 2.0 * q[i];
        G[0][3 + i] = 0.0;
        G[1][i] = -2.0 * d[i];
        G[1][3 + i] = 2.0 * d[i];
    }
}

/* The matrix is [a, b; b, d] for every axis. */
BARE_INLINE void dsp_solve(const double *c, const double *w, const double *r, double *x) {
    const double a = c[0] - 2.0 * (w[0] + w[1]), b = 2.0 * w[1], d = c[1] - 2.0 * w[1], inverse = 1.0 / (a * d - b * b);
    for (int i = 0; i < 3; i++) {
        const double r0 = r[i], r1 = r[3 + i];
        x[i] = inverse * (d * r0 - b * r1);
        x[3 + i] = inverse * (a * r1 - b * r0);
    }
}

BARE_INLINE void dsp_masses(const double *c, double *M) {
    M[0] = M[1] = M[2] = c[0];
    M[3] = M[4] = M[5] = c[1];
}

static const bare_terms dsp = {6, 2, {3, 6}, dsp_fall, NULL, dsp_masses, dsp_rows, dsp_solve};

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
static void start_body(const sb_bare *bare, const double *c, double h, const double *q0, const sb_state *now,
                       const double *v1, double *s) {
    const double *q1 = now->q;
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
        for (int iteration = 0; iteration < BARE_ITERATIONS; iteration++) {
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
            if (change <= bare_tolerance) {
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

/* ---- Instances. ---- */

#define LOOP(loop, terms)                                                                                              \
    static void loop##_##terms(const double *c, double h, long steps, double *s) {                                     \
        bare_##loop(&terms, c, h, steps, s);                                                                           \
    }
#define FREE_LOOPS(terms)                                                                                              \
    LOOP(verlet, terms) LOOP(symplectic, terms) LOOP(rk4, terms) LOOP(midpoint, terms) LOOP(euler, terms)
#define BOUND_LOOPS(terms)                                                                                             \
    LOOP(shake, terms)                                                                                                 \
    LOOP(rattle, terms)                                                                                                \
    LOOP(spook, terms) LOOP(reg, terms) LOOP(vts, terms) LOOP(del, terms) LOOP(em, terms) LOOP(alpha, terms)
FREE_LOOPS(oscillator)
FREE_LOOPS(kepler)
LOOP(rk4, angle)
LOOP(midpoint, angle)
BOUND_LOOPS(pendulum)
BOUND_LOOPS(dsp)

#define ROW(stepper, problem, formulation, start, loop, terms, ...)                                                    \
    { stepper, problem, formulation, {__VA_ARGS__}, &(terms), start_##start, loop##_##terms }

/* Without constraints the steppers of a group take the same steps. */
#define FREE_ROWS(problem, terms, ...)                                                                                 \
    ROW("euler_symplectic", problem, NULL, displacement, symplectic, terms, __VA_ARGS__),                              \
        ROW("spook", problem, NULL, displacement, symplectic, terms, __VA_ARGS__),                                     \
        ROW("reg", problem, NULL, displacement, symplectic, terms, __VA_ARGS__),                                       \
        ROW("vts", problem, NULL, displacement, symplectic, terms, __VA_ARGS__),                                       \
        ROW("shake", problem, NULL, displacement, symplectic, terms, __VA_ARGS__),                                     \
        ROW("verlet", problem, NULL, velocity, verlet, terms, __VA_ARGS__),                                            \
        ROW("rattle", problem, NULL, velocity, verlet, terms, __VA_ARGS__),                                            \
        ROW("rk4", problem, NULL, velocity, rk4, terms, __VA_ARGS__),                                                  \
        ROW("midpoint", problem, NULL, velocity, midpoint, terms, __VA_ARGS__),                                        \
        ROW("euler_implicit", problem, NULL, velocity, euler, terms, __VA_ARGS__),                                     \
        ROW("del", problem, NULL, momentum, midpoint, terms, __VA_ARGS__)
#define BOUND_ROWS(problem, terms, ...)                                                                                \
    ROW("shake", problem, NULL, displacement, shake, terms, __VA_ARGS__),                                              \
        ROW("rattle", problem, NULL, velocity, rattle, terms, __VA_ARGS__),                                            \
        ROW("spook", problem, NULL, displacement, spook, terms, __VA_ARGS__),                                          \
        ROW("reg", problem, NULL, displacement, reg, terms, __VA_ARGS__),                                              \
        ROW("vts", problem, NULL, displacement, vts, terms, __VA_ARGS__),                                              \
        ROW("del", problem, NULL, momentum, del, terms, __VA_ARGS__),                                                  \
        ROW("em", problem, NULL, velocity, em, terms, __VA_ARGS__),                                                    \
        ROW("generalized_alpha", problem, NULL, accelerations, alpha, terms, __VA_ARGS__)

const sb_bare sb_bare_list[] = {
    FREE_ROWS("oscillator", oscillator, "omega"),
    ROW("em", "oscillator", NULL, velocity, midpoint, oscillator, "omega"),
    FREE_ROWS("kepler", kepler, NULL),
    ROW("rk4", "pendulum", "chart", velocity, rk4, angle, "m", "l", "g"),
    ROW("midpoint", "pendulum", "chart", velocity, midpoint, angle, "m", "l", "g"),
    BOUND_ROWS("pendulum", pendulum, "m", "l", "g"),
    BOUND_ROWS("dsp", dsp, "m1", "m2", "l1", "l2", "g"),
    {"dvp", "rigid_body", NULL, {"I1", "I2", "I3"}, NULL, start_body, dvp},
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
