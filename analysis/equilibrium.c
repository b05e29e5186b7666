/* A state of rest, by Newton's iteration on the constraints with a shift that makes V fall. */
#include <float.h>
#include <string.h>

#include "analysis/equilibrium.h"

typedef struct search {
    sb_context *ctx;
    const sb_system *sys;
    sb_dynamics dyn;
    sb_saddle newton;
    int n, m;
    double unit; /* of the shift, 1/s^2 */
    double *zero, *a, *b, *lambda, *Gx, *trial, *x;
} search;

static int open_search(sb_context *ctx, sb_arena *arena, const sb_system *sys, search *s) {
    const int n = sys->n, m = sys->holonomic.m;
    *s = (search){.ctx = ctx, .sys = sys, .n = n, .m = m, .unit = 1.0 / (sys->time_scale * sys->time_scale)};
    SB_TRY(sb_dynamics_init(ctx, arena, sys, &s->dyn));
    SB_TRY(sb_saddle_init(ctx, arena, sys, &s->newton));
    SB_NEW(arena, s->zero, n);
    SB_NEW(arena, s->a, n);
    SB_NEW(arena, s->b, n + m);
    SB_NEW(arena, s->lambda, m);
    SB_NEW(arena, s->Gx, sb_pattern_nnz(&sys->holonomic.G));
    SB_NEW(arena, s->trial, n);
    SB_NEW(arena, s->x, n + m);
    return SB_OK;
}

static void close_search(search *s) {
    sb_dynamics_fini(&s->dyn);
    sb_saddle_fini(&s->newton);
}

int sb_equilibrium_stiffness(const sb_system *sys, const double *q, const double *lambda, double c, double *Hx) {
    memset(Hx, 0, (size_t)sb_pattern_nnz(&sys->H) * sizeof *Hx);
    if (sys->holonomic.m > 0) {
        SB_TRY(sys->holonomic.hessian(sys->holonomic.self, q, lambda, c, Hx));
    }
    return sys->potential.hessian == NULL ? SB_OK : sys->potential.hessian(sys->potential.self, q, -c, Hx);
}

/* Solves [H, -G; G', 0] (x, mu) = (x, mu) with H on s->newton.Hx, G at q. */
static int solve(search *s, const double *q, double *x) {
    const sb_holonomic *hol = &s->sys->holonomic;
    SB_TRY(hol->value(hol->self, q, NULL, s->Gx));
    sb_saddle_assemble(&s->newton, 1.0, -1.0, s->Gx, 1.0, s->Gx);
    SB_TRY(sb_saddle_factor(&s->newton));
    return sb_saddle_solve(&s->newton, x);
}

/* q back onto the constraints by steps that are short in the metric of M. What a correction below 1e-9 of q leaves is of the order of its
 * square: round-off. */
static int retract(search *s, double *q) {
    const sb_system *sys = s->sys;
    for (int k = 0; k < 20; k++) {
        memset(s->b, 0, (size_t)s->n * sizeof(double));
        SB_TRY(sys->holonomic.value(sys->holonomic.self, q, s->b + s->n, NULL));
        for (int i = s->n; i < s->n + s->m; i++) {
            s->b[i] = -s->b[i];
        }
        memset(s->newton.Hx, 0, (size_t)sb_pattern_nnz(&sys->H) * sizeof(double));
        SB_TRY(sb_mass_evaluate(&s->dyn.mass, q));
        sb_mass_add(&s->dyn.mass, 1.0, s->newton.Hx);
        SB_TRY(solve(s, q, s->b));
        for (int i = 0; i < s->n; i++) {
            q[i] += s->b[i];
        }
        if (sb_norm_max(s->n, s->b) <= 1e-9 * sb_norm_max(s->n, q)) {
            return SB_OK;
        }
    }
    return sb_fail(s->ctx, SB_NOT_CONVERGED, "%s: a step towards the equilibrium left the constraints", sys->name);
}

/* s->x = a correction of q, Newton's for shift = 0, a descent along the acceleration for a large one. */
static int correction(search *s, double t, const double *q, double shift) {
    SB_TRY(sb_dynamics_acceleration(&s->dyn, t, q, s->zero, s->a, s->lambda));
    SB_TRY(sb_equilibrium_stiffness(s->sys, q, s->lambda, -1.0, s->newton.Hx));
    sb_mass_add(&s->dyn.mass, shift, s->newton.Hx);
    sb_mass_mult(&s->dyn.mass, s->a, s->x);
    memset(s->x + s->n, 0, (size_t)s->m * sizeof(double));
    return solve(s, q, s->x);
}

/* One trial with the given shift; *fell says whether V did (or stood still, to round-off), and then q has moved. */
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
    SB_TRY(sb_dynamics_energy(&s->dyn, q, s->zero, NULL, &before));
    SB_TRY(sb_dynamics_energy(&s->dyn, s->trial, s->zero, NULL, &after));
    /* V is a sum of at most some hundred terms that do not cancel by much. */
    if (after <= before + 1e3 * DBL_EPSILON * fmax(fabs(before), fabs(after))) {
        *fell = true;
        *size = 0.0;
        for (int i = 0; i < s->n; i++) {
            *size = sb_larger(*size, fabs(s->trial[i] - q[i]));
            q[i] = s->trial[i];
        }
        *size /= *size > 0.0 ? sb_norm_max(s->n, q) : 1.0;
    }
    return SB_OK;
}

static int descend(search *s, double t, double *q) {
    double shift = s->unit, size = INFINITY;
    for (int k = 0; k < 500; k++) {
        bool fell;
        SB_TRY(attempt(s, t, shift, q, &size, &fell));
        /* The shift falls with every step that is taken, so that the last ones are Newton's: after a correction of 1e-9 the next is round-off. */
        if (fell && shift <= 1e-6 * s->unit && size <= 1e-9) {
            return SB_OK;
        }
        shift = fell ? fmax(0.1 * shift, 1e-15 * s->unit) : 10.0 * shift;
        if (shift > 1e20 * s->unit) {
            break;
        }
    }
    return sb_fail(s->ctx, SB_NOT_CONVERGED, "%s: no equilibrium was found from its initial state; last correction %.2g of the size of q", s->sys->name, size);
}

int sb_equilibrium_find(sb_context *ctx, const sb_system *sys, double t, double *q) {
    search s = {0};
    sb_arena scratch;
    sb_arena_init(&scratch, ctx);
    int status = open_search(ctx, &scratch, sys, &s);
    status = status == SB_OK ? descend(&s, t, q) : status;
    close_search(&s);
    sb_arena_free(&scratch);
    return status;
}
