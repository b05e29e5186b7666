/* Checks that the Lagrangian and the constraints are invariant under the declared symmetries, and that forces do no
 * work along them. */
#include <stdio.h>
#include <string.h>

#include <stepbench/numerics/norm.h>

#include "analysis/system/check_groups.h"

/* Sets c->dq to the generator at q, and c->dv to its derivative along v: xi(q + v) - xi(q), since it is affine. Returns
 * false if it is not, or fails. */
static bool take_generator(sb_examination *c, int index, const sb_term_point *p) {
    const sb_symmetry *symmetry = &c->sys->symmetry;
    const int n = c->sys->n;
    double affine = 0.0;
    int status = symmetry->generator(symmetry->self, index, p->q, c->dq);
    for (int i = 0; i < n; i++) {
        c->moved.q[i] = p->q[i] + p->v[i];
    }
    status = status == SB_OK ? symmetry->generator(symmetry->self, index, c->moved.q, c->dv) : status;
    for (int i = 0; i < n; i++) {
        c->moved.q[i] = p->q[i] - p->v[i];
    }
    status = status == SB_OK ? symmetry->generator(symmetry->self, index, c->moved.q, c->b) : status;
    if (status != SB_OK) {
        sb_check_fault(c, NULL, INFINITY, "the generator returns status %d (%s)", status, sb_status_text(status));
        return false;
    }
    const double size = fmax(sb_norm_max(n, c->dv), fmax(sb_norm_max(n, c->b), sb_norm_max(n, c->dq)));
    for (int i = 0; i < n; i++) {
        affine = sb_larger(affine, fabs(c->dv[i] + c->b[i] - 2.0 * c->dq[i]));
        c->dv[i] -= c->dq[i];
    }
    c->compared += n;
    if (!(affine <= 64.0 * DBL_EPSILON * size) || size == 0.0) {
        sb_check_fault(c, NULL, 1e300, size == 0.0 ? "the generator is 0" : "the generator is not affine in q");
        return false;
    }
    return true;
}

/* Checks that the term does not change along the orbit of the symmetry. */
static void check_invariant(sb_examination *c, sb_term term, const sb_term_point *p) {
    const sb_check_line line = {.check = c, .from = p, .term = term, .dq = c->dq, .dv = c->dv};
    if (!sb_term_given(term, c->sys) || sb_check_derivative(&line) != SB_OK) {
        return;
    }
    for (int i = 0; i < sb_term_length(term, c->sys); i++) {
        const double severity = sb_check_compare(c, 0.0, c->d[i], c->bound[i], INFINITY);
        if (severity > 0.0) {
            sb_check_fault(c, p, severity, "%s changes along the symmetry: its derivative (row %d) is %.9g +- %.1e",
                           sb_term_symbol(term), i, c->d[i], c->bound[i]);
        }
    }
}

/* Checks that the forces of the rows, the columns of a term, do no work along the symmetry: it vanishes but for the
 * rounding of the sum, and that of values which are sums themselves. */
static void check_rows(sb_examination *c, const char *name, sb_term term, const sb_term_point *p) {
    const sb_pattern *pattern = sb_term_pattern(term, c->sys);
    if (pattern->cols == 0 || sb_term_evaluate(term, p, 1.0, c->a) != SB_OK) {
        return;
    }
    for (int j = 0; j < pattern->cols; j++) {
        double sum = 0.0, size = 0.0;
        for (int k = pattern->p[j]; k < pattern->p[j + 1]; k++) {
            sum += c->a[k] * c->dq[pattern->i[k]];
            size += fabs(c->a[k] * c->dq[pattern->i[k]]);
        }
        const double allowed = 1e-9 * size;
        sb_check_expect(c, fabs(sum) <= allowed, p, 1.0 + fabs(sum) / allowed,
                        "%s %d does work along the symmetry: %.9g, not 0 +- %.1e", name, j, sum, allowed);
    }
}

static void check_force(sb_examination *c, const sb_term_point *p) {
    double sum = 0.0, size = 0.0;
    if (c->sys->force.value == NULL || sb_term_evaluate(SB_TERM_FORCE, p, 1.0, c->a) != SB_OK) {
        return;
    }
    for (int i = 0; i < c->sys->n; i++) {
        sum += c->a[i] * c->dq[i];
        size += fabs(c->a[i] * c->dq[i]);
    }
    sb_check_expect(c, fabs(sum) <= 1e-9 * size, NULL, 2.0, "the force f does work along the symmetry: %.9g", sum);
}

int sb_check_symmetries(sb_examination *c) {
    for (int i = 0; i < c->sys->symmetry.count; i++) {
        char *name;
        const size_t size = strlen(c->sys->symmetry.names[i]) + sizeof "symmetry ";
        SB_NEW(c->arena, name, size);
        snprintf(name, size, "symmetry %s", c->sys->symmetry.names[i]);
        sb_check_begin(c, name, "symmetry.generator");
        for (int k = 0; k < c->npoints; k++) {
            const sb_term_point *p = &c->points[k];
            if (take_generator(c, i, p)) {
                check_invariant(c, SB_TERM_KINETIC, p);
                check_invariant(c, SB_TERM_POTENTIAL, p);
                check_invariant(c, SB_TERM_CONSTRAINT, p);
                check_force(c, p);
                check_rows(c, "nonholonomic row", SB_TERM_PFAFFIAN, p);
                check_rows(c, "normal of gap", SB_TERM_NORMALS, p);
                check_rows(c, "direction of friction", SB_TERM_TANGENTS, p);
            }
        }
        SB_TRY(sb_check_end(c));
    }
    return SB_OK;
}
