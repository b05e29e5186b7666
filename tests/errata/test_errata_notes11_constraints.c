/* The errata of notes11 8-11, penalty forces and constraints: each printed equation fails where its corrected form
 * holds. */
#include <string.h>

#include <stepbench/numerics/norm.h>

#include "tests/errata/erratum.h"

/* ---- 8, 9: the strong spring. ---- */

static const double eps = 0.01;

/* y'' of y(t) by the exact solution of (46), y = eps (cos(t/sqrt(eps)) - 1). */
static double fall(double t) {
    return eps * (cos(t / sqrt(eps)) - 1.0);
}
static double fall_rate(double t) {
    return -sqrt(eps) * sin(t / sqrt(eps));
}
static double fall_acceleration(double t) {
    return -cos(t / sqrt(eps));
}

static void spring_once(void) {
    /* (43) with f_eps: eliminating lambda = -g/eps from M q'' = f + G' lambda must give (46), y'' = -1 - y/eps, for f_e
     * = -1. */
    const double t = 0.13, y = fall(t), lambda = -y / eps, f_eps = -y / eps, f_e = -1.0, truth = -1.0 - y / eps;
    gsl_test_rel(fall_acceleration(t), truth, 8.0 * DBL_EPSILON, "notes11 (46): its solution");
    erratum("notes11 (43)", (f_e + f_eps + lambda) - truth, 0.1, (f_e + lambda) - truth, 4.0 * DBL_EPSILON);
}

static void spring_energy(void) {
    double printed = 0.0, corrected = 0.0, bound = -INFINITY, depth = 0.0;
    for (double t = 0.0; t < 1.0; t += 0.01) {
        const double y = fall(t), v = fall_rate(t), rest = 0.5 * v * v + y; /* x' = 0; E(0) = 0 */
        printed = fmax(printed, fabs(rest + y * y / eps) / eps);
        corrected = fmax(corrected, fabs(rest + y * y / (2.0 * eps)) / eps);
        bound = fmax(bound, y * y / eps / eps); /* against E/eps = 0 */
        depth = fmax(depth, fabs(y) / (2.0 * eps));
    }
    erratum("notes11 9, energy", printed, 0.1, corrected, 16.0 * DBL_EPSILON);
    gsl_test(!(bound > 1.0), "notes11 (47): y^2/eps <= E = 0 is false from rest: y^2/eps reaches %.3g eps", bound);
    gsl_test(!(depth <= 1.0 + 4.0 * DBL_EPSILON && depth > 0.99),
             "notes11 (47): the bound is |y| <= 2 eps, and attained: %.6f", depth);
}

static void spring_solution(void) {
    /* Initial conditions y(0) = y'(0) = 0, and the equation itself. */
    const double s = sqrt(eps);
    const double printed0 = eps * (-1.0 + sin(0.0)), printed_v0 = eps / s * cos(0.0);
    erratum("notes11 (49), y at rest", fabs(printed0) / eps + fabs(printed_v0) / s, 0.1,
            fabs(fall(0.0)) / eps + fabs(fall_rate(0.0)) / s, 4.0 * DBL_EPSILON);
    double printed = 0.0, corrected = 0.0;
    for (double t = 0.0; t < 1.0; t += 0.01) {
        const double lambda = -fall(t) / eps;
        printed = fmax(printed, fabs((-1.0 + cos(t / s)) - lambda));
        corrected = fmax(corrected, fabs((1.0 - cos(t / s)) - lambda));
    }
    erratum("notes11 (49), lambda = -y/eps", printed, 0.1, corrected, 4.0 * DBL_EPSILON);
}

/* eps lambda + y + gamma y' = 0 with y'' = -1 + lambda: z = y + eps obeys eps z'' + gamma z' + z = 0, z(0) = eps, z'(0)
 * = 0, and lambda - 1 = z''. Roots s = (-gamma +- sqrt(gamma^2 - 4 eps))/(2 eps); here real or complex, never double.
 */
static double multiplier_error(double e, double g, double t) {
    const double disc = g * g - 4.0 * e;
    if (disc > 0.0) {
        const double w = sqrt(disc), s1 = -2.0 / (g + w), s2 = (-g - w) / (2.0 * e); /* without cancellation */
        const double c2 = -e * s1 / (s2 - s1), c1 = e - c2;
        return c1 * s1 * s1 * exp(s1 * t) + c2 * s2 * s2 * exp(s2 * t);
    }
    const double r = -g / (2.0 * e), w = sqrt(-disc) / (2.0 * e); /* z = e^{rt} e (cos wt - r/w sin wt) */
    return exp(r * t) * e * (-(r * r + w * w) * cos(w * t) + (r * r * r / w + r * w) * sin(w * t));
}

static double worst(double e, double g, double from, double to) {
    double m = 0.0;
    for (int i = 0; i <= 20000; i++) {
        m = sb_larger(m, fabs(multiplier_error(e, g, from + (to - from) * i / 20000.0)));
    }
    return m;
}

static void damped_multiplier(void) {
    for (double e = 1e-2; e > 1e-9; e *= 0.1) {
        gsl_test(!(worst(e, 3.0 * sqrt(e), 0.0, 1.0) >= 1.0 - 1e-12),
                 "notes11 (51): convergence is not uniform, |lambda - 1| = 1 at t = 0 for eps = %.0e", e);
        gsl_test(
            !(worst(e, e, 0.1, 1.0) > 0.5),
            "notes11 (51): with gamma = eps there is none at all, |lambda - 1| = %.3f after t = 0.1 for eps = %.0e",
            worst(e, e, 0.1, 1.0), e);
    }
    /* gamma = 3 sqrt(eps), gamma/eps -> infinity: the slow root is -2/(3 + sqrt 5)/sqrt(eps); e^{-0.38 * 0.1/1e-4} is
     * zero. */
    gsl_test(!(worst(1e-8, 3e-4, 0.1, 1.0) < 1e-12),
             "notes11 (51): away from t = 0 and with gamma/eps -> infinity it converges");
    gsl_test(!(worst(1e-2, 0.3, 0.1, 1.0) > 1e-2), "notes11 (51): which is no accident of the closed form");
}

/* ---- 10, 11: linearly implicit steps on a random linear system, n = 3, m = 2: g = G q + c. ---- */

enum { N = 3, M = 2, ALL = N + M };

typedef struct linear {
    double mass[N], G[M][N], c[M], q[N], v[N], f[N];
    double h, eps, gamma;
} linear;

static void make(linear *s, unsigned long seed) {
    for (int i = 0; i < N; i++) {
        s->mass[i] = 1.5 + scatter(&seed);
        s->q[i] = scatter(&seed);
        s->v[i] = scatter(&seed);
        s->f[i] = scatter(&seed);
        for (int j = 0; j < M; j++) {
            s->G[j][i] = scatter(&seed);
        }
    }
    for (int j = 0; j < M; j++) {
        s->c[j] = 0.1 * scatter(&seed);
    }
    s->h = 0.2;
    s->eps = 0.3;
    s->gamma = 0.15;
}

/* Gaussian elimination with column pivots on k equations, rows of [A | b]; x in place of b. */
static void eliminate(int k, double A[][ALL + 1]) {
    for (int p = 0; p < k; p++) {
        int best = p;
        for (int i = p + 1; i < k; i++) {
            best = fabs(A[i][p]) > fabs(A[best][p]) ? i : best;
        }
        for (int j = 0; j <= k; j++) {
            const double swap = A[p][j == k ? ALL : j];
            A[p][j == k ? ALL : j] = A[best][j == k ? ALL : j];
            A[best][j == k ? ALL : j] = swap;
        }
        for (int i = 0; i < k; i++) {
            const double factor = i == p ? 0.0 : A[i][p] / A[p][p];
            for (int j = p; j < k; j++) {
                A[i][j] -= factor * A[p][j];
            }
            A[i][ALL] -= factor * A[p][ALL];
        }
    }
    for (int p = 0; p < k; p++) {
        A[p][ALL] /= A[p][p];
    }
}

static void value(const linear *s, const double q[N], double g[M]) {
    for (int j = 0; j < M; j++) {
        g[j] = s->c[j];
        for (int i = 0; i < N; i++) {
            g[j] += s->G[j][i] * q[i];
        }
    }
}

static double rate(const linear *s, int j, const double v[N]) {
    double sum = 0.0;
    for (int i = 0; i < N; i++) {
        sum += s->G[j][i] * v[i];
    }
    return sum;
}

/* The truth of section 10: implicit Euler for M v' = f_e - G' g/eps, solved with q+ = q + h v+ as 3 equations for v+.
 */
static void implicit_euler(const linear *s, double v[N]) {
    double A[ALL][ALL + 1] = {{0.0}}, g[M];
    value(s, s->q, g);
    for (int i = 0; i < N; i++) {
        A[i][i] = s->mass[i];
        A[i][ALL] = s->mass[i] * s->v[i] + s->h * s->f[i];
        for (int j = 0; j < M; j++) {
            A[i][ALL] -= s->h * s->G[j][i] * g[j] / s->eps;
            for (int k = 0; k < N; k++) {
                A[i][k] += s->h * s->h * s->G[j][i] * s->G[j][k] / s->eps;
            }
        }
    }
    eliminate(N, A);
    for (int i = 0; i < N; i++) {
        v[i] = A[i][ALL];
    }
}

/* The potential U = |g|^2/(2 eps) whose force -dU/dq' the step must apply, differentiated numerically (g is linear:
 * central differences are exact but for round-off): no sign of the paper goes in. */
static double potential(const linear *s, const double q[N]) {
    double g[M];
    value(s, q, g);
    return (g[0] * g[0] + g[1] * g[1]) / (2.0 * s->eps);
}

static void strong_forces(void) {
    linear s;
    double v[N], q[N], g[M], g0[M], printed52 = 0.0, right52 = 0.0, printed54 = 0.0, right54 = 0.0, physics = 0.0;
    make(&s, 7UL);
    implicit_euler(&s, v);
    for (int i = 0; i < N; i++) {
        q[i] = s.q[i] + s.h * v[i];
    }
    value(&s, q, g);
    value(&s, s.q, g0);
    for (int i = 0; i < N; i++) {
        double up[N], down[N], Gg = 0.0, Gg0 = 0.0, GGv = 0.0;
        memcpy(up, q, sizeof up);
        memcpy(down, q, sizeof down);
        up[i] += 0.5;
        down[i] -= 0.5;
        const double balance = s.mass[i] * (v[i] - s.v[i]) - s.h * s.f[i];
        physics = fmax(physics, fabs(balance + s.h * (potential(&s, up) - potential(&s, down))));
        for (int j = 0; j < M; j++) {
            Gg += s.G[j][i] * g[j];
            Gg0 += s.G[j][i] * g0[j];
            GGv += s.G[j][i] * rate(&s, j, v);
        }
        const double left = balance + s.h * s.h / s.eps * GGv; /* of (54), with M v_k + h f_e brought over */
        printed52 = fmax(printed52, fabs(balance - s.h / s.eps * Gg));
        right52 = fmax(right52, fabs(balance + s.h / s.eps * Gg));
        printed54 = fmax(printed54, fabs(left - s.h / s.eps * Gg0));
        right54 = fmax(right54, fabs(left + s.h / s.eps * Gg0));
    }
    gsl_test(!(physics <= 64.0 * DBL_EPSILON), "notes11 (52): the step applies the force of U: residual %.3g", physics);
    erratum("notes11 (52)", printed52, 1e-2, right52, 64.0 * DBL_EPSILON);
    erratum("notes11 (54)", printed54, 1e-2, right54, 64.0 * DBL_EPSILON);
}

/* (55), G'G v = -G'g/h: the displacement h v of least norm makes a linear g zero at once, whatever the scale of the
 * constraints: Gauss-Newton. Steepest descent on |g|^2/2 moves along -G'g and, even with its best length, does not. */
static void gauss_newton(void) {
    linear s;
    double g[M], direction[N], A[ALL][ALL + 1] = {{0.0}};
    make(&s, 11UL);
    value(&s, s.q, g);
    for (int j = 0; j < M; j++) { /* h v = -G' (G G')^-1 g solves (55) */
        A[j][ALL] = g[j];
        for (int k = 0; k < M; k++) {
            A[j][k] = rate(&s, j, s.G[k]);
        }
    }
    eliminate(M, A);
    double newton = 0.0, descent = 0.0, normal = 0.0, square = 0.0, gained = 0.0;
    for (int i = 0; i < N; i++) {
        direction[i] = -(s.G[0][i] * g[0] + s.G[1][i] * g[1]);
    }
    for (int j = 0; j < M; j++) {
        const double d = rate(&s, j, direction);
        square += d * d;
        gained -= d * g[j];
    }
    for (int j = 0; j < M; j++) {
        double move[N];
        for (int i = 0; i < N; i++) {
            move[i] = -(s.G[0][i] * A[0][ALL] + s.G[1][i] * A[1][ALL]);
        }
        newton = fmax(newton, fabs(g[j] + rate(&s, j, move)));
        descent = fmax(descent, fabs(g[j] + gained / square * rate(&s, j, direction)));
        for (int i = 0; i < N; i++) { /* residual of the normal equations (55) */
            double r = 0.0;
            for (int k = 0; k < M; k++) {
                r += s.G[k][i] * (rate(&s, k, move) + g[k]);
            }
            normal = fmax(normal, fabs(r));
        }
    }
    gsl_test(!(normal <= 16.0 * DBL_EPSILON), "notes11 (55): the displacement solves it: residual %.3g", normal);
    erratum("notes11 (55), one step to g = 0", descent, 1e-3, newton, 16.0 * DBL_EPSILON);
}

/* The truth of section 11: (57) with (58) put in, nothing collected: M v+ = M v + h f + h G' lambda and
 * eps lambda + g + h/4 G v+ - h/4 G v + gamma G v+ = 0, five equations for v+ and lambda. */
static void spook_by_averaging(const linear *s, double v[N], double impulse[M]) {
    double A[ALL][ALL + 1] = {{0.0}}, g[M];
    value(s, s->q, g);
    for (int i = 0; i < N; i++) {
        A[i][i] = s->mass[i];
        A[i][ALL] = s->mass[i] * s->v[i] + s->h * s->f[i];
        for (int j = 0; j < M; j++) {
            A[i][N + j] = -s->h * s->G[j][i];
            A[N + j][i] = (0.25 * s->h + s->gamma) * s->G[j][i];
        }
    }
    for (int j = 0; j < M; j++) {
        A[N + j][N + j] = s->eps;
        A[N + j][ALL] = -g[j] + 0.25 * s->h * rate(s, j, s->v);
    }
    eliminate(ALL, A);
    for (int i = 0; i < N; i++) {
        v[i] = A[i][ALL];
    }
    for (int j = 0; j < M; j++) {
        impulse[j] = s->h * A[N + j][ALL];
    }
}

/* Right-hand side of (62); `sign` of the force term. */
static double schur_rhs(const linear *s, int j, double k, double sign) {
    double g[M], force[N];
    value(s, s->q, g);
    for (int i = 0; i < N; i++) {
        force[i] = s->f[i] / s->mass[i];
    }
    return -4.0 / (s->h * k) * g[j] + (1.0 / k - 1.0) * rate(s, j, s->v) + sign * s->h * rate(s, j, force);
}

static double schur(const linear *s, int i, int j, double k) {
    double column[N];
    for (int l = 0; l < N; l++) {
        column[l] = s->G[j][l] / s->mass[l];
    }
    return rate(s, i, column) + (i == j ? 4.0 * s->eps / (s->h * s->h * k) : 0.0);
}

static void spook(void) {
    linear s;
    double v[N], impulse[M], g[M], printed60 = 0.0, right60 = 0.0, printed62 = 0.0, right62 = 0.0;
    make(&s, 23UL);
    spook_by_averaging(&s, v, impulse);
    value(&s, s.q, g);
    const double k = 1.0 + 4.0 * s.gamma / s.h;
    for (int j = 0; j < M; j++) {
        const double left = rate(&s, j, v) + 4.0 * s.eps / (s.h * s.h * k) * impulse[j] + 4.0 / (s.h * k) * g[j];
        printed60 = fmax(printed60, fabs(left - rate(&s, j, s.v) / (s.h * k)));
        right60 = fmax(right60, fabs(left - rate(&s, j, s.v) / k));
        const double S = schur(&s, j, 0, k) * impulse[0] + schur(&s, j, 1, k) * impulse[1];
        printed62 = fmax(printed62, fabs(S - schur_rhs(&s, j, k, 1.0)));
        right62 = fmax(right62, fabs(S - schur_rhs(&s, j, k, -1.0)));
    }
    erratum("notes11 (60)", printed60, 1e-2, right60, 64.0 * DBL_EPSILON);
    erratum("notes11 (62)", printed62, 1e-2, right62, 64.0 * DBL_EPSILON);
}

/* The closing remark names (63), which is a matrix and no system: Gauss-Seidel sweeps are for (62), whose matrix is
 * symmetric and positive definite, so that they converge; on the unsymmetric saddle matrix (61) they need not, and on
 * this one do not. */
static void gauss_seidel(void) {
    linear s;
    double v[N], impulse[M], x[M] = {0.0, 0.0}, z[ALL] = {0.0}, g[M];
    make(&s, 23UL);
    s.eps = 1e-4;
    spook_by_averaging(&s, v, impulse);
    value(&s, s.q, g);
    const double k = 1.0 + 4.0 * s.gamma / s.h;
    for (int sweep = 0; sweep < 200; sweep++) {
        for (int j = 0; j < M; j++) {
            x[j] = (schur_rhs(&s, j, k, -1.0) - schur(&s, j, 1 - j, k) * x[1 - j]) / schur(&s, j, j, k);
        }
        for (int i = 0; i < N; i++) {
            z[i] = (s.mass[i] * s.v[i] + s.h * s.f[i] + s.G[0][i] * z[N] + s.G[1][i] * z[N + 1]) / s.mass[i];
        }
        for (int j = 0; j < M; j++) {
            z[N + j] =
                (-4.0 / (s.h * k) * g[j] + rate(&s, j, s.v) / k - rate(&s, j, z)) * s.h * s.h * k / (4.0 * s.eps);
        }
    }
    const double on_62 = fabs(x[0] - impulse[0]) + fabs(x[1] - impulse[1]);
    gsl_test(!(on_62 <= 1e-10 * (fabs(impulse[0]) + fabs(impulse[1]))),
             "notes11 end: Gauss-Seidel on (62) converges: error %.3g", on_62);
    gsl_test(fabs(z[N] - impulse[0]) < 1.0, "notes11 end: on the saddle matrix (61) it does not: %.3g", z[N]);
}

int main(void) {
    spring_once();
    spring_energy();
    spring_solution();
    damped_multiplier();
    strong_forces();
    gauss_newton();
    spook();
    gauss_seidel();
    return gsl_test_summary();
}
