/* Moreau's time stepping: all terms at one point within the step, impacts as a law between its two velocities.
 * moreau88. */
#include <string.h>

#include <stepbench/numerics/contact.h>
#include <stepbench/numerics/dynamics.h>
#include <stepbench/plugin.h>

/* With t' = t + (1 - theta) h and q' = q + (1 - theta) h v, forces F(t', q', v), the rows at (t + h, q'), and the gaps
 * that are closed at q':
 *
 *   M (v1 - v) = h F + C z,   G' v1 + g_t = 0,   A' v1 = w,   0 <= N' (v1 + e v) _|_ nu >= 0,   q1 = q' + theta h v1
 *
 * and friction as in sb_contact_step. Violations are not corrected, and the problem's regularization is not used. The
 * theta method of jean99 and acary08 10 has the same theta in q1, but the forces at both ends of the step. */
typedef struct config {
    sb_scalar theta;
    sb_contact_config contact;
} config;

typedef struct moreau_work {
    sb_contact_step contacts;
    sb_scalar *q, *tmp, *r, *before; /* before: the velocities of the rows at the beginning of the step */
    sb_scalar *gt;                   /* g_t of the holonomic constraints at (t + h, q') */
    sb_state first;                  /* scratch of a start */
} moreau_work;

static int init(sb_method *me) {
    const config *c = me->config;
    moreau_work *w;
    SB_NEW(me->arena, w, 1);
    me->work = w;
    SB_TRY(SB_VECTORS(me->arena, me->sys->n, &w->q, &w->tmp, &w->r));
    SB_NEW(me->arena, w->before, sb_system_multipliers(me->sys));
    SB_NEW(me->arena, w->gt, me->sys->holonomic.m);
    SB_TRY(sb_state_new(me, me->arena, &w->first));
    return sb_contact_step_init(me->ctx, me->arena, me->sys, NULL, &c->contact, "auto", &w->contacts);
}

/* Sets the right-hand sides of all rows for a step from v. */
static void set_rows(moreau_work *w, const sb_scalar *v) {
    sb_contact_step *contacts = &w->contacts;
    const sb_system *sys = contacts->sys;
    const sb_contact *contact = &sys->contact;
    const int gaps = contacts->bilateral, friction = gaps + contact->m;
    sb_csc_mult_t(&contacts->C, contacts->Cx, v, w->before);
    for (int i = 0; i < contacts->rows; i++) {
        contacts->s[i] = i < sys->holonomic.m ? 0.0 - w->gt[i] : contacts->level[i];
        if (i >= gaps && i < friction) {
            contacts->left_out[i - gaps] = !sb_contact_step_closed(contacts, i - gaps, contacts->level[i], w->q);
            contacts->s[i] = contact->restitution != NULL ? -contact->restitution[i - gaps] * w->before[i] : 0.0;
        }
    }
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    const config *c = me->config;
    moreau_work *w = me->work;
    const int n = me->sys->n;
    const sb_scalar first = (1.0 - c->theta) * h;
    for (int i = 0; i < n; i++) {
        w->q[i] = in->q[i] + first * in->v[i];
    }
    SB_TRY(sb_contact_step_evaluate(&w->contacts, in->t + h, h, w->q));
    SB_TRY(sb_system_impulse(me->sys, &w->contacts.mass, in->t + first, w->q, in->v, 1.0, h, w->r, w->tmp));
    SB_TRY(sb_holonomic_rate(me->sys, in->t + h, w->q, w->gt));
    set_rows(w, in->v);
    sb_contact_step_factor(&w->contacts);
    SB_TRY(sb_contact_step_solve(&w->contacts, h, w->r, in->lambda, out->v, out->lambda, &out->iters));
    for (int i = 0; i < n; i++) {
        out->q[i] = w->q[i] + c->theta * h * out->v[i];
    }
    return SB_OK;
}

/* The multiplier at the start is that of the first step, which is taken twice: the friction bounds and the proximal
 * parameter of the second time come from the forces of the first. */
static int start(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar h, sb_state *out) {
    moreau_work *w = me->work;
    for (int pass = 0; pass < 2; pass++) {
        SB_TRY(step(me, out, h, &w->first));
        memcpy(out->lambda, w->first.lambda, (size_t)sb_system_multipliers(me->sys) * sizeof(sb_scalar));
    }
    out->iters = w->first.iters;
    return SB_OK;
}

static const sb_param params[] = {
    SB_PARAM_REAL(config, theta, "1/2", 0.5, 1.0, SB_CLOSED, "",
                  "share of the step that moves with the new velocity: 1/2 Moreau's midpoint, 1 symplectic Euler"),
    SB_CONTACT_PARAMS(config, contact),
    {.name = NULL},
};

SB_DEFINE_STEPPER(moreau) = {
    .entry = {"moreau",
              "Moreau's time stepping: explicit midpoint, impacts, contacts and constraints at velocity level",
              "moreau88", params, sizeof(config)},
    .order = 2,
    .lower = {{SB_HAS_FORCE | SB_HAS_HOLONOMIC | SB_HAS_NONHOLONOMIC | SB_HAS_CONTACT | SB_HAS_FRICTION,
               1}}, /* without them it is leapfrog's midpoint rule */
    .supports = SB_HAS_FORCE | SB_HAS_HOLONOMIC | SB_HAS_CURVED_HOLONOMIC | SB_HAS_NONHOLONOMIC | SB_HAS_CONTACT |
                SB_HAS_FRICTION | SB_HAS_RHEONOMIC | SB_HAS_TIME_POTENTIAL,
    .keeps = SB_KEEPS_MOMENTA,
    .init = init,
    .start = start,
    .step = step,
};
