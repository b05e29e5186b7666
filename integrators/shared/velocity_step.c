/* One step at velocity level without contacts, its start and its report: spook07 (29), and (30) as the Schur
 * complement. */
#include <stepbench/numerics/steps.h>

#include "integrators/shared/velocity_step.h"

/* Returns whether the velocity of a state is that of half a step before its position. */
static bool is_staggered(const sb_method *me) { return me->needs_next != 0; }

static int init_half_step(sb_method *me, sb_velocity_step *w) {
    sb_velocity_half_step *b;
    SB_NEW(me->arena, b, 1);
    w->half_step = b;
    SB_NEW(me->arena, b->Hx, sb_pattern_nnz(&me->sys->H));
    SB_TRY(SB_VECTORS(me->arena, me->sys->n, &b->force, &b->r));
    return SB_VECTORS(me->arena, sb_system_bilateral(me->sys), &b->curvature, &b->rate, &b->s, &b->mu);
}

static int init_inertia(sb_method *me, sb_velocity_step *w) {
    SB_NEW(me->arena, w->inertia, 1);
    SB_NEW(me->arena, w->inertia->x, me->sys->n + sb_system_bilateral(me->sys));
    SB_NEW(me->arena, w->inertia->Tq, me->sys->n);
    return sb_saddle_init(me->ctx, me->arena, me->sys, &w->inertia->saddle);
}

int sb_velocity_step_init(sb_method *me, sb_row_rule rule, sb_velocity_step *out) {
    const sb_velocity_config *c = me->config;
    const sb_system *sys = me->sys;
    const int rows = sb_system_multipliers(sys);
    const bool contacts = sys->contact.m + sys->contact.k > 0, box = contacts || c->form == SB_VELOCITY_FORM_BOX;
    const sb_form form = c->form == SB_VELOCITY_FORM_SCHUR || box ? SB_FORM_SCHUR : SB_FORM_SADDLE;
    const sb_solver *solver = sb_solver_choose(me->ctx, c->solver, form, sys->n + rows);
    if (solver == NULL) {
        return SB_BAD_USAGE;
    }
    *out = (sb_velocity_step){.rule = rule, .coefficients_h = (sb_scalar)NAN};
    me->work = out;
    me->needs_next = c->start != SB_VELOCITY_START_FULL && !contacts ? SB_NEXT_FOR_VELOCITY | SB_NEXT_FOR_LAMBDA : 0;
    SB_TRY(geometric_init(me->arena, sys, c->geometric, &out->geometric));
    if (!contacts) {
        SB_TRY(sb_kkt_init(me->ctx, me->arena, sys, geometric_mass(&out->geometric), form, solver, &out->kkt));
        out->mass = &out->kkt.mass;
    }
    SB_TRY(box ? sb_velocity_step_contacts_init(me) : SB_OK);
    SB_TRY(SB_VECTORS(me->arena, rows, &out->sigma, &out->kappa, &out->upsilon, &out->g, &out->s));
    SB_TRY(SB_VECTORS(me->arena, sys->n, &out->r, &out->tmp));
    if (sys->holonomic.rate != NULL) {
        SB_NEW(me->arena, out->gt, sys->holonomic.m);
    }
    SB_TRY(sys->inertia.gradient != NULL && !box ? init_inertia(me, out) : SB_OK);
    SB_TRY(is_staggered(me) ? init_half_step(me, out) : SB_OK);
    me->plain = me->plain && !box && out->geometric.kind == GEOMETRIC_NONE;
    return sb_state_new(me, me->arena, &out->first);
}

void sb_velocity_step_set_coefficients(const sb_method *me, sb_scalar h) {
    sb_velocity_step *w = me->work;
    const sb_holonomic *g = &me->sys->holonomic;
    const sb_nonholonomic *a = &me->sys->nonholonomic;
    w->coefficients_h = h;
    for (int i = 0; i < g->m; i++) {
        const sb_row_coefficients row =
            w->rule(me->config, h, g->eps != NULL ? g->eps + i : NULL, g->tau != NULL ? g->tau + i : NULL, NULL);
        w->sigma[i] = row.sigma;
        w->kappa[i] = row.kappa;
        w->upsilon[i] = row.upsilon;
    }
    for (int i = 0; i < a->m; i++) {
        w->sigma[g->m + i] = w->rule(me->config, h, NULL, NULL, a->gamma != NULL ? a->gamma + i : NULL).gamma;
    }
    if (me->sys->contact.m + me->sys->contact.k == 0) {
        sb_kkt_set_sigma(&w->kkt, w->sigma);
    }
}

/* Evaluates the mass M(q - h v) of the momentum conjugate to q, after a step of length h that led there with v. */
static int evaluate_mass_before(sb_velocity_step *w, sb_scalar h, const sb_scalar *q, const sb_scalar *v) {
    if (w->mass->constant) {
        return SB_OK;
    }
    SB_TRY(geometric_evaluate(&w->geometric, 0.0, h, q, NULL));
    for (int i = 0; i < w->mass->sys->n; i++) {
        w->tmp[i] = q[i] - h * v[i];
    }
    return sb_mass_evaluate(w->mass, w->tmp);
}

/* Sets w->r to p + h F, where p is the momentum after a step of length h_before. Evaluates geometric stiffness with the
 * forces lambda0 of the last step (NULL: none) and adds its momentum. */
SB_INLINED int set_momentum(const sb_method *me, sb_scalar t, sb_scalar h_before, sb_scalar h, const sb_scalar *q,
                            const sb_scalar *v, const sb_scalar *lambda0, const bool plain, const int n) {
    sb_velocity_step *w = me->work;
    if (plain) {
        SB_TRY(sb_potential_gradient(me->sys, t, q, w->r));
        sb_mass_blend(w->mass, 1.0, v, -h, w->r, w->r, n);
        return SB_OK;
    }
    SB_TRY(evaluate_mass_before(w, h_before, q, v));
    SB_TRY(sb_system_impulse_sized(me->sys, w->mass, t, q, v, 1.0, h, w->r, w->tmp, n));
    SB_TRY(geometric_evaluate(&w->geometric, t, h, q, lambda0));
    geometric_add(&w->geometric, v, w->r);
    return SB_OK;
}

/* ---- The linear system. ---- */

/* Sets G, A, the coefficients, and s = -kappa g - (1 - Upsilon) g_t of holonomic rows, w of nonholonomic ones. */
SB_INLINED int set_rows(const sb_method *me, sb_scalar t, sb_scalar h, const sb_scalar *q, const bool plain,
                        const int rows) {
    sb_velocity_step *w = me->work;
    const int m = plain ? rows : me->sys->holonomic.m;
    if (rows == 0) {
        return SB_OK;
    }
    SB_TRY(plain ? sb_holonomic_value(me->sys, t, q, w->g, w->kkt.Cx)
                 : sb_bilateral_value(me->sys, t, q, w->g, w->kkt.Cx));
    SB_TRY(!plain && w->gt != NULL ? sb_holonomic_rate(me->sys, t, q, w->gt) : SB_OK);
    if (h != w->coefficients_h) {
        sb_velocity_step_set_coefficients(me, h);
    }
    for (int j = 0; j < m; j++) {
        w->s[j] = -w->kappa[j] * w->g[j];
    }
    for (int j = 0; j < m && !plain && w->gt != NULL; j++) {
        w->s[j] -= (1.0 - w->upsilon[j]) * w->gt[j];
    }
    for (int j = m; j < rows; j++) {
        w->s[j] = w->g[j];
    }
    return SB_OK;
}

int sb_velocity_step_not_converged(const sb_method *me, sb_scalar h) {
    return sb_fail(
        me->ctx, SB_NOT_CONVERGED,
        "the iteration for the velocity-dependent inertial force did not converge (h=%g); try a smaller step",
        (double)h);
}

/* Takes Newton's iteration for M v1 - h T_q(q, v1) - C' z = p + h F with the rows of (29), from the solution (v1, z)
 * with T_q(q, v) in place of T_q(q, v1). T_q is quadratic in v: a correction d leaves h T_q(q, d) of the first
 * equation, and the iteration ends when that is round-off of the right-hand side. */
static int iterate_inertial_force(const sb_method *me, sb_scalar h, const sb_scalar *q, const sb_scalar *v,
                                  sb_scalar *v1, sb_scalar *z, long *iters) {
    enum { MAXIT = 50 }; /* the default of Newton's iterations elsewhere */
    const sb_velocity_step *w = me->work;
    const sb_inertia *inertia = &me->sys->inertia;
    sb_saddle *saddle = &w->inertia->saddle;
    sb_scalar *x = w->inertia->x, *Tq = w->inertia->Tq;
    const int n = me->sys->n, rows = w->kkt.C.cols;
    const sb_scalar round_off = SB_EPSILON * sb_norm_max(n, w->r);
    SB_TRY(inertia->gradient(inertia->self, q, v, Tq));
    SB_TRY(inertia->gradient(inertia->self, q, v1, x));
    for (int i = 0; i < n; i++) {
        x[i] = h * (x[i] - Tq[i]);
    }
    for (*iters = 1; *iters <= MAXIT; ++*iters) {
        memset(x + n, 0, (size_t)rows * sizeof(sb_scalar));
        memset(saddle->Hx, 0, (size_t)sb_pattern_nnz(&saddle->H) * sizeof(sb_scalar));
        sb_mass_add(&w->kkt.mass, 1.0, saddle->Hx);
        SB_TRY(inertia->hessian(inertia->self, q, v1, 0.0, -h, 0.0, saddle->Hx));
        sb_saddle_assemble(saddle, 1.0, -1.0, w->kkt.Cx, 1.0, w->kkt.Cx);
        sb_saddle_set_diagonal(saddle, w->sigma);
        SB_TRY(sb_saddle_factor_solve(saddle, x));
        sb_axpy(n, 1.0, x, v1);
        for (int i = 0; i < rows; i++) {
            z[i] += x[n + i];
        }
        SB_TRY(inertia->gradient(inertia->self, q, x, Tq));
        for (int i = 0; i < n; i++) {
            x[i] = h * Tq[i];
        }
        const sb_scalar residual = sb_norm_max(n, x);
        if (residual <= round_off) {
            return SB_OK;
        }
        if (!isfinite(residual)) {
            break;
        }
    }
    return sb_velocity_step_not_converged(me, h);
}

/* Sets out->v, the forces out->lambda and out->iters. lambda0: forces of the previous step, or NULL. */
SB_INLINED int solve(const sb_method *me, sb_scalar t, sb_scalar h_before, sb_scalar h, const sb_scalar *q,
                     const sb_scalar *v, const sb_scalar *lambda0, sb_state *out, const bool plain, const int n,
                     const int rows) {
    sb_velocity_step *w = me->work;
    sb_scalar *v1 = out->v, *z = out->lambda;
    SB_TRY(set_momentum(me, t, h_before, h, q, v, lambda0, plain, n)); /* p + h F */
    if (!plain && w->contacts != NULL) {
        return sb_velocity_step_contacts(me, t, h, q, v, lambda0, out);
    }
    if (plain && rows == 0) {
        sb_mass_solve_sized(w->mass, w->r, v1, n);
        return SB_OK;
    }
    SB_TRY(set_rows(me, t, h, q, plain, rows)); /* G, A, Sigma, Upsilon, -kappa g - (1 - Upsilon) g_t, w */
    const int status = sb_kkt_factor_solve_shifted(&w->kkt, q, w->r, w->s, w->upsilon, v, v1, z);
    SB_TRY(plain ? status : geometric_explain(&w->geometric, me->ctx, status));
    SB_TRY(!plain && w->inertia != NULL ? iterate_inertial_force(me, h, q, v, v1, z, &out->iters) : SB_OK);
    for (int i = 0; i < rows; i++) {
        out->lambda[i] = z[i] / h;
    }
    return SB_OK;
}

/* ---- The operations of a stepper. ---- */

/* Sets v_before to the velocity half a step earlier on a motion that satisfies the constraints to second order, by the
 * matrix of a step:
 *
 *   M v_before - C' mu = M v - (h/2) F_applied,   G v_before + Sigma mu = (h/2) (d2g/dt2 at v' = 0) - g_t
 *   A v_before + Gamma mu = w + h A' v for rows at the start of a step, w for rows at its end
 *
 * F_applied is M dv/dt without the forces of constraints. Nonholonomic rows are evaluated where the method evaluates
 * them, a step before q or at q, so that the first multiplier is consistent with the later ones. */
static int half_step_back(const sb_method *me, sb_scalar t, sb_scalar h, const sb_scalar *q, const sb_scalar *v,
                          sb_scalar *v_before) {
    sb_velocity_step *w = me->work;
    sb_velocity_half_step *b = w->half_step;
    const sb_nonholonomic *nonholonomic = &me->sys->nonholonomic;
    const int m = me->sys->holonomic.m, rows = w->kkt.C.cols;
    if (w->contacts != NULL) { /* form BOX: the matrix is not factored yet */
        SB_TRY(sb_bilateral_value(me->sys, t, q, w->g, w->kkt.Cx));
        SB_TRY(sb_kkt_factor(&w->kkt, q));
    }
    if (m > 0) {
        SB_TRY(sb_holonomic_curvature(me->sys, t, q, v, b->curvature));
    }
    if (rows > m) {
        SB_TRY(nonholonomic->rate(nonholonomic->self, t, q, v, b->rate));
    }
    for (int i = 0; i < m; i++) {
        b->s[i] = 0.5 * h * b->curvature[i] - (w->gt != NULL ? w->gt[i] : 0.0);
    }
    for (int i = m; i < rows; i++) {
        b->s[i] = (w->implicit_rows ? 0.0 : h * b->rate[i - m]) + w->g[i];
    }
    sb_mass_mult(&w->kkt.mass, v, b->r);
    SB_TRY(sb_system_applied_force(me->sys, t, q, v, b->force, w->tmp, b->Hx));
    sb_axpy(me->sys->n, -0.5 * h, b->force, b->r);
    return sb_kkt_solve(&w->kkt, b->r, b->s, v_before, b->mu);
}

/* The multipliers of the start, with which geometric stiffness begins, are those of a step from (q, v) without it. With
 * contacts this step is solved twice: the friction bounds and the proximal centre of the second time come from the
 * forces of the first. */
int sb_velocity_step_start(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar h,
                           sb_state *out) {
    sb_velocity_step *w = me->work;
    const size_t bytes = (size_t)sb_system_multipliers(me->sys) * sizeof(sb_scalar);
    memset(out->lambda, 0, bytes);
    w->first.iters = 0;
    for (int pass = 0; pass < (w->contacts != NULL ? 2 : 1); pass++) {
        SB_TRY(solve(me, t, h, h, q, v, w->contacts != NULL ? out->lambda : NULL, &w->first, false, me->sys->n,
                     w->kkt.C.cols));
        memcpy(out->lambda, w->first.lambda, bytes);
    }
    out->iters = w->first.iters;
    return is_staggered(me) ? half_step_back(me, t, h, q, v, out->v) : SB_OK;
}

SB_INLINED int step_sized(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out, const bool plain,
                          const int n, const int m) {
    const int rows = plain ? m : ((const sb_velocity_step *)me->work)->kkt.C.cols;
    SB_TRY(solve(me, in->t, in->h, h, in->q, in->v, in->lambda, out, plain, n, rows));
    for (int i = 0; i < n; i++) {
        out->q[i] = in->q[i] + h * out->v[i];
    }
    return SB_OK;
}

SB_DEFINE_STEPS(step_sized)

int sb_velocity_step_new(sb_method *me, sb_row_rule rule) {
    sb_velocity_step *w;
    SB_NEW(me->arena, w, 1);
    me->steps = steps;
    return sb_velocity_step_init(me, rule, w);
}

int sb_velocity_step_step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    return step(me, in, h, out);
}

/* With a staggered velocity, the multiplier at t is that of the next step and the velocity is the mean of both steps.
 * Otherwise both are those of the last step, as on entry. */
int sb_velocity_step_report(const sb_method *me, const sb_state *in, const sb_state *next, sb_scalar *v,
                            sb_scalar *lambda) {
    for (int i = 0; i < me->sys->n && v != NULL && next != NULL; i++) {
        v[i] = 0.5 * (in->v[i] + next->v[i]);
    }
    return SB_OK;
}

/* A step conserves p . xi(q) of a symmetry xi of g, along which G' lambda does no work. */
int sb_velocity_step_momentum(const sb_method *me, const sb_state *in, sb_scalar *p) {
    sb_velocity_step *w = me->work;
    SB_TRY(evaluate_mass_before(w, in->h, in->q, in->v));
    sb_mass_mult(w->mass, in->v, p);
    return SB_OK;
}

unsigned sb_velocity_step_loses(const void *config) {
    return geometric_loses(((const sb_velocity_config *)config)->geometric);
}
