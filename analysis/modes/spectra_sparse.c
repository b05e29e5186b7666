/* The fastest transversal modes of large systems: sparse matrices, factored once per state, and ARPACK's Lanczos
 * iteration on projected operators. lehoucq98. */
#include <string.h>

#include <stepbench/numerics/dynamics.h>

#include "analysis/equilibrium.h"
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
    return sb_kkt_init(s->ctx, arena, sys, NULL, SB_FORM_SADDLE, solver, &out->kkt);
}

int sb_fastest_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_fastest *out) {
    const int n = sys->n, m = sys->holonomic.m;
    *out = (sb_fastest){
        .ctx = ctx, .sys = sys, .n = n, .m = m, .singular_mass = (sys->flags & (unsigned)SB_HAS_SINGULAR_MASS) != 0};
    SB_NEW(arena, out->Gx, sb_pattern_nnz(&sys->holonomic.G));
    SB_NEW(arena, out->Hx, sb_pattern_nnz(&sys->H));
    SB_NEW(arena, out->lambda, m);
    SB_NEW(arena, out->none, n > m ? n : m);
    SB_TRY(SB_VECTORS(arena, n, &out->a, &out->p, &out->x));
    SB_TRY(SB_VECTORS(arena, m, &out->mu, &out->before, &out->s));
    const sb_solver *solver =
        sb_solver_choose(ctx, "auto", out->singular_mass ? SB_FORM_GENERAL : SB_FORM_SADDLE, n + m);
    SB_TRY(open_projector(arena, out, sys, solver, &out->metric));
    if (out->singular_mass) {
        return SB_OK;
    }
    out->unit = *sys;
    out->unit.inertia = (sb_inertia){.self = out, .mass = unit_mass};
    SB_TRY(sb_pattern_diagonal(arena, n, &out->unit.inertia.M));
    return open_projector(arena, out, &out->unit, solver, &out->euclidean);
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
    SB_TRY(project(s, &s->metric, s->p, s->lambda, s->a));
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

/* Sets y = A x. A is symmetric in the inner product of M: x' M A y = y' M A x, and x' M x > 0 on its range. */
typedef int linear_map(sb_fastest *s, const double *x, double *y);

/* Sets y = -K x. */
static void stiffness(const sb_fastest *s, const double *x, double *y) {
    memset(y, 0, (size_t)s->n * sizeof *y);
    sb_csc_mult_add(&s->sys->H, s->Hx, 1.0, x, y);
}

static int full(sb_fastest *s, const double *x, double *y) {
    stiffness(s, x, s->p);
    sb_mass_solve(&s->metric.kkt.mass, s->p, y);
    return SB_OK;
}

static int projected(sb_fastest *s, const double *x, double *y) {
    stiffness(s, x, s->p);
    return project(s, &s->metric, s->p, s->none, y);
}

static int as_printed(sb_fastest *s, const double *x, double *y) {
    SB_TRY(project(s, &s->euclidean, x, s->none, s->x));
    stiffness(s, s->x, s->p);
    SB_TRY(project(s, &s->euclidean, s->p, s->none, s->x));
    sb_mass_solve(&s->metric.kkt.mass, s->x, y);
    return SB_OK;
}

/* ---- The Lanczos iteration. ---- */

/* ARPACK's Fortran routines. Its C wrapper of dseupd allocates an array and writes to it without a check. */
typedef int fortran_int;
void dsaupd_(fortran_int *ido, const char *bmat, const fortran_int *n, const char *which, const fortran_int *nev,
             const double *tol, double *resid, const fortran_int *ncv, double *v, const fortran_int *ldv,
             fortran_int *iparam, fortran_int *ipntr, double *workd, double *workl, const fortran_int *lworkl,
             fortran_int *info, size_t bmat_length, size_t which_length);
void dseupd_(const fortran_int *rvec, const char *howmny, fortran_int *select, double *d, double *z,
             const fortran_int *ldz, const double *sigma, const char *bmat, const fortran_int *n, const char *which,
             const fortran_int *nev, const double *tol, double *resid, const fortran_int *ncv, double *v,
             const fortran_int *ldv, fortran_int *iparam, fortran_int *ipntr, double *workd, double *workl,
             const fortran_int *lworkl, fortran_int *info, size_t howmny_length, size_t bmat_length,
             size_t which_length);

/* Keeping 40 basis vectors orthogonal costs less than applying the operators here, and takes a third of the restarts of
 * 20 vectors. */
enum { BASIS = 40, RESTARTS_MAX = 3000 };
static const double tolerance = 1e-10;

typedef struct iteration {
    int n, wanted, basis;
    fortran_int ido, info, iparam[11], ipntr[11], lworkl;
    double *resid, *V, *workd, *workl, *values;
    fortran_int *select;
} iteration;

static int begin(sb_arena *arena, const sb_fastest *s, int range, int count, iteration *it) {
    const int most = 2 * count + 1 > BASIS ? 2 * count + 1 : BASIS;
    *it = (iteration){.n = s->n, .wanted = count, .basis = most < range ? most : range};
    if (count >= it->basis) {
        return sb_fail(arena->ctx, SB_UNSUPPORTED,
                       "%s: %d fastest modes are too many for an iteration that finds fewer than %d; use count=%d, or "
                       "dense matrices",
                       s->sys->name, count, it->basis, it->basis > 1 ? it->basis - 1 : 1);
    }
    const size_t n = (size_t)it->n, basis = (size_t)it->basis;
    it->lworkl = (fortran_int)(basis * (basis + 8));
    SB_NEW(arena, it->resid, n);
    SB_NEW(arena, it->V, n * basis);
    SB_NEW(arena, it->workd, 3 * n);
    SB_NEW(arena, it->workl, it->lworkl);
    SB_NEW(arena, it->values, count);
    SB_NEW(arena, it->select, basis);
    it->iparam[0] = 1; /* exact shifts */
    it->iparam[2] = RESTARTS_MAX;
    it->iparam[6] = 2; /* mode 2: A x = value M x by products with M^-1 A and M */
    it->info = 1;      /* resid is the start */
    /* The fractional parts of the multiples of the golden ratio do not repeat in a pattern to which a mode could be
     * orthogonal. */
    for (int i = 0; i < it->n; i++) {
        it->resid[i] = fmod((i + 1) * 0.6180339887498949, 1.0) - 0.5;
    }
    return SB_OK;
}

/* Computes the products that ARPACK requests until it is done. In mode 2 the argument of the operator is replaced by M
 * times the result. */
static int iterate(sb_fastest *s, linear_map *apply, iteration *it) {
    for (;;) {
        dsaupd_(&it->ido, "G", &it->n, "LA", &it->wanted, &tolerance, it->resid, &it->basis, it->V, &it->n, it->iparam,
                it->ipntr, it->workd, it->workl, &it->lworkl, &it->info, 1, 2);
        double *x = it->workd + it->ipntr[0] - 1, *y = it->workd + it->ipntr[1] - 1;
        if (sb_interrupted(s->ctx)) {
            return sb_fail(s->ctx, SB_INTERRUPTED, "%s: interrupted in the computation of its fastest modes",
                           s->sys->name);
        }
        if (it->ido == 2) {
            sb_mass_mult(&s->metric.kkt.mass, x, y);
        } else if (it->ido == 1 || it->ido == -1) {
            SB_TRY(apply(s, x, y));
            sb_mass_mult(&s->metric.kkt.mass, y, x);
        } else {
            return SB_OK;
        }
    }
}

static int finish(const sb_fastest *s, iteration *it, double *values, double *vectors) {
    if (it->info == 0) {
        const fortran_int with_vectors = 1;
        const double sigma = 0.0;
        dseupd_(&with_vectors, "A", it->select, it->values, it->V, &it->n, &sigma, "G", &it->n, "LA", &it->wanted,
                &tolerance, it->resid, &it->basis, it->V, &it->n, it->iparam, it->ipntr, it->workd, it->workl,
                &it->lworkl, &it->info, 1, 1, 2);
    }
    if (it->info != 0 || it->iparam[4] < it->wanted) {
        return sb_fail(s->ctx, SB_NOT_CONVERGED,
                       "%s: %d of the %d fastest modes were found in %d restarts (ARPACK: %d); their frequencies lie "
                       "too close together, or a number is not finite",
                       s->sys->name, it->info < 0 ? 0 : (int)it->iparam[4], it->wanted, (int)it->iparam[2],
                       (int)it->info);
    }
    /* ARPACK's eigenvalues ascend. */
    for (int i = 0; i < it->wanted; i++) {
        const int from = it->wanted - 1 - i;
        values[i] = it->values[from];
        if (vectors != NULL) {
            memcpy(vectors + (size_t)i * (size_t)it->n, it->V + (size_t)from * (size_t)it->n,
                   (size_t)it->n * sizeof *vectors);
        }
    }
    return SB_OK;
}

/* Computes the `count` largest eigenvalues of an operator on its range, of at least this dimension, values[0] >=
 * values[1] ... The relative error of each is at most 1e-10, and the square of that over the distance to its neighbours
 * if they are separated. vectors (n x count, may be NULL) have x' M x = 1. The iteration starts from a fixed vector, so
 * that results are reproducible. Fails with SB_UNSUPPORTED if the range is too small, with SB_NOT_CONVERGED if the
 * largest eigenvalues are too close together. ARPACK keeps its state in static memory: only one thread of a process may
 * call it at a time. */
static int largest(sb_fastest *s, linear_map *apply, int range, int count, double *values, double *vectors) {
    iteration it;
    SB_SCRATCH(scratch, s->ctx);
    SB_TRY(begin(&scratch, s, range, count, &it));
    SB_TRY(iterate(s, apply, &it));
    return finish(s, &it, values, vectors);
}

int sb_fastest_spectra(sb_fastest *s, sb_arena *arena, int count, bool only_projected, sb_spectra *out) {
    *out = (sb_spectra){.n = count, .d = count, .rounding = s->n * DBL_EPSILON * s->largest};
    SB_NEW(arena, out->projected, count);
    SB_NEW(arena, out->shape, (size_t)count * (size_t)s->n);
    SB_TRY(largest(s, projected, s->n - s->m, count, out->projected, out->shape));
    if (only_projected || s->singular_mass) {
        return SB_OK;
    }
    SB_TRY(SB_VECTORS(arena, count, &out->as_printed, &out->full));
    SB_TRY(largest(s, as_printed, s->n - s->m, count, out->as_printed, NULL));
    return largest(s, full, s->n, count, out->full, NULL);
}
