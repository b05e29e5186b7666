/* The mixed box complementarity problem of a step: rows evaluated, Schur complement, bounds of friction, velocity.
 * reg05 (4.4), (5.1). */
#include <string.h>

#include <stepbench/numerics/contact.h>
#include <stepbench/numerics/lcp.h>
#include <stepbench/numerics/norm.h>
#include <stepbench/numerics/saddle.h>
#include <stepbench/numerics/schur.h>

#include "core/run/consistency.h"

/* With a direct solver, this share of a row's own diagonal is added to it as a proximal regularization. It acts on the
 * change of the impulse only: from the previous step, then from the previous solution, until the force that it holds
 * back is round-off (the proximal point iteration). The pivots of linearly dependent rows, such as those of a box on
 * its two corners, are then above round-off, and the distribution of force among them stays close to the previous one.
 */
#define PROXIMAL 0x1p-30

struct sb_contact_step_work {
    sb_context *ctx;
    const sb_contact_config *config;
    sb_schur schur;
    sb_lcp lcp;
    sb_scalar *proximal, *center; /* the proximal parameter and centre of each row (rows) */
    sb_scalar *velocity;          /* row velocities without b, of the last solution (rows) */
    sb_scalar *free;              /* unconstrained velocity, and an impulse (n) */
    sb_scalar *bound;             /* bounds of friction that belong to the last solution (k) */
    sb_scalar *best, *residual;   /* the bounds that fit best so far, and bound - best (k) */
    bool same;                    /* S is the matrix of the solver's last call */
    sb_lcp_report report;         /* of the last complementarity problem */
};

int sb_contact_step_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_contact_config *config,
                         const char *linear, sb_contact_step *out) {
    const sb_lcp_solver *solver;
    const void *options;
    const int rows = sb_system_multipliers(sys);
    *out = (sb_contact_step){.sys = sys, .rows = rows, .bilateral = sb_system_bilateral(sys)};
    SB_NEW(arena, out->work, 1);
    out->work->ctx = ctx;
    out->work->config = config;
    SB_TRY(sb_lcp_find(ctx, arena, config->lcp, linear, &solver, &options));
    SB_TRY(sb_mass_init(ctx, arena, sys, &out->mass));
    SB_TRY(sb_system_rows(arena, sys, &out->C));
    SB_TRY(sb_schur_layout(arena, &out->C, &out->mass, false, &out->work->schur));
    out->S = out->work->schur.S;
    out->Sx = out->work->schur.Sx;
    out->diagonal = out->work->schur.at_E;
    SB_NEW(arena, out->Cx, sb_pattern_nnz(&out->C));
    SB_TRY(SB_VECTORS(arena, rows, &out->level, &out->Sigma, &out->s));
    SB_NEW(arena, out->left_out, sys->contact.m);
    SB_TRY(SB_VECTORS(arena, rows, &out->b, &out->lo, &out->hi));
    SB_NEW(arena, out->work->proximal, rows);
    SB_NEW(arena, out->work->free, sys->n);
    SB_TRY(SB_VECTORS(arena, rows, &out->work->center, &out->work->velocity));
    SB_TRY(SB_VECTORS(arena, sys->contact.k, &out->work->bound, &out->work->best, &out->work->residual));
    return sb_lcp_init(ctx, arena, solver, options, &out->S, &out->work->lcp);
}

int sb_contact_step_evaluate(sb_contact_step *box, sb_scalar t, sb_scalar h, const sb_scalar *q) {
    const sb_system *sys = box->sys;
    sb_scalar *Cx = box->Cx, *level = box->level;
    if (!(h > 0.0) && sys->contact.m + sys->contact.k > 0) {
        return sb_fail(box->work->ctx, SB_UNSUPPORTED,
                       "%s has contacts or dry friction, which have no step back in time: what hit or stuck does not "
                       "tell how it moved before; "
                       "with them a step h must be above 0, not %.9g",
                       sys->name, (double)h);
    }
    if (sys->holonomic.m > 0) {
        SB_TRY(sb_holonomic_value(sys, t, q, level, Cx));
        Cx += sb_pattern_nnz(&sys->holonomic.G);
        level += sys->holonomic.m;
    }
    if (sys->nonholonomic.m > 0) {
        SB_TRY(sys->nonholonomic.value(sys->nonholonomic.self, t, q, Cx, level));
        Cx += sb_pattern_nnz(&sys->nonholonomic.A);
        level += sys->nonholonomic.m;
    }
    if (sys->contact.m > 0) {
        SB_TRY(sys->contact.gap(sys->contact.self, q, level, Cx));
        Cx += sb_pattern_nnz(&sys->contact.N);
        level += sys->contact.m;
    }
    if (sys->contact.k > 0) {
        SB_TRY(sys->contact.slip(sys->contact.self, t, q, Cx, level));
    }
    return sb_mass_update(&box->mass, q);
}

void sb_contact_step_factor(sb_contact_step *box) {
    sb_schur *schur = &box->work->schur;
    sb_schur_assemble(schur, &box->mass, box->Cx, box->Cx, box->Sigma);
    for (int i = 0; i < box->rows; i++) {
        sb_scalar *diagonal = &schur->Sx[schur->at_E[i]];
        box->work->proximal[i] = *diagonal == 0.0              ? 1.0
                                 : box->work->lcp.type->direct ? PROXIMAL * *diagonal
                                                               : 0.0; /* a row of zeros gets no impulse */
        *diagonal += box->work->proximal[i];
    }
    box->work->same = false;
}

bool sb_contact_step_closed(const sb_contact_step *box, int i, sb_scalar xi, const sb_scalar *q) {
    const sb_pattern *C = &box->C;
    const int row = box->bilateral + i;
    sb_scalar weight = 0.0;
    for (int k = C->p[row]; k < C->p[row + 1]; k++) {
        weight += fabs(box->Cx[k]);
    }
    return !(xi > SB_CONSISTENCY_TOL * weight * sb_norm_max(box->sys->n, q));
}

static void set_fixed_bounds(sb_contact_step *box) {
    for (int i = 0; i < box->bilateral + box->sys->contact.m; i++) {
        const bool gap = i >= box->bilateral;
        box->lo[i] = gap ? 0.0 : -(sb_scalar)INFINITY;
        box->hi[i] = gap && box->left_out[i - box->bilateral] ? 0.0 : (sb_scalar)INFINITY;
    }
}

/* Sets work->bound to the bounds of friction that belong to the impulses unit * x. */
static void find_bounds(sb_contact_step *box, sb_scalar h, sb_scalar unit, const sb_scalar *x) {
    const sb_contact *c = &box->sys->contact;
    for (int j = 0; j < c->k; j++) {
        const sb_scalar normal = c->of[j] < 0 ? 0.0 : unit * fabs(x[c->of[j]]);
        box->work->bound[j] =
            (c->limit != NULL ? h * c->limit[j] : 0.0) + (c->mu != NULL && normal != 0.0 ? c->mu[j] * normal : 0.0);
    }
}

static void set_friction_bound(sb_contact_step *box, int j, sb_scalar bound) {
    const int row = box->bilateral + box->sys->contact.m + j;
    box->lo[row] = -bound;
    box->hi[row] = bound;
}

/* Returns SB_NOT_FINITE where the state at the beginning of the step or a force is not finite. */
static int check_finite(const sb_contact_step *box, const sb_scalar *before) {
    sb_scalar sum = 0.0;
    for (int i = 0; i < box->rows; i++) {
        sum += fabs(box->b[i]) + fabs(before[i]);
    }
    return isfinite(sum)
               ? SB_OK
               : sb_fail(box->work->ctx, SB_NOT_FINITE,
                         "the velocities of the contacts are not finite before they are solved; a smaller step may do");
}

/* Largest change of a row's velocity by the last solution, and largest velocity that the proximal term holds back,
 * relative to the terms of the row. */
typedef struct progress {
    sb_scalar moved, held;
} progress;

static progress measure_progress(sb_contact_step *box, const sb_scalar *z) {
    progress at = {0.0, 0.0};
    for (int i = 0; i < box->rows; i++) {
        sb_scalar size;
        const sb_scalar w = sb_lcp_row(&box->S, box->work->schur.Sx, box->b, z, i, &size) - box->b[i];
        const sb_scalar moved = fabs(w - box->work->velocity[i]),
                        held = box->work->proximal[i] * fabs(z[i] - box->work->center[i]);
        at.moved = sb_larger(at.moved, moved == 0.0 ? 0.0 : moved / size);
        at.held = sb_larger(at.held, held == 0.0 ? 0.0 : held / size);
        box->work->velocity[i] = w;
    }
    return at;
}

/* Moves the proximal centre to z. */
static void set_center(sb_contact_step *box, const sb_scalar *z) {
    for (int i = 0; i < box->rows; i++) {
        box->b[i] -= box->work->proximal[i] * (z[i] - box->work->center[i]);
        box->work->center[i] = z[i];
    }
}

/* Sets the bounds to x + weight (f(x) - x), where f(x) are those that belong to the solution for x. For one contact
 * f - x is positive at 0 and negative for large x, because the force of a sticking contact is bounded: a fixed point
 * exists, f - x points towards it, and the weight is that of the secant method (of Aitken's, for several). Where the
 * residual f - x increases, unless friction and normal force still increase each other, f has a corner in between and
 * the weight is reduced. */
static void relax_bounds(sb_contact_step *box, sb_scalar h, long pass, sb_scalar *weight) {
    const sb_scalar most = 1000.0; /* friction that reproduces a normal force but for a thousandth of it */
    const sb_contact *c = &box->sys->contact;
    const sb_scalar *now = box->hi + box->bilateral + c->m;
    sb_scalar old = 0.0, new = 0.0, both = 0.0;
    for (int j = 0; j < c->k; j++) {
        const sb_scalar miss = isinf(box->work->bound[j]) ? 0.0 : box->work->bound[j] - now[j];
        old += box->work->residual[j] * box->work->residual[j];
        new += miss *miss;
        both += box->work->residual[j] * miss;
    }
    const bool worse = pass > 1 && new >= old &&both < old;
    if (worse) {
        *weight *= fmin(0.5, fmax(0.1, old / (old - both)));
    } else {
        *weight = pass > 1 ? *weight * (old - both) / (new - 2.0 * both + old) : 1.0;
        *weight = *weight > 0.0 ? fmin(*weight, most) : 1.0;
    }
    for (int j = 0; j < c->k; j++) {
        if (!worse) {
            box->work->best[j] = now[j];
            box->work->residual[j] = isinf(box->work->bound[j]) ? 0.0 : box->work->bound[j] - now[j];
        }
        set_friction_bound(box, j,
                           isinf(box->work->bound[j]) ? box->work->bound[j]
                                                      : fmax(c->limit != NULL ? h * c->limit[j] : 0.0,
                                                             box->work->best[j] + *weight * box->work->residual[j]));
    }
}

/* Returns whether the complementarity problem is solved accurately enough to compute new bounds from its solution:
 * always by a direct solver, else to about the tolerance of the bounds and to a few times the tolerance of pgs. */
static bool is_inner_converged(const sb_contact_step *box) {
    return box->work->lcp.type->direct || box->work->report.residual <= fmin(1e-9, 10.0 * box->work->config->tol);
}

/* Sets the bounds to those of the last solution: until the inner iteration has converged, secant acceleration is
 * unreliable. */
static void update_bounds(sb_contact_step *box) {
    for (int j = 0; j < box->sys->contact.k; j++) {
        set_friction_bound(box, j, box->work->bound[j]);
    }
}

/* Returns the largest difference of the bounds from those that belong to the last solution, relative to the largest
 * bound. */
static sb_scalar bound_residual(const sb_contact_step *box) {
    const sb_scalar *now = box->hi + box->bilateral + box->sys->contact.m;
    sb_scalar change = 0.0, largest = 0.0;
    for (int j = 0; j < box->sys->contact.k; j++) {
        if (!isinf(now[j])) {
            change = sb_larger(change, fabs(box->work->bound[j] - now[j]));
            largest = sb_larger(largest, box->work->bound[j]);
        }
    }
    return change == 0.0 ? 0.0 : change / largest;
}

/* Returns SB_NOT_CONVERGED with a sentence on what did not converge. */
static int not_converged(const sb_contact_step *box, sb_scalar fit, sb_scalar held) {
    const sb_contact_config *config = box->work->config;
    const char *solver = box->work->lcp.type->entry.name;
    if (!is_inner_converged(box)) {
        return sb_fail(box->work->ctx, SB_NOT_CONVERGED,
                       "contacts and the bounds of friction did not converge in %ld calls of %s: the bounds are off by "
                       "%.3g of the largest, and %s leaves %.3g of a row; more %s, a smaller "
                       "tol of it, a larger friction_maxit, lcp=block_pivot or friction=box may do",
                       config->maxit, solver, (double)fit, solver, (double)box->work->report.residual,
                       box->work->lcp.type->counts);
    }
    return sb_fail(
        box->work->ctx, SB_NOT_CONVERGED,
        "contacts and the bounds of friction did not converge in %ld complementarity problems: the bounds are "
        "off by %.3g of the largest, and rows that depend on each "
        "other leave %.3g; Coulomb's law may have no solution here, and a smaller step, a larger "
        "friction_maxit, a compliance or friction=box may do",
        config->maxit, (double)fit, (double)held);
}

/* Iterates z until the bounds of friction fit it, and then until the proximal term is round-off. Where rows depend on
 * each other, the distribution of force is known to a third of the digits only, and so are the bounds: the iteration
 * then ends when neither the motion nor the residual of the bounds improves. */
static int iterate(sb_contact_step *box, sb_scalar h, sb_scalar *z, long *iters) {
    const sb_scalar round_off = 1e-11; /* ten times what a direct solver leaves of a row */
    const sb_scalar shared = 1e-6;     /* some roundings over PROXIMAL */
    const int moves_max = 4; /* a distribution of force that does not affect the motion may change with each move */
    const sb_contact_config *config = box->work->config;
    const bool iterated = box->sys->contact.k > 0 && config->friction == SB_FRICTION_ITERATED;
    sb_scalar weight = 1.0, fit = 0.0;
    long since = 0; /* passes since the last move of the centre */
    int moves = 0;
    progress at = {0.0, 0.0};
    for (long pass = 1; pass <= config->maxit; pass++) {
        SB_TRY(sb_poll(box->work->ctx));
        SB_TRY(sb_lcp_solve(&box->work->lcp, box->work->same ? NULL : box->work->schur.Sx, box->b, box->lo, box->hi, z,
                            NULL, &box->work->report));
        box->work->same = true;
        *iters += box->work->report.iterations;
        box->work->ctx->factorizations += box->work->report.factorizations;
        at = measure_progress(box, z);
        const sb_scalar last = fit;
        find_bounds(box, h, 1.0, z);
        fit = iterated ? bound_residual(box) : 0.0;
        since++;
        const bool fits = fit <= config->tol || moves >= moves_max ||
                          (since > 2 && fit <= shared && at.moved <= config->tol && fit >= last);
        if (fits && at.held <= round_off) {
            return SB_OK;
        }
        if (fits) {
            set_center(box, z);
            moves++;
            since = 0;
        } else if (!is_inner_converged(box)) {
            update_bounds(box);
            since = 0;
        } else {
            relax_bounds(box, h, since, &weight);
        }
    }
    return not_converged(box, fit, at.held);
}

int sb_contact_step_solve(sb_contact_step *box, sb_scalar h, const sb_scalar *r, const sb_scalar *before, sb_scalar *v1,
                          sb_scalar *lambda, long *iters) {
    const int n = box->sys->n, rows = box->rows;
    sb_mass_solve(&box->mass, r, box->work->free);
    sb_csc_mult_t(&box->C, box->Cx, box->work->free, box->b);
    for (int i = 0; i < rows; i++) {
        lambda[i] = box->work->center[i] = h * before[i];
        box->b[i] -= box->s[i] + box->work->proximal[i] * lambda[i];
    }
    set_fixed_bounds(box);
    find_bounds(box, h, h, before);
    for (int j = 0; j < box->sys->contact.k; j++) {
        set_friction_bound(box, j, box->work->bound[j]);
    }
    SB_TRY(check_finite(box, before));
    SB_TRY(iterate(box, h, lambda, iters));
    memcpy(box->work->free, r, (size_t)n * sizeof(sb_scalar));
    sb_csc_mult_add(&box->C, box->Cx, 1.0, lambda, box->work->free);
    sb_mass_solve(&box->mass, box->work->free, v1);
    for (int i = 0; i < rows; i++) {
        lambda[i] /= h;
    }
    return SB_OK;
}
