/* The fastest transversal modes of large systems: sparse matrices, factored once per state, and the Lanczos iteration
 * on projected operators. */
#include <float.h>
#include <string.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/norm.h>

#include "analysis/modes/equilibrium.h"
#include "analysis/modes/lanczos.h"
#include "analysis/modes/spectra_sparse.h"

static int unit_mass(const void *self, const double *q, double *Mx) {
    const sb_fastest *s = self;
    for (int i = 0; i < s->n; i++) {
        Mx[i] = 1.0;
    }
    return SB_OK;
}

static int open_projector(sb_arena *arena, sb_fastest *s, const sb_system *sys, const sb_solver *solver,
                          sb_projector *out) {
    SB_NEW(arena, out->Sigma, s->m);
    return sb_kkt_init(s->ctx, arena, sys, SB_FORM_SADDLE, solver, &out->kkt);
}

static int open_unit(sb_arena *arena, sb_fastest *s, const sb_solver *solver) {
    s->unit = *s->sys;
    s->unit.inertia = (sb_inertia){.self = s, .mass = unit_mass};
    SB_TRY(sb_pattern_diagonal(arena, s->n, &s->unit.inertia.M));
    return open_projector(arena, s, &s->unit, solver, &s->euclidean);
}

int sb_fastest_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_fastest *out) {
    const int n = sys->n, m = sys->holonomic.m;
    *out = (sb_fastest){
        .ctx = ctx, .sys = sys, .n = n, .m = m, .singular_mass = (sys->flags & (unsigned)SB_HAS_SINGULAR_MASS) != 0};
    SB_NEW(arena, out->Gx, sb_pattern_nnz(&sys->holonomic.G));
    SB_NEW(arena, out->Hx, sb_pattern_nnz(&sys->H));
    SB_NEW(arena, out->lambda, m);
    SB_NEW(arena, out->none, n > m ? n : m);
    SB_TRY(SB_VECTORS(arena, n, &out->p, &out->x));
    SB_TRY(SB_VECTORS(arena, m, &out->mu, &out->before, &out->s));
    const sb_solver *solver =
        sb_solver_choose(ctx, "auto", out->singular_mass ? SB_FORM_GENERAL : SB_FORM_SADDLE, n + m);
    SB_TRY(open_projector(arena, out, sys, solver, &out->metric));
    return out->singular_mass ? SB_OK : open_unit(arena, out, solver);
}

/* ---- Projection, dependent constraints included. ---- */

/* Regularization of dependent constraints, relative to G' M^-1 G: small compared with it, and large compared with its
 * round-off. */
static const double regularization = 1e-8;

/* Sets Sigma of each constraint from its diagonal entry of G' M^-1 G, computed with the diagonal of M. */
static void regularize(const sb_fastest *s, sb_projector *P) {
    const sb_pattern *G = &s->sys->holonomic.G, *M = &P->kkt.sys->inertia.M;
    for (int j = 0; j < s->m; j++) {
        double sum = 0.0;
        for (int k = G->p[j]; k < G->p[j + 1]; k++) {
            const int at = sb_pattern_find(M, G->i[k], G->i[k]);
            const double mass = at >= 0 ? P->kkt.mass.Mx[at] : 0.0;
            sum += mass > 0.0 ? s->Gx[k] * s->Gx[k] / mass : 0.0;
        }
        P->Sigma[j] = regularization * sum;
    }
}

/* Factors with Sigma = 0 or, if a pivot is zero, with the regularization. */
static int factor(const sb_fastest *s, sb_projector *P, const double *q) {
    memcpy(P->kkt.Cx, s->Gx, (size_t)sb_pattern_nnz(&P->kkt.C) * sizeof(double));
    sb_kkt_set_sigma(&P->kkt, s->none);
    const int status = sb_kkt_factor(&P->kkt, q);
    P->dependent = status == SB_SINGULAR;
    if (!P->dependent) {
        return status;
    }
    regularize(s, P);
    sb_kkt_set_sigma(&P->kkt, P->Sigma);
    return sb_kkt_factor(&P->kkt, q);
}

/* Computes x and s->mu (the shortest) with M x = p + G mu, G' x = s. With the regularization G' x + Sigma mu = s +
 * Sigma mu_before is repeated until mu converges: the error falls by Sigma/(Sigma + sigma) per iteration, sigma an
 * eigenvalue of G' M^-1 G, and along dependent rows there is only round-off over the regularization, 1e-8 of mu. */
static int project(sb_fastest *s, sb_projector *P, const double *p, const double *right, double *x) {
    double moved = INFINITY;
    memset(s->mu, 0, (size_t)s->m * sizeof(double));
    for (int k = 0; k < 200 && moved > 10.0 * regularization * sb_norm_max(s->m, s->mu); k++) {
        for (int i = 0; i < s->m; i++) {
            s->before[i] = s->mu[i];
            s->s[i] = right[i] + (P->dependent ? P->Sigma[i] * s->mu[i] : 0.0);
        }
        SB_TRY(sb_kkt_solve(&P->kkt, p, s->s, x, s->mu));
        moved = P->dependent ? sb_distance_max(s->m, s->mu, s->before) : 0.0;
    }
    if (!isfinite(sb_norm_max(s->m, s->mu))) {
        return sb_fail(s->ctx, SB_NOT_FINITE, "%s: a number is not finite in the computation of its fastest modes",
                       s->sys->name);
    }
    if (!(moved <= 10.0 * regularization * sb_norm_max(s->m, s->mu))) {
        return sb_fail(
            s->ctx, SB_SINGULAR,
            "%s: its constraints are nearly dependent, but not to round-off: the multipliers cannot be computed",
            s->sys->name);
    }
    return SB_OK;
}

int sb_fastest_evaluate(sb_fastest *s, double t, const double *q, const double *v) {
    const sb_system *sys = s->sys;
    if (s->m > 0) {
        SB_TRY(sb_holonomic_value(sys, t, q, NULL, s->Gx));
        SB_TRY(sb_holonomic_curvature(sys, t, q, v, s->lambda));
    }
    SB_TRY(factor(s, &s->metric, q));
    SB_TRY(sb_system_applied_force(sys, t, q, v, s->p, s->x, s->Hx));
    for (int i = 0; i < s->m; i++) {
        s->lambda[i] = -s->lambda[i];
    }
    SB_TRY(project(s, &s->metric, s->p, s->lambda, s->x));
    memcpy(s->lambda, s->mu, (size_t)s->m * sizeof(double));
    SB_TRY(sb_equilibrium_bound(sys, t, q, s->lambda, s->metric.kkt.mass.Mx, s->Hx, s->before, &s->largest));
    SB_TRY(sb_equilibrium_stiffness(sys, t, q, s->lambda, -1.0, s->Hx));
    if (!isfinite(s->largest)) { /* ARPACK would print a message */
        return sb_fail(s->ctx, SB_NOT_FINITE, "%s: its stiffness is not finite", sys->name);
    }
    if (s->singular_mass) {
        return SB_OK;
    }
    SB_TRY(sb_mass_update(&s->metric.kkt.mass, q));
    return factor(s, &s->euclidean, q);
}

/* ---- The three operators. ---- */

/* y = -K x */
static void stiffness(const sb_fastest *s, const double *x, double *y) {
    memset(y, 0, (size_t)s->n * sizeof *y);
    sb_csc_mult_add(&s->sys->H, s->Hx, 1.0, x, y);
}

static int full(void *self, const double *x, double *y) {
    sb_fastest *s = self;
    stiffness(s, x, s->p);
    sb_mass_solve(&s->metric.kkt.mass, s->p, y);
    return SB_OK;
}

static int projected(void *self, const double *x, double *y) {
    sb_fastest *s = self;
    stiffness(s, x, s->p);
    return project(s, &s->metric, s->p, s->none, y);
}

static int as_printed(void *self, const double *x, double *y) {
    sb_fastest *s = self;
    SB_TRY(project(s, &s->euclidean, x, s->none, s->x));
    stiffness(s, s->x, s->p);
    SB_TRY(project(s, &s->euclidean, s->p, s->none, s->x));
    sb_mass_solve(&s->metric.kkt.mass, s->x, y);
    return SB_OK;
}

static int mass(void *self, const double *x, double *y) {
    const sb_fastest *s = self;
    sb_mass_mult(&s->metric.kkt.mass, x, y);
    return SB_OK;
}

int sb_fastest_spectra(sb_fastest *s, sb_arena *arena, int count, bool only_projected, sb_spectra *out) {
    sb_lanczos spec = {
        .what = s->sys->name, .n = s->n, .range = s->n - s->m, .self = s, .apply = projected, .mass = mass};
    *out = (sb_spectra){.n = count, .d = count, .rounding = s->n * DBL_EPSILON * s->largest};
    SB_NEW(arena, out->projected, count);
    SB_NEW(arena, out->shape, (size_t)count * (size_t)s->n);
    SB_TRY(sb_lanczos_solve(s->ctx, &spec, count, out->projected, out->shape));
    if (only_projected || s->singular_mass) {
        return SB_OK;
    }
    SB_TRY(SB_VECTORS(arena, count, &out->as_printed, &out->full));
    spec.apply = as_printed;
    SB_TRY(sb_lanczos_solve(s->ctx, &spec, count, out->as_printed, NULL));
    spec.apply = full;
    spec.range = s->n;
    return sb_lanczos_solve(s->ctx, &spec, count, out->full, NULL);
}
