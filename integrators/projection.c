/* A stepper for ordinary differential equations on a constrained system: a step of the base on the equations of index
 * 1, whose multipliers lambda(t, q, v) are forces, and then the projection on g(t, q) = 0 and G v + g_t = 0, A(q) v =
 * w: hlw06 IV.4, hw96 VII.2,
 *
 *   M q'' = F + C' lambda(t, q, v),   g(q1) = 0,   v1 = v~ + M^-1 C' nu with C v1 = (-g_t, w),
 *
 * where (q~, v~) is the state after the step of the base. q1 follows from q~ by corrections M dq = C' mu, g + G dq = 0,
 * A dq = 0 with the rows of the corrected point. The order is that of the base. */
#include <string.h>

#include <stepbench/plugin.h>

#include "integrators/shared/compound.h"

enum { CONSTRAINTS = SB_HAS_HOLONOMIC | SB_HAS_CURVED_HOLONOMIC | SB_HAS_RHEONOMIC | SB_HAS_NONHOLONOMIC };

typedef struct work {
    compound_work compound;
    sb_system free;  /* the system without its constraints, with their forces C' lambda(t, q, v) */
    sb_dynamics dyn; /* for these forces */
    sb_scalar *a, *lambda, *p;
} work;

/* Computes f + C' lambda(t, q, v). */
static int force(const void *self, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar *f) {
    work *w = (work *)self;
    const sb_system *sys = w->dyn.sys;
    memset(f, 0, (size_t)sys->n * sizeof(sb_scalar));
    if (sys->force.value != NULL) {
        SB_TRY(sys->force.value(sys->force.self, t, q, v, f));
    }
    SB_TRY(sb_dynamics_acceleration(&w->dyn, t, q, v, w->a, w->lambda));
    sb_csc_mult_add(&w->dyn.C, w->dyn.Cx, 1.0, w->lambda, f);
    return SB_OK;
}

static int init(sb_method *me) {
    work *w;
    SB_NEW(me->arena, w, 1);
    SB_TRY(SB_VECTORS(me->arena, me->sys->n, &w->a, &w->p));
    SB_NEW(me->arena, w->lambda, sb_system_bilateral(me->sys));
    w->free = *me->sys;
    if (sb_system_bilateral(me->sys) > 0) {
        w->free.flags = (me->sys->flags & ~(unsigned)CONSTRAINTS) | (unsigned)SB_HAS_FORCE;
        w->free.holonomic = (sb_holonomic){0};
        w->free.nonholonomic = (sb_nonholonomic){0};
        w->free.force = (sb_force){.self = w, .value = force};
    }
    SB_TRY(sb_dynamics_init(me->ctx, me->arena, me->sys, &w->dyn));
    return sb_compound_init(me, &w->free, &w->compound);
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    work *w = me->work;
    const sb_scalar t = in->t + h;
    SB_TRY(sb_method_step(&w->compound.base, in, h, out));
    if (sb_system_bilateral(me->sys) == 0) {
        return SB_OK;
    }
    SB_TRY(sb_dynamics_position(&w->compound.motion.dyn, t, out->q));
    SB_TRY(sb_dynamics_momentum(&w->compound.motion.dyn, out->q, out->v, w->p));
    return sb_dynamics_velocity(&w->compound.motion.dyn, t, out->q, w->p, out->v, NULL);
}

/* Sets the properties of the compound. The projection destroys the other invariants that the base conserves. */
static int compose(sb_context *ctx, sb_compound_stepper *out) {
    const sb_stepper *base = out->base;
    if ((base->supports & (unsigned)SB_HAS_FORCE) == 0 || (base->supports & (unsigned)CONSTRAINTS) != 0 ||
        base->report != NULL) {
        return sb_fail(ctx, SB_UNSUPPORTED,
                       "%s does not take %s: it takes a one-step stepper for forces without constraints, such as rk4, "
                       "gauss and midpoint",
                       out->compound->entry.name, base->entry.name);
    }
    out->stepper.supports = base->supports | (unsigned)CONSTRAINTS;
    out->stepper.keeps = SB_KEEPS_POSITION | SB_KEEPS_TANGENCY;
    sb_compound_set(&out->stepper, init, step);
    out->stepper.momentum = NULL;
    return SB_OK;
}

SB_DEFINE_COMPOUND(projection) = {
    .entry = {"projection", "a stepper without constraints on the equations of index 1, projected on the constraints",
              "hlw06 IV.4", NULL, 0},
    .compose = compose,
};
