/* Equilibrium of a constrained system: Newton's iteration with a shift that makes V decrease. */
#include <string.h>

#include <lapacke.h>

#include <stepbench/numerics/dynamics.h>

#include "analysis/equilibrium.h"
#include "core/mechanics/matrices.h"

/* Relative round-off of V, a sum of at most some hundred terms without much cancellation. */
static const double rounding_of_V = 1e3 * DBL_EPSILON;

typedef struct search {
    sb_context *ctx;
    const sb_system *sys;
    sb_dynamics dyn;
    sb_saddle newton;
    int n, m;
    double unit;   /* unit of the shift, 1/s^2 */
    double length; /* size of the motion, to which corrections are compared where q vanishes */
    double *zero, *a, *b, *lambda, *Gx, *trial, *x;
    lapack_int *signs;
} search;

static int open_search(sb_context *ctx, sb_arena *arena, const sb_system *sys, search *s) {
    const int n = sys->n, m = sys->holonomic.m;
    *s = (search){.ctx = ctx, .sys = sys, .n = n, .m = m, .unit = 1.0 / (sys->time_scale * sys->time_scale)};
    SB_TRY(sb_system_length(ctx, sys, &s->length));
    SB_TRY(sb_dynamics_init(ctx, arena, sys, &s->dyn));
    SB_TRY(sb_saddle_init(ctx, arena, sys, &s->newton));
    SB_TRY(SB_VECTORS(arena, n, &s->zero, &s->a, &s->trial));
    SB_TRY(SB_VECTORS(arena, n + m, &s->b, &s->x));
    SB_NEW(arena, s->lambda, m);
    SB_NEW(arena, s->Gx, sb_pattern_nnz(&sys->holonomic.G));
    SB_NEW(arena, s->signs, n + m);
    return SB_OK;
}

int sb_equilibrium_stiffness(const sb_system *sys, double t, const double *q, const double *lambda, double c,
                             double *Hx) {
    memset(Hx, 0, (size_t)sb_pattern_nnz(&sys->H) * sizeof *Hx);
    if (sys->holonomic.m > 0) {
        SB_TRY(sb_holonomic_hessian(sys, t, q, lambda, c, Hx));
    }
    return sys->potential.hessian != NULL ? sb_potential_hessian(sys, t, q, -c, Hx) : SB_OK;
}

/* Sets s->newton.Hx to M at q. */
static int set_mass(search *s, const double *q) {
    memset(s->newton.Hx, 0, (size_t)sb_pattern_nnz(&s->sys->H) * sizeof(double));
    SB_TRY(sb_mass_evaluate(&s->dyn.mass, q));
    sb_mass_add(&s->dyn.mass, 1.0, s->newton.Hx);
    return SB_OK;
}

/* Solves [H, -G; G', 0] (x, mu) = (x, mu) in place, with H on s->newton.Hx and G at q. */
static int solve(search *s, const double *q, double *x) {
    SB_TRY(s->m > 0 ? sb_holonomic_value(s->sys, 0.0, q, NULL, s->Gx) : SB_OK);
    sb_saddle_assemble(&s->newton, 1.0, -1.0, s->Gx, 1.0, s->Gx);
    SB_TRY(sb_saddle_factor(&s->newton));
    return sb_saddle_solve(&s->newton, x);
}

/* Projects q onto the constraints by corrections that are shortest in the metric of M. The error after a correction
 * below 1e-9 of q is of the order of its square: round-off. */
static int retract(search *s, double *q) {
    const sb_system *sys = s->sys;
    for (int k = 0; k < 20 && s->m > 0; k++) {
        memset(s->b, 0, (size_t)s->n * sizeof(double));
        SB_TRY(sb_holonomic_value(sys, 0.0, q, s->b + s->n, NULL));
        for (int i = s->n; i < s->n + s->m; i++) {
            s->b[i] = -s->b[i];
        }
        SB_TRY(set_mass(s, q));
        SB_TRY(solve(s, q, s->b));
        sb_axpy(s->n, 1.0, s->b, q);
        if (sb_norm_max(s->n, s->b) <= 1e-9 * sb_norm_max(s->n, q)) {
            return SB_OK;
        }
    }
    return s->m == 0
               ? SB_OK
               : sb_fail(s->ctx, SB_NOT_CONVERGED,
                         "%s: a step towards the equilibrium could not be projected onto the constraints", sys->name);
}

/* Sets s->x to a correction of q: Newton's for shift = 0, a descent along the acceleration for a large shift. */
static int correction(search *s, double t, const double *q, double shift) {
    const sb_force *force = &s->sys->force;
    SB_TRY(sb_dynamics_acceleration(&s->dyn, t, q, s->zero, s->a, s->lambda));
    SB_TRY(sb_equilibrium_stiffness(s->sys, t, q, s->lambda, -1.0, s->newton.Hx));
    SB_TRY(force->jacobian != NULL ? force->jacobian(force->self, t, q, s->zero, -1.0, 0.0, s->newton.Hx) : SB_OK);
    sb_mass_add(&s->dyn.mass, shift, s->newton.Hx);
    sb_mass_mult(&s->dyn.mass, s->a, s->x);
    memset(s->x + s->n, 0, (size_t)s->m * sizeof(double));
    return solve(s, q, s->x);
}

/* Sets *merit to the quantity that decreases towards the equilibrium: V or, if forces act at rest, a' M a. */
static int measure(search *s, double t, const double *q, double *merit) {
    const sb_force *force = &s->sys->force;
    SB_TRY(force->value != NULL ? force->value(force->self, t, q, s->zero, s->b) : SB_OK);
    if (force->value == NULL || !(sb_norm_max(s->n, s->b) > 0.0)) {
        return sb_dynamics_energy(&s->dyn, t, q, s->zero, NULL, merit);
    }
    SB_TRY(sb_dynamics_acceleration(&s->dyn, t, q, s->zero, s->a, s->lambda));
    return sb_dynamics_energy(&s->dyn, t, q, s->a, merit, NULL);
}

/* Tries the correction with the given shift. If the merit decreases, or does not change to round-off, sets *fell, adds
 * the correction to q, and sets *size to its size relative to q. */
static int attempt(search *s, double t, double shift, double *q, double *size, bool *fell) {
    double before, after;
    *fell = false;
    int status = correction(s, t, q, shift);
    if (status == SB_OK) {
        for (int i = 0; i < s->n; i++) {
            s->trial[i] = q[i] + s->x[i];
        }
        status = retract(s, s->trial);
    }
    if (status > 0) {
        return SB_OK;
    }
    SB_TRY(status);
    SB_TRY(measure(s, t, q, &before));
    SB_TRY(measure(s, t, s->trial, &after));
    if (after <= before + rounding_of_V * fmax(fabs(before), fabs(after))) {
        *fell = true;
        *size = sb_distance_max(s->n, s->trial, q);
        memcpy(q, s->trial, (size_t)s->n * sizeof *q);
        *size /= *size > 0.0 ? fmax(sb_norm_max(s->n, q), s->length) : 1.0;
    }
    return SB_OK;
}

/* Runs the iteration, and sets *converged if its last correction was small enough. It ends a million sizes away: there
 * is no minimum near the start. */
static int descend(search *s, double t, double *q, bool *converged) {
    const double far = 1e6 * fmax(sb_norm_max(s->n, q), s->length);
    double shift = s->unit, size = INFINITY;
    *converged = false;
    for (int k = 0; k < 500 && !*converged && shift <= 1e20 * s->unit && sb_norm_max(s->n, q) <= far; k++) {
        bool fell;
        SB_TRY(attempt(s, t, shift, q, &size, &fell));
        /* The shift decreases with every correction, so that the last ones are Newton's: after one of 1e-9 the next is
         * round-off. */
        *converged = fell && shift <= 1e-6 * s->unit && size <= 1e-9;
        shift = fell ? fmax(0.1 * shift, 1e-15 * s->unit) : 10.0 * shift;
    }
    return SB_OK;
}

/* Divides x by its largest entry. */
static void normalize(int n, double *x) {
    const double largest = sb_norm_max(n, x);
    for (int i = 0; i < n && largest > 0.0; i++) {
        x[i] /= largest;
    }
}

/* Returns the 1-norm of the saddle-point matrix. */
static double saddle_norm(const search *s) {
    const sb_pattern *A = &s->newton.linear.A;
    double norm = 0.0;
    for (int j = 0; j < A->cols; j++) {
        double sum = 0.0;
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            sum += fabs(s->newton.Ax[k]);
        }
        norm = sb_larger(norm, sum);
    }
    return norm;
}

/* Changes the signs of the last m entries. */
static void flip(const search *s, double *x) {
    for (int i = s->n; i < s->n + s->m; i++) {
        x[i] = -x[i];
    }
}

/* Sets *norm to an estimate of the 1-norm of the inverse of K = [M, -G; G', 0], which is factored: Higham's, LAPACK's
 * dlacn2. The transpose of K is K with the signs of G and G' changed, so it needs no factorization of its own. NaN
 * where a solution is not finite. */
static int inverse_norm(search *s, double *norm) {
    lapack_int kase = 0, save[3] = {0};
    *norm = 0.0;
    do {
        if (LAPACKE_dlacn2(s->n + s->m, s->b, s->x, s->signs, norm, &kase, save) != 0) {
            *norm = NAN;
            return SB_OK;
        }
        if (kase == 2) {
            flip(s, s->x);
        }
        SB_TRY(kase != 0 ? sb_saddle_solve(&s->newton, s->x) : SB_OK);
        if (kase == 2) {
            flip(s, s->x);
        }
    } while (kase != 0);
    return SB_OK;
}

/* Sets *dependent if q cannot be distinguished from a state with dependent constraints. The iteration accepts every
 * state whose V is the minimum to rounding_of_V, so that q has the relative error sqrt(rounding_of_V). If q changes by
 * its size, the smallest singular value sigma of G changes by about |G|: a sigma up to sqrt(rounding_of_V) |G| may be
 * 0. The multipliers solve a system with K = [M, -G; G', 0]; with M and G divided by their largest entries, |K| |K^-1|
 * is |G|^2/sigma^2. */
static int check_dependence(search *s, const double *q, bool *dependent) {
    const sb_holonomic *hol = &s->sys->holonomic;
    double inverse = INFINITY;
    SB_TRY(set_mass(s, q));
    SB_TRY(hol->value(hol->self, 0.0, q, NULL, s->Gx));
    normalize(sb_pattern_nnz(&s->sys->H), s->newton.Hx);
    normalize(sb_pattern_nnz(&hol->G), s->Gx);
    sb_saddle_assemble(&s->newton, 1.0, -1.0, s->Gx, 1.0, s->Gx);
    int status = sb_saddle_factor(&s->newton);
    status = status == SB_OK ? inverse_norm(s, &inverse) : status;
    *dependent = !(rounding_of_V * saddle_norm(s) * inverse < 1.0);
    return status == SB_SINGULAR ? SB_OK : status;
}

int sb_equilibrium_find(sb_context *ctx, const sb_system *sys, double t, double *q) {
    search s;
    bool converged, dependent = false;
    SB_SCRATCH(scratch, ctx);
    if ((sys->flags & (unsigned)(SB_HAS_RHEONOMIC | SB_HAS_TIME_POTENTIAL)) != 0) {
        return sb_fail(ctx, SB_UNSUPPORTED, "%s has no equilibrium: its potential or its constraints depend on time",
                       sys->name);
    }
    if (sb_system_multipliers(sys) > sys->holonomic.m) {
        return sb_fail(ctx, SB_UNSUPPORTED,
                       "%s: an equilibrium is computed only for holonomic constraints; start the problem there instead",
                       sys->name);
    }
    SB_TRY(open_search(ctx, &scratch, sys, &s));
    SB_TRY(descend(&s, t, q, &converged));
    /* Newton's iteration need not converge where the constraints are dependent, so this is decided first. */
    SB_TRY(s.m > 0 ? check_dependence(&s, q, &dependent) : SB_OK);
    if (dependent) {
        return sb_fail(
            ctx, SB_SINGULAR,
            "%s: the constraints are linearly dependent (to round-off) at the computed minimum of the energy; "
            "the multipliers are not defined there",
            sys->name);
    }
    return converged ? SB_OK
                     : sb_fail(ctx, SB_NOT_CONVERGED, "%s: no equilibrium was found from its initial state", sys->name);
}

int sb_equilibrium_bound(const sb_system *sys, double t, const double *q, const double *lambda, const double *Mx,
                         double *Hx, double *work, double *bound) {
    const sb_pattern *H = &sys->H, *M = &sys->inertia.M;
    const double most = sb_norm_max(sys->holonomic.m, lambda);
    for (int i = 0; i < sys->holonomic.m; i++) {
        work[i] = most;
    }
    SB_TRY(sb_equilibrium_stiffness(sys, t, q, work, 1.0, Hx));
    *bound = 0.0;
    for (int j = 0; j < sys->n; j++) {
        const int at = sb_pattern_find(M, j, j);
        const double inertia = at >= 0 ? Mx[at] : 0.0;
        double sum = 0.0;
        for (int k = H->p[j]; k < H->p[j + 1]; k++) {
            sum += fabs(Hx[k]);
        }
        *bound = inertia > 0.0 ? sb_larger(*bound, sum / inertia) : *bound;
    }
    return SB_OK;
}
