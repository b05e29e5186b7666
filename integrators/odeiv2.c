/* GSL's solvers with error control on y' = f(t, y), y = (q, v), f = (v, a(t, q, v)): embedded Runge-Kutta pairs, hnw93
 * II.4, II.5, and multistep methods of variable step and order, hnw93 III.5, III.6. A constrained system has the
 * accelerations of its index-1 equations.
 *
 * Pairs. The index-1 equations preserve g and dg/dt, but an error in dg/dt makes g grow linearly and one in d2g/dt2
 * quadratically. Therefore every step ends with a projection onto the constraints. The first step has the length T/100,
 * T the time scale of the problem; the last one ends at the output.
 *
 * Multistep methods. Adams-Moulton formulas of order 1 to 12 by functional iteration, or backward differentiation
 * formulas of order 1 to 5 by Newton's method, in Nordsieck's form
 *
 *   z_n = (y_n, h y'_n, ..., h^k y_n^(k)/k!),   z_{n+1} = P z_n + l e,   h f(t_{n+1}, y_{n+1}) = (z_{n+1})_1,
 *
 * with P Pascal's triangle and l the vector of the method. The Jacobian of f is computed by differences, whose
 * evaluations are counted; the factorizations within GSL are not. A constrained system is integrated as y' = f(t, P(t,
 * y)), with P the projection onto the constraints: then y keeps its distance from them, whereas the index-1 equations
 * alone let it grow. The output is P(t, y).
 *
 * The history z_n is in GSL's object. It follows from the point at which the integration began, which the state
 * contains. Where `work` contains another history, the integration from that point is repeated: a step is a pure map.
 * Outputs do not change the history: a one-step method of GSL computes them from the last point of the mesh. */
#include <string.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

#include <stepbench/plugin.h>

#include "integrators/shared/adaptive.h"
#include "integrators/shared/multipliers.h"

/* The choices of `method` in their order. */
enum { RK8PD, RKF45, RKCK, ADAMS, BDF };

typedef struct config {
    int method;
    double rtol;
} config;

/* The state's aux has the layout of shared/adaptive.h with a pair. With a multistep method it contains the direction of
 * time, 0 at the start, and t, q, v where the integration began. */
enum { DIRECTION, TIME, POINT };

typedef struct work {
    multipliers motion;
    sb_context *ctx;
    gsl_odeiv2_system ode; /* params: this struct */
    gsl_odeiv2_driver *driver;
    int status;    /* status of the last evaluation of f */
    double *scale; /* 2n: the size of the motion in q and in v */
    double *y;     /* 2n: the point of the mesh of a multistep method; else the point between mesh and output */
    double *p;     /* n: scratch */
    double *change, *shifted, *column, *projected; /* 2n: scratch of f and its Jacobian */
    /* for a multistep method: */
    bool multistep;
    bool projects;           /* f maps its argument to the constraints */
    gsl_odeiv2_driver *last; /* from the last point of the mesh to the output */
    double *origin, *end;    /* aux of the integration in `driver`; (q, v) at the output */
    double t, h;             /* time of y; length of the next step */
} work;

/* ---- The equations of motion. ---- */

/* Maps y to the constraints: the position along M^-1 C' mu, then the velocity. */
static int project(work *w, double t, double *y) {
    sb_dynamics *dyn = &w->motion.dyn;
    const int n = dyn->sys->n;
    SB_TRY(sb_dynamics_position(dyn, t, y));
    SB_TRY(sb_dynamics_momentum(dyn, y, y + n, w->p));
    return sb_dynamics_velocity(dyn, t, y, w->p, y + n, NULL);
}

static int evaluate(work *w, double t, const double *y, double *dydt) {
    const int n = w->motion.dyn.sys->n;
    SB_TRY(sb_poll(w->ctx));
    if (w->projects) {
        memcpy(w->projected, y, 2 * (size_t)n * sizeof(double));
        SB_TRY(project(w, t, w->projected));
        y = w->projected;
    }
    for (int i = 0; i < n; i++) {
        dydt[i] = y[n + i];
    }
    return sb_dynamics_acceleration_sized(&w->motion.dyn, t, y, y + n, dydt + n, NULL, false, n);
}

static int right_side(double t, const double y[], double dydt[], void *params) {
    work *w = params;
    w->status = evaluate(w, t, y, dydt);
    return w->status == SB_OK ? GSL_SUCCESS : GSL_EBADFUNC;
}

/* Computes f_y (by rows) and f_t by differences over sqrt(epsilon) of the size of the motion and of the time scale,
 * where truncation and round-off are about equal. */
static int jacobian(double t, const double y[], double *dfdy, double dfdt[], void *params) {
    work *w = params;
    const int n = (int)w->ode.dimension;
    const double root = sqrt(SB_EPSILON), dt = root * w->motion.dyn.sys->time_scale;
    int code = right_side(t + dt, y, dfdt, w);
    code = code == GSL_SUCCESS ? right_side(t, y, w->change, w) : code;
    for (int i = 0; i < n; i++) {
        dfdt[i] = (dfdt[i] - w->change[i]) / dt;
    }
    memcpy(w->shifted, y, (size_t)n * sizeof(double));
    for (int j = 0; j < n && code == GSL_SUCCESS; j++) {
        const double d = root * w->scale[j];
        w->shifted[j] += d;
        code = right_side(t, w->shifted, w->column, w);
        w->shifted[j] = y[j];
        for (int i = 0; i < n; i++) {
            dfdy[i * n + j] = (w->column[i] - w->change[i]) / d;
        }
    }
    return code;
}

/* Moves (t, y) by one accepted step of at most *h, not beyond `end`, and sets *h to the length of the next. Counts
 * accepted and rejected steps. */
static int advance(const sb_method *me, gsl_odeiv2_driver *driver, double *t, double end, double *h, double *y) {
    work *w = me->work;
    gsl_odeiv2_evolve *e = driver->e;
    const unsigned long before = e->failed_steps;
    SB_TRY(sb_adaptive_check_step(me, *t, *h));
    w->status = SB_OK;
    const int code = gsl_odeiv2_evolve_apply(e, driver->c, driver->s, &w->ode, t, end, h, y);
    me->ctx->rejected += (long)(e->failed_steps - before);
    if (code != GSL_SUCCESS) {
        return w->status != SB_OK ? w->status : sb_adaptive_check_step(me, *t, 0.0);
    }
    sb_count_step(me->ctx, *t);
    return SB_OK;
}

/* ---- Pairs. ---- */

/* Advances onto the constraints. */
static int advance_pair(const sb_method *me, double *t, double end, double *h, double *y) {
    work *w = me->work;
    SB_TRY(advance(me, w->driver, t, end, h, y));
    if (sb_system_bilateral(me->sys) == 0) {
        return SB_OK;
    }
    gsl_odeiv2_evolve_reset(w->driver->e); /* its stored derivative is that of the point before the projection */
    return project(w, *t, y);
}

static int next(const sb_method *me, sb_state *mesh, double *control, double way, double end, bool *done) {
    double h = copysign(*control, way);
    const double first = mesh->t + sb_adaptive_shorten(me->sys, mesh->t, h),
                 last = mesh->t + sb_adaptive_shorten(me->sys, mesh->t, 2.0 * h);
    if (!(way > 0.0 ? first <= end : first >= end)) {
        *done = true;
        return SB_OK;
    }
    SB_TRY(advance_pair(me, &mesh->t, last, &h, mesh->q)); /* v is behind q */
    *control = fabs(h);
    return SB_OK;
}

static void set_output(const sb_method *me, const double *y, const double *lambda, sb_state *out) {
    const size_t n = (size_t)me->sys->n;
    memcpy(out->q, y, n * sizeof(double));
    memcpy(out->v, y + n, n * sizeof(double));
    memcpy(out->lambda, lambda, (size_t)sb_system_multipliers(me->sys) * sizeof(double));
}

static int reach(const sb_method *me, const sb_state *mesh, double control, double end, sb_state *out) {
    work *w = me->work;
    double t = mesh->t, h = copysign(control, end - t);
    sb_adaptive_progress progress = {0};
    memcpy(w->y, mesh->q, 2 * (size_t)me->sys->n * sizeof(double));
    while (h > 0.0 ? t < end : t > end) {
        SB_TRY(advance_pair(me, &t, end, &h, w->y));
        SB_TRY(sb_adaptive_count(me, &progress, t));
    }
    set_output(me, w->y, mesh->lambda, out);
    return SB_OK;
}

static const sb_adaptive adaptive = {0, next, reach};

/* ---- Multistep methods. ---- */

/* Begins the integration at the point in `aux`. */
static void begin(const sb_method *me, const double *aux) {
    work *w = me->work;
    memcpy(w->origin, aux, (size_t)me->naux * sizeof(double));
    memcpy(w->y, aux + POINT, 2 * (size_t)me->sys->n * sizeof(double));
    w->t = aux[TIME];
    w->h = aux[DIRECTION] * me->sys->time_scale / 100.0;
    gsl_odeiv2_evolve_reset(w->driver->e);
    gsl_odeiv2_step_reset(w->driver->s);
}

/* Sets w->end to the solution at `end`, at most a step from the point of the mesh. */
static int reach_from_history(const sb_method *me, double end) {
    work *w = me->work;
    double t = w->t, h = copysign(w->h, end - t); /* GSL shortens it to end there */
    sb_adaptive_progress progress = {0};
    memcpy(w->end, w->y, 2 * (size_t)me->sys->n * sizeof(double));
    gsl_odeiv2_evolve_reset(w->last->e);
    gsl_odeiv2_step_reset(w->last->s);
    while (t != end) {
        SB_TRY(advance(me, w->last, &t, end, &h, w->end));
        SB_TRY(sb_adaptive_count(me, &progress, t));
    }
    return sb_system_bilateral(me->sys) > 0 ? project(w, end, w->end) : SB_OK;
}

static int multistep_step(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    work *w = me->work;
    const size_t n = (size_t)me->sys->n;
    const double end = in->t + h, way = copysign(1.0, h);
    sb_adaptive_progress progress = {0};
    SB_TRY(sb_adaptive_reachable(me, end));
    memcpy(out->aux, in->aux, (size_t)me->naux * sizeof(double));
    if (in->aux[DIRECTION] != way) {
        out->aux[DIRECTION] = way;
        out->aux[TIME] = in->t;
        memcpy(out->aux + POINT, in->q, n * sizeof(double));
        memcpy(out->aux + POINT + n, in->v, n * sizeof(double));
    }
    if (memcmp(w->origin, out->aux, (size_t)me->naux * sizeof(double)) != 0 || way * (end - w->t) < 0.0) {
        begin(me, out->aux);
    }
    while (way * (end - (w->t + sb_adaptive_shorten(me->sys, w->t, w->h))) >= 0.0) {
        int status = advance(me, w->driver, &w->t, w->t + sb_adaptive_shorten(me->sys, w->t, 2.0 * w->h), &w->h, w->y);
        status = status == SB_OK ? sb_adaptive_count(me, &progress, w->t) : status;
        if (status != SB_OK) {
            w->origin[DIRECTION] = 0.0; /* the history belongs to no point */
            return status;
        }
    }
    SB_TRY(reach_from_history(me, end));
    set_output(me, w->end, in->lambda, out);
    return SB_OK;
}

/* ---- The stepper. ---- */

static void free_driver(void *driver) { gsl_odeiv2_driver_free(driver); }

/* Allocates a driver of GSL that keeps the local errors of a step below rtol times `scale`. The arena owns it. */
static int driver_new(sb_method *me, const gsl_odeiv2_step_type *type, gsl_odeiv2_driver **out) {
    const config *c = me->config;
    work *w = me->work;
    *out = gsl_odeiv2_driver_alloc_scaled_new(&w->ode, type, me->sys->time_scale / 100.0, c->rtol, 0.0, 1.0, 0.0,
                                              w->scale);
    return *out == NULL ? sb_fail(me->ctx, SB_NO_MEMORY, "out of memory: no room for a solver of GSL on %zu unknowns",
                                  w->ode.dimension)
                        : sb_arena_own(me->arena, *out, free_driver);
}

static int init(sb_method *me) {
    const gsl_odeiv2_step_type *const types[] = {gsl_odeiv2_step_rk8pd, gsl_odeiv2_step_rkf45, gsl_odeiv2_step_rkck,
                                                 gsl_odeiv2_step_msadams, gsl_odeiv2_step_msbdf};
    const config *c = me->config;
    const int n = me->sys->n;
    double length;
    work *w;
    SB_NEW(me->arena, w, 1);
    me->work = w;
    w->ctx = me->ctx;
    SB_TRY(sb_multipliers_init(me, &w->motion));
    SB_NEW(me->arena, w->p, n);
    SB_TRY(SB_VECTORS(me->arena, 2 * n, &w->scale, &w->y, &w->change, &w->shifted, &w->column, &w->projected));
    SB_TRY(sb_system_length(me->ctx, me->sys, &length));
    length = length > 0.0 ? length : 1.0; /* a system that rests at the origin has no size */
    for (int i = 0; i < n; i++) {
        w->scale[i] = length;
        w->scale[n + i] = length / me->sys->time_scale;
    }
    w->ode = (gsl_odeiv2_system){right_side, jacobian, 2 * (size_t)n, w};
    w->multistep = c->method >= ADAMS;
    w->projects = w->multistep && sb_system_bilateral(me->sys) > 0;
    me->naux = w->multistep ? POINT + 2 * n : sb_adaptive_naux(me->sys, 0);
    SB_TRY(driver_new(me, types[c->method], &w->driver));
    if (!w->multistep) {
        return SB_OK;
    }
    SB_NEW(me->arena, w->origin, me->naux);
    SB_NEW(me->arena, w->end, 2 * n);
    return driver_new(me, c->method == BDF ? gsl_odeiv2_step_bsimp : gsl_odeiv2_step_rk8pd, &w->last);
}

static int start(const sb_method *me, double t, const double *q, const double *v, double h, sb_state *out) {
    const sb_state here = *out;
    if (!((const work *)me->work)->multistep) {
        sb_adaptive_start(me, 0, &here, me->sys->time_scale / 100.0, out);
    }
    return SB_OK;
}

static int step(const sb_method *me, const sb_state *in, double h, sb_state *out) {
    work *w = me->work;
    if (w->multistep) {
        return multistep_step(me, in, h, out);
    }
    gsl_odeiv2_evolve_reset(w->driver->e); /* it contains the derivative at the end of the last step */
    return sb_adaptive_step(me, &adaptive, in, h, out);
}

/* The order of a multistep method changes along the motion, up to this one. */
static int order_of(const sb_stepper *me, const void *configuration, unsigned features, sb_variable variable) {
    static const int order[] = {[RK8PD] = 8, [RKF45] = 5, [RKCK] = 5, [ADAMS] = 12, [BDF] = 5};
    return order[((const config *)configuration)->method];
}

static const sb_param params[] = {
    SB_PARAM_CHOICE(config, method, "rk8pd", "rk8pd|rkf45|rkck|msadams|msbdf",
                    "Prince and Dormand's pair of order 8, Fehlberg's or Cash and Karp's of order 5; Adams or BDF "
                    "methods of variable order"),
    SB_PARAM_REAL(
        config, rtol, "1e-8", 1e-14, 0.1, SB_CLOSED, "",
        "local error of a step over the size of the motion, the larger of |q| and time_scale |v| at the start"),
    {0}};

/* The errors of a pair are estimated for the formula of the lower order, and the other one is used: their power of the
 * tolerance is 1. That of a multistep method of order k is k/(k + 1). */
SB_DEFINE_STEPPER(odeiv2) = {
    .entry = {"odeiv2", "GSL's solvers with error control: Runge-Kutta pairs of order 8 and 5, multistep methods",
              "hnw93 II.5, III.5", params, sizeof(config)},
    .order = 8,
    .supports = SB_HAS_REDUNDANT | SB_HAS_FORCE | SB_HAS_VARIABLE_MASS | SB_HAS_SINGULAR_MASS | SB_HAS_HOLONOMIC |
                SB_HAS_CURVED_HOLONOMIC | SB_HAS_NONHOLONOMIC | SB_HAS_RHEONOMIC | SB_HAS_TIME_POTENTIAL,
    .keeps = SB_KEEPS_POSITION | SB_KEEPS_TANGENCY,
    .control = {"rtol", 1.0},
    .init = init,
    .start = start,
    .step = step,
    .report = sb_multipliers_report,
    .order_of = order_of,
};
