/* Checks that a system has every callback and pattern that its terms need, contact data within their ranges, a
 * symmetric mass matrix and a finite energy. */
#include <stdio.h>

#include "core/run/completeness.h"
#include <stepbench/numerics/csc.h>
#include <stepbench/numerics/norm.h>

/* A member that must not be missing. */
typedef struct requirement {
    bool missing;
    const char *member, *reason;
} requirement;

static bool is_size(const sb_pattern *a, int rows, int cols) {
    return a->p != NULL && a->rows == rows && a->cols == cols;
}

/* Returns whether row `row` of g depends on the coordinates at, ..., at + 3 and on no others. */
static bool keeps_length(const sb_system *sys, sb_attitude e) {
    const sb_pattern *G = &sys->holonomic.G;
    return e.at >= 0 && e.row >= 0 && e.row < sys->holonomic.m && G->p[e.row + 1] - G->p[e.row] == 4 &&
           G->i[G->p[e.row]] == e.at && G->i[G->p[e.row] + 3] == e.at + 3;
}

static int check_attitudes(sb_context *ctx, const sb_system *sys) {
    for (int k = 0; k < sys->attitudes; k++) {
        const sb_attitude e = sys->attitude[k];
        if (!keeps_length(sys, e)) {
            return sb_fail(ctx, SB_BAD_USAGE,
                           "%s has a wrong attitude[%d]: row %d of g has to depend on q%d to q%d and on nothing else",
                           sys->name, k, e.row, e.at, e.at + 3);
        }
    }
    return SB_OK;
}

/* Fails unless all `count` numbers x (NULL: none given) are in [lo, hi]; NaN is not. */
static int check_range(sb_context *ctx, const sb_system *sys, int count, const sb_scalar *x, sb_scalar lo, sb_scalar hi,
                       const char *what, const char *range) {
    for (int i = 0; i < count && x != NULL; i++) {
        if (!(x[i] >= lo && x[i] <= hi)) {
            return sb_fail(ctx, SB_BAD_USAGE, "%s: %s %d is %g; it has to be %s", sys->name, what, i, (double)x[i],
                           range);
        }
    }
    return SB_OK;
}

/* Checks the callbacks, patterns and arrays of the contacts. */
static int check_contacts(sb_context *ctx, const sb_system *sys) {
    const sb_contact *c = &sys->contact;
    const int normals = sb_system_bilateral(sys) + c->m;
    if ((c->m > 0 && (c->gap == NULL || c->N.rows != sys->n || c->N.cols != c->m)) ||
        (c->k > 0 && (c->slip == NULL || c->of == NULL || c->D.rows != sys->n || c->D.cols != c->k))) {
        return sb_fail(
            ctx, SB_BAD_USAGE,
            "%s is incomplete: contacts set gap and N (n x m) where m > 0; slip, D (n x k) and `of` where k > 0",
            sys->name);
    }
    SB_TRY(check_range(ctx, sys, c->k, c->mu, 0.0, (sb_scalar)INFINITY, "the coefficient of friction of row",
                       "0 or more"));
    SB_TRY(check_range(ctx, sys, c->k, c->limit, 0.0, (sb_scalar)INFINITY, "the bound of friction row",
                       "0 or more: else its lower bound lies above its upper one"));
    SB_TRY(check_range(ctx, sys, c->m, c->restitution, 0.0, 1.0, "the restitution of gap", "in [0, 1]"));
    SB_TRY(check_range(ctx, sys, c->m, c->eps, 0.0, (sb_scalar)INFINITY, "the compliance of gap", "0 or more"));
    SB_TRY(check_range(ctx, sys, c->m, c->tau, 0.0, (sb_scalar)INFINITY, "the relaxation time of gap", "0 or more"));
    SB_TRY(check_range(ctx, sys, c->k, c->gamma, 0.0, (sb_scalar)INFINITY, "the inverse drag of friction row",
                       "0 or more"));
    for (int j = 0; j < c->k; j++) {
        if (c->of[j] < -1 || c->of[j] >= normals) {
            return sb_fail(ctx, SB_BAD_USAGE,
                           "%s: friction row %d is bounded by multiplier %d; the multipliers that bound friction are 0 "
                           "to %d, and -1 for none",
                           sys->name, j, c->of[j], normals - 1);
        }
    }
    return SB_OK;
}

int sb_completeness_check(sb_context *ctx, const sb_system *sys) {
    const sb_inertia *inertia = &sys->inertia;
    const sb_potential *V = &sys->potential;
    const sb_holonomic *g = &sys->holonomic;
    const sb_nonholonomic *A = &sys->nonholonomic;
    const bool holonomic = g->m > 0, nonholonomic = A->m > 0;
    const sb_chart *chart = sys->chart;
    const sb_world *world = sys->world;
    const char *rows = "there are holonomic constraints", *pfaffian = "there are nonholonomic constraints";
    const requirement list[] = {
        {sys->n < 1, "n >= 1", "it counts the coordinates"},
        {!(sys->time_scale > 0.0 && isfinite(sys->time_scale)), "time_scale > 0", "steps are fractions of it"},
        {!(sys->period >= 0.0 && isfinite(sys->period)), "period >= 0", "it is a duration, or 0 if there is none"},
        {!is_size(&sys->H, sys->n, sys->n), "H (n x n)", "it is the pattern of M and of all second derivatives"},
        {!is_size(&inertia->M, sys->n, sys->n), "inertia.M (n x n)", "it is the pattern of the mass matrix"},
        {inertia->mass == NULL, "inertia.mass", "it evaluates the mass matrix"},
        {inertia->gradient == NULL && inertia->hessian != NULL, "inertia.gradient", "inertia.hessian is set"},
        {inertia->gradient != NULL && inertia->hessian == NULL, "inertia.hessian", "inertia.gradient is set"},
        {sys->initial == NULL, "initial", "it returns the initial state"},
        {V->value == NULL && (V->gradient != NULL || V->hessian != NULL || V->rate != NULL || V->springs != NULL),
         "potential.value", "derivatives of the potential, or springs, are set"},
        {V->gradient == NULL && V->value != NULL, "potential.gradient", "potential.value is set"},
        {V->value != NULL && V->hessian == NULL && V->degree != 0 && V->degree != 1, "potential.hessian",
         "the potential is not of degree 0 or 1"},
        {sys->force.value == NULL && sys->force.jacobian != NULL, "force.value", "force.jacobian is set"},
        {g->m < 0, "holonomic.m >= 0", "it counts rows"},
        {holonomic && !is_size(&g->G, sys->n, g->m), "holonomic.G (n x m)", rows},
        {holonomic && g->value == NULL, "holonomic.value", rows},
        {holonomic && g->hessian == NULL, "holonomic.hessian", rows},
        {holonomic && g->curvature == NULL, "holonomic.curvature", rows},
        {!holonomic && (g->value != NULL || g->rate != NULL), "holonomic.m > 0", "holonomic constraints are set"},
        {A->m < 0, "nonholonomic.m >= 0", "it counts rows"},
        {nonholonomic && !is_size(&A->A, sys->n, A->m), "nonholonomic.A (n x m)", pfaffian},
        {nonholonomic && A->value == NULL, "nonholonomic.value", pfaffian},
        {nonholonomic && A->rate == NULL, "nonholonomic.rate", pfaffian},
        {sys->symmetry.count > 0 && sys->symmetry.names == NULL, "symmetry.names", "there are symmetries"},
        {sys->symmetry.count > 0 && sys->symmetry.generator == NULL, "symmetry.generator", "there are symmetries"},
        {sys->outputs.count > 0 && sys->outputs.list == NULL, "outputs.list", "there are outputs"},
        {sys->outputs.count > 0 && sys->outputs.value == NULL, "outputs.value", "there are outputs"},
        {sys->attitudes > 0 && sys->attitude == NULL, "attitude", "there are attitudes"},
        {sys->breaks > 0 && sys->break_at == NULL, "break_at", "there are breaks"},
        {chart != NULL &&
             (chart->point == NULL || chart->hessian == NULL || chart->third == NULL || chart->inverse == NULL),
         "point, hessian, third and inverse of the chart", "a chart is offered"},
        {world != NULL && (world->describe == NULL || world->place == NULL || world->coordinates == NULL),
         "describe, place and coordinates of the world", "its bodies are offered"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        if (list[i].missing) {
            return sb_fail(ctx, SB_BAD_USAGE, "%s is incomplete: it has to set %s, because %s", sys->name,
                           list[i].member, list[i].reason);
        }
    }
    SB_TRY(check_attitudes(ctx, sys));
    return check_contacts(ctx, sys);
}

void sb_completeness_selves(const sb_system *sys, char *out, size_t size) {
    const struct {
        const char *name;
        bool missing;
    } groups[] = {
        {"the system", sys->initial != NULL && sys->self == NULL},
        {"inertia", sys->inertia.mass != NULL && sys->inertia.self == NULL},
        {"potential", sys->potential.value != NULL && sys->potential.self == NULL},
        {"force", sys->force.value != NULL && sys->force.self == NULL},
        {"holonomic", sys->holonomic.value != NULL && sys->holonomic.self == NULL},
        {"nonholonomic", sys->nonholonomic.value != NULL && sys->nonholonomic.self == NULL},
        {"contact", (sys->contact.gap != NULL || sys->contact.slip != NULL) && sys->contact.self == NULL},
        {"symmetry", sys->symmetry.generator != NULL && sys->symmetry.self == NULL},
        {"outputs", sys->outputs.value != NULL && sys->outputs.self == NULL},
    };
    size_t length = 0;
    out[0] = '\0';
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        if (groups[i].missing && length < size) {
            length += (size_t)snprintf(out + length, size - length, "%s%s",
                                       length > 0 ? ", " : "; callbacks get a NULL `self` in: ", groups[i].name);
        }
    }
}

/* M_ij and M_ji may be computed in different orders and then differ by some roundings; a wrong formula makes a
 * difference of the size of the entries. */
static const sb_scalar symmetry_tol = SB_RESOLVED(1e-10);

static int check_mass(sb_context *ctx, const sb_system *sys, const sb_scalar *Mx) {
    const sb_pattern *M = &sys->inertia.M;
    const sb_scalar largest = sb_norm_max(sb_pattern_nnz(M), Mx);
    for (int j = 0; j < M->cols; j++) {
        for (int k = M->p[j]; k < M->p[j + 1]; k++) {
            const int i = M->i[k], at = sb_pattern_find(M, j, i);
            const sb_scalar mirror = at < 0 ? 0.0 : Mx[at];
            if (!(fabs(Mx[k] - mirror) <= symmetry_tol * largest)) {
                return sb_fail(ctx, SB_BAD_USAGE,
                               "the mass matrix of %s is not symmetric at the initial position: entry (%d, %d) is %.9g "
                               "and entry (%d, %d) is %.9g; set both triangles",
                               sys->name, i, j, (double)Mx[k], j, i, (double)mirror);
            }
        }
    }
    return SB_OK;
}

int sb_completeness_evaluate(sb_context *ctx, const sb_system *sys, sb_scalar t, const sb_scalar *q, const sb_scalar *v,
                             sb_scalar *Mx) {
    sb_scalar kinetic = 0.0, potential = 0.0;
    SB_TRY(sys->inertia.mass(sys->inertia.self, q, Mx));
    SB_TRY(check_mass(ctx, sys, Mx));
    for (int j = 0; j < sys->n; j++) {
        for (int k = sys->inertia.M.p[j]; k < sys->inertia.M.p[j + 1]; k++) {
            kinetic += 0.5 * v[sys->inertia.M.i[k]] * Mx[k] * v[j];
        }
    }
    if (sys->potential.value != NULL) {
        SB_TRY(sb_potential_value(sys, t, q, &potential));
    }
    if (!isfinite(kinetic) || !isfinite(potential)) {
        return sb_fail(ctx, SB_INCONSISTENT,
                       "the energy of %s is not finite in the initial state: kinetic energy %g, potential energy %g; "
                       "give a state in the domain of both",
                       sys->name, (double)kinetic, (double)potential);
    }
    return SB_OK;
}
