/* The mixed complementarity problem of a step with contacts and dry friction: its rows, the Schur complement, the
 * iteration of the friction bounds, and the velocity. reg05 (4.4), (5.1). */
#include <string.h>

#include <stepbench/numerics/lcp.h>

#include "core/mechanics/internal.h"
#include "core/run/consistency.h"

/* With a direct solver, this share of a row's own diagonal is added to it as a proximal regularization. It acts on the
 * change of the impulse only: from the previous step, then from the previous solution, until the force that it holds
 * back is round-off (the proximal point iteration). The pivots of linearly dependent rows, such as those of a box on
 * its two corners, are then above round-off, and the distribution of force among them stays close to the previous one.
 */
#define PROXIMAL (SB_EPSILON > 0x1p-40 ? 0x1p-15 : 0x1p-30)

struct sb_contact_step_work {
    sb_context *ctx;
    const sb_contact_config *config;
    const sb_contact *contact;
    int rows, friction; /* all rows; the first row of friction */
    sb_schur schur;
    sb_contact_problem problem;
    sb_lcp lcp;
    sb_scalar *proximal, *center; /* the proximal parameter and centre of each row (rows) */
    sb_scalar *velocity;          /* row velocities without b, of the last solution (rows) */
    sb_scalar *free;              /* unconstrained velocity, and an impulse (n) */
    sb_scalar *bound;             /* bounds of friction that belong to the last solution (k) */
    sb_scalar *best, *residual;   /* the bounds that fit best so far, and bound - best (k) */
    bool same;                    /* S is the matrix of the solver's last call */
    sb_lcp_report report;         /* report of the last complementarity problem */
};

int sb_contact_step_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, const sb_added_mass *added,
                         const sb_contact_config *config, const char *linear, sb_contact_step *out) {
    const sb_lcp_solver *solver;
    const void *options;
    const int rows = sb_system_multipliers(sys), bilateral = sb_system_bilateral(sys), k = sys->contact.k;
    struct sb_contact_step_work *w;
    SB_NEW(arena, w, 1);
    *out = (sb_contact_step){.sys = sys, .rows = rows, .bilateral = bilateral, .work = w};
    *w = (struct sb_contact_step_work){
        .ctx = ctx, .config = config, .contact = &sys->contact, .rows = rows, .friction = bilateral + sys->contact.m};
    SB_TRY(sb_lcp_find(ctx, arena, config->lcp, linear, &solver, &options));
    SB_TRY(sb_mass_init_with(ctx, arena, sys, added, &out->mass));
    SB_TRY(sb_system_rows(arena, sys, &out->C));
    SB_TRY(sb_schur_layout(arena, &out->C, &out->mass, false, &w->schur));
    w->problem.S = w->schur.work->S.P;
    w->problem.Sx = w->schur.work->Sx;
    w->problem.diagonal = w->schur.work->at_E;
    SB_NEW(arena, out->Cx, sb_pattern_nnz(&out->C));
    SB_NEW(arena, out->left_out, sys->contact.m);
    SB_NEW(arena, w->free, sys->n);
    SB_TRY(SB_VECTORS(arena, rows, &out->level, &out->Sigma, &out->s, &w->problem.b, &w->problem.lo, &w->problem.hi,
                      &w->proximal, &w->center, &w->velocity));
    SB_TRY(SB_VECTORS(arena, k, &w->bound, &w->best, &w->residual));
    return sb_lcp_init(ctx, arena, solver, options, &w->problem.S, &w->lcp);
}

const sb_contact_problem *sb_contact_step_problem(const sb_contact_step *step) { return &step->work->problem; }

int sb_contact_step_evaluate(sb_contact_step *step, sb_scalar t, sb_scalar h, const sb_scalar *q) {
    const sb_system *sys = step->sys;
    sb_scalar *Cx = step->Cx + step->C.p[step->bilateral], *level = step->level + step->bilateral;
    if (!(h > 0.0) && sys->contact.m + sys->contact.k > 0) {
        return sb_fail(step->work->ctx, SB_UNSUPPORTED,
                       "%s has contacts or dry friction, which have no step back in time: what hit or stuck does not "
                       "tell how it moved before; "
                       "with them a step h must be above 0, not %.9g",
                       sys->name, (double)h);
    }
    SB_TRY(sb_bilateral_value(sys, t, q, step->level, step->Cx));
    if (sys->contact.m > 0) {
        SB_TRY(sys->contact.gap(sys->contact.self, q, level, Cx));
        Cx += sb_pattern_nnz(&sys->contact.N);
        level += sys->contact.m;
    }
    if (sys->contact.k > 0) {
        SB_TRY(sys->contact.slip(sys->contact.self, t, q, Cx, level));
    }
    return sb_mass_update(&step->mass, q);
}

void sb_contact_step_factor(sb_contact_step *step) {
    struct sb_contact_step_work *w = step->work;
    sb_schur_assemble(&w->schur, &step->mass, step->Cx, step->Cx, step->Sigma);
    for (int i = 0; i < w->rows; i++) {
        sb_scalar *diagonal = &w->schur.work->Sx[w->problem.diagonal[i]];
        w->proximal[i] = *diagonal == 0.0      ? 1.0 /* a row of zeros gets no impulse */
                         : w->lcp.type->direct ? PROXIMAL * *diagonal
                                               : 0.0;
        *diagonal += w->proximal[i];
    }
    w->same = false;
}

bool sb_contact_step_closed(const sb_contact_step *step, int i, sb_scalar xi, const sb_scalar *q) {
    const sb_pattern *C = &step->C;
    const int row = step->bilateral + i;
    sb_scalar weight = 0.0;
    for (int k = C->p[row]; k < C->p[row + 1]; k++) {
        weight += fabs(step->Cx[k]);
    }
    return !(xi > SB_CONSISTENCY_TOL * weight * sb_norm_max(step->sys->n, q));
}

static void set_fixed_bounds(const sb_contact_step *step) {
    const sb_contact_problem *problem = &step->work->problem;
    for (int i = 0; i < step->work->friction; i++) {
        const bool gap = i >= step->bilateral;
        problem->lo[i] = gap ? 0.0 : -(sb_scalar)INFINITY;
        problem->hi[i] = gap && step->left_out[i - step->bilateral] ? 0.0 : (sb_scalar)INFINITY;
    }
}

/* Sets w->bound to the bounds of friction that belong to the impulses unit * x. */
static void find_bounds(struct sb_contact_step_work *w, sb_scalar h, sb_scalar unit, const sb_scalar *x) {
    const sb_contact *c = w->contact;
    for (int j = 0; j < c->k; j++) {
        const sb_scalar normal = c->of[j] < 0 ? 0.0 : unit * fabs(x[c->of[j]]);
        w->bound[j] =
            (c->limit != NULL ? h * c->limit[j] : 0.0) + (c->mu != NULL && normal != 0.0 ? c->mu[j] * normal : 0.0);
    }
}

/* Divides the bound b of two rows of a cone into b |p_j|/|p| with p = z - w/a, where w is their slip after the impulses
 * z and a their mean diagonal of S. With these bounds the box problem has the solution of Coulomb's law and no other:
 * rows that slide have |z_j|/|z| = |p_j|/|p|, so that z opposes w and |z| = b; rows that stick have p = z, so that |z|
 * <= b; and one that slides beside one that sticks has |p| > b |p_j|/|z_j|, so that the other's bound is below its
 * impulse. */
static void divide_bounds(struct sb_contact_step_work *w, const sb_scalar *z) {
    const sb_contact *c = w->contact;
    for (int j = 0; j < c->k && c->with != NULL; j++) {
        const int row[2] = {w->friction + j, w->friction + c->with[j]};
        if (c->with[j] <= j || isinf(w->bound[j])) {
            continue;
        }
        const sb_scalar *Sx = w->problem.Sx;
        const int *diagonal = w->problem.diagonal;
        const sb_scalar a = 0.5 * (Sx[diagonal[row[0]]] + Sx[diagonal[row[1]]]);
        sb_scalar p[2];
        for (int k = 0; k < 2; k++) {
            p[k] = fabs(z[row[k]] - (w->velocity[row[k]] + w->problem.b[row[k]]) / a);
        }
        const sb_scalar length = hypot(p[0], p[1]), bound = w->bound[j];
        w->bound[j] = length > 0.0 ? bound * p[0] / length : bound;
        w->bound[c->with[j]] = length > 0.0 ? bound * p[1] / length : bound;
    }
}

static void set_friction_bound(struct sb_contact_step_work *w, int j, sb_scalar bound) {
    w->problem.lo[w->friction + j] = -bound;
    w->problem.hi[w->friction + j] = bound;
}

/* Sets the bounds of the problem to those that belong to the last solution. */
static void update_bounds(struct sb_contact_step_work *w) {
    for (int j = 0; j < w->contact->k; j++) {
        set_friction_bound(w, j, w->bound[j]);
    }
}

/* Returns SB_NOT_FINITE where the state at the beginning of the step or a force is not finite. */
static int check_finite(const struct sb_contact_step_work *w, const sb_scalar *before) {
    sb_scalar sum = 0.0;
    for (int i = 0; i < w->rows; i++) {
        sum += fabs(w->problem.b[i]) + fabs(before[i]);
    }
    return isfinite(sum)
               ? SB_OK
               : sb_fail(w->ctx, SB_NOT_FINITE,
                         "the velocities of the contacts are not finite before they are solved; try a smaller step");
}

/* Largest change of a row's velocity by the last solution, and largest velocity that the proximal term holds back,
 * relative to the terms of the row. */
typedef struct progress {
    sb_scalar moved, held;
} progress;

static progress measure_progress(struct sb_contact_step_work *w, const sb_scalar *z) {
    const sb_contact_problem *problem = &w->problem;
    progress at = {0.0, 0.0};
    for (int i = 0; i < w->rows; i++) {
        sb_scalar size;
        const sb_scalar velocity = sb_lcp_row(&problem->S, problem->Sx, problem->b, z, i, &size) - problem->b[i];
        const sb_scalar moved = fabs(velocity - w->velocity[i]), held = w->proximal[i] * fabs(z[i] - w->center[i]);
        at.moved = sb_larger(at.moved, moved == 0.0 ? 0.0 : moved / size);
        at.held = sb_larger(at.held, held == 0.0 ? 0.0 : held / size);
        w->velocity[i] = velocity;
    }
    return at;
}

/* Moves the proximal centre to z. */
static void set_center(struct sb_contact_step_work *w, const sb_scalar *z) {
    for (int i = 0; i < w->rows; i++) {
        w->problem.b[i] -= w->proximal[i] * (z[i] - w->center[i]);
        w->center[i] = z[i];
    }
}

/* Sets the bounds to x + weight (f(x) - x), where f(x) are those that belong to the solution for x. For one contact
 * f - x is positive at 0 and negative for large x, because the force of a sticking contact is bounded: a fixed point
 * exists, f - x points towards it, and the weight is that of the secant method (of Aitken's, for several). Where the
 * residual f - x increases, unless friction and normal force still increase each other, f has a corner in between and
 * the weight is reduced; for several contacts that may end away from a fixed point, and the iteration begins anew with
 * f(x). */
static void relax_bounds(struct sb_contact_step_work *w, sb_scalar h, long pass, sb_scalar *weight) {
    const sb_scalar most = 1000.0;             /* friction that reproduces a normal force to a thousandth of it */
    const sb_scalar least_weight = 1.0 / 64.0; /* six halvings do not find the corner: it is another contact's */
    const sb_contact *c = w->contact;
    const sb_scalar *now = w->problem.hi + w->friction;
    sb_scalar before = 0.0, after = 0.0, both = 0.0;
    for (int j = 0; j < c->k; j++) {
        const sb_scalar residual = isinf(w->bound[j]) ? 0.0 : w->bound[j] - now[j];
        before += w->residual[j] * w->residual[j];
        after += residual * residual;
        both += w->residual[j] * residual;
    }
    const bool stalled = *weight < least_weight;
    const bool worse = pass > 1 && !stalled && after >= before && both < before;
    if (worse) {
        *weight *= fmin(0.5, fmax(0.1, before / (before - both)));
    } else {
        *weight = pass > 1 && !stalled ? *weight * (before - both) / (after - 2.0 * both + before) : 1.0;
        *weight = *weight > 0.0 ? fmin(*weight, most) : 1.0;
    }
    for (int j = 0; j < c->k; j++) {
        const sb_scalar bound = w->bound[j], least = c->limit != NULL ? h * c->limit[j] : 0.0;
        if (!worse) {
            w->best[j] = now[j];
            w->residual[j] = isinf(bound) ? 0.0 : bound - now[j];
        }
        set_friction_bound(w, j, isinf(bound) ? bound : fmax(least, w->best[j] + *weight * w->residual[j]));
    }
}

/* Returns whether the complementarity problem is solved accurately enough to compute new bounds from its solution:
 * always by a direct solver, else to about the tolerance of the bounds and to a few times the tolerance of pgs. */
static bool is_inner_converged(const struct sb_contact_step_work *w) {
    return w->lcp.type->direct || w->report.residual <= SB_RESOLVED(fmin(1e-9, 10.0 * w->config->tol));
}

/* Returns the largest difference of the bounds from those that belong to the last solution, relative to the largest
 * bound. */
static sb_scalar bound_residual(const struct sb_contact_step_work *w) {
    const sb_scalar *now = w->problem.hi + w->friction;
    sb_scalar change = 0.0, largest = 0.0;
    for (int j = 0; j < w->contact->k; j++) {
        if (!isinf(now[j])) {
            change = sb_larger(change, fabs(w->bound[j] - now[j]));
            largest = sb_larger(largest, w->bound[j]);
        }
    }
    return change == 0.0 ? 0.0 : change / largest;
}

/* Returns SB_NOT_CONVERGED with a sentence on what did not converge. */
static int not_converged(const struct sb_contact_step_work *w, sb_scalar residual, sb_scalar held) {
    const sb_contact_config *config = w->config;
    const char *solver = w->lcp.type->entry.name;
    if (!is_inner_converged(w)) {
        return sb_fail(w->ctx, SB_NOT_CONVERGED,
                       "contacts and the bounds of friction did not converge in %ld calls of %s: the bounds are off by "
                       "%.3g of the largest, and the relative row residual of %s is %.3g; increase %s or "
                       "friction_maxit, reduce the tol of %s, or use lcp=block_pivot or friction=box",
                       config->maxit, solver, (double)residual, solver, (double)w->report.residual, w->lcp.type->counts,
                       solver);
    }
    return sb_fail(
        w->ctx, SB_NOT_CONVERGED,
        "contacts and the bounds of friction did not converge in %ld complementarity problems: the bounds are "
        "off by %.3g of the largest, and the relative residual of linearly dependent rows is %.3g; Coulomb's law may "
        "have no solution here; try a smaller step, a larger friction_maxit, a compliance or friction=box",
        config->maxit, (double)residual, (double)held);
}

/* Iterates z until the bounds of friction agree with it, and then until the proximal term is round-off. Where rows
 * depend on each other, the distribution of force is known to a third of the digits only, and so are the bounds: the
 * iteration then ends when neither the motion nor the residual of the bounds improves. Until the complementarity solver
 * itself has converged, secant acceleration is unreliable, and the bounds are those of the last solution. */
static int iterate(struct sb_contact_step_work *w, sb_scalar h, sb_scalar *z, long *iters) {
    const sb_scalar tol = SB_RESOLVED(w->config->tol);
    const sb_scalar round_off = 45036.0 * SB_EPSILON; /* 1e-11, ten times what a direct solver leaves of a row */
    const sb_scalar shared = fmax(1e-6, 4.0 * SB_EPSILON / PROXIMAL); /* some roundings over PROXIMAL */
    const int moves_max = 4; /* a distribution of force that does not affect the motion may change with each move */
    const sb_contact_config *config = w->config;
    const sb_contact_problem *problem = &w->problem;
    const bool iterated = w->contact->k > 0 && config->friction == SB_FRICTION_ITERATED;
    sb_scalar weight = 1.0, residual = 0.0;
    long since = 0; /* passes since the last move of the centre */
    int moves = 0;
    progress at = {0.0, 0.0};
    for (long pass = 1; pass <= config->maxit; pass++) {
        SB_TRY(sb_poll(w->ctx));
        SB_TRY(sb_lcp_solve(&w->lcp, w->same ? NULL : problem->Sx, problem->b, problem->lo, problem->hi, z, NULL,
                            &w->report));
        w->same = true;
        *iters += w->report.iterations;
        w->ctx->factorizations += w->report.factorizations;
        at = measure_progress(w, z);
        const sb_scalar last = residual;
        find_bounds(w, h, 1.0, z);
        divide_bounds(w, z);
        residual = iterated ? bound_residual(w) : 0.0;
        since++;
        const bool converged = residual <= tol || moves >= moves_max ||
                               (since > 2 && residual <= shared && at.moved <= tol && residual >= last);
        if (converged && at.held <= round_off) {
            return SB_OK;
        }
        if (converged) {
            set_center(w, z);
            moves++;
            since = 0;
        } else if (!is_inner_converged(w)) {
            update_bounds(w);
            since = 0;
        } else {
            relax_bounds(w, h, since, &weight);
        }
    }
    return not_converged(w, residual, at.held);
}

int sb_contact_step_solve(sb_contact_step *step, sb_scalar h, const sb_scalar *r, const sb_scalar *before,
                          sb_scalar *v1, sb_scalar *lambda, long *iters) {
    struct sb_contact_step_work *w = step->work;
    sb_mass_solve(&step->mass, r, w->free);
    sb_csc_mult_t(&step->C, step->Cx, w->free, w->problem.b);
    for (int i = 0; i < w->rows; i++) {
        lambda[i] = w->center[i] = h * before[i];
        w->problem.b[i] -= step->s[i] + w->proximal[i] * lambda[i];
    }
    set_fixed_bounds(step);
    find_bounds(w, h, h, before);
    update_bounds(w);
    SB_TRY(check_finite(w, before));
    SB_TRY(iterate(w, h, lambda, iters));
    memcpy(w->free, r, (size_t)step->sys->n * sizeof(sb_scalar));
    sb_csc_mult_add(&step->C, step->Cx, 1.0, lambda, w->free);
    sb_mass_solve(&step->mass, w->free, v1);
    for (int i = 0; i < w->rows; i++) {
        lambda[i] /= h;
    }
    return SB_OK;
}
