/* Every callback of every system, but for those of rows (test_rows.c), against differences of the callback it derives
 * from, at points on and off the constraints. */
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

/* Sums of at most 16 products of the size of T_q in another order, twice. */
static void check_inertial(const point *p) {
    const sb_inertia *in = &p->sys->inertia;
    const int n = p->sys->n;
    double Mx[NN], joint[NN], b[N], Tq[N], Hx[NN] = {0.0}, rate[N] = {0.0};
    if (in->inertial == NULL) {
        return;
    }
    gsl_test(in->inertial(in->self, p->q, p->v, joint, b) | in->mass(in->self, p->q, Mx) |
                 in->gradient(in->self, p->q, p->v, Tq) | in->hessian(in->self, p->q, p->v, 0.0, 0.0, 1.0, Hx),
             "%s: inertial", p->sys->name);
    sb_csc_mult_add(&p->sys->H, Hx, 1.0, p->v, rate);
    const double unit = 32.0 * DBL_EPSILON, size = p->size_T / p->size_q;
    for (int k = 0; k < sb_pattern_nnz(&in->M); k++) {
        gsl_test(!close_to(joint[k], Mx[k], unit * sb_norm_max(sb_pattern_nnz(&in->M), Mx)),
                 "%s: M of inertial, entry %d (%g, %g)", p->sys->name, k, joint[k], Mx[k]);
    }
    for (int i = 0; i < n; i++) {
        gsl_test(!close_to(b[i], Tq[i] - rate[i], unit * size), "%s: T_q - T_vq v, row %d (%g, %g)", p->sys->name, i,
                 b[i], Tq[i] - rate[i]);
    }
}

static void check_potential(const point *p) {
    double Vq[N], matrix[NN];
    accumulated a;
    if (p->sys->potential.value == NULL) {
        return;
    }
    gsl_test(sb_potential_gradient(p->sys, 0.3, p->q, Vq) != SB_OK, "%s: V_q", p->sys->name);
    expect_derivative(p, term_V, sb_norm_max(p->sys->n, Vq) * p->size_q, 1, false, Vq, "V_q");
    fill(&a);
    if (p->sys->potential.hessian != NULL) {
        gsl_test(sb_potential_hessian(p->sys, 0.3, p->q, -1.25, a.Hx) != SB_OK, "%s: V_qq", p->sys->name);
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
                if (k == 0) {
                    sys.potential = (sb_potential){0};
                }
                sys.inertia.gradient = k == 1 ? NULL : sys.inertia.gradient;
                sys.force.value = k == 2 ? NULL : sys.force.value;
            } else if (k == 0 && sys.potential.value != NULL) {
                status = sb_potential_gradient(&sys, 0.3, p->q, part);
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
    status |= sys->potential.value != NULL ? sb_potential_gradient(sys, 0.3, p->q, Vq) : SB_OK;
    status |= sys->holonomic.m > 0 ? sb_holonomic_value(sys, 0.3, p->q, g, Gx) : SB_OK;
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
        }
        check_inertia(&p);
        check_inertial(&p);
        check_potential(&p);
        check_force(&p);
        check_impulse(ctx, arena, &p);
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
    on_synthetic(check);
    return gsl_test_summary();
}
