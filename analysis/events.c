/* Events: the states of a run at which a quantity passes through a value, e(t, q, v) = 0, found by dense output. hnw93
 * II.6. */
#include "analysis/events.h"

#include <float.h>
#include <string.h>

int sb_dense_init(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_dense *out) {
    *out = (sb_dense){.sys = sys};
    for (int k = 0; k <= SB_DENSE_DEGREE; k++) {
        SB_NEW(arena, out->c[k], sys->n);
    }
    SB_TRY(SB_VECTORS(arena, sys->n, &out->a[0], &out->a[1]));
    return sb_dynamics_init(ctx, arena, sys, &out->dyn);
}

int sb_dense_set(sb_dense *me, double t0, const double *q0, const double *v0, double t1, const double *q1,
                 const double *v1) {
    const double h = t1 - t0;
    bool quintic = me->sys->contact.m + me->sys->contact.k == 0; /* (t, q, v) define accelerations */
    for (int end = 0; end < 2 && quintic; end++) {
        const int status = sb_dynamics_acceleration(&me->dyn, end == 0 ? t0 : t1, end == 0 ? q0 : q1,
                                                    end == 0 ? v0 : v1, me->a[end], NULL);
        quintic = status != SB_SINGULAR;
        SB_TRY(quintic ? status : SB_OK);
    }
    me->h = h;
    for (int i = 0; i < me->sys->n; i++) {
        const double half = quintic ? 0.5 * h * h * me->a[0][i] : 0.0,
                     x = q1[i] - q0[i] - h * v0[i] - half,           /* the residuals at theta = 1: of q, */
            y = h * (v1[i] - v0[i]) - 2.0 * half,                    /* of h v, */
            z = quintic ? h * h * (me->a[1][i] - me->a[0][i]) : 0.0; /* and of h^2 a */
        me->c[0][i] = q0[i];
        me->c[1][i] = h * v0[i];
        me->c[2][i] = quintic ? half : 3.0 * x - y;
        me->c[3][i] = quintic ? 10.0 * x - 4.0 * y + 0.5 * z : y - 2.0 * x;
        me->c[4][i] = quintic ? -15.0 * x + 7.0 * y - z : 0.0;
        me->c[5][i] = quintic ? 6.0 * x - 3.0 * y + 0.5 * z : 0.0;
    }
    return SB_OK;
}

void sb_dense_at(const sb_dense *me, double theta, double *q, double *v) {
    for (int i = 0; i < me->sys->n; i++) {
        double value = 0.0, slope = 0.0;
        for (int k = SB_DENSE_DEGREE; k >= 0; k--) {
            slope = slope * theta + value;
            value = value * theta + me->c[k][i];
        }
        q[i] = value;
        v[i] = slope / me->h;
    }
}

/* ---- Events. ---- */

int sb_events_init(sb_context *ctx, sb_arena *arena, const sb_event *event, sb_direction direction, sb_motion_of motion,
                   sb_events *out) {
    const int n = event->sys->n;
    *out = (sb_events){.event = *event, .direction = direction, .motion = motion};
    SB_TRY(SB_VECTORS(arena, n, &out->at.q, &out->at.v, &out->last.q, &out->last.v, &out->next.q, &out->next.v));
    SB_TRY(sb_dense_init(ctx, arena, event->sys, &out->dense));
    out->solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    return out->solver != NULL ? sb_arena_own(arena, out->solver, (void (*)(void *))gsl_root_fsolver_free)
                               : SB_NO_MEMORY;
}

/* Sets me->at to the state at theta within the step. */
static int evaluate(sb_events *me, double theta) {
    const sb_system *sys = me->event.sys;
    sb_event_state *at = &me->at;
    at->t = me->last.t + theta * (me->next.t - me->last.t);
    if (me->motion == SB_MOTION_EXACT) {
        SB_TRY(sys->exact(sys->self, at->t, at->q, at->v, NULL));
    } else {
        sb_dense_at(&me->dense, theta, at->q, at->v);
    }
    return sb_event_value(&me->event, at->t, at->q, at->v, &at->e);
}

/* Returns e at theta. At the ends it returns the stored values, so that round-off cannot change their signs. */
static double value_at(double theta, void *arg) {
    sb_events *me = arg;
    double e = theta > 0.0 ? me->next.e : me->last.e;
    if (theta > 0.0 && theta < 1.0 && me->status == SB_OK) {
        me->status = evaluate(me, theta);
        e = me->at.e;
    }
    me->largest = fmax(me->largest, fabs(e));
    return e;
}

/* Sets me->at to the root. The iteration ends when the bracket is 4 eps of the step: closer points have the same t and,
 * up to round-off, the same q. 50 bisections are sufficient, and a step of Brent's method is at least as good on
 * average; 200 are allowed.
 *
 * A jump of e through zero, such as that of an angle by 2 pi, is not an event. At the root a continuous e is round-off,
 * eps |q|, and it changes by h |v| over the step: it is below 1e-4 of the largest |e| unless a step moves q by less
 * than 1e-11 |q|. At a jump it is a fraction of the jump. */
static int find_root(sb_events *me, bool *found) {
    gsl_function f = {value_at, me};
    me->largest = 0.0;
    me->status = SB_OK;
    gsl_root_fsolver_set(me->solver, &f, 0.0, 1.0);
    for (int k = 0; k < 200 && me->solver->x_upper - me->solver->x_lower > 4.0 * DBL_EPSILON; k++) {
        gsl_root_fsolver_iterate(me->solver);
        SB_TRY(me->status);
    }
    SB_TRY(evaluate(me, me->solver->root));
    *found = fabs(me->at.e) <= 1e-4 * me->largest;
    return SB_OK;
}

static bool passes(const sb_events *me) {
    const double last = me->last.e, next = me->next.e;
    const bool up = last < 0.0 && next >= 0.0, down = last > 0.0 && next <= 0.0;
    return (up && me->direction != SB_EVENT_DOWN) || (down && me->direction != SB_EVENT_UP);
}

int sb_events_follow(sb_events *me, double t, const double *q, const double *v, bool *found) {
    const sb_system *sys = me->event.sys;
    const size_t size = (size_t)sys->n * sizeof(double);
    const sb_event_state spare = me->last;
    sb_event_state *last = &me->last, *next = &me->next;
    *found = false;
    next->t = t;
    memcpy(next->q, q, size);
    memcpy(next->v, v, size);
    SB_TRY(me->motion == SB_MOTION_EXACT ? sys->exact(sys->self, t, next->q, next->v, NULL) : SB_OK);
    SB_TRY(sb_event_value(&me->event, t, next->q, next->v, &next->e));
    if (me->begun && passes(me)) {
        SB_TRY(me->motion == SB_MOTION_OF_RUN ? sb_dense_set(&me->dense, last->t, last->q, last->v, t, next->q, next->v)
                                              : SB_OK);
        SB_TRY(find_root(me, found));
    }
    me->begun = true;
    me->last = me->next;
    me->next = spare;
    return SB_OK;
}
