/* Embedded Runge-Kutta pairs of GSL with error control on q' = v, v' = a(t, q, v): hnw93 II.4, II.5.
 *
 * A constrained system has the accelerations of its index-1 equations. They preserve g and dg/dt, but an error in dg/dt
 * makes g grow linearly and one in d2g/dt2 quadratically. Therefore every step ends on the constraints. */
#include <string.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/plugin.h>

#include "integrators/shared/adaptive.h"

typedef struct config {
    int pair;
    double rtol;
} config;

typedef struct work {
    sb_context *ctx;
    sb_dynamics dyn;
    gsl_odeiv2_driver *driver;
    gsl_odeiv2_system ode;
    double *y, *a, *p;
    int status; /* of the last evaluation */
} work;

static int right_side(double t, const double y[], double dydt[], void *params) {
    work *w = params;
    const int n = w->dyn.sys->n;
    memcpy(dydt, y + n, (size_t)n * sizeof(double));
    w->status = sb_poll(w->ctx);
    w->status = w->status == SB_OK ? sb_dynamics_acceleration(&w->dyn, t, y, y + n, dydt + n, NULL) : w->status;
    return w->status == SB_OK ? GSL_SUCCESS : GSL_EBADFUNC;
}

/* Maps y to the constraints: the position along M^-1 C' mu, then the velocity. */
static int project(work *w, double t, double *y) {
    const int n = w->dyn.sys->n;
    SB_TRY(sb_dynamics_position(&w->dyn, t, y));
    SB_TRY(sb_dynamics_momentum(&w->dyn, y, y + n, w->p));
    gsl_odeiv2_evolve_reset(w->driver->e); /* its stored derivative is that of the point before the projection */
    return sb_dynamics_velocity(&w->dyn, t, y, w->p, y + n, NULL);
}

/* Moves (t, y) by one accepted step of at most *h, not beyond `end`, and sets *h to the length of the next. */
static int advance(const sb_method *me, double *t, double end, double *h, double *y) {
    work *w = me->work;
    gsl_odeiv2_evolve *e = w->driver->e;
    const unsigned long before = e->failed_steps;
    if (sb_adaptive_underflow(me, *t, *h)) {
        return SB_NOT_CONVERGED;
    }
    const int code = gsl_odeiv2_evolve_apply(e, w->driver->c, w->driver->s, &w->ode, t, end, h, y);
    me->ctx->rejected += (long)(e->failed_steps - before);
    me->ctx->substeps++;
    if (code == GSL_EBADFUNC && w->status != SB_OK) {
        return w->status;
    }
    if (code != GSL_SUCCESS) {
        sb_adaptive_underflow(me, *t, 0.0);
        return SB_NOT_CONVERGED;
    }
    return sb_system_bilateral(me->sys) > 0 ? project(w, *t, y) : SB_OK;
}

static int next(const sb_method *me, sb_state *mesh, double *control, double way, double end, bool *done) {
    double h = copysign(*control, way);
    if (!(way > 0.0 ? mesh->t + h <= end : mesh->t + h >= end)) {
        *done = true;
        return SB_OK;
    }
    SB_TRY(advance(me, &mesh->t, mesh->t + 2.0 * h, &h, mesh->q)); /* v stands behind q */
    *control = fabs(h);
    return SB_OK;
}

static int reach(const sb_method *me, const sb_state *mesh, double control, double end, sb_state *out) {
    work *w = me->work;
    const size_t n = (size_t)me->sys->n;
    double t = mesh->t, h = copysign(control, end - t);
    memcpy(w->y, mesh->q, 2 * n * sizeof(double));
    while (h > 0.0 ? t < end : t > end) {
        SB_TRY(advance(me, &t, end, &h, w->y));
    }
    memcpy(out->q, w->y, n * sizeof(double));
    memcpy(out->v, w->y + n, n * sizeof(double));
    memcpy(out->lambda, mesh->lambda, (size_t)sb_system_multipliers(me->sys) * sizeof(double));
    return SB_OK;
}

static const sb_adaptive adaptive = {0, next, reach};

static void free_driver(void *driver) { gsl_odeiv2_driver_free(driver); }

static int init(sb_method *me) {
    const gsl_odeiv2_step_type *const pairs[] = {gsl_odeiv2_step_rk8pd, gsl_odeiv2_step_rkf45, gsl_odeiv2_step_rkck};
    const config *c = me->config;
    const size_t n = (size_t)me->sys->n;
    double length, *scale;
    work *w;
    SB_NEW(me->arena, w, 1);
    SB_NEW(me->arena, w->y, 2 * n);
    SB_NEW(me->arena, scale, 2 * n);
    SB_TRY(SB_VECTORS(me->arena, n, &w->a, &w->p));
    me->work = w;
    me->naux = sb_adaptive_naux(me->sys, 0);
    w->ctx = me->ctx;
    SB_TRY(sb_dynamics_init(me->ctx, me->arena, me->sys, &w->dyn));
    SB_TRY(sb_system_length(me->ctx, me->sys, &length));
    length = length > 0.0 ? length : 1.0; /* a system that rests at the origin has no size */
    for (size_t i = 0; i < n; i++) {
        scale[i] = length;
        scale[n + i] = length / me->sys->time_scale;
    }
    w->ode = (gsl_odeiv2_system){right_side, NULL, 2 * n, w};
    w->driver = gsl_odeiv2_driver_alloc_scaled_new(&w->ode, pairs[c->pair], me->sys->time_scale / 100.0, c->rtol, 0.0,
                                                   1.0, 0.0, scale);
    return w->driver == NULL ? sb_fail(me->ctx, SB_NO_MEMORY,
                                       "out of memory: no room for a Runge-Kutta method of GSL on %zu unknowns", 2 * n)
                             : sb_arena_own(me->arena, w->driver, free_driver);
}

static int start(const sb_method *me, double t, const double *q, const double *v, double h, sb_state *out) {
    const sb_state here = *out;
    sb_adaptive_start(me, 0, &here, me->sys->time_scale / 100.0, out);
    return SB_OK;
}

static int step(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    const work *w = me->work;
    gsl_odeiv2_evolve_reset(w->driver->e); /* it forgets the derivative at the end of the last step */
    return sb_adaptive_step(me, &adaptive, in, h, out);
}

static int report(const sb_method *me, const sb_state *in, const sb_state *next_state, double *v, double *lambda) {
    work *w = me->work;
    return lambda != NULL && sb_system_bilateral(me->sys) > 0
               ? sb_dynamics_acceleration(&w->dyn, in->t, in->q, in->v, w->a, lambda)
               : SB_OK;
}

static int order_of(const void *configuration, unsigned features, sb_variable variable) {
    return ((const config *)configuration)->pair == 0 ? 8 : 5;
}

static const sb_param params[] = {
    SB_PARAM_CHOICE(config, pair, "rk8pd", "rk8pd|rkf45|rkck",
                    "Prince and Dormand's pair of order 8, Fehlberg's or Cash and Karp's of order 5"),
    SB_PARAM_REAL(
        config, rtol, "1e-8", 1e-14, 0.1, SB_CLOSED, "",
        "local error of a step over the size of the motion, the larger of |q| and time_scale |v| at the start"),
    {0}};

/* The errors are estimated for the formula of the lower order, and the other one is used. */
SB_DEFINE_STEPPER(embedded_rk) = {
    .entry = {"embedded_rk", "embedded Runge-Kutta pairs of order 8 and 5 with error control", "hnw93 II.5", params,
              sizeof(config)},
    .order = 8,
    .supports = SB_HAS_FORCE | SB_HAS_VARIABLE_MASS | SB_HAS_SINGULAR_MASS | SB_HAS_HOLONOMIC |
                SB_HAS_CURVED_HOLONOMIC | SB_HAS_NONHOLONOMIC | SB_HAS_RHEONOMIC | SB_HAS_TIME_POTENTIAL,
    .keeps = SB_KEEPS_POSITION | SB_KEEPS_TANGENCY,
    .control = {"rtol", 1.0},
    .init = init,
    .start = start,
    .step = step,
    .report = report,
    .order_of = order_of,
};
