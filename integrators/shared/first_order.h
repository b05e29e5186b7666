/* The equations of motion as the system y' = f(t, y), y = (q, v), of GSL's solvers with error control. */
#ifndef STEPBENCH_INTEGRATORS_SHARED_FIRST_ORDER_H
#define STEPBENCH_INTEGRATORS_SHARED_FIRST_ORDER_H

#include <gsl/gsl_odeiv2.h>

#include <stepbench/numerics/dynamics.h>
#include <stepbench/stepper.h>

/* f = (v, a), with the accelerations of the index-1 equations where the system is constrained. */
typedef struct first_order {
    sb_context *ctx;
    sb_dynamics dyn;
    gsl_odeiv2_system ode; /* params: the first_order */
    bool on_constraints;   /* f is that of the projection of y */
    double *scale;         /* 2n: the size of the motion in q and in v */
    double *p, *a, *point, *shifted, *change;
    int status; /* of the last evaluation */
} first_order;

/* The tolerance of these steppers, in the member `rtol` of the configuration. */
#define FIRST_ORDER_PARAM_RTOL(type)                                                                                   \
    SB_PARAM_REAL(                                                                                                     \
        type, rtol, "1e-8", 1e-14, 0.1, SB_CLOSED, "",                                                                 \
        "local error of a step over the size of the motion, the larger of |q| and time_scale |v| at the start")

int first_order_init(sb_method *me, first_order *out);
/* Allocates a driver of GSL that keeps the local errors of a step below rtol times `scale`. The arena owns it. */
int first_order_driver(sb_method *me, first_order *f, const gsl_odeiv2_step_type *type, double rtol,
                       gsl_odeiv2_driver **out);
/* Maps y to the constraints: the position along M^-1 C' mu, then the velocity. */
int first_order_project(first_order *f, double t, double *y);
/* Moves (t, y) by one accepted step of at most *h, not beyond `end`, and sets *h to the length of the next. Counts
 * accepted and rejected steps. */
int first_order_advance(const sb_method *me, first_order *f, gsl_odeiv2_driver *driver, double *t, double end,
                        double *h, double *y);
/* Reports the multipliers of the index-1 equations, where lambda is not NULL. */
int first_order_report(first_order *f, const sb_state *in, double *lambda);

#endif
