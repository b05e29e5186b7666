/* Events: the states of a run at which a quantity passes through a value, e(t, q, v) = 0, found by dense output. hnw93
 * II.6. */
#include "analysis/events.h"

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

int sb_events_init(sb_context *ctx, sb_arena *arena, const sb_pair *pair, const sb_event *event, sb_direction direction,
                   sb_motion_of motion, sb_event_observer found, void *arg, sb_events *out) {
    const int n = event->sys->n;
    *out = (sb_events){.event = *event, .direction = direction, .motion = motion, .found = found, .arg = arg};
    SB_TRY(SB_VECTORS(arena, n, &out->at.q, &out->at.v, &out->last.q, &out->last.v, &out->next.q, &out->next.v,
                      &out->part[0].q, &out->part[0].v, &out->part[1].q, &out->part[1].v));
    SB_TRY(sb_dense_init(ctx, arena, event->sys, &out->dense));
    out->solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    SB_TRY(out->solver != NULL ? sb_arena_own(arena, out->solver, (void (*)(void *))gsl_root_fsolver_free)
                               : SB_NO_MEMORY);
    out->own_steps = pair->type->control.tolerance != NULL && motion == SB_MOTION_OF_RUN;
    if (!out->own_steps) {
        return SB_OK;
    }
    SB_TRY(sb_method_init(ctx, arena, pair->type, pair->config, pair->sys, &out->method));
    SB_TRY(sb_method_init(ctx, arena, pair->type, pair->config, pair->sys, &out->scout));
    out->own.arena = arena;
    SB_TRY(sb_state_new(&out->method, arena, &out->state));
    SB_TRY(sb_state_new(&out->method, arena, &out->from));
    SB_TRY(sb_state_new(&out->method, arena, &out->to));
    return sb_state_new(&out->method, arena, &out->trial);
}

/* Sets me->at to the state at theta within the interval. */
static int evaluate(sb_events *me, double theta) {
    const sb_system *sys = me->event.sys;
    sb_event_state *at = &me->at;
    at->t = me->t0 + theta * (me->t1 - me->t0);
    if (me->motion == SB_MOTION_EXACT) {
        SB_TRY(sys->exact(sys->self, at->t, at->q, at->v, NULL));
    } else {
        sb_dense_at(&me->dense, theta, at->q, at->v);
    }
    return sb_event_value(&me->event, at->t, at->q, at->v, &at->e);
}

/* A part of the interval, and e at its ends. */
typedef struct part {
    double theta[2], e[2];
} part;

typedef struct search {
    sb_events *me;
    const part *in;
} search;

/* Returns e at theta. At the ends it returns the stored values, so that round-off cannot change their signs. */
static double value_at(double theta, void *arg) {
    const search *s = arg;
    sb_events *me = s->me;
    double e = theta > s->in->theta[0] ? s->in->e[1] : s->in->e[0];
    if (theta > s->in->theta[0] && theta < s->in->theta[1] && me->status == SB_OK) {
        me->status = evaluate(me, theta);
        e = me->at.e;
    }
    me->largest = fmax(me->largest, fabs(e));
    return e;
}

/* Sets me->at to the root. The iteration ends when the bracket is 4 eps of the interval: closer points have the same t
 * and, up to round-off, the same q. 50 bisections are sufficient, and a step of Brent's method is at least as good on
 * average; 200 are allowed.
 *
 * A jump of e through zero, such as that of an angle by 2 pi, is not an event. At the root a continuous e is round-off,
 * eps |q|, and it changes by h |v| over the interval h: it is below 1e-4 of the largest |e| unless a step moves q by
 * less than 1e-11 |q|. At a jump it is a fraction of the jump. */
static int find_root(sb_events *me, const part *in, bool *found) {
    gsl_function f = {value_at, &(search){me, in}};
    me->largest = 0.0;
    me->status = SB_OK;
    gsl_root_fsolver_set(me->solver, &f, in->theta[0], in->theta[1]);
    for (int k = 0; k < 200 && me->solver->x_upper - me->solver->x_lower > 4.0 * DBL_EPSILON; k++) {
        gsl_root_fsolver_iterate(me->solver);
        SB_TRY(me->status);
    }
    SB_TRY(evaluate(me, me->solver->root));
    *found = fabs(me->at.e) <= 1e-4 * me->largest;
    return SB_OK;
}

/* Returns the difference of e over a ten-thousandth of the interval about theta, for a slope with an error of 1e-8. */
static int slope_at(sb_events *me, double theta, double *slope) {
    const double d = 0.5e-4;
    SB_TRY(evaluate(me, theta + d));
    const double e = me->at.e;
    SB_TRY(evaluate(me, theta - d));
    *slope = (e - me->at.e) / (2.0 * d);
    return SB_OK;
}

/* Sets *out to the state that the stepper reports. */
static int set_state(const sb_events *me, const sb_state *state, sb_event_state *out) {
    out->t = state->t;
    memcpy(out->q, state->q, (size_t)me->event.sys->n * sizeof(double));
    SB_TRY(sb_method_report(&me->method, state, out->v, NULL));
    return sb_event_value(&me->event, out->t, out->q, out->v, &out->e);
}

/* Moves the event in me->at, a root of the dense output, to the stepper's own motion: by Newton's iteration whose
 * values are those after a step of the stepper and whose slope, of the dense output, is exact to about a thousandth.
 * The error of the dense output is below 1e-6 of the interval, and becomes round-off in three iterations. */
static int move_to_motion(sb_events *me) {
    double theta = (me->at.t - me->t0) / (me->t1 - me->t0), slope;
    SB_TRY(slope_at(me, theta, &slope));
    for (int k = 0; k < 3; k++) {
        SB_TRY(sb_method_step(&me->method, &me->from, theta * (me->t1 - me->t0), &me->trial));
        SB_TRY(set_state(me, &me->trial, &me->at));
        const double change = me->at.e / slope;
        theta -= fabs(change) < 0.1 ? change : 0.0; /* a slope that vanishes determines no time */
        theta = fmax(theta, 1e-12);                 /* a step leads forward */
    }
    return SB_OK;
}

/* Passes the root in a part to the observer if it is one that is sought. */
static int pass_root(sb_events *me, const part *in) {
    const bool up = in->e[0] < 0.0;
    bool found;
    if (me->direction == (up ? SB_EVENT_DOWN : SB_EVENT_UP)) {
        return SB_OK;
    }
    SB_TRY(find_root(me, in, &found));
    if (!found) {
        return SB_OK;
    }

    SB_TRY(me->own_steps ? move_to_motion(me) : SB_OK);
    return me->found(me->arg, &me->at);
}

static bool changes_sign(double e0, double e1) { return (e0 < 0.0 && e1 >= 0.0) || (e0 > 0.0 && e1 <= 0.0); }

/* Sets *inward to whether |e| falls from both ends of a part into it. */
static int falls_inward(sb_events *me, const part *in, bool *inward) {
    const double d = 1e-4 * (in->theta[1] - in->theta[0]);
    *inward = in->e[0] * in->e[1] > 0.0;
    for (int end = 0; end < 2 && *inward; end++) {
        SB_TRY(evaluate(me, in->theta[end] + (end == 0 ? d : -d)));
        *inward = fabs(me->at.e) < fabs(in->e[end]);
    }
    return SB_OK;
}

/* Searches a part whose ends have e of the same sign for two roots, about the minimum of |e| by golden sections. 40 of
 * them determine the minimum to the square root of round-off. */
static int search_two(sb_events *me, const part *in) {
    const double ratio = 0.5 * (3.0 - sqrt(5.0)), sign = copysign(1.0, in->e[0]);
    double low = in->theta[0], high = in->theta[1], x[2], e[2];
    bool inward;
    SB_TRY(falls_inward(me, in, &inward));
    for (int k = 0; k < 40 && inward; k++) {
        x[0] = low + ratio * (high - low);
        x[1] = high - ratio * (high - low);
        for (int i = 0; i < 2; i++) {
            SB_TRY(evaluate(me, x[i]));
            e[i] = sign * me->at.e;
        }
        const int best = e[0] <= e[1] ? 0 : 1;
        if (e[best] < 0.0) {
            SB_TRY(pass_root(me, &(part){{in->theta[0], x[best]}, {in->e[0], sign * e[best]}}));
            return pass_root(me, &(part){{x[best], in->theta[1]}, {sign * e[best], in->e[1]}});
        }
        *(best == 0 ? &high : &low) = x[1 - best];
    }
    return SB_OK;
}

/* Searches the interval between two states. */
static int search_interval(sb_events *me, const sb_event_state *from, const sb_event_state *to) {
    part in = {.theta = {0.0}, .e = {from->e}};
    me->t0 = from->t;
    me->t1 = to->t;
    SB_TRY(me->motion == SB_MOTION_OF_RUN ? sb_dense_set(&me->dense, from->t, from->q, from->v, to->t, to->q, to->v)
                                          : SB_OK);
    for (int k = 1; k <= SB_EVENT_PARTS; k++) {
        in.theta[1] = (double)k / SB_EVENT_PARTS;
        SB_TRY(k < SB_EVENT_PARTS ? evaluate(me, in.theta[1]) : SB_OK);
        in.e[1] = k < SB_EVENT_PARTS ? me->at.e : to->e;
        SB_TRY(changes_sign(in.e[0], in.e[1]) ? pass_root(me, &in) : search_two(me, &in));
        in.theta[0] = in.theta[1];
        in.e[0] = in.e[1];
    }
    return SB_OK;
}

/* Sets me->own to the own steps of the stepper in the last interval of the run. */
static int find_own_steps(sb_events *me) {
    me->own.count = 0;
    me->scout.ctx->own_steps = &me->own;
    const int status = sb_method_step(&me->scout, &me->state, me->next.t - me->state.t, &me->trial);
    me->scout.ctx->own_steps = NULL;
    return status;
}

/* Searches the interval to the time t, from the state me->from and its event state, and moves both there. */
static int search_to(sb_events *me, double t, const sb_event_state **from) {
    sb_event_state *to = t == me->next.t ? &me->next : &me->part[*from == &me->part[0]];
    SB_TRY(sb_method_step(&me->method, &me->from, t - me->from.t, &me->to));
    me->to.t = t;
    SB_TRY(to != &me->next ? set_state(me, &me->to, to) : SB_OK);
    SB_TRY(search_interval(me, *from, to));
    const sb_state spare = me->from;
    me->from = me->to;
    me->to = spare;
    *from = to;
    return SB_OK;
}

/* Searches the interval between the last two states of the run, to the middles and the ends of the own steps. Shorter
 * steps than a hundred-millionth of the time scale, the root of round-off, are joined: the dense output takes
 * velocities from differences of positions. */
static int search_own_steps(sb_events *me) {
    const double least = sqrt(DBL_EPSILON) * me->event.sys->time_scale;
    const sb_event_state *from = &me->last;
    SB_TRY(find_own_steps(me));
    sb_state_copy(&me->method, &me->state, &me->from);
    for (long i = 0; i < me->own.count; i++) {
        const double end = me->own.t[i];
        if (end > me->from.t + least && end < me->next.t - least) {
            SB_TRY(search_to(me, 0.5 * (me->from.t + end), &from));
            SB_TRY(search_to(me, end, &from));
        }
    }
    SB_TRY(me->next.t > me->from.t + least ? search_to(me, 0.5 * (me->from.t + me->next.t), &from) : SB_OK);
    return search_to(me, me->next.t, &from);
}

int sb_events_follow(sb_events *me, const sb_sample *s) {
    const sb_system *sys = me->event.sys;
    const size_t size = (size_t)sys->n * sizeof(double);
    sb_event_state *next = &me->next;
    next->t = s->t;
    memcpy(next->q, s->q, size);
    memcpy(next->v, s->v, size);
    SB_TRY(me->motion == SB_MOTION_EXACT ? sys->exact(sys->self, s->t, next->q, next->v, NULL) : SB_OK);
    SB_TRY(sb_event_value(&me->event, s->t, next->q, next->v, &next->e));
    if (me->begun) {
        SB_TRY(me->own_steps ? search_own_steps(me) : search_interval(me, &me->last, next));
    }
    if (me->own_steps) {
        sb_state_copy(&me->method, s->state, &me->state);
    }
    const sb_event_state spare = me->last;
    me->begun = true;
    me->last = me->next;
    me->next = spare;
    return SB_OK;
}
