/* Hand-coded loops of the methods, written once for terms and sizes that are constants where they are instantiated: the
 * compiler unrolls them and inlines all terms but the forces of unconstrained problems (bare.c). */
#pragma once

#include <string.h>

#include "bench/perf/bare.h"

#define BARE_INLINE static inline __attribute__((always_inline))

enum { BARE_N = 6, BARE_M = 2, BARE_ITERATIONS = 50 };

/* Relative tolerance of the last Newton correction: the default of SB_NEWTON_PARAMS. */
static const double bare_tolerance = 1e-10;

/* The terms of a problem with n coordinates and m constraints; c: its constants. A term that it lacks is NULL. */
typedef struct bare_terms {
    int n, m, width[BARE_M]; /* row j contains the coordinates before width[j] */
    void (*acceleration)(const double *c, const double *q, double *a);              /* -M^-1 V_q */
    void (*slope)(const double *c, const double *q, double A[BARE_N][BARE_N]);      /* its derivative */
    void (*masses)(const double *c, double *M);                                     /* the diagonal of M */
    void (*rows)(const double *c, const double *q, double *g, double (*G)[BARE_N]); /* each may be NULL */
    /* Sets x = (M - sum_i w_i Hess g_i)^-1 r. */
    void (*solve)(const double *c, const double *w, const double *r, double *x);
} bare_terms;

BARE_INLINE double bare_larger(double a, double b) { return a > b ? a : b; }

BARE_INLINE double bare_dot(int n, const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* Sets the diagonal of M^-1. */
BARE_INLINE void bare_inverses(const bare_terms *p, const double *c, double *w) {
    p->masses(c, w);
    for (int i = 0; i < p->n; i++) {
        w[i] = 1.0 / w[i];
    }
}

/* Solves A x = b in place for one or two unknowns. */
BARE_INLINE void bare_solve(int n, double (*A)[BARE_N], double *x) {
    if (n == 1) {
        x[0] /= A[0][0];
        return;
    }
    const double inverse = 1.0 / (A[0][0] * A[1][1] - A[0][1] * A[1][0]);
    const double x0 = inverse * (A[1][1] * x[0] - A[0][1] * x[1]);
    x[1] = inverse * (A[0][0] * x[1] - A[1][0] * x[0]);
    x[0] = x0;
}

/* Calls row(j) for every row: the compiler knows its width where j is a constant. */
#define BARE_ROWS(p, row)                                                                                              \
    do {                                                                                                               \
        if ((p)->m > 0) {                                                                                              \
            row(0);                                                                                                    \
        }                                                                                                              \
        if ((p)->m > 1) {                                                                                              \
            row(1);                                                                                                    \
        }                                                                                                              \
    } while (0)

/* y += c w G' x, w diagonal; NULL: the unit matrix. */
BARE_INLINE void bare_push(const bare_terms *p, double c, const double *w, double (*G)[BARE_N], const double *x,
                           double *y) {
#define PUSH(j)                                                                                                        \
    for (int i = 0; i < p->width[j]; i++) {                                                                            \
        y[i] += (w != NULL ? w[i] * G[j][i] : G[j][i]) * (c * x[j]);                                                   \
    }
    BARE_ROWS(p, PUSH);
#undef PUSH
}

/* x = G y. */
BARE_INLINE void bare_rates(const bare_terms *p, double (*G)[BARE_N], const double *y, double *x) {
#define RATE(j) x[j] = bare_dot(p->width[j], G[j], y)
    BARE_ROWS(p, RATE);
#undef RATE
}

/* S = G1 w G0'. */
BARE_INLINE void bare_schur(const bare_terms *p, const double *w, double (*G1)[BARE_N], double (*G0)[BARE_N],
                            double (*S)[BARE_N]) {
    double Y[BARE_M][BARE_N], column[BARE_M];
#define COLUMN(k)                                                                                                      \
    for (int i = 0; i < p->n; i++) {                                                                                   \
        Y[k][i] = i < p->width[k] ? w[i] * G0[k][i] : 0.0;                                                             \
    }                                                                                                                  \
    bare_rates(p, G1, Y[k], column);                                                                                   \
    for (int j = 0; j < p->m; j++) {                                                                                   \
        S[j][k] = column[j];                                                                                           \
    }
    BARE_ROWS(p, COLUMN);
#undef COLUMN
}

/* ---- Without constraints. State: q, v. ---- */

/* Verlet's method with velocities at the nodes, notes11 (16). */
BARE_INLINE void bare_verlet(const bare_terms *p, const double *c, double h, long steps, double *s) {
    double a[BARE_N], *q = s, *v = s + p->n;
    p->acceleration(c, q, a);
    for (long k = 0; k < steps; k++) {
        for (int i = 0; i < p->n; i++) {
            v[i] += 0.5 * h * a[i];
            q[i] += h * v[i];
        }
        p->acceleration(c, q, a);
        for (int i = 0; i < p->n; i++) {
            v[i] += 0.5 * h * a[i];
        }
    }
}

/* v1 = v0 + h a(q0), q1 = q0 + h v1. State: q, v = (q1 - q0)/h. */
BARE_INLINE void bare_symplectic(const bare_terms *p, const double *c, double h, long steps, double *s) {
    double a[BARE_N], *q = s, *v = s + p->n;
    for (long k = 0; k < steps; k++) {
        p->acceleration(c, q, a);
        for (int i = 0; i < p->n; i++) {
            v[i] += h * a[i];
            q[i] += h * v[i];
        }
    }
}

BARE_INLINE void bare_rk4(const bare_terms *p, const double *c, double h, long steps, double *s) {
    double *q = s, *v = s + p->n;
    for (long k = 0; k < steps; k++) {
        double x[BARE_N], v2[BARE_N], v3[BARE_N], v4[BARE_N], a1[BARE_N], a2[BARE_N], a3[BARE_N], a4[BARE_N];
        p->acceleration(c, q, a1);
        for (int i = 0; i < p->n; i++) {
            v2[i] = v[i] + 0.5 * h * a1[i];
            x[i] = q[i] + 0.5 * h * v[i];
        }
        p->acceleration(c, x, a2);
        for (int i = 0; i < p->n; i++) {
            v3[i] = v[i] + 0.5 * h * a2[i];
            x[i] = q[i] + 0.5 * h * v2[i];
        }
        p->acceleration(c, x, a3);
        for (int i = 0; i < p->n; i++) {
            v4[i] = v[i] + h * a3[i];
            x[i] = q[i] + h * v3[i];
        }
        p->acceleration(c, x, a4);
        for (int i = 0; i < p->n; i++) {
            q[i] += h / 6.0 * (v[i] + 2.0 * v2[i] + 2.0 * v3[i] + v4[i]);
            v[i] += h / 6.0 * (a1[i] + 2.0 * a2[i] + 2.0 * a3[i] + a4[i]);
        }
    }
}

/* The implicit one-step method d = h v0 + theta h^2 a(q0 + theta d), v1 = (d/h - (1 - theta) v0)/theta, by Newton's
 * method for d. */
BARE_INLINE void bare_implicit(const bare_terms *p, const double *c, double h, long steps, double *s, double theta) {
    double *q = s, *v = s + p->n;
    for (long k = 0; k < steps; k++) {
        double d[BARE_N], x[BARE_N], a[BARE_N], r[BARE_N], A[BARE_N][BARE_N];
        for (int i = 0; i < p->n; i++) {
            d[i] = h * v[i];
        }
        for (int iteration = 0; iteration < BARE_ITERATIONS; iteration++) {
            double change = 0.0, scale = 0.0;
            for (int i = 0; i < p->n; i++) {
                x[i] = q[i] + theta * d[i];
            }
            p->acceleration(c, x, a);
            p->slope(c, x, A);
            for (int i = 0; i < p->n; i++) {
                r[i] = h * v[i] + theta * h * h * a[i] - d[i];
                for (int j = 0; j < p->n; j++) {
                    A[i][j] = (i == j) - theta * theta * h * h * A[i][j];
                }
            }
            bare_solve(p->n, A, r);
            for (int i = 0; i < p->n; i++) {
                d[i] += r[i];
                change = bare_larger(change, fabs(r[i]));
                scale = bare_larger(scale, fabs(q[i] + d[i]));
            }
            if (change <= bare_tolerance * scale) {
                break;
            }
        }
        for (int i = 0; i < p->n; i++) {
            q[i] += d[i];
            v[i] = (d[i] / h - (1.0 - theta) * v[i]) / theta;
        }
    }
}

BARE_INLINE void bare_midpoint(const bare_terms *p, const double *c, double h, long steps, double *s) {
    bare_implicit(p, c, h, steps, s, 0.5);
}

BARE_INLINE void bare_euler(const bare_terms *p, const double *c, double h, long steps, double *s) {
    bare_implicit(p, c, h, steps, s, 1.0);
}

/* ---- With constraints and a uniform force, in the order of the state (bare.h). ---- */

/* Moves b along w G0' until g(b) = 0; mu is the sum of the moves. */
BARE_INLINE void bare_project(const bare_terms *p, const double *c, const double *w, double (*G0)[BARE_N], double *b,
                              double *mu) {
    for (int iteration = 0; iteration < BARE_ITERATIONS; iteration++) {
        double g[BARE_M], G1[BARE_M][BARE_N], S[BARE_M][BARE_N], e[BARE_N] = {0.0}, change = 0.0, scale = 0.0;
        p->rows(c, b, g, G1);
        bare_schur(p, w, G1, G0, S);
        bare_solve(p->m, S, g);
        for (int j = 0; j < p->m; j++) {
            g[j] = -g[j];
            mu[j] += g[j];
        }
        bare_push(p, 1.0, w, G0, g, e);
        for (int i = 0; i < p->n; i++) {
            b[i] += e[i];
            change = bare_larger(change, fabs(e[i]));
            scale = bare_larger(scale, fabs(b[i]));
        }
        if (change <= bare_tolerance * scale) {
            break;
        }
    }
}

/* SHAKE, wm96 (4.5) with (4.20): q1 = q0 + h v + h^2 (a + w G0' lambda), g(q1) = 0, v = (q1 - q0)/h. */
BARE_INLINE void bare_shake(const bare_terms *p, const double *c, double h, long steps, double *s) {
    const double inverse = 1.0 / h;
    double w[BARE_N], a[BARE_N], G0[BARE_M][BARE_N], b[BARE_N], mu[BARE_M], *q = s, *v = s + p->n;
    bare_inverses(p, c, w);
    p->acceleration(c, q, a);
    for (int j = 0; j < p->m; j++) {
        mu[j] = h * h * s[2 * p->n + j];
    }
    for (long k = 0; k < steps; k++) {
        p->rows(c, q, NULL, G0);
        for (int i = 0; i < p->n; i++) {
            b[i] = q[i] + h * (v[i] + h * a[i]);
        }
        bare_push(p, 1.0, w, G0, mu, b);
        bare_project(p, c, w, G0, b, mu);
        for (int i = 0; i < p->n; i++) {
            v[i] = inverse * (b[i] - q[i]);
            q[i] = b[i];
        }
    }
}

/* RATTLE, hlw06 VII.1.4. */
BARE_INLINE void bare_rattle(const bare_terms *p, const double *c, double h, long steps, double *s) {
    const double inverse = 1.0 / h;
    double w[BARE_N], a[BARE_N], G0[BARE_M][BARE_N], b[BARE_N], mu[BARE_M], *q = s, *v = s + p->n;
    bare_inverses(p, c, w);
    p->acceleration(c, q, a);
    p->rows(c, q, NULL, G0);
    for (int j = 0; j < p->m; j++) {
        mu[j] = 0.5 * h * h * s[2 * p->n + j];
    }
    for (long k = 0; k < steps; k++) {
        double S[BARE_M][BARE_N], x[BARE_M];
        for (int i = 0; i < p->n; i++) {
            b[i] = q[i] + h * (v[i] + 0.5 * h * a[i]);
        }
        bare_push(p, 1.0, w, G0, mu, b);
        bare_project(p, c, w, G0, b, mu);
        for (int i = 0; i < p->n; i++) {
            v[i] = inverse * (b[i] - q[i]) + 0.5 * h * a[i];
            q[i] = b[i];
        }
        p->rows(c, q, NULL, G0);
        bare_schur(p, w, G0, G0, S);
        bare_rates(p, G0, v, x);
        bare_solve(p->m, S, x);
        bare_push(p, -1.0, w, G0, x, v);
    }
}

/* One linear system per step, spook07 (29), with the coefficients sigma, kappa and upsilon of every row. */
BARE_INLINE void bare_linear(const bare_terms *p, const double *c, double h, long steps, double *s, double sigma,
                             double kappa, double upsilon) {
    double w[BARE_N], a[BARE_N], g[BARE_M], Gv[BARE_M], Ga[BARE_M], G[BARE_M][BARE_N], S[BARE_M][BARE_N];
    double *q = s, *v = s + p->n;
    bare_inverses(p, c, w);
    p->acceleration(c, q, a);
    for (long k = 0; k < steps; k++) {
        p->rows(c, q, g, G);
        bare_schur(p, w, G, G, S);
        bare_rates(p, G, v, Gv);
        bare_rates(p, G, a, Ga);
        for (int j = 0; j < p->m; j++) {
            S[j][j] += sigma;
            g[j] = -kappa * g[j] + (upsilon - 1.0) * Gv[j] - h * Ga[j];
        }
        bare_solve(p->m, S, g);
        bare_push(p, 1.0, w, G, g, v);
        for (int i = 0; i < p->n; i++) {
            v[i] += h * a[i];
            q[i] += h * v[i];
        }
    }
}

/* SPOOK with the default eps = 1e-8 and tau = 2 h. */
BARE_INLINE void bare_spook(const bare_terms *p, const double *c, double h, long steps, double *s) {
    const double upsilon = 1.0 / 9.0;
    bare_linear(p, c, h, steps, s, 4.0 * upsilon * 1e-8 / (h * h), 4.0 * upsilon / h, upsilon);
}

/* REG, reg05 (4.4), of rigid constraints. */
BARE_INLINE void bare_reg(const bare_terms *p, const double *c, double h, long steps, double *s) {
    bare_linear(p, c, h, steps, s, 0.0, 1.0 / h, 0.0);
}

/* VTS without feedback. */
BARE_INLINE void bare_vts(const bare_terms *p, const double *c, double h, long steps, double *s) {
    bare_linear(p, c, h, steps, s, 0.0, 0.0, 0.0);
}

/* Solves K d - G0' x = r, G1 d = -g, K = M - sum_i weight_i Hess g_i; x takes the place of g, d that of r. */
BARE_INLINE void bare_saddle(const bare_terms *p, const double *c, const double *weight, double (*G0)[BARE_N],
                             double (*G1)[BARE_N], double *r, double *g) {
    double Y[BARE_M][BARE_N], d[BARE_N], S[BARE_M][BARE_N], x[BARE_M];
    p->solve(c, weight, r, d);
    for (int k = 0; k < p->m; k++) {
        p->solve(c, weight, G0[k], Y[k]);
        bare_rates(p, G1, Y[k], x);
        for (int j = 0; j < p->m; j++) {
            S[j][k] = x[j];
        }
    }
    bare_rates(p, G1, d, x);
    for (int j = 0; j < p->m; j++) {
        g[j] = -g[j] - x[j];
    }
    bare_solve(p->m, S, g);
    memcpy(r, d, (size_t)p->n * sizeof(double));
    for (int k = 0; k < p->m; k++) {
        for (int i = 0; i < p->n; i++) {
            r[i] += Y[k][i] * g[k];
        }
    }
}

/* What a loop solves for: position, rate and multipliers of the end of a step. Returns whether the correction d of a
 * position near q is within the tolerance. */
BARE_INLINE bool bare_done(int n, const double *q, const double *d) {
    double change = 0.0, scale = 0.0;
    for (int i = 0; i < n; i++) {
        change = bare_larger(change, fabs(d[i]));
        scale = bare_larger(scale, fabs(q[i]));
    }
    return change <= bare_tolerance * scale;
}

/* The discrete Euler-Lagrange equations wm96 (4.5) with (4.1) in momentum form, for (q1, lambda). State: q, v = (q1 -
 * q0)/h, lambda, the momentum p/M. */
BARE_INLINE void bare_del(const bare_terms *p, const double *c, double h, long steps, double *s) {
    double M[BARE_N], a[BARE_N], *q = s, *v = s + p->n, *lambda = s + 2 * p->n, *momentum = lambda + p->m;
    p->masses(c, M);
    for (long k = 0; k < steps; k++) {
        double y[BARE_N], mid[BARE_N], r[BARE_N], g[BARE_M], G0[BARE_M][BARE_N], G1[BARE_M][BARE_N];
        p->rows(c, q, NULL, G0);
        for (int i = 0; i < p->n; i++) {
            y[i] = q[i] + h * v[i];
        }
        for (int iteration = 0; iteration < BARE_ITERATIONS; iteration++) {
            for (int i = 0; i < p->n; i++) {
                mid[i] = 0.5 * (q[i] + y[i]);
            }
            p->acceleration(c, mid, a);
            p->rows(c, y, g, G1);
            for (int i = 0; i < p->n; i++) {
                r[i] = M[i] * (h * (momentum[i] + 0.5 * h * a[i]) - (y[i] - q[i]));
            }
            bare_push(p, h * h, NULL, G0, lambda, r);
            bare_saddle(p, c, (const double[BARE_M]){0.0}, G0, G1, r, g);
            for (int i = 0; i < p->n; i++) {
                y[i] += r[i];
            }
            for (int j = 0; j < p->m; j++) {
                lambda[j] += g[j] / (h * h);
            }
            if (bare_done(p->n, y, r)) {
                break;
            }
        }
        for (int i = 0; i < p->n; i++) {
            v[i] = (y[i] - q[i]) / h;
            momentum[i] = v[i] + 0.5 * h * a[i];
            q[i] = y[i];
        }
    }
}

/* The energy-momentum method, wm96 5.2 (integrators/em.c), for (u, lambda). State: q, v, lambda. */
BARE_INLINE void bare_em(const bare_terms *p, const double *c, double h, long steps, double *s) {
    const double half = 0.5 * h * h, inverse = 1.0 / h;
    double M[BARE_N], a[BARE_N], *q = s, *v = s + p->n, *lambda = s + 2 * p->n;
    p->masses(c, M);
    p->acceleration(c, q, a);
    for (long k = 0; k < steps; k++) {
        double u[BARE_N], mid[BARE_N], end[BARE_N], r[BARE_N], g[BARE_M], G[BARE_M][BARE_N], G1[BARE_M][BARE_N];
        memcpy(u, v, sizeof(double) * (size_t)p->n);
        for (int iteration = 0; iteration < BARE_ITERATIONS; iteration++) {
            double weight[BARE_M];
            for (int i = 0; i < p->n; i++) {
                mid[i] = q[i] + 0.5 * h * u[i];
                end[i] = q[i] + h * u[i];
            }
            p->rows(c, mid, NULL, G);
            p->rows(c, end, g, G1);
            for (int i = 0; i < p->n; i++) {
                r[i] = M[i] * (half * a[i] - h * (u[i] - v[i]));
            }
            bare_push(p, half, NULL, G, lambda, r);
            for (int j = 0; j < p->m; j++) {
                weight[j] = 0.5 * half * lambda[j];
            }
            bare_saddle(p, c, weight, G, G1, r, g);
            for (int i = 0; i < p->n; i++) {
                u[i] += inverse * r[i];
            }
            for (int j = 0; j < p->m; j++) {
                lambda[j] += g[j] / half;
            }
            if (bare_done(p->n, end, r)) {
                break;
            }
        }
        for (int i = 0; i < p->n; i++) {
            q[i] += h * u[i];
            v[i] = 2.0 * u[i] - v[i];
        }
    }
}

/* The generalized-alpha method with rho = 0.8, chung93 (integrators/shared/alpha_method.h), for (v', lambda). State: q,
 * v, lambda, a, v'. */
BARE_INLINE void bare_alpha(const bare_terms *p, const double *c, double h, long steps, double *s) {
    const double rho = 0.8, alpha_m = (2.0 * rho - 1.0) / (rho + 1.0), alpha_f = rho / (rho + 1.0),
                 d = alpha_f - alpha_m, beta = 0.25 * (1.0 + d) * (1.0 + d), gamma = 0.5 + d,
                 scale = beta * h * h * (1.0 - alpha_f) / (1.0 - alpha_m);
    double M[BARE_N], force[BARE_N], *q = s, *v = s + p->n, *lambda = s + 2 * p->n, *a = lambda + p->m,
                                     *rate = a + p->n;
    p->masses(c, M);
    p->acceleration(c, q, force);
    for (long k = 0; k < steps; k++) {
        double end[BARE_N], a1[BARE_N], next[BARE_N], r[BARE_N], g[BARE_M], G[BARE_M][BARE_N];
        memcpy(next, rate, sizeof(double) * (size_t)p->n);
        for (int iteration = 0; iteration < BARE_ITERATIONS; iteration++) {
            double weight[BARE_M];
            for (int i = 0; i < p->n; i++) {
                a1[i] = ((1.0 - alpha_f) * next[i] + alpha_f * rate[i] - alpha_m * a[i]) / (1.0 - alpha_m);
                end[i] = q[i] + h * (v[i] + h * ((0.5 - beta) * a[i] + beta * a1[i]));
            }
            p->rows(c, end, g, G);
            for (int i = 0; i < p->n; i++) {
                r[i] = scale * M[i] * (force[i] - next[i]);
            }
            bare_push(p, scale, NULL, G, lambda, r);
            for (int j = 0; j < p->m; j++) {
                weight[j] = scale * lambda[j];
            }
            bare_saddle(p, c, weight, G, G, r, g);
            for (int i = 0; i < p->n; i++) {
                next[i] += r[i] / scale;
            }
            for (int j = 0; j < p->m; j++) {
                lambda[j] += g[j] / scale;
            }
            if (bare_done(p->n, end, r)) {
                break;
            }
        }
        for (int i = 0; i < p->n; i++) {
            a1[i] = ((1.0 - alpha_f) * next[i] + alpha_f * rate[i] - alpha_m * a[i]) / (1.0 - alpha_m);
            q[i] += h * (v[i] + h * ((0.5 - beta) * a[i] + beta * a1[i]));
            v[i] += h * ((1.0 - gamma) * a[i] + gamma * a1[i]);
            a[i] = a1[i];
            rate[i] = next[i];
        }
    }
}
