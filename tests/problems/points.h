/* Random points of a system, its terms there, and derivatives of the terms by differences. */
#ifndef TESTS_PROBLEMS_POINTS_H
#define TESTS_PROBLEMS_POINTS_H

#include <gsl/gsl_rng.h>

#include <stepbench/numerics/norm.h>

#include "tests/problems/differences.h"
#include "tests/problems/systems.h"

enum { N = DIFFERENCE_MAX, NN = N * N };

typedef struct point {
    const sb_system *sys;
    double q[N], v[N], w[N]; /* w: weights of rows */
    double size_q, size_v, size_T;
} point;

static inline double random_in(gsl_rng *rng, double size) { return size * (2.0 * gsl_rng_uniform(rng) - 1.0); }

static inline bool by_differences(const sb_system *sys) { return strncmp(sys->name, "baumgarte", 9) == 0; }

/* Within a quarter of the initial position's size around it, so that domains with a hole at the origin are not left;
 * nearer where constraints must not lose rank. */
static inline void random_point(gsl_rng *rng, const sb_system *sys, point *p) {
    double t;
    p->sys = sys;
    gsl_test(sys->initial(sys->self, &t, p->q, p->v) != SB_OK, "%s: initial", sys->name);
    p->size_q = fmax(sb_norm_max(sys->n, p->q), 0.1);
    p->size_v = fmax(sb_norm_max(sys->n, p->v), 1.0);
    for (int i = 0; i < sys->n; i++) {
        p->q[i] += random_in(rng, (by_differences(sys) ? 0.02 : 0.25) * p->size_q);
        p->v[i] += random_in(rng, p->size_v);
    }
    for (int i = 0; i < N; i++) {
        p->w[i] = random_in(rng, 1.0);
    }
}

/* ---- Scalars, vectors and matrices at a point. ---- */

/* Sets `out` (rows x cols, dense) from values on a pattern. */
static inline void dense(const sb_pattern *a, const double *ax, double *out) {
    memset(out, 0, (size_t)(a->rows * a->cols) * sizeof(double));
    for (int j = 0; j < a->cols; j++) {
        for (int k = a->p[j]; k < a->p[j + 1]; k++) {
            out[a->i[k] + a->rows * j] = ax[k];
        }
    }
}

static inline int momentum(const sb_system *sys, const double *q, const double *v, double *p) {
    double Mx[NN];
    SB_TRY(sys->inertia.mass(sys->inertia.self, q, Mx));
    memset(p, 0, (size_t)sys->n * sizeof(double));
    sb_csc_mult_add(&sys->inertia.M, Mx, 1.0, v, p);
    return SB_OK;
}

/* The size of the terms T is summed from. */
static inline double size_of_T(const point *p) {
    double Tv[N], sum = 0.0;
    if (momentum(p->sys, p->q, p->v, Tv) != SB_OK) {
        return NAN;
    }
    for (int i = 0; i < p->sys->n; i++) {
        sum += fabs(p->v[i] * Tv[i]);
    }
    return sum;
}

static inline int kinetic(const sb_system *sys, const double *q, const double *v, double *T) {
    double p[N];
    SB_TRY(momentum(sys, q, v, p));
    *T = 0.0;
    for (int i = 0; i < sys->n; i++) {
        *T += 0.5 * p[i] * v[i];
    }
    return SB_OK;
}

static inline int kinetic_gradient(const sb_system *sys, const double *q, const double *v, double *Tq) {
    memset(Tq, 0, (size_t)sys->n * sizeof(double));
    return sys->inertia.gradient == NULL ? SB_OK : sys->inertia.gradient(sys->inertia.self, q, v, Tq);
}

/* ---- What is differentiated: a function of (q, v) moved along one coordinate of one of them. ---- */

typedef int (*term)(const point *p, const double *q, const double *v, double *out);

typedef struct line {
    const point *p;
    term f;
    bool along_v;
    int coordinate;
} line;

static inline void on_line(const void *arg, double x, double *out) {
    const line *l = arg;
    double q[N], v[N];
    memcpy(q, l->p->q, sizeof q);
    memcpy(v, l->p->v, sizeof v);
    (l->along_v ? v : q)[l->coordinate] += x;
    if (l->f(l->p, q, v, out) != SB_OK) {
        out[0] = NAN;
    }
}

/* What a matrix accumulates onto, see `take`: it must survive, and costs a round-off of its size. */
static const double base = 0.375;

/* `matrix` (rows x n) against the differences of f by q or v, column by column; size: of the terms f is summed from. */
static inline void expect_derivative(const point *p, term f, double size, int rows, bool along_v, const double *matrix,
                                     const char *what) {
    /* A stabilized system's forces are fractions whose denominator vanishes where the constraints lose rank: not far
     * from an arbitrary point. */
    const double reach = by_differences(p->sys) ? 0.001 : 0.005;
    double worst = 0.0;
    for (int j = 0; j < p->sys->n; j++) {
        const line l = {p, f, along_v, j};
        const curve c = {rows, on_line, &l};
        double d[DIFFERENCE_MAX], bound[DIFFERENCE_MAX];
        difference(&c, reach * (along_v ? p->size_v : p->size_q), size, d, bound);
        for (int i = 0; i < rows; i++) {
            const double allowed = bound[i] + 4.0 * DBL_EPSILON * base;
            const double ratio =
                close_to(matrix[i + rows * j], d[i], allowed) ? 0.0 : fabs(matrix[i + rows * j] - d[i]) / allowed;
            worst = ratio <= worst ? worst : ratio;
        }
    }
    gsl_test(!(worst == 0.0), "%s: %s (error %g times the bound of the differences)", p->sys->name, what, worst);
}

static inline int term_T(const point *p, const double *q, const double *v, double *out) {
    return kinetic(p->sys, q, v, out);
}
static inline int term_Tq(const point *p, const double *q, const double *v, double *out) {
    return kinetic_gradient(p->sys, q, v, out);
}
static inline int term_Tv(const point *p, const double *q, const double *v, double *out) {
    return momentum(p->sys, q, v, out);
}

static inline int term_V(const point *p, const double *q, const double *v, double *out) {
    (void)v;
    return sb_potential_value(p->sys, 0.3, q, out);
}

static inline int term_Vq(const point *p, const double *q, const double *v, double *out) {
    (void)v;
    return sb_potential_gradient(p->sys, 0.3, q, out);
}

static inline int term_f(const point *p, const double *q, const double *v, double *out) {
    return p->sys->force.value(p->sys->force.self, 0.3, q, v, out);
}

static inline int term_g(const point *p, const double *q, const double *v, double *out) {
    (void)v;
    return sb_holonomic_value(p->sys, 0.3, q, out, NULL);
}

static inline int term_xi(const point *p, const double *q, const double *v, double *out) {
    (void)v;
    return p->sys->contact.gap(p->sys->contact.self, q, out, NULL);
}

static inline int term_Av(const point *p, const double *q, const double *v, double *out) {
    const sb_nonholonomic *h = &p->sys->nonholonomic;
    double Ax[NN];
    SB_TRY(h->value(h->self, 0.3, q, Ax, NULL));
    sb_csc_mult_t(&h->A, Ax, v, out);
    return SB_OK;
}

static inline int term_Gw(const point *p, const double *q, const double *v, double *out) {
    const sb_holonomic *h = &p->sys->holonomic;
    double Gx[NN];
    (void)v;
    SB_TRY(sb_holonomic_value(p->sys, 0.3, q, NULL, Gx));
    memset(out, 0, (size_t)p->sys->n * sizeof(double));
    sb_csc_mult_add(&h->G, Gx, 1.0, p->w, out);
    return SB_OK;
}

/* values += c * term on H, started from `base` everywhere. */
typedef struct accumulated {
    double Hx[NN];
} accumulated;

static inline void fill(accumulated *a) {
    for (int i = 0; i < NN; i++) {
        a->Hx[i] = base;
    }
}

static inline void take(const sb_system *sys, accumulated *a, double c, double *matrix) {
    for (int i = 0; i < sb_pattern_nnz(&sys->H); i++) {
        a->Hx[i] = (a->Hx[i] - base) / c;
    }
    dense(&sys->H, a->Hx, matrix);
}

#endif
