/* Checks every derivative that a system provides against differences of the term it is the derivative of. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <stepbench/numerics/norm.h>

#include "analysis/system/check_internal.h"

/* How the values of a derivative are placed in a matrix of rows of the term and columns of what is moved. */
enum { GRADIENT, ON_H, COLUMNS_ARE_ROWS, DIRECT };

/* What is moved. */
enum { BY_Q, BY_V, BY_S };

typedef struct derivative {
    sb_term matrix, of;
    int by, layout;
} derivative;

static const derivative derivatives[] = {
    {SB_TERM_KINETIC_Q, SB_TERM_KINETIC, BY_Q, GRADIENT},
    {SB_TERM_KINETIC_QQ, SB_TERM_KINETIC_Q, BY_Q, ON_H},
    {SB_TERM_KINETIC_QV, SB_TERM_KINETIC_Q, BY_V, ON_H},
    {SB_TERM_KINETIC_VQ, SB_TERM_MOMENTUM, BY_Q, ON_H},
    {SB_TERM_POTENTIAL_Q, SB_TERM_POTENTIAL, BY_Q, GRADIENT},
    {SB_TERM_POTENTIAL_QQ, SB_TERM_POTENTIAL_Q, BY_Q, ON_H},
    {SB_TERM_FORCE_Q, SB_TERM_FORCE, BY_Q, ON_H},
    {SB_TERM_FORCE_V, SB_TERM_FORCE, BY_V, ON_H},
    {SB_TERM_JACOBIAN, SB_TERM_CONSTRAINT, BY_Q, COLUMNS_ARE_ROWS},
    {SB_TERM_CONSTRAINT_QQ, SB_TERM_WEIGHTED_G, BY_Q, ON_H},
    {SB_TERM_PFAFFIAN_Q, SB_TERM_SLIDING, BY_Q, COLUMNS_ARE_ROWS},
    {SB_TERM_NORMALS, SB_TERM_GAP, BY_Q, COLUMNS_ARE_ROWS},
    {SB_TERM_CHART_S, SB_TERM_CHART, BY_S, DIRECT},
    {SB_TERM_CHART_SS, SB_TERM_WEIGHTED_D, BY_S, DIRECT},
};

/* The pattern of the values; NULL for a gradient, whose values are a row. */
static const sb_pattern *pattern_of(const sb_system *sys, sb_term matrix) {
    switch (matrix) {
    case SB_TERM_JACOBIAN: return &sys->holonomic.G;
    case SB_TERM_PFAFFIAN_Q: return &sys->nonholonomic.A;
    case SB_TERM_NORMALS: return &sys->contact.N;
    case SB_TERM_CHART_S: return &sys->chart->D;
    case SB_TERM_CHART_SS: return &sys->chart->H;
    case SB_TERM_KINETIC_Q:
    case SB_TERM_POTENTIAL_Q: return NULL;
    default: return &sys->H;
    }
}

/* Sets column j of the matrix (rows) from the values x. */
static void take_column(const derivative *what, const sb_pattern *a, const double *x, int rows, int j, double *column) {
    memset(column, 0, (size_t)rows * sizeof *column);
    if (what->layout == GRADIENT) {
        column[0] = x[j];
    } else if (what->layout == COLUMNS_ARE_ROWS) {
        for (int i = 0; i < rows; i++) {
            const int at = sb_pattern_find(a, j, i);
            column[i] = at < 0 ? 0.0 : x[at];
        }
    } else {
        for (int k = a->p[j]; k < a->p[j + 1]; k++) {
            column[a->i[k]] = x[k];
        }
    }
}

static bool in_pattern(const derivative *what, const sb_pattern *a, int i, int j) {
    if (what->layout == GRADIENT) {
        return true;
    }
    return (what->layout == COLUMNS_ARE_ROWS ? sb_pattern_find(a, j, i) : sb_pattern_find(a, i, j)) >= 0;
}

static void accuse(sb_examination *c, const derivative *what, const sb_pattern *a, const sb_term_point *p, int i, int j,
                   double value, double severity) {
    const char *of = sb_term_symbol(what->of), *matrix = sb_term_symbol(what->matrix);
    char where[SB_CHECK_WHERE], entry[64];
    if (what->layout == GRADIENT) {
        snprintf(entry, sizeof entry, "entry %d", j);
    } else {
        snprintf(entry, sizeof entry, "row %d, column %d", i, j);
    }
    sb_check_where(c, p, where);
    if (sb_check_undecided(severity)) {
        sb_check_fault(c, severity, "%s of %s: differences of %s are good to %.1e only %s", entry, matrix, of,
                       c->bound[i], where);
    } else if (!in_pattern(what, a, i, j)) {
        sb_check_fault(c, severity, "%s of %s is not in the pattern, but differences of %s give %.15g +- %.1e %s",
                       entry, matrix, of, c->d[i], c->bound[i], where);
    } else if (!sb_term_given(what->matrix, c->sys)) {
        sb_check_fault(c, severity, "%s of %s is 0 because %s is NULL, but differences of %s give %.15g +- %.1e %s",
                       entry, matrix, sb_term_callback(what->matrix, c->sys), of, c->d[i], c->bound[i], where);
    } else {
        sb_check_fault(c, severity, "%s of %s is %.15g, but differences of %s give %.15g +- %.1e %s", entry, matrix,
                       value, of, c->d[i], c->bound[i], where);
    }
}

/* Returns v' M v, an energy of the size of the motion's. */
static double energy(sb_examination *c, const sb_term_point *p) {
    double sum = 0.0;
    if (sb_term_evaluate(SB_TERM_MOMENTUM, p, 1.0, c->d) != SB_OK) {
        return 0.0;
    }
    for (int i = 0; i < c->sys->n; i++) {
        sum += fabs(p->v[i] * c->d[i]);
    }
    return sum;
}

/* Returns the size of second derivatives of an energy E, 0 for derivatives of anything else. */
static double natural_size(const sb_examination *c, const derivative *what, double E, int i, int j) {
    if (what->layout != ON_H || what->of == SB_TERM_WEIGHTED_G) {
        return 0.0;
    }
    return E / ((what->of == SB_TERM_MOMENTUM ? c->scale_v : c->scale_q)[i] *
                (what->by == BY_V ? c->scale_v : c->scale_q)[j]);
}

/* The values of the matrix are in c->a, their round-off in c->b. */
static int compare_columns(sb_examination *c, const derivative *what, const sb_term_point *p) {
    const sb_system *sys = c->sys;
    const sb_pattern *a = pattern_of(sys, what->matrix);
    const int rows = sb_term_length(what->of, sys), columns = what->by == BY_S ? sys->chart->n : sys->n;
    const double largest = sb_norm_max(sb_term_length(what->matrix, sys), c->a),
                 noise = sb_norm_max(sb_term_length(what->matrix, sys), c->b);
    const double E = energy(c, p);
    double *direction = what->by == BY_S ? c->ds : what->by == BY_V ? c->dv : c->dq, *column;
    const double *scales = what->by == BY_S ? c->scale_s : what->by == BY_V ? c->scale_v : c->scale_q;
    sb_check_line line = {.check = c, .from = p, .term = what->of};
    line.dq = what->by == BY_Q ? direction : NULL;
    line.dv = what->by == BY_V ? direction : NULL;
    line.ds = what->by == BY_S ? direction : NULL;
    SB_NEW(c->arena, column, rows);
    memset(direction, 0, (size_t)columns * sizeof *direction);
    for (int j = 0; j < columns; j++) {
        direction[j] = 1.0;
        const int status = sb_check_derivative(&line);
        direction[j] = 0.0;
        if (status != SB_OK) {
            return SB_OK; /* a fault of the row */
        }
        take_column(what, a, c->a, rows, j, column);
        for (int i = 0; i < rows; i++) {
            c->bound[i] += noise;
            const double scale = fmax(fmax(largest, c->size[i] / scales[j]), natural_size(c, what, E, i, j)),
                         severity = sb_check_compare(c, column[i], c->d[i], c->bound[i], scale);
            if (severity > 0.0) {
                accuse(c, what, a, p, i, j, column[i], severity);
            }
        }
    }
    return SB_OK;
}

/* Sets c->b to the round-off of the values of a term, which differ from exact ones by it. */
static int round_off(sb_examination *c, sb_term term, const sb_term_point *p) {
    for (int i = 0; i < c->sys->n; i++) {
        c->dq[i] = c->scale_q[i] * (i % 2 == 0 ? 1.0 : -0.7);
    }
    for (int i = 0; c->sys->chart != NULL && i < c->sys->chart->n; i++) {
        c->ds[i] = c->scale_s[i] * (i % 2 == 0 ? 1.0 : -0.7);
    }
    const sb_check_line line = {.check = c, .from = p, .term = term, .dq = c->dq, .ds = c->ds};
    const int status = sb_check_noise(&line);
    memcpy(c->b, c->bound, (size_t)sb_term_length(term, c->sys) * sizeof *c->b);
    return status;
}

/* Sets c->a to the values of a term and c->b to their round-off. */
static int evaluate(sb_examination *c, sb_term term, const sb_term_point *p) {
    SB_TRY(round_off(c, term, p));
    memset(c->a, 0, (size_t)sb_term_length(term, c->sys) * sizeof *c->a);
    return sb_term_evaluate(term, p, 1.0, c->a);
}

static int check_derivative(sb_examination *c, const derivative *what) {
    const sb_system *sys = c->sys;
    if (!sb_term_given(what->of, sys) || sb_term_length(what->matrix, sys) == 0) {
        return SB_OK;
    }
    if (what->matrix >= SB_TERM_FORCE_Q && what->matrix <= SB_TERM_FORCE_V && !sb_term_given(what->matrix, sys)) {
        return SB_OK; /* steppers do without */
    }
    sb_check_begin(c, sb_term_symbol(what->matrix), sb_term_callback(what->matrix, c->sys));
    for (int k = 0; k < c->npoints; k++) {
        if (evaluate(c, what->matrix, &c->points[k]) == SB_OK) {
            SB_TRY(compare_columns(c, what, &c->points[k]));
        }
    }
    return sb_check_end(c);
}

/* ---- Derivatives along a direction. ---- */

/* The values of `term` are derivatives of those of `of` along the line. */
static void compare_along(sb_examination *c, sb_term term, const sb_check_line *line, const double *values,
                          const double *noise) {
    const sb_term_point *p = line->from;
    const int rows = sb_term_length(term, c->sys);
    const double largest = sb_norm_max(rows, values);
    char where[SB_CHECK_WHERE];
    if (sb_check_derivative(line) != SB_OK) {
        return;
    }
    for (int i = 0; i < rows; i++) {
        const double bound = c->bound[i] + noise[i], scale = fmax(largest, c->size[i] / c->sys->time_scale),
                     severity = sb_check_compare(c, values[i], c->d[i], bound, scale);
        if (severity > 0.0) {
            sb_check_fault(c, severity, "row %d of %s is %.15g, but differences of %s %s give %.15g +- %.1e %s", i,
                           sb_term_symbol(term), values[i], sb_term_symbol(line->term),
                           line->dq == NULL && line->ds == NULL ? "in time" : "along v", c->d[i], bound,
                           sb_check_where(c, p, where));
        }
    }
}

/* What the point moves along: time alone, the velocity, both, or a direction of the chart. */
enum { ALONG_T = 1, ALONG_V = 2, ALONG_S = 4 };

static int check_along(sb_examination *c, sb_term term, sb_term of, int along) {
    if (!sb_term_given(term, c->sys)) {
        return SB_OK;
    }
    sb_check_begin(c, sb_term_symbol(term), sb_term_callback(term, c->sys));
    for (int k = 0; k < c->npoints; k++) {
        const sb_term_point *p = &c->points[k];
        const sb_check_line line = {.check = c,
                                    .from = p,
                                    .term = of,
                                    .dt = (along & ALONG_T) != 0 ? 1.0 : 0.0,
                                    .dq = (along & ALONG_V) != 0 ? p->v : NULL,
                                    .ds = (along & ALONG_S) != 0 ? p->u : NULL};
        if (evaluate(c, term, p) == SB_OK) {
            compare_along(c, term, &line, c->a, c->b);
        }
    }
    return sb_check_end(c);
}

/* A mass matrix without derivatives is constant. */
static int check_constant_mass(sb_examination *c) {
    char where[SB_CHECK_WHERE];
    if (c->sys->inertia.gradient != NULL) {
        return SB_OK;
    }
    sb_check_begin(c, "M is constant", "inertia.gradient");
    for (int k = 0; k < c->npoints; k++) {
        SB_TRY(round_off(c, SB_TERM_MASS, &c->points[k]));
        const sb_check_line line = {.check = c, .from = &c->points[k], .term = SB_TERM_MASS, .dq = c->dq};
        if (sb_check_derivative(&line) != SB_OK) {
            continue;
        }
        for (int i = 0; i < sb_term_length(SB_TERM_MASS, c->sys); i++) {
            const double severity = sb_check_compare(c, 0.0, c->d[i], c->bound[i], INFINITY);
            if (severity > 0.0) {
                sb_check_fault(c, severity, "inertia.gradient is NULL, but value %d of M depends on q %s", i,
                               sb_check_where(c, &c->points[k], where));
            }
        }
    }
    return sb_check_end(c);
}

int sb_check_derivatives(sb_examination *c) {
    SB_TRY(check_constant_mass(c));
    for (size_t i = 0; i < sizeof derivatives / sizeof *derivatives; i++) {
        const derivative *what = &derivatives[i];
        if (what->matrix >= SB_TERM_KINETIC_Q && what->matrix <= SB_TERM_KINETIC_VQ &&
            c->sys->inertia.gradient == NULL) {
            continue; /* the mass matrix is constant */
        }
        SB_TRY(check_derivative(c, what));
    }
    SB_TRY(check_along(c, SB_TERM_POTENTIAL_T, SB_TERM_POTENTIAL, ALONG_T));
    SB_TRY(check_along(c, SB_TERM_CONSTRAINT_T, SB_TERM_CONSTRAINT, ALONG_T));
    SB_TRY(check_along(c, SB_TERM_CURVATURE, SB_TERM_RATE_OF_G,
                       c->sys->rheonomic.value != NULL ? ALONG_T | ALONG_V : ALONG_V));
    SB_TRY(check_along(c, SB_TERM_PFAFFIAN_RATE, SB_TERM_RESIDUAL, ALONG_T | ALONG_V));
    return check_along(c, SB_TERM_CHART_SSS, SB_TERM_CHART_SS, ALONG_S);
}
