/* The step of velocity_level.h with contacts and dry friction: reg05 (4.4), with impacts. */
#ifndef STEPBENCH_INTEGRATORS_SHARED_CONTACT_LEVEL_H
#define STEPBENCH_INTEGRATORS_SHARED_CONTACT_LEVEL_H

#include <stepbench/numerics/dynamics.h>
#include <stepbench/numerics/norm.h>

#include "integrators/shared/velocity_rows.h"

/* A gap's row is N' v1 + sigma z >= -on_g xi. An open gap may close and no more: on_g = 1/h, so that xi1 >= 0 to first order. Of a penetration the method's
 * share is taken back, 1/h at most: more would throw it open. sigma/on_g = eps/h whatever on_g is, so that at rest nu = -xi/eps.
 * An impact is a gap that the free velocity would close and that was closing before: it ends with N' v1 >= -e N' v as well. */
static inline void set_gaps(velocity_level *w, const sb_method *me, double h, const double *v) {
    const sb_contact *contact = &me->sys->contact;
    sb_box *box = w->box;
    double *free = w->next.v, *after = w->g; /* the free velocity, and that of the rows */
    sb_csc_mult_t(&box->C, box->Cx, v, w->Cv);
    sb_mass_solve(&box->mass, w->r, free);
    sb_csc_mult_t(&box->C, box->Cx, free, after);
    for (int i = 0; i < contact->m; i++) {
        const int row = box->bilateral + i;
        const relaxation x = w->relax(me->config, h, contact->eps != NULL ? contact->eps + i : NULL, contact->tau != NULL ? contact->tau + i : NULL, NULL);
        const double xi = box->level[row], on_g = xi > 0.0 ? 1.0 / h : fmin(x.on_g, 1.0 / h);
        box->Sigma[row] = x.sigma > 0.0 ? x.sigma / x.on_g * on_g : 0.0;
        box->s[row] = -on_g * xi;
        if (contact->restitution != NULL && contact->restitution[i] > 0.0 && w->Cv[row] < 0.0 && xi + h * after[row] <= 0.0) {
            const double rebound = -contact->restitution[i] * w->Cv[row];
            box->Sigma[row] = rebound > box->s[row] ? 0.0 : box->Sigma[row]; /* a law between velocities has nothing to be soft in */
            box->s[row] = fmax(box->s[row], rebound);
        }
    }
}

static inline void set_friction(velocity_level *w, const sb_method *me, double h) {
    const sb_contact *contact = &me->sys->contact;
    sb_box *box = w->box;
    for (int j = 0; j < contact->k; j++) {
        const int row = box->bilateral + contact->m + j;
        box->Sigma[row] = w->relax(me->config, h, NULL, NULL, contact->gamma != NULL ? contact->gamma + j : NULL).gamma;
        box->s[row] = box->level[row];
    }
}

/* With a mass that varies, r gains h (T_q(q, v1) - T_q(q, v)) until that is round-off of it: each pass leaves a share of h times the rate of the motion. */
static inline int contact_level_settle(const sb_method *me, double h, const double *q, const double *v, const double *lambda0, double *v1, double *lambda, long *iters) {
    enum { PASSES = 100 };
    velocity_level *w = me->work;
    const sb_inertia *inertia = &me->sys->inertia;
    const int n = me->sys->n;
    double *now = w->tmp, *last = w->next.q; /* T_q of v1, and of the pass before */
    SB_TRY(inertia->gradient(inertia->self, q, v, last));
    for (int pass = 0; pass < PASSES; pass++) {
        double change = 0.0;
        SB_TRY(inertia->gradient(inertia->self, q, v1, now));
        for (int i = 0; i < n; i++) {
            change = sb_larger(change, fabs(h * (now[i] - last[i])));
            w->r[i] += h * (now[i] - last[i]);
        }
        if (change <= DBL_EPSILON * sb_norm_max(n, w->r)) {
            return SB_OK;
        }
        memcpy(last, now, (size_t)n * sizeof *last);
        SB_TRY(sb_box_solve(w->box, h, w->r, lambda0, v1, lambda, iters));
    }
    return sb_fail(me->ctx, SB_NOT_CONVERGED, "no velocity was found that fits its own inertial force over a step of h=%g; a smaller step may do", h);
}

static inline int contact_level_solve(const sb_method *me, double t, double before, double h, const double *q, const double *v, const double *lambda0, sb_state *out) {
    velocity_level *w = me->work;
    const sb_system *sys = me->sys;
    SB_TRY(velocity_level_mass(w, before, q, v));
    SB_TRY(sb_system_impulse(sys, w->mass, t, q, v, 1.0, h, w->r, w->tmp));
    geometric_set(&w->geometric, h, lambda0);
    SB_TRY(geometric_explain(&w->geometric, me->ctx, sb_box_evaluate(w->box, t, h, q)));
    geometric_add(&w->geometric, v, w->r);
    set_relaxation(me, h);
    set_gaps(w, me, h, v);
    set_friction(w, me, h);
    for (int i = 0; i < w->box->bilateral; i++) {
        const double level = w->box->level[i];
        const relaxation *row = relaxation_of(w, i);
        w->box->s[i] = i < sys->holonomic.m ? row->on_v * w->Cv[i] - row->on_g * level : level;
    }
    memcpy(w->box->Sigma, w->sigma, (size_t)w->box->bilateral * sizeof(double));
    sb_box_factor(w->box);
    SB_TRY(sb_box_solve(w->box, h, w->r, lambda0, out->v, out->lambda, &out->iters));
    return sys->inertia.gradient == NULL ? SB_OK : contact_level_settle(me, h, q, v, lambda0, out->v, out->lambda, &out->iters);
}

#endif
