/* Events: the states of a run at which a quantity passes through a value, e(t, q, v) = 0. hnw93 II.6. */
#ifndef STEPBENCH_ANALYSIS_EVENTS_H
#define STEPBENCH_ANALYSIS_EVENTS_H

#include <gsl/gsl_roots.h>

#include "analysis/dense.h"
#include "core/run/event.h"

/* The sign of e before and after an event: from negative to positive is up. */
typedef enum sb_direction { SB_EVENT_BOTH, SB_EVENT_UP, SB_EVENT_DOWN } sb_direction;
#define SB_DIRECTIONS "both|up|down"

/* Whose motion is searched: that through the states of the run, or the exact solution of the system at their times. */
typedef enum sb_motion_of { SB_MOTION_OF_RUN, SB_MOTION_EXACT } sb_motion_of;

/* A state of the run and its e. */
typedef struct sb_event_state {
    double t, e, *q, *v;
} sb_event_state;

/* The search along one run. A step has an event if e changes sign between its ends; two roots in one step are not seen,
 * nor is a root at the initial state. */
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
    int status; /* of the evaluations in the search */
} sb_events;

/* Allocates from the arena. */
int sb_events_init(sb_context *ctx, sb_arena *arena, const sb_event *event, sb_direction direction, sb_motion_of motion,
                   sb_events *out);

/* Passes the next state of the run, the initial one first. *found: there was an event since the last one, and me->at
 * is its state. */
int sb_events_follow(sb_events *me, double t, const double *q, const double *v, bool *found);

#endif
