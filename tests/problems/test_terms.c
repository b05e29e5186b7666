/* Every callback of every system against differences of the callback it derives from, at points on and off the
 * constraints. */
#include <stepbench/numerics/dynamics.h>

#include "tests/problems/points.h"
#include "tests/problems/synthetic.h"

enum { POINTS = 5 };

/* ---- The checks. ---- */

static void check_patterns(const point *p) {
    const sb_pattern *H = &p->sys->H, *M = &p->sys->inertia.M;
    bool symmetric = true, covers = true;
    for (int j = 0; j < H->cols; j++) {
        for (int k = H->p[j]; k < H->p[j + 1]; k++) {
            symmetric = symmetric && sb_pattern_find(H, j, H->i[k]) >= 0;
        }
        for (int k = M->p[j]; k < M->p[j + 1]; k++) {
            covers = covers && sb_pattern_find(H, M->i[k], j) >= 0;
        }
    }
    gsl_test(!symmetric || !covers, "%s: the pattern H is symmetric and covers M", p->sys->name);
}

/* values += c * term on H, started from `base` everywhere. */
typedef struct accumulated {
    double Hx[NN];
} accumulated;

static void fill(accumulated *a) {
    for (int i = 0; i < NN; i++) {
        a->Hx[i] = base;
    }
}

static void take(const sb_system *sys, accumulated *a, double c, double *matrix) {
    for (int i = 0; i < sb_pattern_nnz(&sys->H); i++) {
        a->Hx[i] = (a->Hx[i] - base) / c;
    }
    dense(&sys->H, a->Hx, matrix);
}

static void check_inertia(const point *p) {
    const sb_system *sys = p->sys;
    const sb_inertia *in = &sys->inertia;
    double Mx[NN], M[NN], Tq[N], matrix[NN];
    accumulated a;
    bool symmetric = true;
    gsl_test(in->mass(in->self, p->q, Mx) != SB_OK, "%s: mass", sys->name);
    dense(&in->M, Mx, M);
    const double size = sb_norm_max(sys->n * sys->n, M);
    for (int i = 0; i < sys->n; i++) {
        for (int j = 0; j < i; j++) {
            /* Sums of at most 16 products in another order. */
            symmetric = symmetric && close_to(M[i + sys->n * j], M[j + sys->n * i], 16.0 * DBL_EPSILON * size);
        }
    }
    gsl_test(!symmetric || !(size > 0.0), "%s: M is symmetric", sys->name);
    gsl_test(kinetic_gradient(sys, p->q, p->v, Tq) != SB_OK, "%s: T_q", sys->name);
    expect_derivative(p, term_T, p->size_T, 1, false, Tq, "T_q");
    static const struct {
        double c[3];
        term f;
        bool along_v;
        const char *what;
    } blocks[3] = {{{-0.75, 0.0, 0.0}, term_Tq, false, "T_qq"},
                   {{0.0, 1.5, 0.0}, term_Tq, true, "T_qv"},
                   {{0.0, 0.0, 0.625}, term_Tv, false, "T_vq"}};
    for (int b = 0; b < 3; b++) {
        fill(&a);
        if (in->hessian != NULL) {
            gsl_test(in->hessian(in->self, p->q, p->v, blocks[b].c[0], blocks[b].c[1], blocks[b].c[2], a.Hx) != SB_OK,
                     "%s: T hessian", sys->name);
        }
        take(sys, &a, blocks[b].c[b], matrix);
        expect_derivative(p, blocks[b].f, b == 2 ? 0.0 : p->size_T / p->size_q, sys->n, blocks[b].along_v, matrix,
                          blocks[b].what);
    }
    gsl_test((in->gradient == NULL) != (in->hessian == NULL),
             "%s: gradient and hessian of T are both there or both not", sys->name);
}

static void check_potential(const point *p) {
    const sb_potential *V = &p->sys->potential;
    double Vq[N], matrix[NN];
    accumulated a;
    if (V->value == NULL) {
        return;
    }
    gsl_test(V->gradient(V->self, p->q, Vq) != SB_OK, "%s: V_q", p->sys->name);
    expect_derivative(p, term_V, sb_norm_max(p->sys->n, Vq) * p->size_q, 1, false, Vq, "V_q");
    fill(&a);
    if (V->hessian != NULL) {
        gsl_test(V->hessian(V->self, p->q, -1.25, a.Hx) != SB_OK, "%s: V_qq", p->sys->name);
    }
    take(p->sys, &a, -1.25, matrix);
    expect_derivative(p, term_Vq, 0.0, p->sys->n, false, matrix, "V_qq");
}

static void check_force(const point *p) {
    const sb_force *f = &p->sys->force;
    double matrix[NN];
    accumulated a;
    if (f->value == NULL) {
        return;
    }
    /* Those of a stabilized system are differences themselves, of sixth order over half the step: within the same
     * bound, but for the rounding of half a step. */
    double value[N];
    gsl_test(f->value(f->self, 0.3, p->q, p->v, value) != SB_OK, "%s: f", p->sys->name);
    const double size = by_differences(p->sys) ? 4.0 * sb_norm_max(p->sys->n, value) : 0.0;
    for (int by_v = 0; by_v < 2; by_v++) {
        fill(&a);
        gsl_test(f->jacobian(f->self, 0.3, p->q, p->v, by_v ? 0.0 : 1.75, by_v ? 1.75 : 0.0, a.Hx) != SB_OK,
                 "%s: f jacobian", p->sys->name);
        take(p->sys, &a, 1.75, matrix);
        expect_derivative(p, term_f, size, p->sys->n, by_v, matrix, by_v ? "f_v" : "f_q");
    }
}

/* a M v + h (T_q - V_q + f) from the terms, and with any of the three missing. */
static void check_impulse(sb_context *ctx, sb_arena *arena, const point *p) {
    const double a = 0.3, h = 0.7;
    const int n = p->sys->n;
    sb_mass mass;
    double Mx[NN], M[NN];
    gsl_test(sb_mass_init(ctx, arena, p->sys, &mass) != SB_OK || sb_mass_evaluate(&mass, p->q) != SB_OK ||
                 p->sys->inertia.mass(p->sys->inertia.self, p->q, Mx) != SB_OK,
             "%s: mass (%s)", p->sys->name, ctx->message);
    dense(&p->sys->inertia.M, Mx, M);
    for (int missing = 0; missing < 8; missing++) {
        sb_system sys = *p->sys;
        double impulse[N], expected[N] = {0.0}, part[N], tmp[N], size = 0.0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                expected[i] += a * M[i + n * j] * p->v[j];
                size += fabs(a * M[i + n * j] * p->v[j]);
            }
        }
        static const double sign[] = {-1.0, 1.0, 1.0};
        for (int k = 0; k < 3; k++) {
            int status = SB_OK;
            memset(part, 0, sizeof part);
            if ((missing & 1 << k) != 0) {
                sys.potential.gradient = k == 0 ? NULL : sys.potential.gradient;
                sys.inertia.gradient = k == 1 ? NULL : sys.inertia.gradient;
                sys.force.value = k == 2 ? NULL : sys.force.value;
            } else if (k == 0 && sys.potential.gradient != NULL) {
                status = sys.potential.gradient(sys.potential.self, p->q, part);
            } else if (k == 1) {
                status = kinetic_gradient(&sys, p->q, p->v, part);
            } else if (k == 2 && sys.force.value != NULL) {
                status = sys.force.value(sys.force.self, 0.3, p->q, p->v, part);
            }
            gsl_test(status, "%s: forces", sys.name);
            for (int i = 0; i < n; i++) {
                expected[i] += h * sign[k] * part[i];
            }
            size += h * sb_norm_max(n, part);
        }
        bool same = sb_system_impulse(&sys, &mass, 0.3, p->q, p->v, a, h, impulse, tmp) == SB_OK;
        for (int i = 0; i < n; i++) {
            same =
                same && close_to(impulse[i], expected[i], (n + 3.0) * DBL_EPSILON * size); /* a sum of so many terms */
        }
        gsl_test(!same, "%s: momentum and impulse together, without forces %d", sys.name, missing);
    }
}

static void check_curvature(const point *p) {
    const sb_holonomic *h = &p->sys->holonomic;
    const int n = p->sys->n;
    double out[N], matrix[NN];
    gsl_test(h->curvature(h->self, p->q, p->v, out) != SB_OK, "%s: curvature", p->sys->name);
    for (int i = 0; i < h->m; i++) {
        accumulated a;
        double e[N] = {0.0}, sum = 0.0, size = 0.0;
        e[i] = 1.0;
        fill(&a);
        gsl_test(h->hessian(h->self, p->q, e, 1.0, a.Hx) != SB_OK, "%s: constraint hessian", p->sys->name);
        take(p->sys, &a, 1.0, matrix);
        for (int k = 0; k < n * n; k++) {
            sum += p->v[k % n] * matrix[k] * p->v[k / n];
            size += fabs(p->v[k % n] * matrix[k] * p->v[k / n]) + p->size_v * p->size_v * base;
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
    int status = h->value(h->self, p->q, g0, Gx0);
    status |= h->value(h->self, p->q, g1, NULL) | h->value(h->self, p->q, NULL, Gx1);
    const bool same = memcmp(g0, g1, (size_t)h->m * sizeof(double)) == 0 &&
                      memcmp(Gx0, Gx1, (size_t)sb_pattern_nnz(&h->G) * sizeof(double)) == 0;
    gsl_test(status != SB_OK || !same, "%s: g and G are the same asked for alone and together", p->sys->name);
    rows_of(&h->G, Gx0, matrix);
    expect_derivative(p, term_g, p->size_q * p->size_q, h->m, false, matrix, "G");
    fill(&a);
    gsl_test(h->hessian(h->self, p->q, p->w, 0.875, a.Hx) != SB_OK, "%s: constraint hessian", p->sys->name);
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
        const double G = sys->holonomic.value(sys->holonomic.self, q, g, Gx) == SB_OK
                             ? sb_norm_max(sb_pattern_nnz(&sys->holonomic.G), Gx)
                             : NAN;
        sb_csc_mult_t(&sys->holonomic.G, Gx, v, rate);
        gsl_test(!(sb_norm_max(sys->holonomic.m, g) <= unit * fmax(1.0, G) * size), "%s: g = 0 at the start (%g)",
                 sys->name, sb_norm_max(sys->holonomic.m, g));
        gsl_test(!(sb_norm_max(sys->holonomic.m, rate) <= unit * G * speed), "%s: G v = 0 at the start (%g)", sys->name,
                 sb_norm_max(sys->holonomic.m, rate));
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

/* The third difference of a polynomial of degree two along a line vanishes, the second one of a linear one. */
static void check_degree(const point *p, term f, int rows, int degree, const char *what) {
    double value[4][N], third = 0.0, second = 0.0, first = 0.0, size = 0.0;
    for (int k = 0; k < 4; k++) {
        double q[N];
        for (int i = 0; i < p->sys->n; i++) {
            q[i] = p->q[i] + 0.1 * k * p->size_q * p->w[i];
        }
        gsl_test(f(p, q, p->v, value[k]) != SB_OK, "%s: %s along a line", p->sys->name, what);
        size = fmax(size, sb_norm_max(rows, value[k]));
    }
    for (int i = 0; i < rows; i++) {
        third = fmax(third, fabs(value[3][i] - 3.0 * value[2][i] + 3.0 * value[1][i] - value[0][i]));
        second = fmax(second, fabs(value[2][i] - 2.0 * value[1][i] + value[0][i]));
        first = fmax(first, fabs(value[1][i] - value[0][i]));
    }
    /* Eight times 64 units in the last place, as in differences.h, plus the positions' own: |q| enters a polynomial
     * squared, and other terms by their slope, ten first differences. */
    const double noise = 512.0 * DBL_EPSILON * (size + (degree < 0 ? 10.0 * first : p->size_q * p->size_q));
    gsl_test(degree < 0 ? !(third > noise || size == 0.0) : !(third <= noise),
             "%s: %s is of the degree %d it claims (third difference %g)", p->sys->name, what, degree, third);
    gsl_test(degree == 1 && !(second <= noise), "%s: %s is linear", p->sys->name, what);
    gsl_test(degree == 2 && !(second > noise), "%s: %s is quadratic", p->sys->name, what);
}

static double dot(int n, const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static double dot_size(int n, const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += fabs(a[i] * b[i]);
    }
    return sum;
}

/* xi_Q and its affine part's action on v leave T, V and g unchanged to first order; xi is affine. Round-off: 64 units
 * of the terms' sizes.
 */
static void check_symmetry(const point *p) {
    const sb_system *sys = p->sys;
    const int n = sys->n;
    const double unit = 64.0 * DBL_EPSILON;
    double Tq[N], Tv[N], Vq[N] = {0.0}, g[N], Gx[NN] = {0.0}, along[N] = {0.0};
    int status = kinetic_gradient(sys, p->q, p->v, Tq) | momentum(sys, p->q, p->v, Tv);
    status |= sys->potential.value != NULL ? sys->potential.gradient(sys->potential.self, p->q, Vq) : SB_OK;
    status |= sys->holonomic.m > 0 ? sys->holonomic.value(sys->holonomic.self, p->q, g, Gx) : SB_OK;
    gsl_test(status != SB_OK, "%s: terms at a point", sys->name);
    for (int s = 0; s < sys->symmetry.count; s++) {
        double xi[N], moved[N], back[N], q[N], Dxi[N];
        bool affine = true;
        status = sys->symmetry.generator(sys->symmetry.self, s, p->q, xi);
        for (int i = 0; i < n; i++) {
            q[i] = p->q[i] + p->v[i];
        }
        status |= sys->symmetry.generator(sys->symmetry.self, s, q, moved);
        for (int i = 0; i < n; i++) {
            q[i] = p->q[i] - p->v[i];
        }
        status |= sys->symmetry.generator(sys->symmetry.self, s, q, back);
        for (int i = 0; i < n; i++) {
            Dxi[i] = moved[i] - xi[i];
            affine = affine && close_to(moved[i] + back[i], 2.0 * xi[i], unit * (p->size_q + p->size_v));
        }
        const char *name = sys->symmetry.names[s];
        gsl_test(status != SB_OK || !affine || !(sb_norm_max(n, xi) > 0.0),
                 "%s: the generator of %s is affine and not zero", sys->name, name);
        const double T_size = dot_size(n, Tq, xi) + sb_norm_max(n, Tv) * (p->size_q + p->size_v) * n;
        gsl_test(!close_to(dot(n, Tq, xi) + dot(n, Tv, Dxi), 0.0, unit * T_size), "%s: %s leaves T unchanged",
                 sys->name, name);
        gsl_test(!close_to(dot(n, Vq, xi), 0.0, unit * sb_norm_max(n, Vq) * p->size_q * n), "%s: %s leaves V unchanged",
                 sys->name, name);
        if (sys->holonomic.m > 0) {
            sb_csc_mult_t(&sys->holonomic.G, Gx, xi, along);
            gsl_test(!(sb_norm_max(sys->holonomic.m, along) <= unit * p->size_q * p->size_q),
                     "%s: %s leaves g unchanged", sys->name, name);
        }
    }
}

static void check(sb_context *ctx, sb_arena *arena, const sb_system *sys) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 20111201);
    for (int k = 0; k < POINTS; k++) {
        point p;
        random_point(rng, sys, &p);
        p.size_T = size_of_T(&p);
        if (k == 0) {
            check_patterns(&p);
            check_start(sys);
        }
        check_inertia(&p);
        check_potential(&p);
        check_force(&p);
        check_impulse(ctx, arena, &p);
        check_holonomic(&p);
        check_nonholonomic(&p);
        check_contact(&p);
        check_symmetry(&p);
        if (sys->potential.value != NULL) {
            check_degree(&p, term_V, 1, sys->potential.degree, "V");
        }
        if (sys->holonomic.m > 0) {
            check_degree(&p, term_g, sys->holonomic.m, sys->holonomic.degree, "g");
        }
    }
    gsl_rng_free(rng);
}

int main(void) {
    on_every_system(check);
    fixture f;
    sb_system sys, charted;
    fixture_open(&f);
    synthetic_build(&f, &sys, &charted);
    check(&f.ctx, &f.arena, &sys);
    check(&f.ctx, &f.arena, &charted);
    gsl_test(synthetic_contact(&f, &sys) != SB_OK, "contacts are added to the synthetic system (%s)", f.ctx.message);
    check(&f.ctx, &f.arena, &sys);
    fixture_close(&f);
    return gsl_test_summary();
}
