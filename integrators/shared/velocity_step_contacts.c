/* One step at velocity level with contacts and dry friction: reg05 (4.4), with impacts. */
#include <string.h>

#include "integrators/shared/velocity_step.h"

/*   M v1 = p + h (F + T_q(q, v1)) + C' z,   C = [G; A; N; D],   q1 = q + h v1,   lambda = z/h
 *
 *   G v1 + Sigma z = -kappa g + Upsilon G v - (1 - Upsilon) g_t,   A v1 + Gamma z = w
 *   0 <= N v1 + Sigma z + kappa xi  _|_  z >= 0
 *   D v1 + Gamma z - w = 0 for |z| below its bound, >= 0 for z at -bound, <= 0 for z at +bound */

/* Returns SB_UNSUPPORTED for options that contacts and dry friction do not allow. */
static int check(const sb_method *me) {
    const sb_velocity_config *c = me->config;
    if (c->form == SB_VELOCITY_FORM_SADDLE) {
        return sb_fail(me->ctx, SB_UNSUPPORTED,
                       "with form=saddle, contacts and dry friction are solved on the Schur complement; use "
                       "form=schur or auto");
    }
    if (c->start == SB_VELOCITY_START_HALF) {
        return sb_fail(me->ctx, SB_UNSUPPORTED,
                       "with start=half, an impact has no velocity half a step earlier; use start=full or auto");
    }
    return SB_OK;
}

int sb_velocity_step_contacts_init(sb_method *me) {
    const sb_velocity_config *c = me->config;
    sb_velocity_step *w = me->work;
    sb_velocity_contacts *x;
    SB_TRY(check(me));
    SB_NEW(me->arena, x, 1);
    SB_TRY(sb_contact_step_init(me->ctx, me->arena, me->sys, geometric_mass(&w->geometric), &c->contact, c->solver,
                                &x->step));
    SB_NEW(me->arena, x->v_free, me->sys->n);
    SB_TRY(SB_VECTORS(me->arena, me->sys->n, &x->Tq, &x->Tq1));
    SB_TRY(SB_VECTORS(me->arena, x->step.rows, &x->Cv, &x->Cv_free));
    w->contacts = x;
    w->mass = &x->step.mass;
    return SB_OK;
}

/* Sets the rows of the gaps. kappa is 1/h for an open gap, so that xi1 >= 0 to first order, and the method's for a
 * penetration, at most 1/h: with more the bodies would separate. sigma/kappa = eps/h for any kappa, so that nu =
 * -xi/eps at rest. An impact is a gap that was closing before and that M^-1 p closes within the step. It ends with N v1
 * >= -e N v as well, and without compliance, because Newton's law relates velocities only. */
static void set_gaps(sb_velocity_step *w, const sb_method *me, sb_scalar h, const sb_scalar *v) {
    const sb_contact *contact = &me->sys->contact;
    sb_velocity_contacts *x = w->contacts;
    sb_contact_step *step = &x->step;
    sb_csc_mult_t(&step->C, step->Cx, v, x->Cv);
    sb_mass_solve(&step->mass, w->r, x->v_free);
    sb_csc_mult_t(&step->C, step->Cx, x->v_free, x->Cv_free);
    for (int i = 0; i < contact->m; i++) {
        const int row = step->bilateral + i;
        const sb_row_coefficients c = w->rule(me->config, h, contact->eps != NULL ? contact->eps + i : NULL,
                                              contact->tau != NULL ? contact->tau + i : NULL, NULL);
        const sb_scalar xi = step->level[row], kappa = xi > 0.0 ? 1.0 / h : fmin(c.kappa, 1.0 / h);
        step->Sigma[row] = c.sigma > 0.0 ? c.sigma / c.kappa * kappa : 0.0;
        step->s[row] = -kappa * xi;
        if (contact->restitution != NULL && contact->restitution[i] > 0.0 && x->Cv[row] < 0.0 &&
            xi + h * x->Cv_free[row] <= 0.0) {
            const sb_scalar rebound = -contact->restitution[i] * x->Cv[row];
            step->Sigma[row] = rebound > step->s[row] ? 0.0 : step->Sigma[row];
            step->s[row] = fmax(step->s[row], rebound);
        }
    }
}

static void set_friction(sb_velocity_step *w, const sb_method *me, sb_scalar h) {
    const sb_contact *contact = &me->sys->contact;
    sb_contact_step *step = &w->contacts->step;
    for (int j = 0; j < contact->k; j++) {
        const int row = step->bilateral + contact->m + j;
        step->Sigma[row] = w->rule(me->config, h, NULL, NULL, contact->gamma != NULL ? contact->gamma + j : NULL).gamma;
        step->s[row] = step->level[row];
    }
}

static void set_bilateral(sb_velocity_step *w, const sb_method *me) {
    sb_contact_step *step = &w->contacts->step;
    for (int i = 0; i < step->bilateral; i++) {
        const bool holonomic = i < me->sys->holonomic.m;
        step->s[i] = holonomic ? w->upsilon[i] * w->contacts->Cv[i] - w->kappa[i] * step->level[i] : step->level[i];
        step->s[i] -= holonomic && w->gt != NULL ? (1.0 - w->upsilon[i]) * w->gt[i] : 0.0;
    }
    memcpy(step->Sigma, w->sigma, (size_t)step->bilateral * sizeof(sb_scalar));
}

/* Iterates T_q(q, v1) to its fixed point where the mass varies: r gains h (T_q(q, v1) - T_q(q, v)) until that is
 * round-off of r. A pass leaves a share of the size of h times the rate of the motion. Newton's iteration of
 * velocity_step.c converges for longer steps, but its matrix is not symmetric, as that of a complementarity problem
 * has to be. */
static int iterate_inertial_force(const sb_method *me, sb_scalar h, const sb_scalar *q, const sb_scalar *v,
                                  const sb_scalar *lambda0, sb_state *out) {
    enum { PASSES = 100 };
    sb_velocity_step *w = me->work;
    const sb_inertia *inertia = &me->sys->inertia;
    const int n = me->sys->n;
    sb_scalar *now = w->contacts->Tq1, *last = w->contacts->Tq;
    SB_TRY(inertia->gradient(inertia->self, q, v, last));
    for (int pass = 0; pass < PASSES; pass++) {
        sb_scalar change = 0.0;
        SB_TRY(inertia->gradient(inertia->self, q, out->v, now));
        for (int i = 0; i < n; i++) {
            change = sb_larger(change, fabs(h * (now[i] - last[i])));
            w->r[i] += h * (now[i] - last[i]);
        }
        if (change <= SB_EPSILON * sb_norm_max(n, w->r)) {
            return SB_OK;
        }
        memcpy(last, now, (size_t)n * sizeof *last);
        SB_TRY(sb_contact_step_solve(&w->contacts->step, h, w->r, lambda0, out->v, out->lambda, &out->iters));
    }
    return sb_velocity_step_not_converged(me, h);
}

int sb_velocity_step_contacts(const sb_method *me, sb_scalar t, sb_scalar h, const sb_scalar *q, const sb_scalar *v,
                              const sb_scalar *lambda0, sb_state *out) {
    sb_velocity_step *w = me->work;
    sb_contact_step *step = &w->contacts->step;
    SB_TRY(geometric_explain(&w->geometric, me->ctx, sb_contact_step_evaluate(step, t, h, q)));
    if (h != w->coefficients_h) {
        sb_velocity_step_set_coefficients(me, h);
    }
    SB_TRY(w->gt != NULL ? sb_holonomic_rate(me->sys, t, q, w->gt) : SB_OK);
    set_gaps(w, me, h, v);
    set_friction(w, me, h);
    set_bilateral(w, me);
    sb_contact_step_factor(step);
    SB_TRY(sb_contact_step_solve(step, h, w->r, lambda0, out->v, out->lambda, &out->iters));
    return me->sys->inertia.gradient == NULL ? SB_OK : iterate_inertial_force(me, h, q, v, lambda0, out);
}
