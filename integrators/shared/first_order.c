/* The equations of motion as the system y' = f(t, y), y = (q, v), of GSL's solvers with error control. */
#include "integrators/shared/first_order.h"

#include <string.h>

#include <gsl/gsl_errno.h>

#include "integrators/shared/adaptive.h"

int first_order_project(first_order *f, double t, double *y) {
    const int n = f->dyn.sys->n;
    SB_TRY(sb_dynamics_position(&f->dyn, t, y));
    SB_TRY(sb_dynamics_momentum(&f->dyn, y, y + n, f->p));
    return sb_dynamics_velocity(&f->dyn, t, y, f->p, y + n, NULL);
}

static int evaluate(first_order *f, double t, const double *y, double *dydt) {
    const int n = f->dyn.sys->n;
    SB_TRY(sb_poll(f->ctx));
    if (f->on_constraints) {
        memcpy(f->point, y, 2 * (size_t)n * sizeof(double));
        SB_TRY(first_order_project(f, t, f->point));
        y = f->point;
    }
    memcpy(dydt, y + n, (size_t)n * sizeof(double));
    return sb_dynamics_acceleration(&f->dyn, t, y, y + n, dydt + n, NULL);
}

static int right_side(double t, const double y[], double dydt[], void *params) {
    first_order *f = params;
    f->status = evaluate(f, t, y, dydt);
    return f->status == SB_OK ? GSL_SUCCESS : GSL_EBADFUNC;
}

/* Computes f_y (by rows) and f_t by differences over sqrt(epsilon) of the size of the motion and of the time scale,
 * where truncation and round-off are about equal. */
static int jacobian(double t, const double y[], double *dfdy, double dfdt[], void *params) {
    first_order *f = params;
    const int n = (int)f->ode.dimension;
    const double root = sqrt(SB_EPSILON), dt = root * f->dyn.sys->time_scale;
    int code = right_side(t + dt, y, dfdt, f);
    code = code == GSL_SUCCESS ? right_side(t, y, f->change, f) : code;
    for (int i = 0; i < n; i++) {
        dfdt[i] = (dfdt[i] - f->change[i]) / dt;
    }
    memcpy(f->shifted, y, (size_t)n * sizeof(double));
    for (int j = 0; j < n && code == GSL_SUCCESS; j++) {
        double *column = f->a; /* 2n */
        const double d = root * f->scale[j];
        f->shifted[j] += d;
        code = right_side(t, f->shifted, column, f);
        f->shifted[j] = y[j];
        for (int i = 0; i < n; i++) {
            dfdy[i * n + j] = (column[i] - f->change[i]) / d;
        }
    }
    return code;
}

int first_order_init(sb_method *me, first_order *out) {
    const int n = me->sys->n;
    double length;
    out->ctx = me->ctx;
    SB_TRY(SB_VECTORS(me->arena, 2 * n, &out->scale, &out->a, &out->point, &out->shifted, &out->change));
    SB_NEW(me->arena, out->p, n);
    SB_TRY(sb_dynamics_init(me->ctx, me->arena, me->sys, &out->dyn));
    SB_TRY(sb_system_length(me->ctx, me->sys, &length));
    length = length > 0.0 ? length : 1.0; /* a system that rests at the origin has no size */
    for (int i = 0; i < n; i++) {
        out->scale[i] = length;
        out->scale[n + i] = length / me->sys->time_scale;
    }
    out->ode = (gsl_odeiv2_system){right_side, jacobian, 2 * (size_t)n, out};
    return SB_OK;
}

static void free_driver(void *driver) { gsl_odeiv2_driver_free(driver); }

int first_order_driver(sb_method *me, first_order *f, const gsl_odeiv2_step_type *type, double rtol,
                       gsl_odeiv2_driver **out) {
    *out =
        gsl_odeiv2_driver_alloc_scaled_new(&f->ode, type, me->sys->time_scale / 100.0, rtol, 0.0, 1.0, 0.0, f->scale);
    return *out == NULL ? sb_fail(me->ctx, SB_NO_MEMORY, "out of memory: no room for a solver of GSL on %zu unknowns",
                                  f->ode.dimension)
                        : sb_arena_own(me->arena, *out, free_driver);
}

int first_order_advance(const sb_method *me, first_order *f, gsl_odeiv2_driver *driver, double *t, double end,
                        double *h, double *y) {
    gsl_odeiv2_evolve *e = driver->e;
    const unsigned long before = e->failed_steps;
    if (sb_adaptive_underflow(me, *t, *h)) {
        return SB_NOT_CONVERGED;
    }
    f->status = SB_OK;
    const int code = gsl_odeiv2_evolve_apply(e, driver->c, driver->s, &f->ode, t, end, h, y);
    me->ctx->rejected += (long)(e->failed_steps - before);
    if (f->status != SB_OK && code != GSL_SUCCESS) {
        return f->status;
    }
    if (code != GSL_SUCCESS) {
        sb_adaptive_underflow(me, *t, 0.0);
        return SB_NOT_CONVERGED;
    }
    me->ctx->substeps++;
    return SB_OK;
}

int first_order_report(first_order *f, const sb_state *in, double *lambda) {
    return lambda != NULL && sb_system_bilateral(f->dyn.sys) > 0
               ? sb_dynamics_acceleration(&f->dyn, in->t, in->q, in->v, f->a, lambda)
               : SB_OK;
}
