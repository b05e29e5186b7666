/* Checks that the chart satisfies the constraints, and the exact solution the equations of motion. */
#include <string.h>

#include <stepbench/numerics/norm.h>

#include "analysis/system/check_groups.h"

/* ---- The chart. ---- */

/* Checks g(psi(s)) = 0 and psi(inverse(psi(s))) = psi(s). */
static int check_chart(sb_examination *c) {
    const sb_system *sys = c->sys;
    const sb_chart *psi = sys->chart;
    const double size = fmax(sb_norm_max(sys->n, c->q0), sb_norm_max(sys->n, c->scale_q));
    if (psi == NULL) {
        return SB_OK;
    }
    sb_check_begin(c, "chart", "chart.point, chart.inverse");
    for (int k = 0; k < c->npoints; k++) {
        const sb_term_point *p = &c->points[k];
        double *q = c->moved.q, *s = c->moved.s;
        if (psi->point(psi->self, p->s, q, NULL) != SB_OK) {
            continue;
        }
        if (sys->holonomic.m > 0 && sb_holonomic_value(sys, c->t0, q, c->a, c->b) == SB_OK) {
            const double weight = sb_norm_max(sb_pattern_nnz(&sys->holonomic.G), c->b);
            for (int i = 0; i < sys->holonomic.m; i++) {
                sb_check_expect(c, fabs(c->a[i]) <= 1e-9 * weight * size, p, 2.0,
                                "chart.point leaves the constraints: g_%d = %.3g", i, c->a[i]);
            }
        }
        if (psi->inverse(psi->self, q, s) != SB_OK || psi->point(psi->self, s, c->a, NULL) != SB_OK) {
            continue;
        }
        for (int i = 0; i < sys->n; i++) {
            sb_check_expect(c, fabs(c->a[i] - q[i]) <= 1e-9 * size, NULL, 1.5,
                            "chart.inverse is none of chart.point: q%d = %.9g becomes %.9g", i, q[i], c->a[i]);
        }
    }
    return sb_check_end(c);
}

/* Checks that psi_s times the generator in s is the generator in q. */
static int check_chart_symmetries(sb_examination *c) {
    const sb_system *sys = c->sys;
    const sb_chart *psi = sys->chart;
    if (psi == NULL || psi->symmetries == 0) {
        return SB_OK;
    }
    sb_check_begin(c, "symmetries of the chart", "chart.generator");
    for (int k = 0; k < c->npoints; k++) {
        const sb_term_point *p = &c->points[k];
        for (int i = 0; i < psi->symmetries; i++) {
            if (psi->point(psi->self, p->s, c->moved.q, c->a) != SB_OK ||
                psi->generator(psi->self, i, p->s, c->ds) != SB_OK ||
                sys->symmetry.generator(sys->symmetry.self, i, c->moved.q, c->dq) != SB_OK) {
                continue;
            }
            memset(c->b, 0, (size_t)sys->n * sizeof *c->b);
            sb_csc_mult_add(&psi->D, c->a, 1.0, c->ds, c->b);
            const double size = sb_norm_max(sys->n, c->dq);
            for (int j = 0; j < sys->n; j++) {
                sb_check_expect(c, fabs(c->b[j] - c->dq[j]) <= 1e-9 * size, NULL, 2.0,
                                "chart.generator of %s moves q%d by %.9g, symmetry.generator by %.9g",
                                sys->symmetry.names[i], j, c->b[j], c->dq[j]);
            }
        }
    }
    return sb_check_end(c);
}

/* ---- The exact solution. ---- */

typedef struct motion {
    sb_examination *check;
    double t;
} motion;

static int position_at(const void *arg, double x, double *q) {
    const motion *at = arg;
    const sb_system *sys = at->check->sys;
    return sys->exact(sys->self, at->t + x, q, NULL, NULL);
}

static int momentum_at(const void *arg, double x, double *p) {
    const motion *at = arg;
    sb_examination *c = at->check;
    SB_TRY(c->sys->exact(c->sys->self, at->t + x, c->moved.q, c->moved.v, NULL));
    return sb_term_evaluate(SB_TERM_MOMENTUM, &c->moved, 1.0, p);
}

/* Adds `factor` times the term's values to F, and their sizes to `size`. */
static int add_force(sb_examination *c, sb_term term, double factor, double *F, double *size) {
    if (!sb_term_given(term, c->sys)) {
        return SB_OK;
    }
    SB_TRY(sb_term_evaluate(term, &c->moved, 1.0, c->b));
    for (int i = 0; i < c->sys->n; i++) {
        F[i] += factor * c->b[i];
        size[i] += fabs(c->b[i]);
    }
    return SB_OK;
}

static int add_rows(sb_examination *c, sb_term term, const sb_pattern *a, const double *lambda, double *F,
                    double *size) {
    if (!sb_term_given(term, c->sys)) {
        return SB_OK;
    }
    SB_TRY(sb_term_evaluate(term, &c->moved, 1.0, c->b));
    for (int j = 0; j < a->cols; j++) {
        for (int k = a->p[j]; k < a->p[j + 1]; k++) {
            F[a->i[k]] += c->b[k] * lambda[j];
            size[a->i[k]] += fabs(c->b[k] * lambda[j]);
        }
    }
    return SB_OK;
}

/* Computes T_q - V_q + f + G' lambda + A' alpha at c->moved, and the sum of the terms' sizes. */
static int total_force(sb_examination *c, const double *lambda, double *F, double *size) {
    const sb_system *sys = c->sys;
    memset(F, 0, (size_t)sys->n * sizeof *F);
    memset(size, 0, (size_t)sys->n * sizeof *size);
    SB_TRY(add_force(c, SB_TERM_KINETIC_Q, 1.0, F, size));
    SB_TRY(add_force(c, SB_TERM_POTENTIAL_Q, -1.0, F, size));
    SB_TRY(add_force(c, SB_TERM_FORCE, 1.0, F, size));
    SB_TRY(add_rows(c, SB_TERM_JACOBIAN, &sys->holonomic.G, lambda, F, size));
    return add_rows(c, SB_TERM_PFAFFIAN, &sys->nonholonomic.A, lambda + sys->holonomic.m, F, size);
}

/* Compares the derivatives c->d of the exact solution with `values`, the right-hand sides of the equation that `what`
 * names. Those are sums of terms of the given sizes, which may be sums themselves and are exact to nine digits. */
static void compare_rates(sb_examination *c, const char *what, const double *values, const double *sizes, double t) {
    const double largest = sb_norm_max(c->sys->n, sizes);
    for (int i = 0; i < c->sys->n; i++) {
        const double bound = c->bound[i] + 1e-9 * sizes[i] + 64.0 * DBL_EPSILON * largest,
                     severity = sb_check_compare(c, values[i], c->d[i], bound, INFINITY);
        if (severity > 0.0) {
            sb_check_fault(c, NULL, severity,
                           "%s (row %d) is %.9g, but the exact solution changes by %.9g +- %.1e at t = %g", what, i,
                           values[i], c->d[i], bound, t);
        }
    }
}

static int check_motion(sb_examination *c, double t, double *lambda, double *F, double *size) {
    const sb_system *sys = c->sys;
    const motion at = {c, t};
    const sb_curve position = {sys->n, position_at, &at}, momentum = {sys->n, momentum_at, &at};
    int status = sb_difference(&position, sys->time_scale, &c->work, c->d, c->bound, c->size);
    status = status == SB_OK ? sys->exact(sys->self, t, c->moved.q, c->moved.v, lambda) : status;
    c->moved.t = t;
    if (status == SB_OK) {
        for (int i = 0; i < sys->n; i++) {
            size[i] = fabs(c->moved.v[i]);
        }
        compare_rates(c, "v", c->moved.v, size, t);
        status = total_force(c, lambda, F, size);
    }
    status = status == SB_OK ? sb_difference(&momentum, sys->time_scale, &c->work, c->d, c->bound, c->size) : status;
    if (status == SB_OK) {
        compare_rates(c, "T_q - V_q + f + G' lambda + A' alpha", F, size, t);
    } else {
        sb_check_fault(c, NULL, INFINITY, "exact returns status %d (%s) at t = %g", status, sb_status_text(status), t);
    }
    return SB_OK;
}

/* Checks that the velocities repeat after a period. The coordinates need not, since they may be angles. */
static void check_period(sb_examination *c, double t) {
    const sb_system *sys = c->sys;
    double *now = c->moved.v, *later = c->b;
    if (sys->period == 0.0 || sys->exact(sys->self, t, NULL, now, NULL) != SB_OK ||
        sys->exact(sys->self, t + sys->period, NULL, later, NULL) != SB_OK) {
        return;
    }
    const double bound = 1e-9 * fmax(sb_norm_max(sys->n, c->scale_v), sb_norm_max(sys->n, now));
    for (int i = 0; i < sys->n; i++) {
        sb_check_expect(c, fabs(later[i] - now[i]) <= bound, NULL, 1.5,
                        "period = %.9g s is none: v%d = %.9g at t = %g, and %.9g one period later", sys->period, i,
                        now[i], t, later[i]);
    }
}

/* Checks the solution at the initial time, and the equations of motion at times before and after. With contacts only
 * the former: at an impact the motion has no derivative. */
static int check_exact(sb_examination *c) {
    static const double times[] = {0.31, 1.7, 4.3, -0.9, 11.3};
    const sb_system *sys = c->sys;
    double *lambda, *F, *size;
    if (sys->exact == NULL) {
        return SB_OK;
    }
    SB_NEW(c->arena, lambda, sb_system_multipliers(sys));
    SB_TRY(SB_VECTORS(c->arena, sys->n, &F, &size));
    sb_check_begin(c, "exact solution", "exact");
    const int status = sys->exact(sys->self, c->t0, c->a, c->b, NULL);
    for (int i = 0; i < sys->n; i++) {
        c->compared += 2;
        if (status != SB_OK || !(fabs(c->a[i] - c->q0[i]) <= 1e-9 * c->scale_q[i]) ||
            !(fabs(c->b[i] - c->v0[i]) <= 1e-9 * c->scale_v[i])) {
            sb_check_fault(c, NULL, 1e300,
                           "exact does not start at the initial state: q%d = %.9g, not %.9g; v%d = %.9g, not %.9g", i,
                           c->a[i], c->q0[i], i, c->b[i], c->v0[i]);
        }
    }
    for (size_t k = 0; sys->contact.m + sys->contact.k == 0 && k < sizeof times / sizeof *times; k++) {
        SB_TRY(check_motion(c, c->t0 + times[k] * sys->time_scale, lambda, F, size));
        check_period(c, c->t0 + times[k] * sys->time_scale);
    }
    return sb_check_end(c);
}

int sb_check_solutions(sb_examination *c) {
    SB_TRY(check_chart(c));
    SB_TRY(check_chart_symmetries(c));
    return check_exact(c);
}
