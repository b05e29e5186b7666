/* The errata of spook07: each printed equation fails where its corrected form holds, by differences, quadrature, closed
 * forms or counts. */
#include <string.h>

#include <lapacke.h>

#include "tests/errata/erratum.h"
#include "tests/problems/systems.h"

/* ---- 2: discrete mechanics, on L_d of (12) for a pendulum in its angle: M = 1, V = -cos q. ---- */

static const double h = 0.1;

static double discrete_lagrangian(double a, double b) {
    return (b - a) * (b - a) / (2.0 * h) + h * cos(a);
}
static double by_first(double a, double b) {
    return -(b - a) / h - h * sin(a);
}
static double by_second(double a, double b) {
    return (b - a) / h;
}

static void stationary_action(void) {
    const double q[3] = {0.3, 0.7, 0.5}, d = 1e-4;
    const double up = discrete_lagrangian(q[0], q[1] + d) + discrete_lagrangian(q[1] + d, q[2]);
    const double down = discrete_lagrangian(q[0], q[1] - d) + discrete_lagrangian(q[1] - d, q[2]);
    const double truth = (up - down) / (2.0 * d); /* off by d^2/6 V''' h and round-off/d: 1e-10 and 1e-12 */
    erratum("spook07 (8)", by_first(q[0], q[1]) + by_second(q[1], q[2]) - truth, 0.1,
            by_second(q[0], q[1]) + by_first(q[1], q[2]) - truth, 1e-8);
}

/* The virtual work of f(t) = 1 + t^2 on a variation that is linear between the samples: f(+) goes with the first end of
 * an interval, f(-) with the second. */
static double weighted_force(double from, double weight_first, double weight_second) {
    double sum = 0.0;
    enum { PARTS = 100 };
    for (int i = 0; i <= 2 * PARTS; i++) { /* Simpson's rule, exact for cubics: f times a linear weight */
        const double s = i / (2.0 * PARTS), t = from + s * h, f = 1.0 + t * t;
        sum += (i == 0 || i == 2 * PARTS ? 1.0
                : i % 2 == 1             ? 4.0
                                         : 2.0) *
               f * ((1.0 - s) * weight_first + s * weight_second);
    }
    return sum * h / (6.0 * PARTS);
}

static void virtual_work(void) {
    const double t =
        0.4; /* q_k is varied alone: a hat over [t - h, t + h], under which 1 + s^2 has the integral below */
    const double truth = h * (1.0 + t * t) + h * h * h / 6.0;
    const double plus_before = weighted_force(t - h, 1.0, 0.0), minus_before = weighted_force(t - h, 0.0, 1.0);
    const double plus_after = weighted_force(t, 1.0, 0.0), minus_after = weighted_force(t, 0.0, 1.0);
    erratum("spook07 (10), (11)", (plus_before + minus_after - truth) / h, 1e-3,
            (minus_before + plus_after - truth) / h, 16.0 * DBL_EPSILON);
}

/* A constant force F on a mass m for one step; f(+) of (12) is h F. */
static void impulse_of_force(void) {
    const double m = 2.0, F = 3.0, f_plus = h * F, truth = h * F / m;
    erratum("spook07 (29), force", h * f_plus / m - truth, 0.1, f_plus / m - truth, 2.0 * DBL_EPSILON);
}

/* A mass pushed by F against A v = 0, A = 1: M (v1 - v0) = h F + A' alpha from rest, v1 = 0. The force of the
 * constraint is -F; what multiplies A' in (24) is that force only where (13)'s factor h stands before it. */
static void impulse_or_force(void) {
    const double F = 3.0, impulse = -h * F;
    erratum("spook07 (13), (24): alpha", impulse - (-F), 1.0, impulse / h - (-F), 4.0 * DBL_EPSILON);
}

/* ---- 3: ghost variables. ---- */

/* The derivative, along the variation sin^2(pi t) of lambda(t) = -g/eps, g = cos 3 t, of the integral over [0, 1] of
 * (eps/2) x + lambda g with x = lambda^2 or lambda'^2. (15) asks for zero. */
static void ghost(void) {
    const double eps = 0.2, pi = acos(-1.0);
    double printed = 0.0, corrected = 0.0, size = 0.0;
    enum { PARTS = 20000 };
    for (int i = 0; i < PARTS; i++) { /* midpoint rule: the integrand of the printed form is of order ten and smooth */
        const double t = (i + 0.5) / PARTS, g = cos(3.0 * t), lambda = -g / eps, rate = 3.0 * sin(3.0 * t) / eps;
        const double variation = sin(pi * t) * sin(pi * t), its_rate = pi * sin(2.0 * pi * t);
        printed += (eps * rate * its_rate + g * variation) / PARTS;
        corrected += (eps * lambda * variation + g * variation) / PARTS;
        size += fabs(g * variation) / PARTS;
    }
    erratum("spook07 (14)", printed, 0.1, corrected, 8.0 * DBL_EPSILON * size);
}

/* (16) on a constant multiplier, g = 0: the midpoint rule is exact. */
static void ghost_discrete(void) {
    const double eps = 0.2, lambda = 1.3, rule = h * eps / 8.0 * (lambda + lambda) * (lambda + lambda);
    erratum("spook07 (16)", (h * eps * lambda * lambda - rule) / h, 0.1, (h * 0.5 * eps * lambda * lambda - rule) / h,
            4.0 * DBL_EPSILON);
}

/* With gamma alpha' + A v = 0 the force has to be that of the drag |A v|^2/(2 gamma): its rate of work is -|A
 * v|^2/gamma. */
enum { N = 4, M = 3 };

typedef struct rows {
    double A[M][N], v[N], Av[M];
} rows;

static rows make_rows(unsigned long seed) {
    rows r = {0};
    for (int j = 0; j < N; j++) {
        r.v[j] = scatter(&seed);
    }
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < N; j++) {
            r.A[i][j] = scatter(&seed);
            r.Av[i] += r.A[i][j] * r.v[j];
        }
    }
    return r;
}

static void drag(void) {
    const double gamma = 0.3;
    for (unsigned long seed = 1; seed <= 5; seed++) {
        const rows r = make_rows(seed);
        double truth = 0.0, power = 0.0, size = 0.0;
        for (int i = 0; i < M; i++) {
            const double rate = -r.Av[i] / gamma;
            truth -= r.Av[i] * r.Av[i] / gamma;
            for (int j = 0; j < N; j++) {
                power += r.v[j] * r.A[i][j] * rate; /* of A' alpha' */
                size += fabs(r.v[j] * r.A[i][j] * rate);
            }
        }
        erratum("spook07 (19)", (-power - truth) / size, 1e-2, (power - truth) / size, 16.0 * DBL_EPSILON);
    }
}

/* Force and multiplier are paired by the virtual work alpha . A dq: the force is A' alpha. A square here, so that both
 * products exist; (25)'s lambda' G v lacks the same transpose. */
static void transpose(void) {
    double printed = 0.0, corrected = 0.0;
    for (unsigned long seed = 1; seed <= 5; seed++) {
        const rows r = make_rows(seed);
        for (int k = 0; k < M; k++) { /* dq along coordinate k: its work, and component k of both products */
            double work = 0.0, transposed = 0.0, plain = 0.0;
            for (int i = 0; i < M; i++) {
                work += r.Av[i] * r.A[i][k];
                transposed += r.A[i][k] * r.Av[i];
                plain += r.A[k][i] * r.Av[i];
            }
            printed = fmax(printed, fabs(plain - work));
            corrected = fmax(corrected, fabs(transposed - work));
        }
    }
    erratum("spook07 (20)", printed, 0.1, corrected, 0.0);
}

/* ---- 5: the linear stepper. ---- */

static const double theta = 0.4, sigma = 0.05;

/* (33) against (32), for one eigenvalue of S. */
static void blocks(void) {
    double printed = 0.0, corrected = 0.0;
    for (double lambda = 0.1; lambda < 20.0; lambda *= 2.0) {
        const double psi = 1.0 / (1.0 + 4.0 * theta), Gamma = lambda / (lambda + sigma), x0 = 0.7, y0 = -0.4;
        const double y1 = -4.0 * psi * Gamma * x0 + (1.0 - 4.0 * theta * psi * Gamma) * y0, x1 = x0 + y1;
        const double first = (x1 - y1) - x0,
                     second = y1 - y0 * (1.0 - 4.0 * theta * psi * Gamma) + 4.0 * psi * Gamma * x0;
        const double second_printed =
            x1 - y0 * (1.0 - 4.0 * theta * psi * Gamma) + 4.0 * psi * Gamma * x0; /* [I 0] picks x, not y */
        printed = fmax(printed, fabs(first) + fabs(second_printed));
        corrected = fmax(corrected, fabs(first) + fabs(second));
    }
    erratum("spook07 (33)", printed, 0.1, corrected, 16.0 * DBL_EPSILON);
}

/* How many eigenvalues of the map (31) of (q, p) in n dimensions, M = 1, lie inside the unit circle when G (m x n) has
 * rank r: two for each nonzero eigenvalue of S, the last one, i = r, included. */
static void rank(void) {
    enum { RANK = 2, SIZE = 2 * N };
    unsigned long seed = 7;
    double G[M][N], S[M][M], A[SIZE * SIZE], re[SIZE], im[SIZE];
    for (int j = 0; j < N; j++) {
        G[0][j] = scatter(&seed);
        G[1][j] = scatter(&seed);
        G[2][j] = 0.5 * G[0][j] - 2.0 * G[1][j];
    }
    const double psi = 1.0 / (1.0 + 4.0 * theta);
    for (int c = 0; c < SIZE; c++) { /* column c: the step from the c-th unit vector */
        double q[N] = {0}, p[N] = {0}, x[M];
        (c < N ? q : p)[c % N] = 1.0;
        for (int i = 0; i < M; i++) { /* (S + sigma) lambda = -(4 psi/h) G q - (1 - psi ...) of (31), h = 1: with
                                         q_{k-1} = q - p and p_{k+1} = p + G' lambda */
            x[i] = 0.0;
            for (int j = 0; j < N; j++) {
                x[i] -= psi * G[i][j] * (4.0 * q[j] - p[j]) + G[i][j] * p[j] * psi * (1.0 + 4.0 * theta);
            }
            for (int k = 0; k < M; k++) {
                S[i][k] = i == k ? sigma : 0.0;
                for (int j = 0; j < N; j++) {
                    S[i][k] += G[i][j] * G[k][j];
                }
            }
        }
        lapack_int pivot[M];
        gsl_test(LAPACKE_dgesv(LAPACK_ROW_MAJOR, M, 1, &S[0][0], M, pivot, x, 1) != 0, "S + sigma is solved");
        for (int j = 0; j < N; j++) {
            for (int i = 0; i < M; i++) {
                p[j] += G[i][j] * x[i];
            }
            A[j + c * SIZE] = q[j] + p[j];
            A[N + j + c * SIZE] = p[j];
        }
    }
    gsl_test(LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', SIZE, A, SIZE, re, im, NULL, 1, NULL, 1) != 0, "eigenvalues");
    int inside = 0;
    for (int i = 0; i < SIZE; i++) { /* a double eigenvalue 1 splits by the square root of round-off */
        inside += hypot(re[i], im[i]) < 1.0 - 1e-3;
    }
    erratum("spook07 (35)", 2 * (RANK - 1) - inside, 0.5, 2 * RANK - inside, 0.0);
}

/* ---- 6: the ladder. ---- */

/* The kinetic energy of a rod of mass m, length l whose direction turns by u' about its centre: the integral of (m/l)
 * s^2 |u'|^2/2 over s in [-l/2, l/2], exact by Simpson's rule. */
static void inertia(void) {
    const double m = 10.0, l = 0.8, rate = 1.7;
    const double energy = m / l * (l / 6.0) * (2.0 * 0.25 * l * l + 4.0 * 0.0) * rate * rate / 2.0,
                 half = 0.5 * rate * rate;
    erratum("spook07 6, inertia", l * l / 12.0 * half - energy, 0.1, m * l * l / 12.0 * half - energy,
            8.0 * DBL_EPSILON);
}

static void variables(void) {
    fixture f;
    sb_system sys;
    fixture_open(&f);
    fixture_build(&f, "ladder:N=20", NULL, &sys);
    const int count = sys.n + sys.holonomic.m;
    erratum("spook07 6, variables", 427 - count, 0.5, 467 - count, 0.0);
    gsl_test(467 - 427 != 2 * 20, "the paper's number leaves out two rows for each of the 20 loops");
    fixture_close(&f);
}

int main(void) {
    stationary_action();
    virtual_work();
    impulse_of_force();
    impulse_or_force();
    ghost();
    ghost_discrete();
    drag();
    transpose();
    blocks();
    rank();
    inertia();
    variables();
    return gsl_test_summary();
}
