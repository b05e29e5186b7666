/* Events: the states of a run at which a quantity passes through a value, e(t, q, v) = 0, found by dense output. hnw93
 * II.6. */
#pragma once

#include <gsl/gsl_roots.h>

#include <stepbench/numerics/dynamics.h>

#include "analysis/analysis.h"
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

/* The motion that is searched: that of the stepper, or the exact solution of the system. */
typedef enum sb_motion_of { SB_MOTION_OF_RUN, SB_MOTION_EXACT } sb_motion_of;

/* A state of the motion and its e. */
typedef struct sb_event_state {
    double t, e, *q, *v;
} sb_event_state;

/* Receives the events of a run in their order. */
typedef int (*sb_event_observer)(void *arg, const sb_event_state *at);

/* The search along one run. Between two states of a stepper of fixed steps the motion is the dense output. A stepper
 * with error control is followed to the ends and the middles of its own steps, and the state of an event is the end of
 * a step that the stepper takes to it: it has the error of the tolerance, whatever the step of the run is.
 *
 * Events are the changes of the sign of e between the ends of SB_EVENT_PARTS parts of an interval, and two where |e|
 * falls from both ends of a part and e changes its sign at the minimum between. The initial state is no event. */
typedef struct sb_events {
    sb_event event;
    sb_direction direction;
    sb_motion_of motion;
    sb_event_observer found;
    void *arg;
    sb_dense dense;
    gsl_root_fsolver *solver;
    sb_event_state last, next; /* the ends of the interval between two states of the run */
    sb_event_state part[2];    /* the ends of a step within it */
    sb_event_state at;         /* where e was computed last */
    double t0, t1;             /* the ends of the interval that is searched */
    double largest;            /* |e| in the search for a root */
    bool begun;
    int status; /* status of the evaluations in the search */
    /* with error control: */
    bool own_steps;
    sb_method method, scout;  /* the scout takes the steps of the run again, for their own steps */
    sb_state state;           /* the last state of the run */
    sb_state from, to, trial; /* the ends of a step; where an event may be */
    sb_own_steps own;
} sb_events;

enum { SB_EVENT_PARTS = 4 };

/* Allocates from the arena.
 */
int sb_events_init(sb_context *ctx, sb_arena *arena, const sb_pair *pair, const sb_event *event, sb_direction direction,
                   sb_motion_of motion, sb_event_observer found, void *arg, sb_events *out);

/* Adds the next state of the run, the initial one first, and passes the events since the last one to `found`. */
int sb_events_follow(sb_events *me, const sb_sample *sample);
