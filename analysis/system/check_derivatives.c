/* Compares every derivative that a system provides with differences. */
#include <stdio.h>
#include <string.h>

#include <stepbench/numerics/norm.h>

#include "analysis/system/check_groups.h"

/* The coordinates that are moved. */
enum { BY_Q, BY_V, BY_S };

/* The matrix of the derivatives of a term, with a row for every value of the term and a column for every coordinate.
 * Its values stand on the pattern of the matrix, transposed where the code stores columns by row of the term; those of
 * a gradient are the one row. */
typedef struct derivative {
    sb_term matrix, of;
    int by;
    bool transposed;
} derivative;

static const derivative derivatives[] = {
    {SB_TERM_KINETIC_Q, SB_TERM_KINETIC, BY_Q, false},     {SB_TERM_KINETIC_QQ, SB_TERM_KINETIC_Q, BY_Q, false},
    {SB_TERM_KINETIC_QV, SB_TERM_KINETIC_Q, BY_V, false},  {SB_TERM_KINETIC_VQ, SB_TERM_MOMENTUM, BY_Q, false},
    {SB_TERM_POTENTIAL_Q, SB_TERM_POTENTIAL, BY_Q, false}, {SB_TERM_POTENTIAL_QQ, SB_TERM_POTENTIAL_Q, BY_Q, false},
    {SB_TERM_FORCE_Q, SB_TERM_FORCE, BY_Q, false},         {SB_TERM_FORCE_V, SB_TERM_FORCE, BY_V, false},
    {SB_TERM_JACOBIAN, SB_TERM_CONSTRAINT, BY_Q, true},    {SB_TERM_CONSTRAINT_QQ, SB_TERM_WEIGHTED_G, BY_Q, false},
    {SB_TERM_PFAFFIAN_Q, SB_TERM_SLIDING, BY_Q, true},     {SB_TERM_NORMALS, SB_TERM_GAP, BY_Q, true},
    {SB_TERM_CHART_S, SB_TERM_CHART, BY_S, false},         {SB_TERM_CHART_SS, SB_TERM_WEIGHTED_D, BY_S, false},
};

/* Returns the index of the value in row i and column j, -1 if it is not in the pattern. */
static int value_index(const derivative *what, const sb_system *sys, int i, int j) {
    const sb_pattern *pattern = sb_term_pattern(what->matrix, sys);
    return pattern == NULL ? j : what->transposed ? sb_pattern_find(pattern, j, i) : sb_pattern_find(pattern, i, j);
}

/* Records that entry (i, j) of the matrix differs from differences, or cannot be compared with them. */
static void report_difference(sb_examination *c, const derivative *what, const sb_term_point *p, int i, int j,
                              double value, double severity) {
    const char *of = sb_term_symbol(what->of), *matrix = sb_term_symbol(what->matrix);
    char entry[64], is[128];
    if (sb_term_pattern(what->matrix, c->sys) == NULL) {
        snprintf(entry, sizeof entry, "entry %d", j);
    } else {
        snprintf(entry, sizeof entry, "row %d, column %d", i, j);
    }
    if (sb_check_undecided(severity)) {
        sb_check_fault(c, p, severity, "%s of %s: differences of %s are good to %.1e only", entry, matrix, of,
                       c->bound[i]);
        return;
    }
    if (value_index(what, c->sys, i, j) < 0) {
        snprintf(is, sizeof is, "not in the pattern");
    } else if (!sb_term_given(what->matrix, c->sys)) {
        snprintf(is, sizeof is, "0 because %s is NULL", sb_term_callback(what->matrix, c->sys));
    } else {
        snprintf(is, sizeof is, "%.15g", value);
    }
    sb_check_fault(c, p, severity, "%s of %s is %s, but differences of %s give %.15g +- %.1e", entry, matrix, is, of,
                   c->d[i], c->bound[i]);
}

/* Returns v' M v, the scale of the energies of the motion. */
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
    if (sb_term_pattern(what->matrix, c->sys) != &c->sys->H || what->of == SB_TERM_WEIGHTED_G) {
        return 0.0;
    }
    return E / ((what->of == SB_TERM_MOMENTUM ? c->scale_v : c->scale_q)[i] *
                (what->by == BY_V ? c->scale_v : c->scale_q)[j]);
}

/* Compares the matrix, whose values are in c->a and their round-off in c->b, with differences column by column. */
static void compare_columns(sb_examination *c, const derivative *what, const sb_term_point *p) {
    const sb_system *sys = c->sys;
    const int length = sb_term_length(what->matrix, sys), rows = sb_term_length(what->of, sys),
              columns = what->by == BY_S ? c->ns : sys->n;
    const double largest = sb_norm_max(length, c->a), noise = sb_norm_max(length, c->b), E = energy(c, p);
    double *const direction = what->by == BY_S ? c->ds : what->by == BY_V ? c->dv : c->dq;
    const double *const scales = what->by == BY_S ? c->scale_s : what->by == BY_V ? c->scale_v : c->scale_q;
    const sb_check_line line = {.check = c,
                                .from = p,
                                .term = what->of,
                                .dq = what->by == BY_Q ? direction : NULL,
                                .dv = what->by == BY_V ? direction : NULL,
                                .ds = what->by == BY_S ? direction : NULL};
    memset(direction, 0, (size_t)columns * sizeof *direction);
    for (int j = 0; j < columns; j++) {
        direction[j] = 1.0;
        const int status = sb_check_derivative(&line);
        direction[j] = 0.0;
        if (status != SB_OK) {
            return; /* a fault of the row */
        }
        for (int i = 0; i < rows; i++) {
            const int at = value_index(what, sys, i, j);
            const double value = at >= 0 ? c->a[at] : 0.0;
            c->bound[i] += noise;
            const double scale = fmax(fmax(largest, c->size[i] / scales[j]), natural_size(c, what, E, i, j)),
                         severity = sb_check_compare(c, value, c->d[i], c->bound[i], scale);
            if (severity > 0.0) {
                report_difference(c, what, p, i, j, value, severity);
            }
        }
    }
}

/* Sets c->b to bounds of the round-off of the values of a term. */
static int round_off(sb_examination *c, sb_term term, const sb_term_point *p) {
    for (int i = 0; i < c->sys->n; i++) {
        c->dq[i] = c->scale_q[i] * (i % 2 == 0 ? 1.0 : -0.7);
    }
    for (int i = 0; i < c->ns; i++) {
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
        return SB_OK; /* optional */
    }
    sb_check_begin(c, sb_term_symbol(what->matrix), sb_term_callback(what->matrix, c->sys));
    for (int k = 0; k < c->npoints; k++) {
        if (evaluate(c, what->matrix, &c->points[k]) == SB_OK) {
            compare_columns(c, what, &c->points[k]);
        }
    }
    return sb_check_end(c);
}

/* ---- Derivatives along a direction. ---- */

/* Compares the values of `term`, which have the round-off `noise`, with differences of line->term along the line. */
static void compare_along(sb_examination *c, sb_term term, const sb_check_line *line, const double *values,
                          const double *noise) {
    const int rows = sb_term_length(term, c->sys);
    const double largest = sb_norm_max(rows, values);
    if (sb_check_derivative(line) != SB_OK) {
        return;
    }
    for (int i = 0; i < rows; i++) {
        const double bound = c->bound[i] + noise[i], scale = fmax(largest, c->size[i] / c->sys->time_scale),
                     severity = sb_check_compare(c, values[i], c->d[i], bound, scale);
        if (severity > 0.0) {
            sb_check_fault(c, line->from, severity,
                           "row %d of %s is %.15g, but differences of %s %s give %.15g +- %.1e", i,
                           sb_term_symbol(term), values[i], sb_term_symbol(line->term),
                           line->dq == NULL && line->ds == NULL ? "in time" : "along v", c->d[i], bound);
        }
    }
}

/* The direction of a line: time, the velocity, both, or a direction of the chart. */
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

/* Checks that a term is constant, because its derivative is NULL: in t, or else in q. */
static int check_constant(sb_examination *c, const char *what, const char *callback, sb_term term, bool in_time) {
    sb_check_begin(c, what, callback);
    for (int k = 0; k < c->npoints; k++) {
        SB_TRY(round_off(c, term, &c->points[k]));
        const sb_check_line line = {
            .check = c, .from = &c->points[k], .term = term, .dt = in_time ? 1.0 : 0.0, .dq = in_time ? NULL : c->dq};
        if (sb_check_derivative(&line) != SB_OK) {
            continue;
        }
        for (int i = 0; i < sb_term_length(term, c->sys); i++) {
            const double severity = sb_check_compare(c, 0.0, c->d[i], c->bound[i], INFINITY);
            if (severity > 0.0) {
                sb_check_fault(c, &c->points[k], severity, "%s is NULL, but value %d of %s depends on %s", callback, i,
                               sb_term_symbol(term), in_time ? "t" : "q");
            }
        }
    }
    return sb_check_end(c);
}

int sb_check_derivatives(sb_examination *c) {
    if (c->sys->inertia.gradient == NULL) {
        SB_TRY(check_constant(c, "M is constant", "inertia.gradient", SB_TERM_MASS, false));
    }
    if (c->sys->potential.value != NULL && c->sys->potential.rate == NULL) {
        SB_TRY(check_constant(c, "V is constant in t", "potential.rate", SB_TERM_POTENTIAL, true));
    }
    if (c->sys->holonomic.m > 0 && c->sys->holonomic.rate == NULL) {
        SB_TRY(check_constant(c, "g is constant in t", "holonomic.rate", SB_TERM_CONSTRAINT, true));
    }
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
                       c->sys->holonomic.rate != NULL ? ALONG_T | ALONG_V : ALONG_V));
    SB_TRY(check_along(c, SB_TERM_PFAFFIAN_RATE, SB_TERM_RESIDUAL, ALONG_T | ALONG_V));
    return check_along(c, SB_TERM_CHART_SSS, SB_TERM_CHART_SS, ALONG_S);
}
