/* One step at velocity level without contacts, its start and its report: spook07 (29), and (30) as the Schur
 * complement. */
#include <string.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/norm.h>

#include "integrators/shared/velocity_step.h"

int sb_velocity_step_init(sb_method *me, sb_row_rule rule, sb_velocity_step *out) {
    const sb_velocity_config *c = me->config;
    const sb_system *sys = me->sys, *with_stiffness;
    const int n = sys->n, rows = sb_system_multipliers(sys);
    const bool contacts = sys->contact.m + sys->contact.k > 0, box = contacts || c->form == SB_VELOCITY_FORM_BOX;
    const sb_form form = c->form == SB_VELOCITY_FORM_SCHUR || box ? SB_FORM_SCHUR : SB_FORM_SADDLE;
    const sb_solver *solver = sb_solver_choose(me->ctx, c->solver, form, n + rows);
    if (solver == NULL) {
        return SB_BAD_USAGE;
    }
    *out = (sb_velocity_step){.rule = rule, .coefficients_h = (sb_scalar)NAN, .rows = rows};
    me->work = out;
    me->needs_next = c->start != SB_VELOCITY_START_FULL && !contacts ? SB_NEXT_FOR_VELOCITY | SB_NEXT_FOR_LAMBDA : 0;
    SB_TRY(geometric_init(me->arena, sys, c->geometric, &out->geometric, &with_stiffness));
    if (box) {
        SB_TRY(sb_velocity_step_contacts_check(me));
        SB_NEW(me->arena, out->contacts, 1);
        SB_TRY(sb_contact_step_init(me->ctx, me->arena, with_stiffness, &c->contact, c->solver, out->contacts));
        SB_TRY(SB_VECTORS(me->arena, rows, &out->Cv, &out->Cv_free));
        out->mass = &out->contacts->mass;
    }
    if (!contacts) {
        SB_TRY(sb_kkt_init(me->ctx, me->arena, with_stiffness, form, solver, &out->kkt));
        out->mass = box ? out->mass : &out->kkt.mass;
    }
    SB_TRY(SB_VECTORS(me->arena, rows, &out->sigma, &out->kappa, &out->upsilon, &out->g, &out->side));
    SB_TRY(SB_VECTORS(me->arena, n, &out->p, &out->tmp));
    if (sys->holonomic.rate != NULL) {
        SB_NEW(me->arena, out->gt, sys->holonomic.m);
    }
    if (sys->inertia.gradient != NULL && !box) {
        SB_NEW(me->arena, out->correction, n + rows);
        SB_NEW(me->arena, out->Tq, n);
        SB_TRY(sb_saddle_init(me->ctx, me->arena, sys, &out->inertial));
    }
    return sb_state_new(me, me->arena, &out->scratch);
}

int sb_velocity_step_new(sb_method *me, sb_row_rule rule) {
    sb_velocity_step *w;
    SB_NEW(me->arena, w, 1);
    return sb_velocity_step_init(me, rule, w);
}

void sb_velocity_step_set_coefficients(const sb_method *me, sb_scalar h) {
    sb_velocity_step *w = me->work;
    const sb_holonomic *g = &me->sys->holonomic;
    const sb_nonholonomic *a = &me->sys->nonholonomic;
    if (h == w->coefficients_h) {
        return;
    }
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
    geometric_set(&w->geometric, 0.0, h, NULL);
    if (w->mass->constant) {
        return SB_OK;
    }
    for (int i = 0; i < w->mass->sys->n; i++) {
        w->tmp[i] = q[i] - h * v[i];
    }
    return sb_mass_evaluate(w->mass, w->tmp);
}

int sb_velocity_step_set_momentum(const sb_method *me, sb_scalar t, sb_scalar h_before, sb_scalar h, const sb_scalar *q,
                                  const sb_scalar *v) {
    sb_velocity_step *w = me->work;
    SB_TRY(evaluate_mass_before(w, h_before, q, v));
    return sb_system_impulse(me->sys, w->mass, t, q, v, 1.0, h, w->p, w->tmp);
}

/* ---- The linear system. ---- */

/* Sets side = -kappa g + Upsilon C v - (1 - Upsilon) g_t - c C v for holonomic rows, w - c C v for nonholonomic ones.
 */
static void set_side(sb_velocity_step *w, const sb_system *sys, const sb_scalar *v, sb_scalar c) {
    const sb_pattern *C = &w->kkt.C;
    for (int j = 0; j < C->cols; j++) {
        const bool holonomic = j < sys->holonomic.m;
        const sb_scalar on_v = (holonomic ? w->upsilon[j] : 0.0) - c;
        sb_scalar side = holonomic ? -w->kappa[j] * w->g[j] : w->g[j];
        for (int k = C->p[j]; k < C->p[j + 1] && on_v != 0.0; k++) {
            side += on_v * w->kkt.Cx[k] * v[C->i[k]];
        }
        w->side[j] = holonomic && w->gt != NULL ? side - (1.0 - w->upsilon[j]) * w->gt[j] : side;
    }
}

/* Newton's iteration for M v1 - h T_q(q, v1) - C' z = p + h F, C v1 + Sigma z = side, from the solution (v1, z) with
 * T_q(q, v) in place of T_q(q, v1). T_q is quadratic in v: a correction d leaves h T_q(q, d) of the first equation, and
 * the iteration ends when that is round-off of the right-hand side. */
static int iterate_inertial_force(const sb_method *me, sb_scalar h, const sb_scalar *q, const sb_scalar *v,
                                  sb_scalar *v1, sb_scalar *z, long *iters) {
    enum { MAXIT = 50 }; /* the default of Newton's iterations elsewhere */
    sb_velocity_step *w = me->work;
    const sb_inertia *inertia = &me->sys->inertia;
    sb_saddle *saddle = &w->inertial;
    const int n = me->sys->n, rows = w->kkt.C.cols;
    const sb_scalar round_off = SB_EPSILON * sb_norm_max(n, w->p);
    sb_scalar *x = w->correction;
    SB_TRY(inertia->gradient(inertia->self, q, v, w->Tq));
    SB_TRY(inertia->gradient(inertia->self, q, v1, x));
    for (int i = 0; i < n; i++) {
        x[i] = h * (x[i] - w->Tq[i]);
    }
    for (*iters = 1; *iters <= MAXIT; ++*iters) {
        memset(x + n, 0, (size_t)rows * sizeof(sb_scalar));
        memset(saddle->Hx, 0, (size_t)sb_pattern_nnz(&saddle->H) * sizeof(sb_scalar));
        sb_mass_add(&w->kkt.mass, 1.0, saddle->Hx);
        SB_TRY(inertia->hessian(inertia->self, q, v1, 0.0, -h, 0.0, saddle->Hx));
        sb_saddle_assemble(saddle, 1.0, -1.0, w->kkt.Cx, 1.0, w->kkt.Cx);
        sb_saddle_set_diagonal(saddle, w->sigma);
        SB_TRY(sb_saddle_factor(saddle));
        SB_TRY(sb_saddle_solve(saddle, x));
        for (int i = 0; i < n; i++) {
            v1[i] += x[i];
        }
        for (int i = 0; i < rows; i++) {
            z[i] += x[n + i];
        }
        SB_TRY(inertia->gradient(inertia->self, q, x, w->Tq));
        for (int i = 0; i < n; i++) {
            x[i] = h * w->Tq[i];
        }
        const sb_scalar residual = sb_norm_max(n, x);
        if (residual <= round_off) {
            return SB_OK;
        }
        if (!isfinite(residual)) {
            break;
        }
    }
    return sb_fail(
        me->ctx, SB_NOT_CONVERGED,
        "the iteration for the velocity-dependent inertial force did not converge (h=%g); try a smaller step",
        (double)h);
}

/* Computes v1 and z of the system in velocity_step.h, for a mass that varies. */
static int solve_varying_mass(const sb_method *me, sb_scalar t, sb_scalar h_before, sb_scalar h, const sb_scalar *q,
                              const sb_scalar *v, const sb_scalar *lambda0, sb_scalar *v1, sb_scalar *z, long *iters) {
    sb_velocity_step *w = me->work;
    SB_TRY(sb_velocity_step_set_momentum(me, t, h_before, h, q, v)); /* p + h F */
    geometric_set(&w->geometric, t, h, lambda0);
    SB_TRY(geometric_explain(&w->geometric, me->ctx, sb_kkt_factor(&w->kkt, q)));
    geometric_add(&w->geometric, v, w->p);
    set_side(w, me->sys, v, 0.0); /* -kappa g + Upsilon G v, w */
    SB_TRY(sb_kkt_solve(&w->kkt, w->p, w->side, v1, z));
    return me->sys->inertia.gradient == NULL ? SB_OK : iterate_inertial_force(me, h, q, v, v1, z, iters);
}

/* The same for a constant mass, with u = v1 - c v as unknown:
 *
 *   [ M  -C'   ] [ u ]   [ M v + h F - c M v                         ]
 *   [ C   Sigma] [ z ] = [ -kappa g + Upsilon C v - c C v, w - c C v ]
 *
 * The solution is the same for every c. With c = Upsilon of the first row, the step needs no C v where all rows have
 * the same Upsilon: at c = 0 the ladder's step at N = 1000 takes 1.08 times as long. */
static int solve_constant_mass(const sb_method *me, sb_scalar t, sb_scalar h, const sb_scalar *q, const sb_scalar *v,
                               sb_scalar *v1, sb_scalar *z) {
    sb_velocity_step *w = me->work;
    const sb_scalar c = me->sys->holonomic.m > 0 ? w->upsilon[0] : 0.0;
    SB_TRY(sb_system_impulse(me->sys, w->mass, t, q, v, 1.0 - c, h, w->p, w->tmp));
    set_side(w, me->sys, v, c);
    SB_TRY(sb_kkt_factor_solve(&w->kkt, q, w->p, w->side, v1, z));
    for (int i = 0; i < me->sys->n; i++) {
        v1[i] += c * v[i];
    }
    return SB_OK;
}

/* Sets out->v, the forces out->lambda and out->iters. lambda0: forces of the previous step, or NULL. */
static int solve(const sb_method *me, sb_scalar t, sb_scalar h_before, sb_scalar h, const sb_scalar *q,
                 const sb_scalar *v, const sb_scalar *lambda0, sb_state *out) {
    sb_velocity_step *w = me->work;
    if (w->contacts != NULL) {
        return sb_velocity_step_contacts(me, t, h_before, h, q, v, lambda0, out);
    }
    sb_scalar *z = out->lambda;
    SB_TRY(sb_bilateral_value(me->sys, t, q, w->g, w->kkt.Cx)); /* g, G, w, A */
    SB_TRY(w->gt != NULL ? sb_holonomic_rate(me->sys, t, q, w->gt) : SB_OK);
    sb_velocity_step_set_coefficients(me, h); /* Sigma, kappa, Upsilon, Gamma */
    SB_TRY(w->mass->constant ? solve_constant_mass(me, t, h, q, v, out->v, z)
                             : solve_varying_mass(me, t, h_before, h, q, v, lambda0, out->v, z, &out->iters));
    for (int i = 0; i < w->rows; i++) {
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
    const sb_nonholonomic *nonholonomic = &me->sys->nonholonomic;
    const int m = me->sys->holonomic.m, rows = w->kkt.C.cols;
    sb_scalar *rate = w->scratch.lambda + m, *force = w->scratch.v;
    if (w->contacts != NULL) { /* form BOX: the matrix is not factored yet */
        SB_TRY(sb_bilateral_value(me->sys, t, q, w->g, w->kkt.Cx));
        SB_TRY(sb_kkt_factor(&w->kkt, q));
    }
    if (m > 0) {
        SB_TRY(sb_holonomic_curvature(me->sys, t, q, v, w->side));
    }
    if (rows > m) {
        SB_TRY(nonholonomic->value(nonholonomic->self, t, q, NULL, w->side + m));
        SB_TRY(nonholonomic->rate(nonholonomic->self, t, q, v, rate));
    }
    for (int i = 0; i < rows; i++) {
        w->side[i] = i < m ? 0.5 * h * w->side[i] - (w->gt != NULL ? w->gt[i] : 0.0)
                           : (w->implicit_rows ? 0.0 : h * rate[i - m]) + w->side[i];
    }
    sb_mass_mult(&w->kkt.mass, v, w->p);
    SB_TRY(sb_system_applied_force(me->sys, t, q, v, force, w->tmp, w->inertial.Hx));
    for (int i = 0; i < me->sys->n; i++) {
        w->p[i] -= 0.5 * h * force[i];
    }
    return sb_kkt_solve(&w->kkt, w->p, w->side, v_before, w->scratch.lambda);
}

/* Returns whether the velocity of a state is that of half a step before its position. */
static bool is_staggered(const sb_method *me) { return me->needs_next != 0; }

/* The multipliers of the start, with which geometric stiffness begins, are those of a step from (q, v) without it. */
int sb_velocity_step_start(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar h,
                           sb_state *out) {
    sb_velocity_step *w = me->work;
    sb_state first = {.v = w->scratch.v, .lambda = out->lambda}; /* the first step, for its forces */
    memset(w->scratch.lambda, 0, (size_t)w->rows * sizeof(sb_scalar));
    SB_TRY(solve(me, t, h, h, q, v, w->contacts != NULL ? w->scratch.lambda : NULL, &first));
    if (w->contacts != NULL) { /* once more with the friction bounds and proximal centre of these forces */
        memcpy(w->scratch.lambda, out->lambda, (size_t)w->rows * sizeof(sb_scalar));
        SB_TRY(solve(me, t, h, h, q, v, w->scratch.lambda, &first));
    }
    out->iters = first.iters;
    return is_staggered(me) ? half_step_back(me, t, h, q, v, out->v) : SB_OK;
}

int sb_velocity_step_step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    SB_TRY(solve(me, in->t, in->h, h, in->q, in->v, in->lambda, out));
    for (int i = 0; i < me->sys->n; i++) {
        out->q[i] = in->q[i] + h * out->v[i];
    }
    return SB_OK;
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
