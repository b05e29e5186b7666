/* Checks the initial state of a system, its patterns, its mass matrix and the degrees that it declares. */
#include <string.h>

#include <stepbench/numerics/lapack.h>
#include <stepbench/numerics/norm.h>

#include "analysis/system/check_groups.h"

/* ---- Patterns. ---- */

static bool check_pattern(sb_examination *c, const char *name, const sb_pattern *a) {
    for (int j = 0; j < a->cols; j++) {
        for (int k = a->p[j]; k < a->p[j + 1]; k++) {
            c->compared++;
            if (a->i[k] < 0 || a->i[k] >= a->rows || (k > a->p[j] && a->i[k] <= a->i[k - 1])) {
                sb_check_fault(c, NULL, 3.0,
                               "column %d of the pattern %s has row %d after row %d; rows ascend from 0 to %d", j, name,
                               a->i[k], k > a->p[j] ? a->i[k - 1] : -1, a->rows - 1);
                return false;
            }
        }
    }
    return true;
}

static int check_patterns(sb_examination *c) {
    const sb_system *sys = c->sys;
    const sb_pattern *H = &sys->H, *M = &sys->inertia.M;
    const struct {
        const char *name;
        const sb_pattern *a;
    } all[] = {{"H", H},
               {"inertia.M", M},
               {"holonomic.G", &sys->holonomic.G},
               {"nonholonomic.A", &sys->nonholonomic.A},
               {"contact.N", &sys->contact.N},
               {"contact.D", &sys->contact.D}};
    bool sorted = true;
    sb_check_begin(c, "patterns", "");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        sorted = (all[i].a->p == NULL || check_pattern(c, all[i].name, all[i].a)) && sorted;
    }
    for (int j = 0; sorted && j < sys->n; j++) {
        for (int k = H->p[j]; k < H->p[j + 1]; k++) {
            if (sb_pattern_find(H, j, H->i[k]) < 0) {
                sb_check_fault(c, NULL, 2.0, "the pattern H has entry (%d, %d) and no entry (%d, %d)", H->i[k], j, j,
                               H->i[k]);
            }
        }
        for (int k = M->p[j]; k < M->p[j + 1]; k++) {
            if (sb_pattern_find(H, M->i[k], j) < 0) {
                sb_check_fault(c, NULL, 1.0, "the pattern H has no entry (%d, %d), which inertia.M has", M->i[k], j);
            }
        }
    }
    return sb_check_end(c);
}

/* ---- The start. ---- */

/* Checks that the values of the rows sum_k a_ki x_k vanish, or are not negative with `inequality`; `at` is the size of
 * x. As in core/run/consistency.h an initial state with ten digits passes. */
static void check_rows(sb_examination *c, const char *row, const sb_pattern *a, const double *ax, const double *values,
                       double at, bool inequality) {
    for (int i = 0; i < a->cols; i++) {
        double weight = 0.0;
        for (int k = a->p[i]; k < a->p[i + 1]; k++) {
            weight += fabs(ax[k]);
        }
        const double allowed = 1e-9 * weight * at, wrong = inequality ? -values[i] : fabs(values[i]);
        sb_check_expect(c, wrong <= allowed, NULL, 1.0 + wrong / allowed,
                        "%s %d is %.9g at the start where at most %.1e is allowed", row, i, values[i], allowed);
    }
}

static int check_start(sb_examination *c) {
    const sb_system *sys = c->sys;
    const sb_term_point p = {
        .sys = sys, .t = c->t0, .q = c->q0, .v = c->v0, .s = c->moved.s, .scratch = c->moved.scratch};
    const double at_q = sb_norm_max(sys->n, c->q0), at_v = sb_norm_max(sys->n, c->v0);
    sb_check_begin(c, "start", "initial");
    c->compared += 2L * sys->n;
    if (!isfinite(at_q) || !isfinite(at_v)) {
        sb_check_fault(c, NULL, INFINITY, "the initial state is not finite");
        return sb_check_end(c);
    }
    if (sys->holonomic.m > 0) {
        int status = sb_holonomic_value(sys, c->t0, c->q0, c->b, c->a);
        check_rows(c, "g = 0: row", &sys->holonomic.G, c->a, c->b, at_q, false);
        status = status == SB_OK ? sb_term_evaluate(SB_TERM_RATE_OF_G, &p, 1.0, c->b) : status;
        check_rows(c, "dg/dt = 0: row", &sys->holonomic.G, c->a, c->b, at_v, false);
        if (status != SB_OK) {
            sb_check_fault(c, NULL, INFINITY, "%s returns status %d at the start",
                           sb_term_callback(SB_TERM_CONSTRAINT, sys), status);
        }
    }
    if (sys->nonholonomic.m > 0 && sb_term_evaluate(SB_TERM_RESIDUAL, &p, 1.0, c->b) == SB_OK &&
        sb_term_evaluate(SB_TERM_PFAFFIAN, &p, 1.0, c->a) == SB_OK) {
        check_rows(c, "A v = w: row", &sys->nonholonomic.A, c->a, c->b, at_v, false);
    }
    if (sys->contact.m > 0 && sys->contact.gap(sys->contact.self, c->q0, c->b, c->a) == SB_OK) {
        check_rows(c, "xi >= 0: gap", &sys->contact.N, c->a, c->b, at_q, true);
    }
    return sb_check_end(c);
}

/* ---- The mass matrix. ---- */

enum { DENSE_MAX = 2000 }; /* 32 megabytes, and some seconds */

/* Tolerance for entries that may be summed in another order; a wrong formula differs in the first digits. */
static const double mirror_tolerance = 1e-10;

static void check_symmetric(sb_examination *c, const char *name, const sb_pattern *M, const double *Mx,
                            double largest) {
    for (int j = 0; j < M->cols; j++) {
        for (int k = M->p[j]; k < M->p[j + 1]; k++) {
            const int at = sb_pattern_find(M, j, M->i[k]);
            const double mirror = at < 0 ? 0.0 : Mx[at], error = fabs(Mx[k] - mirror);
            sb_check_expect(c, error <= mirror_tolerance * largest, NULL, 1.0 + error / largest,
                            "entry (%d, %d) of %s is %.9g and entry (%d, %d) is %.9g", M->i[k], j, name, Mx[k], j,
                            M->i[k], mirror);
        }
    }
}

/* Adds weight C C' of rows whose columns are in the values ax. */
static void add_rows(const sb_pattern *a, const double *ax, double weight, int n, double *dense) {
    for (int i = 0; i < a->cols; i++) {
        for (int k = a->p[i]; k < a->p[i + 1]; k++) {
            for (int l = a->p[i]; l < a->p[i + 1]; l++) {
                dense[a->i[k] + n * a->i[l]] += weight * ax[k] * ax[l];
            }
        }
    }
}

/* Checks that M is positive definite; if it is declared singular, or a coordinate has no inertia, on the tangent space
 * of the constraints: then M + G' G is positive definite, with G scaled to the size of M. */
static int check_definite(sb_examination *c, double *dense, double largest, int k) {
    const sb_system *sys = c->sys;
    const sb_pattern *M = &sys->inertia.M, *G = &sys->holonomic.G;
    const int n = sys->n;
    bool singular = (sys->flags & (unsigned)SB_HAS_SINGULAR_MASS) != 0;
    if (n > DENSE_MAX) {
        return SB_OK;
    }
    memset(dense, 0, (size_t)n * (size_t)n * sizeof *dense);
    for (int j = 0; j < n; j++) {
        for (int e = M->p[j]; e < M->p[j + 1]; e++) {
            dense[M->i[e] + n * j] = c->a[e];
        }
    }
    for (int i = 0; i < n; i++) {
        singular = singular || !(fabs(dense[i + n * i]) > 0.0);
    }
    if (singular && sys->holonomic.m > 0) {
        SB_TRY(sb_term_evaluate(SB_TERM_JACOBIAN, &c->points[k], 1.0, c->b));
        const double size = sb_norm_max(sb_pattern_nnz(G), c->b);
        add_rows(G, c->b, size > 0.0 ? largest / (size * size) : 0.0, n, dense);
    }
    const lapack_int info = LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, dense, n);
    if (sb_lapack_no_memory(info)) {
        return sb_fail(c->ctx, SB_NO_MEMORY, SB_LAPACK_NO_MEMORY);
    }
    sb_check_expect(c, info <= 0, NULL, 0.9,
                    "M is not positive definite%s at random point %d: its leading block of size %d is not",
                    singular ? " on the tangent space of the constraints" : "", k, (int)info);
    return SB_OK;
}

static int check_mass(sb_examination *c) {
    const int n = c->sys->n;
    double *dense;
    SB_NEW(c->arena, dense, n <= DENSE_MAX ? n * n : 0);
    sb_check_begin(c, "M", "inertia.mass");
    for (int k = 0; k < c->npoints; k++) {
        if (sb_term_evaluate(SB_TERM_MASS, &c->points[k], 1.0, c->a) != SB_OK) {
            continue; /* a fault of the arrays */
        }
        const double largest = sb_norm_max(sb_pattern_nnz(&c->sys->inertia.M), c->a);
        check_symmetric(c, "M", &c->sys->inertia.M, c->a, largest);
        SB_TRY(check_definite(c, dense, largest, k));
    }
    return sb_check_end(c);
}

/* ---- Springs. ---- */

/* Checks that K is symmetric and positive semi-definite, and a part of V_qq: at the initial state V_qq - K is smaller
 * than V_qq, which is compared with differences. */
static int check_springs(sb_examination *c) {
    const sb_system *sys = c->sys;
    const sb_pattern *H = &sys->H;
    const sb_term_point p = {.sys = sys, .t = c->t0, .q = c->q0, .v = c->v0, .scratch = c->moved.scratch};
    const int n = sys->n, nnz = sb_pattern_nnz(H);
    double *dense, left = 0.0, whole = 0.0;
    if (!sb_term_given(SB_TERM_SPRINGS, sys) || n > DENSE_MAX) {
        return SB_OK;
    }
    SB_NEW(c->arena, dense, n * n);
    memset(c->a, 0, (size_t)nnz * sizeof *c->a);
    memset(c->b, 0, (size_t)nnz * sizeof *c->b);
    if (sb_term_evaluate(SB_TERM_SPRINGS, &p, 1.0, c->a) != SB_OK ||
        sb_term_evaluate(SB_TERM_POTENTIAL_QQ, &p, 1.0, c->b) != SB_OK) {
        return SB_OK; /* a fault of the arrays */
    }
    const double largest = sb_norm_max(nnz, c->a);
    sb_check_begin(c, "springs", "potential.springs");
    check_symmetric(c, "K", H, c->a, largest);
    for (int j = 0; j < n; j++) {
        for (int k = H->p[j]; k < H->p[j + 1]; k++) {
            dense[H->i[k] + n * j] = c->a[k] + (H->i[k] == j ? mirror_tolerance * largest : 0.0);
            left += (c->b[k] - c->a[k]) * (c->b[k] - c->a[k]);
            whole += c->b[k] * c->b[k];
        }
    }
    sb_check_expect(c, left < whole, NULL, 1.0,
                    "K is not a part of V_qq: at the start the norm of V_qq is %.6g, and that of V_qq - K is %.6g",
                    sqrt(whole), sqrt(left));
    const lapack_int info = LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, dense, n);
    if (sb_lapack_no_memory(info)) {
        return sb_fail(c->ctx, SB_NO_MEMORY, SB_LAPACK_NO_MEMORY);
    }
    sb_check_expect(c, info <= 0, NULL, 0.9, "K is not positive semi-definite: its leading block of size %d is not",
                    (int)info);
    return sb_check_end(c);
}

/* ---- Degrees. ---- */

/* Checks that the difference of order degree + 1 vanishes along a line, as it does for a polynomial of this degree. The
 * weights are binomials, which sum to 2^(degree + 1); the round-off of values is estimated from short differences. */
static int check_degree(sb_examination *c, sb_term term, int degree, const char *callback) {
    const int rows = sb_term_length(term, c->sys);
    double *sum;
    if (degree < 0 || degree > 2 || !sb_term_given(term, c->sys)) {
        return SB_OK;
    }
    static const double weights[3][4] = {{-1.0, 1.0}, {1.0, -2.0, 1.0}, {-1.0, 3.0, -3.0, 1.0}};
    SB_NEW(c->arena, sum, rows);
    sb_check_begin(c, term == SB_TERM_POTENTIAL ? "degree of V" : "degree of g", callback);
    for (int k = 0; k < c->npoints; k++) {
        const sb_term_point *p = &c->points[k];
        sb_term_point moved = *p;
        moved.q = c->moved.q;
        for (int i = 0; i < c->sys->n; i++) {
            c->dq[i] = c->scale_q[i] * cos(i + 3.0 * k + 1.0);
        }
        const sb_check_line line = {.check = c, .from = p, .term = term, .dq = c->dq};
        if (sb_check_noise(&line) != SB_OK) {
            continue;
        }
        memset(sum, 0, (size_t)rows * sizeof *sum);
        int status = SB_OK;
        for (int e = 0; e <= degree + 1 && status == SB_OK; e++) {
            const double x = 0.3 * e;
            for (int i = 0; i < c->sys->n; i++) {
                moved.q[i] = p->q[i] + x * c->dq[i];
            }
            status = sb_term_evaluate(term, &moved, 1.0, c->a);
            for (int i = 0; i < rows; i++) {
                sum[i] += weights[degree][e] * c->a[i];
                c->size[i] = fmax(c->size[i], fabs(c->a[i]));
            }
        }
        for (int i = 0; i < rows && status == SB_OK; i++) {
            const double allowed = pow(2.0, degree + 1) * (c->bound[i] + 64.0 * DBL_EPSILON * c->size[i]);
            sb_check_expect(c, fabs(sum[i]) <= allowed, NULL, 1.0 + fabs(sum[i]) / allowed,
                            "%s (row %d) is declared a polynomial of degree %d, but its difference of order %d along "
                            "a line is %.3g, not 0 +- %.1e",
                            sb_term_symbol(term), i, degree, degree + 1, sum[i], allowed);
        }
    }
    return sb_check_end(c);
}

int sb_check_start(sb_examination *c) {
    sb_check_begin(c, "data", "");
    if (c->sys->note != NULL) {
        sb_check_fault(c, NULL, 1.0, "%s", c->sys->note);
    }
    SB_TRY(sb_check_end(c));
    SB_TRY(check_patterns(c));
    return check_start(c);
}

int sb_check_structure(sb_examination *c) {
    SB_TRY(check_mass(c));
    SB_TRY(check_springs(c));
    SB_TRY(check_degree(c, SB_TERM_POTENTIAL, c->sys->potential.degree, "potential.degree"));
    return check_degree(c, SB_TERM_CONSTRAINT, c->sys->holonomic.degree, "holonomic.degree");
}
