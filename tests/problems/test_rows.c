/* The callbacks of constraints, gaps and friction rows of every system against differences, at points on and off the
 * constraints; the constraints at the initial state. */
#include <stepbench/numerics/dynamics.h>

#include "tests/problems/points.h"
#include "tests/problems/synthetic.h"

enum { POINTS = 5 };

/* The bound is 16 roundings of every term: those of an entry of Hess g_i, which is added onto `base`, and of the sum.
 * Entries to which nothing is added are 0 exactly. */
static void check_curvature(const point *p) {
    const sb_holonomic *h = &p->sys->holonomic;
    const int n = p->sys->n;
    double out[N], opposite[N], rest[N], terms[N], v[N], matrix[NN];
    for (int i = 0; i < n; i++) {
        v[i] = -p->v[i];
        rest[i] = 0.0;
    }
    int status =
        sb_holonomic_curvature(p->sys, 0.3, p->q, p->v, out) | sb_holonomic_curvature(p->sys, 0.3, p->q, v, opposite);
    memset(v, 0, sizeof v);
    status |= sb_holonomic_curvature(p->sys, 0.3, p->q, v, rest);
    gsl_test(status != SB_OK, "%s: curvature", p->sys->name);
    for (int i = 0; i < h->m; i++) { /* without 2 G_t v and g_tt, which may be larger */
        terms[i] = fabs(out[i]) + fabs(opposite[i]) + fabs(rest[i]);
        out[i] = 0.5 * (out[i] + opposite[i]) - rest[i];
    }
    for (int i = 0; i < h->m; i++) {
        accumulated a;
        double e[N] = {0.0}, sum = 0.0, size = terms[i];
        e[i] = 1.0;
        fill(&a);
        gsl_test(sb_holonomic_hessian(p->sys, 0.3, p->q, e, 1.0, a.Hx) != SB_OK, "%s: constraint hessian",
                 p->sys->name);
        take(p->sys, &a, 1.0, matrix);
        for (int k = 0; k < n * n; k++) {
            const double vv = p->v[k % n] * p->v[k / n];
            sum += vv * matrix[k];
            size += matrix[k] != 0.0 ? fabs(vv) * (fabs(matrix[k]) + base) : 0.0;
        }
        gsl_test(!close_to(out[i], sum, 16.0 * DBL_EPSILON * size), "%s: v' Hess g_%d v (%g, %g)", p->sys->name, i,
                 out[i], sum);
    }
}

/* Sets `out` (rows x n) from values whose columns are gradients of the rows. */
static void rows_of(const sb_pattern *a, const double *ax, double *out) {
    double columns[NN];
    dense(a, ax, columns);
    for (int i = 0; i < a->cols; i++) {
        for (int k = 0; k < a->rows; k++) {
            out[i + a->cols * k] = columns[k + a->rows * i];
        }
    }
}

static void check_holonomic(const point *p) {
    const sb_holonomic *h = &p->sys->holonomic;
    const int n = p->sys->n;
    double g0[N], g1[N], Gx0[NN], Gx1[NN], matrix[NN];
    accumulated a;
    if (h->m == 0) {
        return;
    }
    int status = sb_holonomic_value(p->sys, 0.3, p->q, g0, Gx0);
    status |= sb_holonomic_value(p->sys, 0.3, p->q, g1, NULL) | sb_holonomic_value(p->sys, 0.3, p->q, NULL, Gx1);
    const bool same = memcmp(g0, g1, (size_t)h->m * sizeof(double)) == 0 &&
                      memcmp(Gx0, Gx1, (size_t)sb_pattern_nnz(&h->G) * sizeof(double)) == 0;
    gsl_test(status != SB_OK || !same, "%s: g and G are the same asked for alone and together", p->sys->name);
    rows_of(&h->G, Gx0, matrix);
    expect_derivative(p, term_g, p->size_q * p->size_q, h->m, false, matrix, "G");
    fill(&a);
    gsl_test(sb_holonomic_hessian(p->sys, 0.3, p->q, p->w, 0.875, a.Hx) != SB_OK, "%s: constraint hessian",
             p->sys->name);
    take(p->sys, &a, 0.875, matrix);
    expect_derivative(p, term_Gw, 0.0, n, false, matrix, "sum w_i Hess g_i");
    check_curvature(p);
}

/* ---- Nonholonomic rows. ---- */

/* A(q + v x) v - w at the time 0.3 + x: rows that move along with the motion at constant velocity. */
static void on_motion(const void *arg, double x, double *out) {
    const point *p = arg;
    const sb_nonholonomic *h = &p->sys->nonholonomic;
    double q[N], Ax[NN], w[N];
    for (int i = 0; i < p->sys->n; i++) {
        q[i] = p->q[i] + x * p->v[i];
    }
    if (h->value(h->self, 0.3 + x, q, Ax, w) != SB_OK) {
        w[0] = NAN;
    }
    sb_csc_mult_t(&h->A, Ax, p->v, out);
    for (int i = 0; i < h->m; i++) {
        out[i] -= w[i];
    }
}

static void check_nonholonomic(const point *p) {
    const sb_nonholonomic *h = &p->sys->nonholonomic;
    double A0[NN], A1[NN], w0[N], w1[N], rate[N], slope[DIFFERENCE_MAX], bound[DIFFERENCE_MAX], by_q[NN], matrix[NN];
    if (h->m == 0) {
        return;
    }
    int status = h->value(h->self, 0.3, p->q, A0, w0);
    status |= h->value(h->self, 0.3, p->q, A1, NULL) | h->value(h->self, 0.3, p->q, NULL, w1) |
              h->rate(h->self, 0.3, p->q, p->v, rate);
    const bool same = memcmp(w0, w1, (size_t)h->m * sizeof(double)) == 0 &&
                      memcmp(A0, A1, (size_t)sb_pattern_nnz(&h->A) * sizeof(double)) == 0;
    gsl_test(status != SB_OK || !same, "%s: A and w are the same asked for alone and together", p->sys->name);
    const curve rows = {h->m, on_motion, p};
    difference(&rows, 0.01 * fmin(1.0, p->size_q / p->size_v), 0.0, slope, bound);
    for (int i = 0; i < h->m; i++) {
        gsl_test(!close_to(rate[i], slope[i], bound[i]), "%s: d/dt (A v - w) of row %d (%g, %g, bound %g)",
                 p->sys->name, i, rate[i], slope[i], bound[i]);
    }
    for (int k = 0; k < sb_pattern_nnz(&h->A); k++) {
        by_q[k] = h->gradient == NULL ? 0.0 : (double)NAN; /* to be set, all of them */
    }
    gsl_test(h->gradient != NULL && h->gradient(h->self, 0.3, p->q, p->v, by_q) != SB_OK, "%s: (A v)_q", p->sys->name);
    rows_of(&h->A, by_q, matrix);
    expect_derivative(p, term_Av, sb_norm_max(sb_pattern_nnz(&h->A), A0) * sb_norm_max(p->sys->n, p->v), h->m, false,
                      matrix, "(A v)_q");
}

/* ---- Gaps and friction rows. ---- */

static void check_contact(const point *p) {
    const sb_contact *c = &p->sys->contact;
    double xi0[N], xi1[N], Nx0[NN], Nx1[NN], matrix[NN], Dx0[NN], Dx1[NN], w0[N], w1[N];
    if (c->m > 0) {
        int status = c->gap(c->self, p->q, xi0, Nx0);
        status |= c->gap(c->self, p->q, xi1, NULL) | c->gap(c->self, p->q, NULL, Nx1);
        const bool same = memcmp(xi0, xi1, (size_t)c->m * sizeof(double)) == 0 &&
                          memcmp(Nx0, Nx1, (size_t)sb_pattern_nnz(&c->N) * sizeof(double)) == 0;
        gsl_test(status != SB_OK || !same, "%s: xi and N are the same asked for alone and together", p->sys->name);
        rows_of(&c->N, Nx0, matrix);
        expect_derivative(p, term_xi, p->size_q, c->m, false, matrix, "N");
    }
    if (c->k > 0) {
        int status = c->slip(c->self, 0.3, p->q, Dx0, w0);
        status |= c->slip(c->self, 0.3, p->q, Dx1, NULL) | c->slip(c->self, 0.3, p->q, NULL, w1);
        const bool same = memcmp(w0, w1, (size_t)c->k * sizeof(double)) == 0 &&
                          memcmp(Dx0, Dx1, (size_t)sb_pattern_nnz(&c->D) * sizeof(double)) == 0;
        gsl_test(status != SB_OK || !same, "%s: D and w are the same asked for alone and together", p->sys->name);
    }
}

/* The initial state satisfies all constraints: to the rounding of the terms a row is summed from, of which there are at
 * most 8 a row. */
static void check_start(const sb_system *sys) {
    double t, q[N], v[N], g[N], Gx[NN], rate[N], w[N];
    gsl_test(sys->initial(sys->self, &t, q, v) != SB_OK, "%s: initial", sys->name);
    const double size = sb_norm_max(sys->n, q), speed = sb_norm_max(sys->n, v), unit = 8.0 * DBL_EPSILON;
    if (sys->holonomic.m > 0) {
        const double G = sb_holonomic_value(sys, t, q, g, Gx) == SB_OK && sb_holonomic_rate(sys, t, q, w) == SB_OK
                             ? sb_norm_max(sb_pattern_nnz(&sys->holonomic.G), Gx)
                             : NAN;
        sb_csc_mult_t(&sys->holonomic.G, Gx, v, rate);
        for (int i = 0; i < sys->holonomic.m; i++) {
            rate[i] += w[i];
        }
        gsl_test(!(sb_norm_max(sys->holonomic.m, g) <= unit * fmax(1.0, G) * size), "%s: g = 0 at the start (%g)",
                 sys->name, sb_norm_max(sys->holonomic.m, g));
        gsl_test(!(sb_norm_max(sys->holonomic.m, rate) <= unit * G * speed), "%s: dg/dt = 0 at the start (%g)",
                 sys->name, sb_norm_max(sys->holonomic.m, rate));
    }
    if (sys->nonholonomic.m > 0) {
        const double A = sys->nonholonomic.value(sys->nonholonomic.self, t, q, Gx, w) == SB_OK
                             ? sb_norm_max(sb_pattern_nnz(&sys->nonholonomic.A), Gx)
                             : NAN;
        sb_csc_mult_t(&sys->nonholonomic.A, Gx, v, rate);
        for (int i = 0; i < sys->nonholonomic.m; i++) {
            gsl_test(!close_to(rate[i], w[i], unit * A * speed), "%s: A v = w at the start (%g, %g)", sys->name,
                     rate[i], w[i]);
        }
    }
    if (sys->contact.m > 0) {
        const double slope = sys->contact.gap(sys->contact.self, q, g, Gx) == SB_OK
                                 ? sb_norm_max(sb_pattern_nnz(&sys->contact.N), Gx)
                                 : NAN;
        for (int i = 0; i < sys->contact.m; i++) {
            gsl_test(!(g[i] >= -unit * fmax(1.0, slope) * size), "%s: xi%d >= 0 at the start (%g)", sys->name, i, g[i]);
        }
    }
}

static void check(sb_context *ctx, sb_arena *arena, const sb_system *sys) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 20111201);
    check_start(sys);
    for (int k = 0; k < POINTS; k++) {
        point p;
        random_point(rng, sys, &p);
        check_holonomic(&p);
        check_nonholonomic(&p);
        check_contact(&p);
    }
    gsl_rng_free(rng);
}

int main(void) {
    on_every_system(check);
    on_synthetic(check);
    return gsl_test_summary();
}
