/* Events: the states of a run at which a quantity passes through a value, e(t, q, v) = 0, found by dense output. hnw93
 * II.6. */
#ifndef STEPBENCH_ANALYSIS_EVENTS_H
#define STEPBENCH_ANALYSIS_EVENTS_H

#include <gsl/gsl_roots.h>

#include <stepbench/numerics/dynamics.h>

#include "core/run/event.h"

/* ---- Dense output: the motion between two states of a run by Hermite interpolation. ---- */

enum { SB_DENSE_DEGREE = 5 };

/* The polynomial q(theta) = sum_k c_k theta^k, theta = (t - t0)/h, through position, velocity and acceleration at both
 * ends. The accelerations are those of the equations of motion, whatever the stepper. The interpolant differs from a
 * smooth motion by O(h^6) in q and by O(h^5) in v = q'; with errors O(h^p) of the states these become O(h^min(p,6)) and
 * O(h^min(p,5)). Cubics through (q, v) and (v, a) would give h^4 in both.
 *
 * Without accelerations the polynomial is the cubic through (q, v), O(h^4) and O(h^3): with contacts and dry friction,
 * whose forces are impulses, and where redundant constraints make the saddle matrix singular. */
typedef struct sb_dense {
    const sb_system *sys;
    sb_dynamics dyn;
    double h;
    double *c[SB_DENSE_DEGREE + 1]; /* n each */
    double *a[2];                   /* scratch */
} sb_dense;

/* Allocates from the arena. */
int sb_dense_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_dense *out);

/* Sets the polynomial between (t0, q0, v0) and (t1, q1, v1). */
int sb_dense_set(sb_dense *me, double t0, const double *q0, const double *v0, double t1, const double *q1,
                 const double *v1);

/* Computes q and v at theta in [0, 1]. */
void sb_dense_at(const sb_dense *me, double theta, double *q, double *v);

/* ---- Events. ---- */

/* The sign of e before and after an event: from negative to positive is up. */
typedef enum sb_direction { SB_EVENT_BOTH, SB_EVENT_UP, SB_EVENT_DOWN } sb_direction;
#define SB_DIRECTIONS "both|up|down"

/* The motion that is searched: the interpolant of the states of the run, or the exact solution of the system. */
typedef enum sb_motion_of { SB_MOTION_OF_RUN, SB_MOTION_EXACT } sb_motion_of;

/* A state of the run and its e. */
typedef struct sb_event_state {
    double t, e, *q, *v;
} sb_event_state;

/* The search along one run. A step has an event if e changes sign between its ends. Two roots in one step are not
 * found, nor is a root at the initial state. */
typedef struct sb_events {
    sb_event event;
    sb_direction direction;
    sb_motion_of motion;
    sb_dense dense;
    gsl_root_fsolver *solver;
    sb_event_state last, next; /* the ends of the step */
    sb_event_state at;         /* the last event */
    double largest;            /* |e| in the search for a root */
    bool begun;
    int status; /* status of the evaluations in the search */
} sb_events;

/* Allocates from the arena. */
int sb_events_init(sb_context *ctx, sb_arena *arena, const sb_event *event, sb_direction direction, sb_motion_of motion,
                   sb_events *out);

/* Adds the next state of the run, the initial one first. Sets *found if there was an event since the last state; its
 * state is then in me->at. */
int sb_events_follow(sb_events *me, double t, const double *q, const double *v, bool *found);

#endif
