/* GSL's solvers with error control on q' = v, v' = a(t, q, v): embedded Runge-Kutta pairs, hnw93 II.4, II.5, and the
 * multistep methods of shared/multistep.c.
 *
 * By the pairs a constrained system has the accelerations of its index-1 equations. They preserve g and dg/dt, but an
 * error in dg/dt makes g grow linearly and one in d2g/dt2 quadratically. Therefore every step ends on the constraints.
 */
#include <string.h>

#include <stepbench/plugin.h>

#include "integrators/shared/adaptive.h"
#include "integrators/shared/multistep.h"

/* The choices of `method` in their order. */
enum { RK8PD, RKF45, RKCK, ADAMS, BDF };

typedef struct config {
    int method;
    double rtol;
} config;

typedef struct work {
    first_order f;
    gsl_odeiv2_driver *driver;
    double *y;
    multistep *history; /* NULL: a Runge-Kutta pair */
} work;

/* Moves (t, y) by one accepted step of at most *h, not beyond `end`, onto the constraints. */
static int advance(const sb_method *me, double *t, double end, double *h, double *y) {
    work *w = me->work;
    SB_TRY(first_order_advance(me, &w->f, w->driver, t, end, h, y));
    if (sb_system_bilateral(me->sys) == 0) {
        return SB_OK;
    }
    gsl_odeiv2_evolve_reset(w->driver->e); /* its stored derivative is that of the point before the projection */
    return first_order_project(&w->f, *t, y);
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
    sb_adaptive_progress progress = {0};
    while (h > 0.0 ? t < end : t > end) {
        SB_TRY(advance(me, &t, end, &h, w->y));
        SB_TRY(sb_adaptive_count(me, &progress, t));
    }
    memcpy(out->q, w->y, n * sizeof(double));
    memcpy(out->v, w->y + n, n * sizeof(double));
    memcpy(out->lambda, mesh->lambda, (size_t)sb_system_multipliers(me->sys) * sizeof(double));
    return SB_OK;
}

static const sb_adaptive adaptive = {0, next, reach};

static int init(sb_method *me) {
    const gsl_odeiv2_step_type *const types[] = {gsl_odeiv2_step_rk8pd, gsl_odeiv2_step_rkf45, gsl_odeiv2_step_rkck,
                                                 gsl_odeiv2_step_msadams, gsl_odeiv2_step_msbdf};
    const config *c = me->config;
    work *w;
    SB_NEW(me->arena, w, 1);
    me->work = w;
    SB_TRY(first_order_init(me, &w->f));
    if (c->method >= ADAMS) {
        SB_NEW(me->arena, w->history, 1);
        return multistep_init(me, &w->f, types[c->method], c->method == BDF ? gsl_odeiv2_step_bsimp : types[RK8PD],
                              c->rtol, w->history);
    }
    SB_NEW(me->arena, w->y, 2 * me->sys->n);
    me->naux = sb_adaptive_naux(me->sys, 0);
    return first_order_driver(me, &w->f, types[c->method], c->rtol, &w->driver);
}

static int start(const sb_method *me, double t, const double *q, const double *v, double h, sb_state *out) {
    const sb_state here = *out;
    if (((const work *)me->work)->history == NULL) {
        sb_adaptive_start(me, 0, &here, me->sys->time_scale / 100.0, out);
    }
    return SB_OK;
}

static int step(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    work *w = me->work;
    if (w->history != NULL) {
        return multistep_step(me, &w->f, w->history, in, h, out);
    }
    gsl_odeiv2_evolve_reset(w->driver->e); /* it forgets the derivative at the end of the last step */
    return sb_adaptive_step(me, &adaptive, in, h, out);
}

static int report(const sb_method *me, const sb_state *in, const sb_state *next_state, double *v, double *lambda) {
    return first_order_report(&((work *)me->work)->f, in, lambda);
}

/* That of a multistep method changes along the motion, up to this one. */
static int order_of(const void *configuration, unsigned features, sb_variable variable) {
    static const int order[] = {[RK8PD] = 8, [RKF45] = 5, [RKCK] = 5, [ADAMS] = 12, [BDF] = 5};
    return order[((const config *)configuration)->method];
}

static const sb_param params[] = {
    SB_PARAM_CHOICE(config, method, "rk8pd", "rk8pd|rkf45|rkck|msadams|msbdf",
                    "Prince and Dormand's pair of order 8, Fehlberg's or Cash and Karp's of order 5; Adams or BDF "
                    "methods of variable order"),
    FIRST_ORDER_PARAM_RTOL(config),
    {0}};

/* The errors of a pair are estimated for the formula of the lower order, and the other one is used: their power of the
 * tolerance is 1. That of a multistep method of order k is k/(k + 1). */
SB_DEFINE_STEPPER(odeiv2) = {
    .entry = {"odeiv2", "GSL's solvers with error control: Runge-Kutta pairs of order 8 and 5, multistep methods",
              "hnw93 II.5, III.5", params, sizeof(config)},
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
